"""Datasets and series as tables, read by polars."""

from datetime import date
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given, settings

from healthapi.adapters.frames import to_arrow
from healthapi.catalog_keys import DATASETS
from healthapi.derived.series import Series
from healthapi.profile import Profile, load
from healthapi.rows.records import HrvRow, Rows
from healthapi.testing.strategies import profiles
from purewire.absent import ABSENT

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

    def test_periods_stay_text(self) -> None:
        frame = to_frame(load("me", FILES, generated_at=STAMP).weekly)
        assert frame["period"].to_list() == ["2026-W01"]
        assert frame["rhr"].to_list() == [60.0]

    def test_no_rows_keep_the_types(self) -> None:
        rows = Rows("hrv", HrvRow, {"date": (), "hrv": (), "deep_rmssd": ()})
        assert to_frame(rows).schema == pl.Schema(
            {"date": pl.Date, "hrv": pl.Float64, "deep_rmssd": pl.Float64}
        )

    @settings(max_examples=25)
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
