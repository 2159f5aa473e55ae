"""Windows as polars frames, for notebooks; needs the extra `frames`.

Time is UTC to the millisecond.  A value that a lane does not have is null, as is one that the
device did not report.

Invariant *complete*: the rows of a lane are adjacent and cover the window except its gaps; in
`running_apps` those of each app do, as far as it ran.
Invariant *gaps cut*: no row reaches into a gap, and durations add up to the observed time.
Invariant *one projection*: a row of `project_frame` equals `PreparedWindow.project` at its instant;
the stages are searched for all instants at once.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import polars as pl

from devicestatus import limits
from devicestatus.engine.intervals import Interval, Member, intervals
from devicestatus.engine.projection import NoData, Projection, prepare
from devicestatus.models.snapshot import Battery, Music, RunningApps, System
from devicestatus.models.window import Window
from purewire.absent import ABSENT, Absent

__all__ = ["gaps_frame", "project_frame", "to_frame"]

_VALUES: Final = {
    "value": pl.String,
    "artist": pl.String,
    "state": pl.String,
    "number": pl.Float64,
    "charging": pl.Boolean,
}
_TIMES: Final = {"start": pl.Int64, "end": pl.Int64}
_PROJECTED: Final[dict[str, Any]] = {
    "state": pl.Enum(["playing", "gap", "warm-up", "exhausted"]),
    "reason": pl.String,
    "active_app": pl.String,
    "track": pl.String,
    "artist": pl.String,
    "percent": pl.Float64,
    "load_1m": pl.Float64,
}
_INSTANT: Final = pl.Datetime("ms", "UTC")

_Values = tuple[str | None, str | None, str | None, float | None, bool | None]
_Row = tuple[Any, ...]


def to_frame(window: Window) -> pl.DataFrame:
    """Return a frame with one row for each interval in which a value of a valid window held.

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
    return _timed(rows, {"lane": pl.String, **_VALUES, **_TIMES})


def gaps_frame(window: Window) -> pl.DataFrame:
    """Return the gaps of a valid window: `reason`, `start`, `end` and `duration`."""
    rows = [(gap.reason, gap.start_at, gap.end_at) for gap in window.gaps]
    return _timed(rows, {"reason": pl.String, **_TIMES})


def project_frame(window: Window, start: int, end: int, step_ms: int) -> pl.DataFrame:
    """Return the public status of a valid window at each instant of a grid, one row each.

    Columns: `now` is the server time, 420 s after the moment that is shown; `state` is `playing`,
    `gap`, `warm-up` or `exhausted`, `reason` the gap's; `active_app`, `track`, `artist`, `percent`
    of charge and `load_1m` are those of the snapshot, null where there is none.

    Args:
        window: the window.
        start: the first server time, ms since the epoch.
        end: end of the grid, exclusive.
        step_ms: from one instant to the next, ms.

    Raises:
        ValueError: the step is not positive.

    """
    if step_ms <= 0:
        raise ValueError(f"step_ms is {step_ms}, it must be positive")
    prepared = prepare(window)
    stages = pl.DataFrame(list(map(_stage, prepared.projections)), schema=_PROJECTED, orient="row")
    now = pl.int_range(start, max(start, end), step_ms, dtype=pl.Int64, eager=True)
    changes = pl.Series(prepared.changes, dtype=pl.Int64)
    places = changes.search_sorted(now - limits.PLAYBACK_DELAY_MS, side="right")
    return stages[places].insert_column(0, now.cast(_INSTANT).alias("now"))


def _stage(stage: Projection) -> _Row:
    if isinstance(stage, NoData):
        return stage.reason, stage.gap and stage.gap.reason, None, None, None, None, None
    music = stage.music
    battery, load = stage.battery.percent, stage.system.load_1m
    return "playing", None, stage.active_app, music.track, music.artist, battery, load


def _timed(rows: list[_Row], schema: dict[str, Any]) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    instants = [pl.col(name).cast(_INSTANT) for name in _TIMES]
    return frame.with_columns(instants).with_columns(duration=pl.col("end") - pl.col("start"))


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
