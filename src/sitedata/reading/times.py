"""Times with a zone offset to exact instants, and the days of the calendar.

Source: site-data specification, "Problem object"; rulings under "Site-data file".  A time is text
as RFC 3339 has it; an instant is milliseconds since the epoch, an integer, or a Decimal where the
text is finer than that.  A day is a number too: days since the epoch, of the years 0000 to 9999.

Invariant *instants compare exactly*: two times are equal, or one is before the other, as the
instants that they name, whatever their offsets and the number of their digits.
Invariant *linear*: the time to read a text grows with its length and with nothing else, which is
why what is finer than milliseconds is no Fraction: reducing one takes far longer.
"""

import re
from datetime import date
from decimal import Decimal
from functools import lru_cache
from operator import itemgetter
from typing import Final

from purewire.instants import DAY_MS, MINUTE_MS, SECOND_MS

__all__ = [
    "FIRST_DAY",
    "LAST_DAY",
    "Instant",
    "instant_of",
    "read_day",
    "week_of",
    "write_day",
]

Instant = int | Decimal

_TIME: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_TIME_OF_DAY: Final = re.compile(r"[Tt]([0-9]{2}):([0-9]{2})")
_SECOND: Final = re.compile(r":([0-5][0-9])(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))")
_PARTS: Final = itemgetter(slice(10), slice(10, 16), slice(16, None))
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EPOCH: Final = date(1970, 1, 1).toordinal()
_HOURS: Final = 24
_SIXTY: Final = 60
_MS_DIGITS: Final = 3
_CYCLE_YEARS: Final = 400
_CYCLE_DAYS: Final = 146_097
"""The calendar repeats itself, weeks and all; so the year 0, which `date` does not have, is the
year 400 moved."""
_COMPLEMENT: Final = str.maketrans("0123456789", "9876543210")


def instant_of(text: str) -> Instant:
    """Give the instant of a time; raises ValueError for text that is none.

    A second 60 is the leap second, which is only at the end of a day in UTC; it is the same instant
    as the second after it.
    """
    try:  # texts without decimals share their parts with others
        day, minute, second = _PARTS(text)
        return read_day(day) * DAY_MS + _time_of_day(minute) + _second(second)
    except ValueError:
        return _any_instant(text)


@lru_cache(maxsize=4096)
def read_day(text: str) -> int:
    """Give a day, written as YYYY-MM-DD; raises ValueError where the calendar has none."""
    if _DAY.fullmatch(text) is None:
        raise ValueError("not a day")
    year = int(text[:4])
    moved = 0 if year else _CYCLE_YEARS
    ordinal = date(year + moved, int(text[5:7]), int(text[8:])).toordinal()
    return ordinal - _EPOCH - (_CYCLE_DAYS if moved else 0)


def write_day(day: int) -> str:
    """Write a day as YYYY-MM-DD; raises ValueError outside the years 0000 to 9999."""
    found, moved = _date(day)
    return f"{found.year - moved:04}{found.isoformat()[4:]}"


def week_of(day: int) -> tuple[int, int]:
    """Give the ISO year and the number of the ISO week of a day; errors as of `write_day`."""
    found, moved = _date(day)
    year, week, _ = found.isocalendar()
    return year - moved, week


@lru_cache(maxsize=2880)
def _time_of_day(text: str) -> int:
    """Read `THH:MM`."""
    found = _TIME_OF_DAY.fullmatch(text)
    if found is None:
        raise ValueError("no such time of day")
    return _minutes(*found.groups()) * MINUTE_MS


@lru_cache(maxsize=4096)
def _second(text: str) -> int:
    """Read `:SS` and an offset."""
    found = _SECOND.fullmatch(text)
    if found is None:
        raise ValueError("no such second and offset")
    second, sign, hours, minutes = found.groups()
    return int(second) * SECOND_MS - _away(sign, hours, minutes) * MINUTE_MS


def _any_instant(text: str) -> Instant:
    """Give the instant of a time of any length."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError("not a time with an offset")
    day, hour, minute, second, fraction, *offset = found.groups()
    minutes = read_day(day) * _HOURS * _SIXTY + _minutes(hour, minute) - _away(*offset)
    if second > "59" and (second != "60" or (minutes + 1) % (_HOURS * _SIXTY)):
        raise ValueError("no such second")
    instant = minutes * MINUTE_MS + int(second) * SECOND_MS
    return instant if fraction is None else _fine(instant, fraction)


def _away(sign: str | None, hours: str, minutes: str) -> int:
    """Give how many minutes an offset is away from UTC."""
    if sign is None:
        return 0
    return _minutes(hours, minutes) * (-1 if sign == "-" else 1)


def _fine(instant: int, fraction: str) -> Instant:
    """Add a fraction of a second that is finer than milliseconds."""
    digits = fraction.rstrip("0")
    whole, rest = int(digits[:_MS_DIGITS].ljust(_MS_DIGITS, "0")), digits[_MS_DIGITS:]
    instant += whole
    if not rest:
        return instant
    if instant >= 0:
        return Decimal(f"{instant}.{rest}")  # reading is exact, adding would round
    rest = rest[:-1].translate(_COMPLEMENT) + str(10 - int(rest[-1]))
    return Decimal(f"-{-instant - 1}.{rest}")


def _minutes(hour: str, minute: str) -> int:
    hours, minutes = int(hour), int(minute)
    if hours >= _HOURS or minutes >= _SIXTY:
        raise ValueError("no such time of day")
    return hours * _SIXTY + minutes


def _date(day: int) -> tuple[date, int]:
    """Give a day as a date, and by how many years it is moved."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError("outside the years 0000 to 9999")
    moved = 0 if day + _EPOCH > 0 else _CYCLE_YEARS
    return date.fromordinal(day + _EPOCH + (_CYCLE_DAYS if moved else 0)), moved


FIRST_DAY: Final = read_day("0000-01-01")
"""The first day there is."""
LAST_DAY: Final = read_day("9999-12-31")
"""The last day there is."""
