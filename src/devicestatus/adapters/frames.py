"""Windows as tables for pandas, polars and pyarrow; needs the extra `frames`.

`polars.DataFrame(table)`, `pyarrow.table(table)` and `pandas.DataFrame.from_arrow(table)` make a
frame of one.  Time is UTC to the millisecond.  A value that a lane does not have is null, as is
one that the device did not report.

Invariant *complete*: the rows of a lane are adjacent and cover the window except its gaps; in
`running_apps` those of each app do, as far as it ran.
Invariant *gaps cut*: no row reaches into a gap, and durations add up to the observed time.
Invariant *one projection*: a row of `projections_to_arrow` equals `PreparedWindow.project` at its
instant.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from devicestatus import limits
from devicestatus.engine.intervals import Interval, Member, intervals
from devicestatus.engine.projection import NoData, Projection, prepare
from devicestatus.models.snapshot import Battery, Music, RunningApps, System
from devicestatus.models.window import Window
from purewire.absent import ABSENT, Absent
from purewire.adapters.arrow import ArrowTable, ColumnType, columns_of_rows

_VALUES: Final[Mapping[str, ColumnType]] = {
    "value": "text",
    "artist": "text",
    "state": "text",
    "number": "number",
    "charging": "boolean",
}
_TIMES: Final[Mapping[str, ColumnType]] = {
    "start": "instant",
    "end": "instant",
    "duration": "duration",
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

_Values = tuple[str | None, str | None, str | None, float | None, bool | None]
_Row = tuple[Any, ...]


def to_arrow(window: Window) -> ArrowTable:
    """Return a table with one row for each interval in which a value of a valid window held.

    Columns: `lane` is the member that had it; `value` an app or a track, `artist` the track's;
    `state` that of the player, or the power source; `number` percent of charge, or the load of one
    minute; `charging`; `start`, `end` and `duration`.  A running app has rows of its own in
    `running_apps`.  Lanes are in the order of the members, rows in that of time.
    """
    rows = [
        *_rows(window, "active_app", _app),
        *_running(window),
        *_rows(window, "music", _music),
        *_rows(window, "battery", _battery),
        *_rows(window, "system", _load),
    ]
    return ArrowTable(columns_of_rows({"lane": "text", **_VALUES, **_TIMES}, map(_timed, rows)))


def gaps_to_arrow(window: Window) -> ArrowTable:
    """Return the gaps of a valid window: `reason`, `start`, `end` and `duration`."""
    rows = ((gap.reason, gap.start_at, gap.end_at) for gap in window.gaps)
    return ArrowTable(columns_of_rows({"reason": "text", **_TIMES}, map(_timed, rows)))


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
        (now, *stages[bisect_right(prepared.changes, now - limits.PLAYBACK_DELAY_MS)])
        for now in range(start, end, step_ms)
    )
    return ArrowTable(columns_of_rows(_PROJECTED, rows))


def _stage(stage: Projection) -> _Row:
    if isinstance(stage, NoData):
        return stage.reason, stage.gap and stage.gap.reason, None, None, None, None, None
    music = stage.music
    battery, load = stage.battery.percent, stage.system.load_1m
    return "playing", None, stage.active_app, music.track, music.artist, battery, load


def _timed(row: _Row) -> _Row:
    """Return a row with its duration."""
    *_, start, end = row
    return *row, end - start


def _rows(window: Window, lane: Member, view: Callable[[Any], _Values]) -> Iterator[_Row]:
    for each in intervals(window, lane, view):
        yield lane, *each.value, each.start, each.end


def _running(window: Window) -> list[_Row]:
    """Return a row for each time that an app ran, by start and then as listed."""
    found = [
        Interval(start, end, name)
        for name, times in _runs(intervals(window, "running_apps", _apps)).items()
        for start, end in times
    ]
    found.sort(key=lambda each: each.start)
    return [("running_apps", *_app(each.value), each.start, each.end) for each in found]


def _runs(found: tuple[Interval[RunningApps], ...]) -> dict[str, list[tuple[int, int]]]:
    """Return the start and end of each run by app; intervals that touch are merged."""
    runs: dict[str, list[tuple[int, int]]] = {}
    for each in found:
        for name in each.value:
            times = runs.setdefault(name, [])
            start = times.pop()[0] if times and times[-1][1] == each.start else each.start
            times.append((start, each.end))
    return runs


def _apps(apps: RunningApps | Absent) -> RunningApps:
    return () if apps is ABSENT else apps


def _app(app: str | None) -> _Values:
    return app, None, None, None, None


def _music(music: Music) -> _Values:
    return music.track, music.artist, music.state, None, None


def _battery(battery: Battery) -> _Values:
    return None, None, battery.power_source, battery.percent, battery.charging


def _load(system: System) -> _Values:
    return None, None, None, system.load_1m, None
