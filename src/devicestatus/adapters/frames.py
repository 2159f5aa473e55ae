"""Windows as tables for pandas, polars and pyarrow; needs the extra `frames`.

`to_arrow(window).to_polars()` and `to_arrow(window).to_pandas()` make a frame.  Time is UTC to the
millisecond.  A value that a lane does not have is null.  The column `reported` tells apart what is
null because there was nothing and what the device does not report.

Invariant *complete*: the rows of a lane are adjacent and cover the window except its gaps; in
`running_apps` those of each app do, as far as it ran, and one without a value while none did.
Invariant *gaps cut*: no row reaches into a gap, and durations add up to the observed time.
Invariant *one projection*: a row of `projections_to_arrow` equals `PreparedWindow.project` at its
instant.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from devicestatus import limits
from devicestatus.engine.intervals import Interval, Member, intervals
from devicestatus.engine.projection import NoData, Projection, prepare
from devicestatus.models import RunningApps, Window
from purewire.adapters.arrow import ArrowTable, ColumnType
from purewire.primitives import ABSENT, Absent

_TIMES: Final[Mapping[str, ColumnType]] = {
    "start": "instant",
    "end": "instant",
    "duration": "duration",
}
_LANES: Final[Mapping[str, ColumnType]] = {
    "lane": "text",
    "value": "text",
    "artist": "text",
    "state": "text",
    "number": "number",
    "charging": "boolean",
    "reported": "boolean",
    **_TIMES,
}
_PROJECTED: Final[Mapping[str, ColumnType]] = {
    "now": "instant",
    "state": "text",
    "reason": "text",
    "active_app": "text",
    "track": "text",
    "artist": "text",
    "percent": "number",
    "load_1m": "number",
}

_Row = dict[str, Any]
_VIEWS: Final[Mapping[Member, Callable[[Any], _Row]]] = {
    "active_app": lambda app: {"value": app},
    "music": lambda music: {"value": music.track, "artist": music.artist, "state": music.state},
    "battery": lambda battery: {
        "state": battery.power_source,
        "number": battery.percent,
        "charging": battery.charging,
    },
    "system": lambda system: {"number": system.load_1m},
}


def to_arrow(data: Window | Iterable[Interval[str | float | bool | None]]) -> ArrowTable:
    """Return a table with one row for each interval in which a value of a valid window held.

    Of intervals the columns are `value`, `start`, `end` and `duration`.  Those of a window:
    `lane` is the member that had it; `value` an app or a track, `artist` the track's; `state` that
    of the player, or the power source; `number` percent of charge, or the load of one minute;
    `charging`; `reported`; `start`, `end` and `duration`.  A running app has rows of its own in
    `running_apps`.  Lanes are in the order of the members, rows in that of time.
    """
    if isinstance(data, Window):
        first, *others = (_lane(data, lane) for lane in _VIEWS)
        return ArrowTable.of_rows(_LANES, chain(first, _running(data), *others))
    spans = tuple(data)
    kinds = {type(interval.value) for interval in spans if interval.value is not None}
    kind: ColumnType = "text" if kinds <= {str} else "boolean" if kinds == {bool} else "number"
    rows = (_row({"value": interval.value}, interval.start, interval.end) for interval in spans)
    return ArrowTable.of_rows({"value": kind, **_TIMES}, rows)


def gaps_to_arrow(window: Window) -> ArrowTable:
    """Return the gaps of a valid window: `reason`, `start`, `end` and `duration`."""
    rows = (_row({"reason": gap.reason}, gap.start_at, gap.end_at) for gap in window.gaps)
    return ArrowTable.of_rows({"reason": "text", **_TIMES}, rows)


def projections_to_arrow(window: Window, start: int, end: int, step_ms: int) -> ArrowTable:
    """Return the public status of a valid window at each instant of a grid, one row each.

    The grid begins at `start`, ms since the epoch, and ends before `end`, in steps of `step_ms`.
    Columns: `now` is the server time, 420 s after the moment that is shown; `state` is `playing`,
    `gap`, `warm-up` or `exhausted`, `reason` the gap's; `active_app`, `track`, `artist`, `percent`
    of charge and `load_1m` are those of the snapshot, null where there is none.

    Raises:
        ValueError: the step is not positive.

    """
    if step_ms <= 0:
        raise ValueError(f"step_ms is {step_ms}, it must be positive")
    prepared = prepare(window)
    stages = list(map(_stage, prepared.projections))
    rows = (
        {"now": now, **stages[bisect_right(prepared.changes, now - limits.PLAYBACK_DELAY_MS)]}
        for now in range(start, end, step_ms)
    )
    return ArrowTable.of_rows(_PROJECTED, rows)


def _stage(stage: Projection) -> _Row:
    if isinstance(stage, NoData):
        return {"state": stage.reason, "reason": stage.gap and stage.gap.reason}
    return {
        "state": "playing",
        "active_app": stage.active_app,
        "track": stage.music.track,
        "artist": stage.music.artist,
        "percent": stage.battery.percent,
        "load_1m": stage.system.load_1m,
    }


def _row(values: _Row, start: int, end: int) -> _Row:
    return {**values, "start": start, "end": end, "duration": end - start}


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
        values = {"lane": "running_apps", "reported": is_reported, "value": app}
        yield _row(values, start, end)


def _apps(apps: RunningApps | Absent) -> tuple[tuple[str | None, bool], ...]:
    """Return name and `reported` of each app; one without a name if there is none."""
    if apps is ABSENT:
        return ((None, False),)
    return tuple((app, True) for app in apps) or ((None, True),)
