"""Look up time zones by name, and format local time; uses python-dateutil.

Invariant *a name is never a path*: only text in the form of a zone name is looked up, in the time
zone database of the system or of the package `tzdata`.  Any other text, and a name that the
database lacks, is UTC.
"""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from dateutil import tz

from purewire.instants import SECOND_MS

__all__ = ["local_text", "zone_of"]

# Excludes the other files of the database: `localtime`, `posixrules`, `zone.tab`, `right/UTC`.
_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9_+-]{0,30}(?:/[A-Z][A-Za-z0-9_+-]{0,30}){0,2}")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def zone_of(name: str | None) -> tzinfo:
    """Return the zone of an IANA name such as `Europe/Berlin`; UTC if there is none."""
    if name is None or _NAME.fullmatch(name) is None:
        return UTC
    zone = tz.gettz(name)
    # Other types are a POSIX rule parsed from the name, or the local zone of the system.
    return zone if isinstance(zone, tz.tzfile) else UTC


def local_text(instant: int, zone: str | None) -> str:
    """Return an instant, ms since the epoch, as local time, such as `2026-01-31T12:00:00`.

    Milliseconds are dropped.  Raises OverflowError outside of the years 0001 to 9999.
    """
    moment = _EPOCH + timedelta(seconds=instant // SECOND_MS)
    return moment.astimezone(zone_of(zone)).replace(tzinfo=None).isoformat()
