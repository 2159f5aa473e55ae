"""Means over weeks and months.  Invariants *means of measured values*, *sums are exact*."""

from itertools import permutations

import attrs
import pytest

from healthapi.derived.periods import build_period_rows, exact_sleep, find_partial_periods
from healthapi.models import DailyRow, PeriodRow
from healthapi.rows.rows import Cell, Rows
from support.healthapi.daily_rows import daily_of


def dated(days: list[str], **columns: tuple[Cell, ...]) -> Rows[DailyRow]:
    """Daily rows of these days."""
    cells: dict[str, tuple[Cell, ...]] = {
        field.name: (None,) * len(days) for field in attrs.fields(DailyRow)
    }
    return Rows("daily", DailyRow, cells | {"date": tuple(days)} | columns)


def week(**columns: tuple[Cell, ...]) -> PeriodRow:
    """The mean of the days from Thursday, 2026-01-01."""
    (found,) = build_period_rows("weekly", daily_of(**columns))
    return found


class TestPeriods:
    @pytest.mark.parametrize(
        ("days", "weeks"),
        [
            (["2024-12-29", "2024-12-30", "2025-01-05"], [("2024-W52", 1), ("2025-W01", 2)]),
            (["2020-12-31", "2021-01-03", "2021-01-04"], [("2020-W53", 2), ("2021-W01", 1)]),
            (["0001-01-01", "0001-01-08"], [("0001-W01", 1), ("0001-W02", 1)]),
            (["9999-12-26", "9999-12-31"], [("9999-W51", 1), ("9999-W52", 1)]),
            ([], []),
        ],
    )
    def test_weeks_are_those_of_iso(self, days: list[str], weeks: list[tuple[str, int]]) -> None:
        assert [(row.period, row.days) for row in build_period_rows("weekly", dated(days))] == weeks


class TestMeans:
    def test_sums_are_rounded_once(self) -> None:
        """Added one by one, the small number would be lost."""
        assert week(hrv=(1e15, 0.3, -1e15)).hrv == 0.1

    def test_the_order_of_the_days_changes_no_mean(self) -> None:
        values = (1e15, 0.3, -1e15, 0.5)
        assert {week(hrv=each).hrv for each in permutations(values)} == {0.2}

    def test_large_numbers_stay_exact(self) -> None:
        assert week(steps=(2**53, 2**53 - 2)).steps == 2.0**53 - 1


def test_sleep_of_days_and_weeks_is_exact_to_the_minute() -> None:
    daily = daily_of(minutes_asleep=(453, 454, None, 456))
    assert exact_sleep("daily", daily) == (453 / 60, 454 / 60, None, 456 / 60)
    assert exact_sleep("weekly", daily) == (7.57,)


LATER = "2027-01-01"


class TestPartialPeriods:
    def test_complete_periods_are_not_partial(self) -> None:
        daily = dated(["2026-06-01", "2026-06-14", "2026-06-30"])
        assert find_partial_periods(dated(["2026-06-01", "2026-06-14"]), "weekly", LATER) == ()
        assert find_partial_periods(daily, "monthly", LATER) == ()

    def test_one_period_is_named_once(self) -> None:
        assert find_partial_periods(dated(["2026-01-15"]), "monthly", LATER) == ("2026-01",)

    def test_a_last_day_that_was_not_over_is_partial(self) -> None:
        daily = dated(["2026-01-14", "2026-01-15"])
        assert find_partial_periods(daily, "daily", "2026-01-15") == ("2026-01-15",)
        assert find_partial_periods(daily, "daily", "2026-01-14") == ("2026-01-15",)
        assert find_partial_periods(daily, "daily", "2026-01-16") == ()

    @pytest.mark.parametrize(("today", "is_open"), [("2026-05-31", True), ("2026-06-01", False)])
    def test_a_period_is_open_until_its_last_day_is_over(self, today: str, is_open: bool) -> None:
        daily = dated(["2026-05-01", "2026-05-25", "2026-05-31"])  # a Sunday
        assert ("2026-05" in find_partial_periods(daily, "monthly", today)) is is_open
        assert ("2026-W22" in find_partial_periods(daily, "weekly", today)) is is_open

    def test_nothing_has_no_periods(self) -> None:
        assert find_partial_periods(dated([]), "daily", "2026-01-15") == ()
        assert find_partial_periods(dated([]), "weekly", LATER) == ()
