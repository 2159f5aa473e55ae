"""Datasets and series as tables, read by polars."""

from datetime import UTC, date, datetime
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given

from healthapi.adapters.frames import to_arrow
from healthapi.catalog_keys import DATASETS
from healthapi.derived.periods import Series
from healthapi.profile import Profile, load
from healthapi.rows.records import HrvRow, Rows
from healthapi.testing.strategies import profiles
from purewire.primitives import ABSENT

FILES = {
    "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-01,60\n2026-01-03,\n",
    "csv/fitbit_hrv.csv": b"date,dailyRmssd,deepRmssd\n2026-01-02,41.5,\n",
}
STAMP = "2026-01-31T12:00:00"


def to_frame(data: Rows[Any] | Series) -> pl.DataFrame:
    return pl.DataFrame(to_arrow(data))


class TestRows:
    def test_a_dataset_becomes_a_frame_with_dates_and_nulls(self) -> None:
        frame = to_frame(load("me", FILES, generated_at=STAMP).rhr)
        assert frame.schema == pl.Schema({"date": pl.Date, "rhr": pl.Int64})
        assert frame.rows() == [(date(2026, 1, 1), 60), (date(2026, 1, 3), None)]

    def test_a_member_that_was_never_there_is_null(self) -> None:
        frame = to_frame(load("me", FILES, generated_at=STAMP).daily)
        assert frame["rhr"].to_list() == [60, None, None]
        assert frame["hrv"].to_list() == [None, 41.5, None]
        assert frame["sleep_hours"].dtype == pl.Float64

    def test_not_measured_is_told_apart_from_a_day_without_a_row(self) -> None:
        files = {
            "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-01,\n2026-01-02,60\n",
            "csv/fitbit_hrv.csv": b"date,dailyRmssd\n2026-01-02,5\n2026-01-03,6\n",
        }
        daily = to_frame(load("ada", files, generated_at=STAMP).daily)
        assert daily.select("rhr", "has_rhr", "hrv", "has_hrv", "has_sleep").rows() == [
            (None, True, None, False, False),
            (60, True, 5.0, True, False),
            (None, False, 6.0, True, False),
        ]

    def test_times_of_a_sleep_are_instants_in_the_zone_of_the_person(self) -> None:
        sleep = (
            b"date,logId,isMainSleep,startTime,endTime\n"
            b"2026-03-29,1,True,2026-03-28T23:30:00.000,2026-03-29T07:00:00.000\n"
            b"2026-03-30,2,True,late,2026-03-30T07:00:00+02:00\n"
            b"2026-03-31,3,True,,\n"
        )
        rows = load(
            "ada", {"csv/fitbit_sleep.csv": sleep}, generated_at="2026-04-01T00:00:00"
        ).sleep
        frame = to_arrow(rows, "Europe/Berlin").to_polars()
        assert frame["start_time"].dtype == pl.Datetime("ms", "UTC")
        assert frame.select("start_time", "end_time").rows() == [
            (datetime(2026, 3, 28, 22, 30, tzinfo=UTC), datetime(2026, 3, 29, 5, 0, tzinfo=UTC)),
            (None, datetime(2026, 3, 30, 5, 0, tzinfo=UTC)),
            (None, None),
        ]
        assert to_frame(rows)["start_time"].to_list() == ["2026-03-28T23:30:00.000", "late", None]
        assert to_arrow(rows, "No/Zone").to_polars()["end_time"][0].hour == 7  # UTC

    def test_periods_stay_text(self) -> None:
        frame = to_frame(load("me", FILES, generated_at=STAMP).weekly)
        assert frame["period"].to_list() == ["2026-W01"]
        assert frame["rhr"].to_list() == [60.0]

    def test_no_rows_keep_the_types(self) -> None:
        rows = Rows("hrv", HrvRow, {"date": (), "hrv": (), "deep_rmssd": ()})
        assert to_frame(rows).schema == pl.Schema(
            {"date": pl.Date, "hrv": pl.Float64, "deep_rmssd": pl.Float64}
        )

    @given(profiles())
    def test_every_dataset_keeps_its_values(self, profile: Profile) -> None:
        for key in DATASETS:
            rows = profile.rows(key)
            frame = to_frame(rows)
            assert frame.height == len(rows)
            for name, cells in list(rows.columns.items())[1:]:
                assert frame[name].to_list() == [None if c is ABSENT else c for c in cells]


class TestLibraries:
    def test_pyarrow_and_pandas_have_the_same_rows(self) -> None:
        profile = load("me", FILES, generated_at=STAMP)
        for data in (profile.daily, profile.weekly, profile.series("daily", ("rhr", "hrv"))):
            table = to_arrow(data)
            rows = pl.DataFrame(table).to_dicts()
            assert pa.table(table).to_pylist() == rows
            frame = pd.DataFrame.from_arrow(table)
            assert frame.isna().to_dict("records") == [
                {name: value is None for name, value in row.items()} for row in rows
            ]


class TestSeries:
    def test_a_series_becomes_a_frame(self) -> None:
        series = load("me", FILES, generated_at=STAMP).series("daily", ("rhr", "hrv"))
        frame = to_frame(series)
        assert frame.columns == ["date", "rhr", "hrv"]
        assert frame["rhr"].to_list() == [60.0, None, None]

    def test_a_repeated_metric_is_one_column(self) -> None:
        series = load("me", FILES, generated_at=STAMP).series("weekly", ("rhr", "rhr"))
        assert to_frame(series).columns == ["period", "rhr"]
