"""Local time and calendar days in a named time zone, by `zoneinfo` and the package `tzdata`.

Invariant *the same on every machine*: zones come from the installed `tzdata`, never from files or
the environment of the machine, which differ and which some containers lack.
Invariant *a name is never a path*: only a name that `tzdata` lists is looked up.  A name that it
lacks is never replaced by another zone.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from importlib import resources
from typing import Final
from zoneinfo import ZoneInfo

from status_contracts.instants import SECOND_MS

__all__ = ["days_in", "find_zone", "local_text", "offsets_in", "zone_of"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_SECONDS: Final = 86_400
_PROBES: Final = (0, _DAY_SECONDS // 2, _DAY_SECONDS - 1)
"""Seconds of a day; no zone changed its offset twice between two of them."""
_CACHED_DAYS: Final = 1 << 15
"""Days whose offset is cached: ninety years."""
_OFFSET: Final = re.compile("([+-])([01][0-9]):([0-5][0-9])")


def find_zone(name: str) -> tzinfo | None:
    """Return the zone of an IANA name such as `Europe/Berlin`; None if it is unknown."""
    if name == "UTC":
        return UTC
    return _load(name) if name in _names() else None


@cache
def _names() -> frozenset[str]:
    return frozenset(resources.files("tzdata").joinpath("zones").read_text("ascii").split())


@cache
def _load(name: str) -> ZoneInfo:
    path = resources.files("tzdata").joinpath("zoneinfo", *name.split("/"))
    with path.open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


def zone_of(name: str | None) -> tzinfo:
    """Return the zone of an IANA name; UTC if it is None or unknown."""
    return (find_zone(name) if name is not None else None) or UTC


def local_text(instant: int, zone: str | None) -> str:
    """Format ms since the epoch as `2026-01-31T12:00:00` in a zone; UTC if it is None or unknown.

    Raises OverflowError outside the years 0001 to 9999.
    """
    return _local(zone_of(zone), instant // SECOND_MS).isoformat()


def days_in(zone: str) -> Callable[[int], str]:
    """Return a function from seconds since the epoch to the day, YYYY-MM-DD, in a zone.

    The zone is an IANA name, or an offset such as `+09:00`.  A history has many commits on few
    days, so the offset is looked up once a day.  Raises as `offsets_in`.
    """
    offset_of = _fixed(zone) or offsets_in(zone)

    @lru_cache(maxsize=_CACHED_DAYS)
    def text_of(day: int) -> str:
        return (_EPOCH + timedelta(day)).date().isoformat()

    return lambda seconds: text_of((seconds + offset_of(seconds)) // _DAY_SECONDS)


def _fixed(zone: str) -> Callable[[int], int] | None:
    """Return the function of an offset; None for another text."""
    match = _OFFSET.fullmatch(zone)
    if match is None:
        return None
    sign, hours, minutes = match.groups()
    seconds = (int(hours) * 3600 + int(minutes) * 60) * (-1 if sign == "-" else 1)
    return lambda _: seconds


def offsets_in(zone: str) -> Callable[[int], int]:
    """Return a function from seconds since the epoch to the offset of a zone, in seconds.

    Raises LookupError for an unknown zone; the function raises OverflowError outside the years 0001
    to 9999.
    """
    zone_info = find_zone(zone)
    if zone_info is None:
        raise LookupError("unknown time zone")

    @lru_cache(maxsize=_CACHED_DAYS)
    def offset_of_day(day: int) -> int | None:
        """Return the offset of a whole day of UTC; None if it changes on that day."""
        offsets = {_offset(zone_info, day * _DAY_SECONDS + second) for second in _PROBES}
        return offsets.pop() if len(offsets) == 1 else None

    def offset_of(seconds: int) -> int:
        offset = offset_of_day(seconds // _DAY_SECONDS)
        return _offset(zone_info, seconds) if offset is None else offset

    return offset_of


def _local(zone: tzinfo, seconds: int) -> datetime:
    """Return local time without a zone."""
    return (_EPOCH + timedelta(seconds=seconds)).astimezone(zone).replace(tzinfo=None)


def _offset(zone: tzinfo, seconds: int) -> int:
    """Return the offset from UTC at a time, in seconds."""
    return round((_local(zone, seconds) - _local(UTC, seconds)).total_seconds())
