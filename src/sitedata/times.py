"""Parse times with an offset to exact instants.

A time is RFC 3339 text with at most six digits of a fraction, of a real instant.  An instant is
milliseconds since the epoch: an integer, or a Decimal where the text is finer.  Times, in UTC, are
in the years 0001 to 9999.

Invariant *instants compare exactly*: two times compare as the instants that they name, whatever
their offsets and their number of digits.
"""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT

Instant = int | Decimal

_CLOCK: Final = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME: Final = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[Tt]{_CLOCK}:[0-5][0-9](?:\.[0-9]{{1,6}})?"
    rf"(?:[Zz]|[+-]{_CLOCK})"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MS_DIGITS: Final = 3


def parse_instant(text: str) -> Instant:
    """Parse a time to its instant; raise ValueError if the text is not a time."""
    if _TIME.fullmatch(text) is None:
        raise ValueError("not a time")
    microseconds = (datetime.fromisoformat(text.upper()) - _EPOCH) // _MICROSECOND
    instant, finer = divmod(microseconds, 10**_MS_DIGITS)
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        raise ValueError("outside the years 0001 to 9999 in UTC")
    return Decimal(microseconds).scaleb(-_MS_DIGITS) if finer else instant
