"""Means over weeks and months.  Invariants *means of measured values*, *sums are exact*."""

from datetime import date
from itertools import permutations

import attrs
import pytest

from healthapi.derived.periods import build_monthly_rows, build_weekly_rows, find_partial_periods
from healthapi.rows.records import Cell, DailyRow, PeriodRow, Rows
from purewire.absent import ABSENT
from support.checks.costs import assert_linear
from support.healthapi.daily_rows import daily_of


def dated(days: list[str], **columns: tuple[Cell, ...]) -> Rows[DailyRow]:
    """Daily rows of these days."""
    cells: dict[str, tuple[Cell, ...]] = {
        field.name: (ABSENT,) * len(days) for field in attrs.fields(DailyRow)
    }
    return Rows("daily", DailyRow, cells | {"date": tuple(days)} | columns)


def week(**columns: tuple[Cell, ...]) -> PeriodRow:
    """The mean of the days from Thursday, 2026-01-01."""
    (found,) = build_weekly_rows(daily_of(**columns))
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
        assert [(row.period, row.days) for row in build_weekly_rows(dated(days))] == weeks

    def test_months_are_those_of_the_calendar(self) -> None:
        days = ["2024-02-01", "2024-02-29", "2024-03-01", "2024-12-31", "2025-01-31"]
        assert [(row.period, row.days) for row in build_monthly_rows(dated(days))] == [
            ("2024-02", 2),
            ("2024-03", 1),
            ("2024-12", 1),
            ("2025-01", 1),
        ]

    def test_every_week_of_four_hundred_years_is_that_of_the_calendar(self) -> None:
        start = date(1800, 1, 1).toordinal()
        days = [date.fromordinal(start + number) for number in range(0, 146_097, 3)]
        expected: dict[str, int] = {}
        for day in days:
            year, number, _ = day.isocalendar()
            label = f"{year:04}-W{number:02}"
            expected[label] = expected.get(label, 0) + 1
        found = build_weekly_rows(dated([day.isoformat() for day in days]))
        assert {row.period: row.days for row in found} == expected


class TestMeans:
    def test_only_days_with_a_value_count(self) -> None:
        found = week(hrv=(40.0, None, ABSENT, 45.5), steps=(None, None, ABSENT, ABSENT))
        assert (found.days, found.hrv, found.steps) == (4, 42.8, None)

    def test_zero_is_a_value(self) -> None:
        assert week(active_zone_minutes=(0, 0, 30)).active_zone_minutes == 10.0

    def test_a_nap_is_no_night(self) -> None:
        assert week(sleep_hours=(7.0, ABSENT), sleep_score=(80.0, None)).sleep_hours == 7.0

    @pytest.mark.parametrize("metric", ["steps", "active_minutes", "active_zone_minutes"])
    def test_counts_are_integers_and_halves_round_to_even(self, metric: str) -> None:
        values = [getattr(week(**{metric: pair}), metric) for pair in ((2, 3), (3, 4), (0, 1))]
        assert repr(values) == "[2.0, 4.0, 0.0]"

    def test_calories_are_integers_too(self) -> None:
        assert repr(week(calories_out=(2000, 2001, 2001)).calories_out) == "2001.0"

    @pytest.mark.parametrize("metric", ["sleep_score", "sleep_hours", "hrv"])
    def test_decimals_have_one(self, metric: str) -> None:
        assert getattr(week(**{metric: (7.0, 7.1, 7.1)}), metric) == 7.1

    def test_the_resting_heart_rate_has_one_decimal(self) -> None:
        assert repr(week(rhr=(60, 61, 61)).rhr) == "60.7"

    def test_sums_are_rounded_once(self) -> None:
        """Added one by one, the small number would be lost."""
        assert week(hrv=(1e15, 0.3, -1e15)).hrv == 0.1

    def test_the_order_of_the_days_changes_no_mean(self) -> None:
        values = (1e15, 0.3, -1e15, 0.5)
        assert {week(hrv=each).hrv for each in permutations(values)} == {0.2}

    def test_large_numbers_stay_exact(self) -> None:
        assert week(steps=(2**53, 2**53 - 2)).steps == 2.0**53 - 1


LATER = "2027-01-01"


class TestPartialPeriods:
    def test_a_period_that_reaches_beyond_the_data_is_partial(self) -> None:
        daily = dated(["2026-01-01", "2026-01-12", "2026-02-27"])
        assert find_partial_periods(daily, "weekly", LATER) == ("2026-W01", "2026-W09")
        assert find_partial_periods(daily, "monthly", LATER) == ("2026-02",)

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

    def test_nothing_has_no_periods(self) -> None:
        assert find_partial_periods(dated([]), "daily", "2026-01-15") == ()
        assert find_partial_periods(dated([]), "weekly", LATER) == ()


def test_the_time_is_linear_in_the_days() -> None:
    def make(size: int) -> Rows[DailyRow]:
        days = [date.fromordinal(700_000 + number).isoformat() for number in range(size)]
        return dated(days, hrv=tuple(None if number % 5 else 1.5 for number in range(size)))

    assert_linear(lambda daily: (build_weekly_rows(daily), build_monthly_rows(daily)), make, 2000)
