"""Parse times with an offset to exact instants, and convert calendar days to numbers.

A time is RFC 3339 text with at most six digits of a fraction, of a real instant.  An instant is
milliseconds since the epoch: an integer, or a Decimal where the text is finer.  A day is a number
as well: days since the epoch.  Times, in UTC, and days are in the years 0001 to 9999.

Invariant *instants compare exactly*: two times compare as the instants that they name, whatever
their offsets and their number of digits.
"""

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final

from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT

Instant = int | Decimal

_CLOCK: Final = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME: Final = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[Tt]{_CLOCK}:[0-5][0-9](?:\.[0-9]{{1,6}})?"
    rf"(?:[Zz]|[+-]{_CLOCK})"
)
_DAY: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_EPOCH_DAY: Final = _EPOCH.toordinal()
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


@lru_cache(maxsize=4096)
def read_day(text: str) -> int:
    """Parse a day, YYYY-MM-DD; raise ValueError if it is not in the calendar."""
    if _DAY.fullmatch(text) is None:
        raise ValueError("not a day")
    return date.fromisoformat(text).toordinal() - _EPOCH_DAY


def write_day(day: int) -> str:
    """Format a day as YYYY-MM-DD; raise ValueError outside the years 0001 to 9999."""
    return _date(day).isoformat()


def week_of(day: int) -> tuple[int, int]:
    """Return ISO year and ISO week number of a day; raise ValueError as `write_day` does."""
    year, week, _ = _date(day).isocalendar()
    return year, week


def _date(day: int) -> date:
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError("outside the years 0001 to 9999")
    return date.fromordinal(day + _EPOCH_DAY)


FIRST_DAY: Final = read_day("0001-01-01")
"""The first day there is."""
LAST_DAY: Final = read_day("9999-12-31")
"""The last day there is."""
