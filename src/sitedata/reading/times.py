"""Parse times with an offset to exact instants, and convert calendar days to numbers.

A time is RFC 3339 text.  An instant is milliseconds since the epoch: an integer, or a Decimal where
the text is finer.  A day is a number as well: days since the epoch, in the years 0000 to 9999.

Invariant *instants compare exactly*: two times compare as the instants that they name, whatever
their offsets and their number of digits.
Invariant *linear*: parsing takes time linear in the length of the text.  Values finer than
milliseconds are therefore a Decimal, since reducing a Fraction takes far longer.
"""

import re
from datetime import date
from decimal import Decimal
from functools import lru_cache
from operator import itemgetter
from typing import Final

from purewire.instants import MINUTE_MS, SECOND_MS

Instant = int | Decimal

_TIME_OF_DAY: Final = re.compile(r"[Tt]([0-9]{2}):([0-9]{2})")
_OFFSET: Final = r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
_SECOND: Final = re.compile(f":([0-5][0-9]){_OFFSET}")
_ANY_SECOND: Final = re.compile(rf":([0-5][0-9]|60)(?:\.([0-9]+))?{_OFFSET}")
_PARTS: Final = itemgetter(slice(10), slice(10, 16), slice(16, None))
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EPOCH: Final = date(1970, 1, 1).toordinal()
_HOURS: Final = 24
_SIXTY: Final = 60
_DAY_MINUTES: Final = _HOURS * _SIXTY
_MS_DIGITS: Final = 3
_CYCLE_YEARS: Final = 400
_CYCLE_DAYS: Final = 146_097
"""The calendar repeats after 400 years, weekdays included; so the year 0, which `date` lacks, is
computed as the year 400."""
_COMPLEMENT: Final = str.maketrans("0123456789", "9876543210")


def parse_instant(text: str) -> Instant:
    """Parse a time to its instant; raise ValueError if the text is not a time.

    A second 60 is a leap second: valid only at the end of a day in UTC, and the same instant as the
    second after it.
    """
    day, minute, second = _PARTS(text)
    minutes = read_day(day) * _DAY_MINUTES + _time_of_day(minute)
    try:  # fast path: seconds without decimals are cached
        return minutes * MINUTE_MS + _second(second)
    except ValueError:
        return _add_any_second(minutes, second)


@lru_cache(maxsize=4096)
def read_day(text: str) -> int:
    """Parse a day, YYYY-MM-DD; raise ValueError if it is not in the calendar."""
    if _DAY.fullmatch(text) is None:
        raise ValueError("not a day")
    year = int(text[:4])
    shift = 0 if year else _CYCLE_YEARS
    ordinal = date(year + shift, int(text[5:7]), int(text[8:])).toordinal()
    return ordinal - _EPOCH - (_CYCLE_DAYS if shift else 0)


def write_day(day: int) -> str:
    """Format a day as YYYY-MM-DD; raise ValueError outside the years 0000 to 9999."""
    shifted, shift = _date(day)
    return f"{shifted.year - shift:04}{shifted.isoformat()[4:]}"


def week_of(day: int) -> tuple[int, int]:
    """Return ISO year and ISO week number of a day; raise ValueError as `write_day` does."""
    shifted, shift = _date(day)
    year, week, _ = shifted.isocalendar()
    return year - shift, week


@lru_cache(maxsize=2880)
def _time_of_day(text: str) -> int:
    match = _TIME_OF_DAY.fullmatch(text)
    if match is None:
        raise ValueError("not a time of day")
    return _minutes(*match.groups())


@lru_cache(maxsize=4096)
def _second(text: str) -> int:
    match = _SECOND.fullmatch(text)
    if match is None:
        raise ValueError("not a second with an offset")
    second, sign, hours, minutes = match.groups()
    return int(second) * SECOND_MS - _offset_minutes(sign, hours, minutes) * MINUTE_MS


def _add_any_second(minutes: int, text: str) -> Instant:
    """Add a second with an offset, as `_second` parses it, or with decimals, or a leap second."""
    match = _ANY_SECOND.fullmatch(text)
    if match is None:
        raise ValueError("not a second with an offset")
    second, fraction, *offset = match.groups()
    minutes -= _offset_minutes(*offset)
    if second == "60" and (minutes + 1) % _DAY_MINUTES:
        raise ValueError("not a leap second")
    instant = minutes * MINUTE_MS + int(second) * SECOND_MS
    return instant if fraction is None else _add_fraction(instant, fraction)


def _offset_minutes(sign: str | None, hours: str, minutes: str) -> int:
    if sign is None:
        return 0
    return _minutes(hours, minutes) * (-1 if sign == "-" else 1)


def _add_fraction(instant: int, fraction: str) -> Instant:
    """Add the digits of a fraction of a second to an instant."""
    digits = fraction.rstrip("0")
    whole, rest = int(digits[:_MS_DIGITS].ljust(_MS_DIGITS, "0")), digits[_MS_DIGITS:]
    instant += whole
    if not rest:
        return instant
    if instant >= 0:
        return Decimal(f"{instant}.{rest}")  # exact, while Decimal addition rounds
    rest = rest[:-1].translate(_COMPLEMENT) + str(10 - int(rest[-1]))
    return Decimal(f"-{-instant - 1}.{rest}")


def _minutes(hour: str, minute: str) -> int:
    hours, minutes = int(hour), int(minute)
    if hours >= _HOURS or minutes >= _SIXTY:
        raise ValueError("not a time of day")
    return hours * _SIXTY + minutes


def _date(day: int) -> tuple[date, int]:
    """Return a day as a date, and the number of years by which it is shifted."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError("outside the years 0000 to 9999")
    shift = 0 if day + _EPOCH > 0 else _CYCLE_YEARS
    return date.fromordinal(day + _EPOCH + (_CYCLE_DAYS if shift else 0)), shift


FIRST_DAY: Final = read_day("0000-01-01")
"""The first day there is."""
LAST_DAY: Final = read_day("9999-12-31")
"""The last day there is."""
