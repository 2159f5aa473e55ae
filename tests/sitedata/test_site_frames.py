"""Problems and calendars as tables, read by polars."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sitedata.adapters.frames import to_arrow
from sitedata.reading.models import Problem, Snapshot
from sitedata.views.calendar import Calendar, calendar_of
from support.sitedata.site_examples import PROBLEM, SNAPSHOT, problem

TEXTS = [
    *("path", "platform", "language", "title"),
    *("problem_url", "github_url", "raw_url", "submitted_at"),
]


def to_frame(data: Snapshot | Calendar | Iterable[Problem]) -> pl.DataFrame:
    return pl.DataFrame(to_arrow(data))


class TestProblems:
    def test_problems_become_a_frame_with_times_and_nulls(self) -> None:
        frame = to_frame([PROBLEM, problem("a")])
        assert frame.schema == pl.Schema(
            dict.fromkeys(TEXTS, pl.String) | {"instant": pl.Datetime("ms", "UTC")}
        )
        assert frame["path"].to_list() == [PROBLEM.path, "a"]
        assert frame["submitted_at"].to_list() == ["2026-01-31T12:00:00+01:00", None]
        assert frame["instant"].to_list() == [datetime(2026, 1, 31, 11, tzinfo=UTC), None]

    def test_a_snapshot_is_its_problems(self) -> None:
        assert to_frame(SNAPSHOT).equals(to_frame([PROBLEM]))

    def test_no_problems_keep_the_types(self) -> None:
        assert to_frame(()).schema == to_frame(SNAPSHOT).schema

    def test_times_are_cut_to_milliseconds(self) -> None:
        times = "2026-01-01T00:00:00.9999Z", "1969-12-31T23:59:59.9999Z"
        frame = to_frame([problem(time=time) for time in times])
        assert frame["instant"].cast(pl.Int64).to_list() == [1_767_225_600_999, -1]

    def test_undocumented_members_are_omitted(self) -> None:
        assert to_frame([problem(extra={"more": 1})]).columns == [*TEXTS, "instant"]


class TestCalendars:
    def test_a_calendar_becomes_days_and_counts(self) -> None:
        frame = to_frame(calendar_of(SNAPSHOT))
        assert frame.schema == pl.Schema({"day": pl.Date, "count": pl.Int64})
        assert frame.rows() == [(date(2026, 1, 30), 1), (date(2026, 1, 31), 2)]

    def test_no_days_keep_the_types(self) -> None:
        assert to_frame(calendar_of({})).schema == to_frame(calendar_of(SNAPSHOT)).schema

    def test_the_largest_count(self) -> None:
        assert to_frame(calendar_of({"0001-01-01": 2**63 - 1}))["count"].to_list() == [2**63 - 1]
        with pytest.raises(OverflowError, match="63 bits"):
            to_frame(calendar_of({"2026-01-01": 2**63}))


class TestLibraries:
    @pytest.mark.parametrize("data", [[PROBLEM, problem("a")], calendar_of(SNAPSHOT)], ids=type)
    def test_pyarrow_and_pandas_have_the_same_rows(
        self, data: Calendar | Iterable[Problem]
    ) -> None:
        table = to_arrow(data)
        rows = pl.DataFrame(table).to_dicts()
        assert pa.table(table).to_pylist() == rows
        frame = pd.DataFrame.from_arrow(table)
        assert frame.isna().to_dict("records") == [
            {name: value is None for name, value in row.items()} for row in rows
        ]
