"""Windows as tables, read by polars."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devicestatus.adapters.frames import gaps_to_arrow, projections_to_arrow, to_arrow
from devicestatus.engine.intervals import intervals
from devicestatus.engine.projection import NoData, Projection, prepare
from devicestatus.models import Battery, Music, Window
from devicestatus.testing.strategies import crowded_windows, windows
from support.devicestatus.examples import DELAY, NOON, event, gap, window

NOON_TIME = datetime(2026, 1, 1, 12, tzinfo=UTC)
TIME = pl.Datetime("ms", "UTC")
SCHEMA = pl.Schema(
    {
        "lane": pl.String(),
        "value": pl.String(),
        "artist": pl.String(),
        "state": pl.String(),
        "number": pl.Float64(),
        "charging": pl.Boolean(),
        "reported": pl.Boolean(),
        "start": TIME,
        "end": TIME,
        "duration": pl.Duration("ms"),
    }
)
PROJECTED = pl.Schema(
    {
        "now": TIME,
        "state": pl.String(),
        "reason": pl.String(),
        "active_app": pl.String(),
        "track": pl.String(),
        "artist": pl.String(),
        "percent": pl.Float64(),
        "load_1m": pl.Float64(),
    }
)


def to_frame(of: Window) -> pl.DataFrame:
    return pl.DataFrame(to_arrow(of))


def gaps_frame(of: Window) -> pl.DataFrame:
    return pl.DataFrame(gaps_to_arrow(of))


def project_frame(of: Window, start: int, end: int, step: int) -> pl.DataFrame:
    return pl.DataFrame(projections_to_arrow(of, start, end, step))


def lane(of: Window, name: str) -> pl.DataFrame:
    return to_frame(of).filter(pl.col("lane") == name)


def after(milliseconds: int) -> datetime:
    return NOON_TIME + timedelta(milliseconds=milliseconds)


class TestIntervals:
    def test_a_window_becomes_a_frame_with_times_and_durations(self) -> None:
        frame = to_frame(window(events=(event(1, NOON + 1500, active_app="Mail"),)))
        assert frame.schema == SCHEMA
        assert frame.filter(lane="active_app").select(
            "value", "start", "end", "duration"
        ).rows() == [
            ("Editor", after(0), after(1500), timedelta(milliseconds=1500)),
            ("Mail", after(1500), after(900_000), timedelta(milliseconds=898_500)),
        ]

    def test_music_has_track_artist_and_state(self) -> None:
        frame = lane(
            window(events=(event(1, NOON + 9, music=Music("stopped", None, None)),)), "music"
        )
        assert frame.select("value", "artist", "state").rows() == [
            ("Song", "Band", "playing"),
            (None, None, "stopped"),
        ]

    def test_battery_and_load_have_numbers(self) -> None:
        of = window(events=(event(1, NOON, battery=Battery(50.5, None, "ac")),))
        assert lane(of, "battery").select("state", "number", "charging").rows() == [
            ("ac", 50.5, None)
        ]
        assert lane(of, "system")["number"].to_list() == [1.5]

    def test_an_app_that_runs_has_a_row_for_each_time(self) -> None:
        changes = (
            event(1, NOON + 10, running_apps=("a", "b")),
            event(2, NOON + 20, running_apps=("b",)),
            event(3, NOON + 30, running_apps=("b", "a")),
        )
        frame = lane(window(events=changes), "running_apps")
        assert frame.select("value", "start", "end").rows() == [
            (None, after(0), after(10)),
            ("a", after(10), after(20)),
            ("b", after(10), after(900_000)),
            ("a", after(30), after(900_000)),
        ]

    def test_not_reported_is_told_apart_from_none(self) -> None:
        changes = (
            event(1, NOON + 10, running_apps=()),
            event(2, NOON + 20, running_apps=("a",)),
            event(3, NOON + 30, active_app=None),
        )
        of = window(events=changes)
        rows = lane(of, "running_apps").select("value", "reported", "start", "end").rows()
        assert rows == [
            (None, False, after(0), after(10)),
            (None, True, after(10), after(20)),
            ("a", True, after(20), after(900_000)),
        ]
        assert lane(of, "active_app").select("value", "reported").rows() == [
            ("Editor", True),
            (None, True),
        ]

    def test_nothing_keeps_the_types(self) -> None:
        frame = to_frame(window(window_end=NOON))
        assert frame.is_empty()
        assert frame.schema == SCHEMA


class TestMember:
    """The intervals of one member."""

    @pytest.mark.parametrize(
        ("view", "values", "kind"),
        [
            (lambda app: app, ["Editor", None], pl.String()),
            (lambda app: app == "Editor", [True, False], pl.Boolean()),
            (lambda app: 1.5 if app else 2, [1.5, 2.0], pl.Float64()),
        ],
    )
    def test_intervals_become_a_frame(
        self,
        view: Callable[[str | None], str | float | bool | None],
        values: list[object],
        kind: pl.DataType,
    ) -> None:
        of = window(events=(event(1, NOON + 10, active_app=None),))
        frame = to_arrow(intervals(of, "active_app", view)).to_polars()
        assert frame["value"].to_list() == values
        assert frame.select("start", "end").rows() == [
            (after(0), after(10)),
            (after(10), after(900_000)),
        ]
        assert frame.schema == pl.Schema(
            {"value": kind, "start": TIME, "end": TIME, "duration": pl.Duration("ms")}
        )

    def test_no_intervals_keep_the_types(self) -> None:
        assert to_arrow(()).to_polars().is_empty()


class TestLibraries:
    def test_pyarrow_and_pandas_have_the_same_rows(self) -> None:
        of = window(events=(event(1, NOON + 9, running_apps=("a",)),), gaps=(gap(NOON, NOON + 5),))
        projected = projections_to_arrow(of, NOON + DELAY - 1, NOON + DELAY + 20, 7)
        for table in (to_arrow(of), gaps_to_arrow(of), projected):
            rows = pl.DataFrame(table).to_dicts()
            assert pa.table(table).to_pylist() == rows
            frame = pd.DataFrame.from_arrow(table)
            assert frame.isna().to_dict("records") == [
                {name: value is None for name, value in row.items()} for row in rows
            ]


class TestGaps:
    def test_gaps_become_a_frame(self) -> None:
        frame = gaps_frame(window(gaps=(gap(NOON + 5, NOON + 9, "clock"),)))
        assert frame.rows() == [("clock", after(5), after(9), timedelta(milliseconds=4))]

    def test_no_gaps_keep_the_types(self) -> None:
        assert gaps_frame(window()).schema == pl.Schema(
            {"reason": pl.String(), "start": TIME, "end": TIME, "duration": pl.Duration("ms")}
        )


def row_of(projection: Projection) -> tuple[object, ...]:
    """Return the row, without its time, for the public status."""
    if isinstance(projection, NoData):
        reason = None if projection.gap is None else projection.gap.reason
        return projection.reason, reason, None, None, None, None, None
    return (
        "playing",
        None,
        projection.active_app,
        projection.music.track,
        projection.music.artist,
        projection.battery.percent,
        projection.system.load_1m,
    )


class TestGrids:
    def test_each_instant_has_a_row_and_the_end_has_none(self) -> None:
        changes = (event(1, NOON + 2000, active_app="Mail"),)
        of = window(window_end=NOON + 4000, events=changes, gaps=(gap(NOON, NOON + 1000),))
        begin = NOON + DELAY
        frame = project_frame(of, begin - 1000, begin + 5000, 1000)
        assert frame.schema == PROJECTED
        assert frame["now"].to_list() == [after(DELAY + each) for each in range(-1000, 5000, 1000)]
        assert frame.select("state", "reason", "active_app", "track", "artist").rows() == [
            ("warm-up", None, None, None, None),
            ("gap", "sleep", None, None, None),
            ("playing", None, "Editor", "Song", "Band"),
            ("playing", None, "Mail", "Song", "Band"),
            ("playing", None, "Mail", "Song", "Band"),
            ("exhausted", None, None, None, None),
        ]

    @pytest.mark.parametrize("end", [NOON, NOON - 1])
    def test_a_grid_without_instants_keeps_the_types(self, end: int) -> None:
        frame = project_frame(window(), NOON, end, 1)
        assert frame.is_empty()
        assert frame.schema == PROJECTED

    @pytest.mark.parametrize("step", [0, -1])
    def test_a_step_leads_onwards(self, step: int) -> None:
        with pytest.raises(ValueError, match="positive"):
            project_frame(window(), NOON, NOON + 10, step)

    @settings(max_examples=40)
    @given(windows() | crowded_windows(), st.integers(-3, 3), st.integers(1, 40), st.data())
    def test_every_row_is_the_projection_at_its_instant(
        self, of: Window, shift: int, count: int, draw: st.DataObject
    ) -> None:
        """Invariant *one projection*."""
        edges = [of.window_start, of.window_end, *(each.at for each in of.events)]
        edges += [edge for each in of.gaps for edge in (each.start_at, each.end_at)]
        start = draw.draw(st.sampled_from(edges)) + DELAY + shift
        step = draw.draw(st.integers(1, 3) | st.integers(1, 60_000))
        grid = range(start, start + count * step, step)
        frame = project_frame(of, grid.start, grid.stop, grid.step)
        prepared = prepare(of)
        assert frame.drop("now").rows() == [row_of(prepared.project(now)) for now in grid]
        assert frame["now"].cast(pl.Int64).to_list() == list(grid)
