"""Local time in a named time zone, by `zoneinfo` and the package `tzdata`.

Invariant *the same on every machine*: zones come from the installed `tzdata`, never from files or
the environment of the machine, which differ and which some containers lack.
Invariant *a name is never a path*: only a name that `tzdata` lists is looked up.  A name that it
lacks is never replaced by another zone.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from status_contracts.instants import SECOND_MS

__all__ = ["find_zone", "known_zone", "local_text", "offsets_in"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=64)
def find_zone(name: str) -> tzinfo | None:
    """Return the zone of an IANA name such as `Europe/Berlin`; None if it is unknown."""
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - slow to import; UTC needs no file

    if name not in _names():
        return None
    path = resources.files("tzdata").joinpath("zoneinfo", *name.split("/"))
    with path.open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


@cache
def _names() -> frozenset[str]:
    return frozenset(resources.files("tzdata").joinpath("zones").read_text("utf-8").split())


def local_text(instant: int, zone: str | None) -> str:
    """Format ms since the epoch as `2026-01-31T12:00:00` in a zone; UTC if it is None or unknown.

    A local time outside the years 0001 to 9999 becomes the nearest one within them.
    """
    try:
        return _local(find_zone(zone or "") or UTC, instant // SECOND_MS).isoformat()
    except OverflowError:
        return "0001-01-01T00:00:00" if instant < 0 else "9999-12-31T23:59:59"


def offsets_in(zone: str) -> Callable[[int], int]:
    """Return a function from seconds since the epoch to the offset of a zone, in seconds.

    Raises LookupError for an unknown zone; the function raises OverflowError outside the years 0001
    to 9999.
    """
    rules = known_zone(zone)
    return lambda seconds: round((_local(rules, seconds) - _local(UTC, seconds)).total_seconds())


def known_zone(zone: str) -> tzinfo:
    """Return the zone of an IANA name; raise LookupError for an unknown one."""
    rules = UTC if zone == "UTC" else find_zone(zone)  # UTC needs no file
    if rules is None:
        raise LookupError("unknown time zone")
    return rules


def _local(zone: tzinfo | None, seconds: int) -> datetime:
    return (_EPOCH + timedelta(seconds=seconds)).astimezone(zone).replace(tzinfo=None)
