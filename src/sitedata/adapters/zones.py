"""The calendar day of a moment in a time zone, by python-dateutil.

Invariant *a name is never a path*: only text in the form of a zone name is looked up, in the time
zone database of this machine or of the package `tzdata`; what the database lacks is no zone, and
never silently another one.
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final

from dateutil import tz

__all__ = ["days_in"]

# Also keeps out what lies beside the zones: `localtime`, `posixrules`, `zone.tab`, `right/UTC`.
_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9_+-]{0,30}(?:/[A-Z][A-Za-z0-9_+-]{0,30}){0,2}")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_DAY: Final = date(1970, 1, 1).toordinal()
_DAY_SECONDS: Final = 86_400
_PROBES: Final = (0, _DAY_SECONDS // 2, _DAY_SECONDS - 1)
"""Seconds of a day; no zone changed its offset twice between two of them."""
_KEPT: Final = 1 << 15
"""Days whose offset is remembered: ninety years of them."""


def days_in(zone: str) -> Callable[[int], str]:
    """Give what tells the day, YYYY-MM-DD, of seconds since the epoch in a zone.

    A history has many moments and few days, so the zone is asked once a day and not once a moment.
    What is given raises OverflowError for moments outside of the years 0001 to 9999.

    Args:
        zone: IANA name, such as `Europe/Berlin`.

    Raises:
        LookupError: there is no zone of that name.

    """
    found = _zone_of(zone)

    @lru_cache(maxsize=_KEPT)
    def offset_of(day: int) -> int | None:
        """Give the offset that holds through a day of UTC; None where it changes."""
        offsets = {_offset(found, day * _DAY_SECONDS + second) for second in _PROBES}
        return offsets.pop() if len(offsets) == 1 else None

    @lru_cache(maxsize=_KEPT)
    def text_of(day: int) -> str:
        return date.fromordinal(_FIRST_DAY + day).isoformat()

    def day_of(seconds: int) -> str:
        offset = offset_of(seconds // _DAY_SECONDS)
        if offset is None:
            offset = _offset(found, seconds)
        return text_of((seconds + offset) // _DAY_SECONDS)

    return day_of


def _zone_of(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    match tz.gettz(name) if _NAME.fullmatch(name) else None:
        case tz.tzfile() as zone:
            return zone
    # whatever else is found is a rule that was read out of the name, or this machine's own zone
    raise LookupError("no such time zone")


def _offset(zone: tzinfo, seconds: int) -> int:
    """Give the offset from UTC at a moment, in seconds."""
    moment = _EPOCH + timedelta(seconds=seconds)
    away = moment.astimezone(zone).replace(tzinfo=None) - moment.replace(tzinfo=None)
    return round(away.total_seconds())
