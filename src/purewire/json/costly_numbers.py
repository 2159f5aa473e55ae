"""Bodies with numbers that the fast JSON decoder parses slowly.

The decoder takes about 9 microseconds for a number near the largest or the smallest doubles, and
for some of many digits, against 0.04 for others; Python's `float` takes 0.3 at most.
"""

import re
from typing import Final

__all__ = ["has_costly_numbers"]

_ALLOWED: Final = 64
"""So many cost no more than half a millisecond."""
_SIGNS: Final = b"+-."
_DIGITS: Final = bytes.maketrans(b"123456789E", b"0" * 9 + b"e")
_EXPONENT: Final = b"0e00"
_LONG: Final = b"0" * 20
_NUMBER: Final = re.compile(
    rb"[:,\[ \t\r\n][+-]?+(?=[0-9.]*+[eE][+-]?+[0-9]{2}|[0-9.]{20})[0-9.]++"
)
"""A number with an exponent of two digits or more, or of twenty digits; no text begins like it."""


def has_costly_numbers(body: bytes) -> bool:
    """Check whether JSON text may have more than 64 numbers that are slow to decode.

    The answer depends on the text alone; true for a body that is no JSON text means nothing.
    The cost is linear, and small where no number or text has such digits.
    """
    signs = body.translate(_DIGITS, _SIGNS)
    if signs.count(_EXPONENT) + signs.count(_LONG) <= _ALLOWED:
        return False
    found = _NUMBER.finditer(body)
    return any(count > _ALLOWED for count, _ in enumerate(found, start=1))
