"""Parse the times and numbers of an export, and write those of the tables.

A day is a proleptic ordinal (0001-01-01 is 1).  A minute is an ordinal times 1,440 plus the minute
of the day, on whatever clock the text has.  Texts are `07/21/24 13:05:00`,
`2024-07-21T13:05:00.000` or, of an instant, the latter with `Z` or an offset.

Invariant *plausible years*: only the years 2000 to 2099 are accepted, so that the dates of 1970
that some files hold are unreadable rather than data.
"""

import re
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final

from healthapi.rows.cells import Unreadable, decimal

DAY_MINUTES: Final = 1_440
EPOCH_MINUTE: Final = date(1970, 1, 1).toordinal() * DAY_MINUTES
"""The minute of UTC of the epoch."""
_SHORT_DATE: Final = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{2})", re.ASCII)
_LONG_DATE: Final = re.compile(r"(20[0-9]{2})-([0-9]{2})-([0-9]{2})", re.ASCII)
_OFFSET: Final = re.compile(r"([+-])?([0-9]{1,2}):?([0-9]{2})(?::?[0-9]{2})?", re.ASCII)
_SECONDS: Final = re.compile(r"(-?[0-9]{1,5})s", re.ASCII)
MINUTE_OF: Final = {f"{minute // 60:02}:{minute % 60:02}": minute for minute in range(DAY_MINUTES)}
"""The minute of the day of `13:05`."""
_MAX_OFFSET: Final = 14 * 60


@lru_cache(maxsize=4096)
def day_of(text: str) -> int | None:
    """Return the day with which a text begins; None if it begins with none."""
    if short := _SHORT_DATE.match(text):
        month, day, year = map(int, short.groups())
        year += 2000
    elif long := _LONG_DATE.match(text):
        year, month, day = map(int, long.groups())
    else:
        return None
    try:
        return date(year, month, day).toordinal()
    except ValueError:
        return None


def day_text(day: int) -> str:
    """Return a day as `2024-07-21`."""
    return date.fromordinal(day).isoformat()


def local_minute(text: str) -> int | None:
    """Return the minute of a time without a zone; None if it cannot be read."""
    length = 8 if text[2:3] == "/" else 10
    day, minute = day_of(text[:length]), MINUTE_OF.get(text[length + 1 : length + 6])
    return None if day is None or minute is None else day * DAY_MINUTES + minute


def instant(text: str) -> datetime | None:
    """Return a time with `Z` or an offset; None without one."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if at.tzinfo is None or day_of(text) is None else at


def instant_minute(text: str) -> int | None:
    """Return the minute, on the clock of UTC, of a time with `Z` or an offset; None without one."""
    if text.endswith("Z"):  # fast path: nearly all
        return local_minute(text)
    at = instant(text)
    return None if at is None else local_minute(at.astimezone(UTC).isoformat())


def offset_minutes(text: str) -> int | None:
    """Return an offset from UTC in minutes: `+11:00`, `-0330`, `Z` or `39600s`."""
    if text == "Z":
        return 0
    if seconds := _SECONDS.fullmatch(text):
        offset = int(seconds[1]) // 60
    elif clock := _OFFSET.fullmatch(text):
        offset = (int(clock[2]) * 60 + int(clock[3])) * (-1 if clock[1] == "-" else 1)
    else:
        return None
    return offset if abs(offset) <= _MAX_OFFSET else None


def known_number(value: object) -> float | None:
    """Return a number; None for a missing one: a blank, `nan`, `none`, `null`.

    Raise Unreadable for anything else, and for a number beyond 2**53.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str | None):
        raise Unreadable("number.form")
    return None if value is None else decimal(str(value))


def number(value: object) -> float | None:
    """Return a number as `known_number` does; None for what cannot be read, too."""
    try:
        return known_number(value)
    except Unreadable:
        return None


def whole_text(value: float | None) -> str:
    """Return a number rounded half to even, without a fraction; blank for None."""
    return "" if value is None else str(round(value))


def number_text(value: float | None) -> str:
    """Return a number in the shortest form that reads back as the same number; blank for None."""
    if value is None:
        return ""
    return str(round(value)) if value == round(value) else repr(value)
