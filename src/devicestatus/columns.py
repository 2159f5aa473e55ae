"""Windows as named lists, which pandas and polars take as they are.

Invariant *complete*: the rows of a lane are adjacent and cover the window except its gaps; in
`running_apps` those of each app do, as far as it ran, and one without a value while none did.
Invariant *gaps cut*: no row reaches into a gap, and durations add up to the observed time.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from devicestatus.durations import Member, intervals
from devicestatus.models import RunningApps, Window
from status_contracts.instants import to_datetime
from status_contracts.primitives import ABSENT, Absent

__all__ = ["columns"]

_Row = dict[str, Any]
_NAMES: Final = (
    *("lane", "value", "artist", "state", "number", "charging", "reported"),
    *("start", "end", "duration"),
)
_VIEWS: Final[Mapping[Member, Callable[[Any], _Row]]] = {
    "active_app": lambda app: {"value": app},
    "music": lambda music: {"value": music.track, "artist": music.artist, "state": music.state},
    "battery": lambda battery: {
        "state": battery.power_source,
        "number": _float(battery.percent),
        "charging": battery.charging,
    },
    "system": lambda system: {"number": _float(system.load_1m)},
}


def columns(window: Window) -> dict[str, list[Any]]:
    """Return a row for each interval in which a value of a valid window held, as lists by name.

    `lane` is the member that had the value; `value` an app or a track, `artist` the track's;
    `state` that of the player, or the power source; `number` percent of charge, or the load of one
    minute; `charging`.  `reported` is False where the device does not report the running apps.
    `start` and `end` are datetimes in UTC, `duration` is a timedelta.  What a lane does not have
    is None.  A running app has rows of its own.  Lanes are in the order of the members, rows in
    that of time.
    """
    first, *others = (_lane(window, lane) for lane in _VIEWS)
    rows = list(chain(first, _running(window), *others))
    return {name: [row.get(name) for row in rows] for name in _NAMES}


def _float(number: float | None) -> float | None:
    """Return a number as a float: libraries refuse a list of both integers and floats."""
    return None if number is None else float(number)


def _row(values: _Row, start: int, end: int) -> _Row:
    first, last = to_datetime(start), to_datetime(end)
    return {**values, "start": first, "end": last, "duration": last - first}


def _lane(window: Window, lane: Member) -> Iterator[_Row]:
    for interval in intervals(window, lane, _VIEWS[lane]):
        yield _row({"lane": lane, "reported": True, **interval.value}, interval.start, interval.end)


def _running(window: Window) -> Iterator[_Row]:
    """Yield a row for each time that an app, or none, ran, by start and then as listed."""
    runs: dict[tuple[str | None, bool], list[tuple[int, int]]] = {}
    for interval in intervals(window, "running_apps", _apps):
        for name in interval.value:
            times = runs.setdefault(name, [])
            start = times.pop()[0] if times and times[-1][1] == interval.start else interval.start
            times.append((start, interval.end))
    spans = ((*run, *name) for name, times in runs.items() for run in times)
    for start, end, app, is_reported in sorted(spans, key=lambda row: row[0]):
        yield _row({"lane": "running_apps", "reported": is_reported, "value": app}, start, end)


def _apps(apps: RunningApps | Absent) -> tuple[tuple[str | None, bool], ...]:
    """Return name and `reported` of each app; one without a name if there is none."""
    if apps is ABSENT:
        return ((None, False),)
    return tuple((app, True) for app in apps) or ((None, True),)
