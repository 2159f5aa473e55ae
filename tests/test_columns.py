"""Windows, rows and series as named lists, which pandas and polars take as they are."""

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given

from devicestatus.columns import columns
from devicestatus.models import Battery, Music, Window
from devicestatus.strategies import windows
from healthapi.keys import DATASETS
from healthapi.profile import Profile, load
from healthapi.rows.rows import Rows
from healthapi.strategies import profiles
from support.devicestatus.examples import NOON, crowded_window, event, gap, window

NOON_TIME = datetime(2026, 1, 1, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
FILES = {
    "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-01,60\n2026-01-03,\n",
    "csv/fitbit_hrv.csv": b"date,dailyRmssd,deepRmssd\n2026-01-02,41.5,\n",
    "csv/fitbit_sleep.csv": (
        b"date,logId,isMainSleep,minutesAsleep,startTime,endTime\n"
        b"2026-03-29,1,True,400,2026-03-28T23:30:00.000,2026-03-29T07:00:00.000\n"
        b"2026-03-30,2,True,,late,2026-03-30T07:00:00+02:00\n"
        b"2026-03-31,3,True,401,,0001-01-01T00:00:00+14:00\n"
    ),
}
PROFILE = load("ada", FILES, generated_at="2026-04-01T00:00:00")


def after(milliseconds: int) -> datetime:
    return NOON_TIME + timedelta(milliseconds=milliseconds)


def check_frames(given: dict[str, list[Any]]) -> None:
    """Compare the frames that both libraries make with the lists; None is missing in both."""
    frame = pl.DataFrame(given)
    assert frame.to_dict(as_series=False) == given
    missing = {name: [value is None for value in values] for name, values in given.items()}
    table = pd.DataFrame(given)
    assert table.isna().to_dict("list") == missing
    for name, values in given.items():
        known = [value for value in values if value is not None]
        assert table[name].dropna().tolist() == known


def lane(of: Window, name: str, *members: str) -> list[tuple[Any, ...]]:
    """Return the members of the rows of a lane."""
    given = columns(of)
    rows = zip(given["lane"], *(given[member] for member in members), strict=True)
    return [tuple(row) for of_lane, *row in rows if of_lane == name]


class TestWindow:
    def test_a_value_has_a_row_with_start_end_and_duration(self) -> None:
        of = window(events=(event(1, NOON + 1500, active_app="Mail"),), gaps=(gap(NOON, NOON + 9),))
        assert lane(of, "active_app", "value", "reported", "start", "end", "duration") == [
            ("Editor", True, after(9), after(1500), timedelta(milliseconds=1491)),
            ("Mail", True, after(1500), after(900_000), timedelta(milliseconds=898_500)),
        ]

    @pytest.mark.parametrize(
        ("name", "members", "changes", "rows"),
        [
            (
                "music",
                ("value", "artist", "state"),
                {"music": Music("stopped", None, None)},
                [("Song", "Band", "playing"), (None, None, "stopped")],
            ),
            (
                "battery",
                ("state", "number", "charging"),
                {"battery": Battery(50, None, "ac")},
                [("battery", 82.0, False), ("ac", 50.0, None)],
            ),
            ("system", ("number", "value"), {}, [(1.5, None)]),
            (
                "running_apps",
                ("value", "reported"),
                {"running_apps": ()},
                [(None, False), (None, True)],
            ),
            (
                "active_app",
                ("value", "number"),
                {"active_app": None},
                [("Editor", None), (None, None)],
            ),
        ],
    )
    def test_each_lane_has_its_members(
        self, name: str, members: tuple[str, ...], changes: dict[str, Any], rows: list[Any]
    ) -> None:
        of = window(events=(event(1, NOON + 9, **changes),))
        assert lane(of, name, *members) == rows

    def test_whole_numbers_are_floats_beside_fractions(self) -> None:
        percents = (Battery(50, None, "ac"), Battery(50.5, None, "ac"))
        changes = (event(1 + n, NOON + n, battery=each) for n, each in enumerate(percents))
        of = window(events=tuple(changes))
        check_frames(columns(of))
        assert repr(lane(of, "battery", "number")) == "[(50.0,), (50.5,)]"

    def test_an_app_that_runs_has_a_row_for_each_time(self) -> None:
        changes = (
            event(1, NOON + 10, running_apps=("a", "b")),
            event(2, NOON + 20, running_apps=("b",)),
            event(3, NOON + 30, running_apps=("b", "a")),
        )
        assert lane(window(events=changes), "running_apps", "value", "start", "end") == [
            (None, after(0), after(10)),
            ("a", after(10), after(20)),
            ("b", after(10), after(900_000)),
            ("a", after(30), after(900_000)),
        ]

    def test_a_window_of_no_length_has_no_row(self) -> None:
        assert {name: [] for name in columns(window())} == columns(window(window_end=NOON))

    @given(windows())
    @example(crowded_window())
    def test_any_window_becomes_a_frame_that_covers_it_except_gaps(self, of: Window) -> None:
        check_frames(columns(of))
        gaps = sum(each.end_at - each.start_at for each in of.gaps)
        observed = timedelta(milliseconds=of.window_end - of.window_start - gaps)
        for name in ("active_app", "music", "battery", "system"):
            assert sum((time for (time,) in lane(of, name, "duration")), timedelta()) == observed


class TestRows:
    def test_days_are_dates_and_what_is_missing_is_none(self) -> None:
        assert PROFILE.rhr.columns() == {
            "date": [date(2026, 1, 1), date(2026, 1, 3)],
            "rhr": [60, None],
        }
        daily = PROFILE.daily.columns()
        assert daily["rhr"] == [60, None, None, None, None, None]
        assert daily["hrv"] == [None, 41.5, None, None, None, None]
        assert list(daily) == list(PROFILE.daily.fields)

    def test_periods_are_text(self) -> None:
        weekly = PROFILE.weekly.columns(UTC)
        assert weekly["period"] == ["2026-W01", "2026-W13", "2026-W14"]
        assert weekly["rhr"] == [60.0, None, None]

    @given(profiles())
    def test_every_dataset_and_series_becomes_a_frame(self, profile: Profile) -> None:
        for key in DATASETS:
            rows = profile.rows(key)
            given = rows.columns()
            check_frames(given)
            for name in rows.fields[1:]:
                assert given[name] == list(rows.cells[name])
        check_frames(profile.series("daily", ()).columns())
        check_frames(profile.series("weekly", ()).columns())


class TestTimes:
    """The times of a sleep have no zone: with that of the person they are instants."""

    def test_without_a_zone_they_are_text(self) -> None:
        assert PROFILE.sleep.columns()["start_time"] == ["2026-03-28T23:30:00.000", "late", None]

    @pytest.mark.parametrize("zone", [BERLIN, UTC, timezone(timedelta(hours=5, minutes=45))])
    def test_in_a_zone_they_are_aware(self, zone: tzinfo) -> None:
        given = PROFILE.sleep.columns(zone)
        check_frames(given)
        starts, ends = given["start_time"], given["end_time"]
        assert starts == [datetime(2026, 3, 28, 23, 30, tzinfo=zone), None, None]
        assert ends[:2] == [
            datetime(2026, 3, 29, 7, tzinfo=zone),
            datetime(2026, 3, 30, 5, tzinfo=UTC),
        ]
        assert {time.tzinfo for time in (*starts, *ends) if time is not None} == {zone}

    def test_a_night_of_a_change_of_clocks_has_its_length(self) -> None:
        given = PROFILE.sleep.columns(BERLIN)
        (length, *_) = pl.DataFrame(given).select(pl.col("end_time") - pl.col("start_time"))
        assert length[0] == timedelta(hours=6, minutes=30)

    def test_a_time_beyond_the_calendar_in_its_zone_is_none(self) -> None:
        assert PROFILE.sleep.columns(UTC)["end_time"][2] is None

    @pytest.mark.parametrize("zone", ["Europe/Berlin", "Europe/Berln", "", 1])
    @pytest.mark.parametrize("rows", [PROFILE.sleep, PROFILE.rhr, PROFILE.weekly])
    def test_a_zone_by_name_is_refused_with_the_remedy(self, rows: Rows[Any], zone: Any) -> None:
        """Finding a zone reads files, so the caller does; an unknown one never becomes UTC."""
        with pytest.raises(TypeError) as refused:
            rows.columns(zone)
        assert str(refused.value).endswith("pass zoneinfo.ZoneInfo(name)")


class TestSeries:
    def test_its_lists_are_days_and_metrics(self) -> None:
        given = PROFILE.series("daily", ("rhr", "hrv"), 3).columns()
        assert given == {
            "date": [date(2026, 3, 29), date(2026, 3, 30), date(2026, 3, 31)],
            "rhr": [None, None, None],
            "hrv": [None, None, None],
        }

    def test_a_metric_that_is_chosen_twice_is_one_list(self) -> None:
        given = PROFILE.series("weekly", ("rhr", "rhr")).columns()
        assert given == {"period": ["2026-W01", "2026-W13", "2026-W14"], "rhr": [60.0, None, None]}
