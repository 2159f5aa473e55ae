"""Numbers in one canonical form.

Invariant *canonical numbers*: a number with an integral value is an int, so that equal models have
equal bytes: `50.0`, `5e1` and `50` are 50, and `-0.0` is 0.
"""

from math import isfinite
from typing import Final

_DOUBLE_BITS: Final = 1024
"""The number of bits of the largest integers in the range of doubles."""


def canonical(number: float) -> int | float:
    """Return a finite number, as int if its value is integral."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def is_finite(number: float) -> bool:
    """Check whether a number is finite; an integer too large for any double is not."""
    return number.bit_length() <= _DOUBLE_BITS if isinstance(number, int) else isfinite(number)


def is_integral(number: float) -> bool:
    """Check whether a number is finite and has an integral value."""
    return isinstance(number, int) or number.is_integer()
