"""The points of a long line that are drawn, their means, and periods."""

import pytest

from healthapi.charts.lines import (
    Columns,
    Periods,
    build_columns,
    extremes,
    heights,
    line_path,
    mean_until,
    parse_periods,
    range_path,
)
from support.healthapi.chart_reading import path

NEW_YEAR = 738_886
"""2024-01-01."""


class TestParsePeriods:
    def test_a_day_starts_and_ends_on_itself(self) -> None:
        periods = parse_periods(["2024-01-01", "2024-01-03"], "daily")
        assert periods == Periods([NEW_YEAR, NEW_YEAR + 2], [NEW_YEAR, NEW_YEAR + 2])

    def test_a_week_has_seven_days(self) -> None:
        assert parse_periods(["2024-W01"], "weekly") == Periods([NEW_YEAR], [NEW_YEAR + 6])

    def test_a_month_has_its_days(self) -> None:
        found = parse_periods(["2024-01", "2024-02"], "monthly")
        assert found == Periods([NEW_YEAR, NEW_YEAR + 31], [NEW_YEAR + 30, NEW_YEAR + 59])

    def test_other_text_raises(self) -> None:
        with pytest.raises(ValueError, match="month"):
            parse_periods(["2024-13-01"], "daily")


WEEK = Periods(range(1, 8), range(1, 8))


def days(*ordinals: int) -> Periods:
    return Periods(ordinals, ordinals)


class TestBuildColumns:
    def test_days_of_one_step_share_a_column(self) -> None:
        columns = build_columns(WEEK, [0, 0, 0, 1, 1, 2, 2])
        assert columns == Columns([0, 1, 2], [slice(0, 3), slice(3, 5), slice(5, 7)], [(0, 3)])

    def test_a_step_without_a_day_is_no_column(self) -> None:
        assert build_columns(WEEK, [0, 2, 4, 6, 8, 10, 12]).steps == [0, 2, 4, 6, 8, 10, 12]

    def test_consecutive_days_are_joined_however_far_apart(self) -> None:
        assert build_columns(days(1, 2), [0, 9080]).runs == [(0, 2)]

    def test_a_missing_day_separates_them(self) -> None:
        assert build_columns(days(1, 2, 4, 5), [0, 3, 9, 12]).runs == [(0, 2), (2, 4)]

    def test_neighbouring_columns_are_joined_all_the_same(self) -> None:
        assert build_columns(days(1, 2, 4, 5), [0, 1, 2, 3]).runs == [(0, 4)]

    def test_consecutive_weeks_are_joined(self) -> None:
        assert build_columns(Periods([1, 8], [7, 14]), [0, 100]).runs == [(0, 2)]

    def test_a_missing_week_separates_them(self) -> None:
        assert build_columns(Periods([1, 15], [7, 21]), [0, 100]).runs == [(0, 1), (1, 2)]

    def test_a_repeated_day_is_no_gap(self) -> None:
        assert build_columns(days(1, 1), [0, 100]).runs == [(0, 2)]


class TestExtremes:
    """Invariant *extremes are kept*."""

    def test_each_column_keeps_its_least_and_greatest(self) -> None:
        columns = build_columns(WEEK, [0, 0, 0, 1, 1, 2, 2])
        assert extremes([3, 1, 2, 7, 9, 4, 4], columns) == ([1, 7, 4], [3, 9, 4])

    def test_where_each_column_has_one_all_are_kept(self) -> None:
        present = [3, 1, 2]
        lows, highs = extremes(present, build_columns(days(1, 2, 3), [0, 5, 10]))
        assert lows is highs is present


class TestMeanUntil:
    """Invariant *only days with a value*."""

    def test_it_is_of_the_seven_days_that_end_with_the_day(self) -> None:
        values = [100, 1, 2, 3, 4, 5, 6, 7]
        assert mean_until(values, range(8), 7) == 4
        assert mean_until(values, range(8), 2) == (100 + 1 + 2) / 3

    def test_missing_days_count_as_days_but_not_as_values(self) -> None:
        assert mean_until([10, 20, 30], [1, 2, 8], 2) == 25
        assert mean_until([10, 20, 30], [1, 2, 9], 2) == 30

    def test_of_a_day_listed_often_the_last_seven_count(self) -> None:
        assert mean_until([99, 1, 1, 1, 1, 1, 1, 1], [5] * 8, 7) == 1

    def test_rounding_does_not_lead_out_of_the_values(self) -> None:
        assert mean_until([0.1] * 7, range(7), 6) == 0.1
        assert mean_until([1.7e308] * 7, range(7), 6) == 1.7e308


class TestPoints:
    def test_each_step_is_relative(self) -> None:
        assert line_path([0, 10, 30], [5, 0, 7]) == "M0 5l10-5l20+7"


class TestRanges:
    def test_a_column_is_a_stroke_from_its_greatest_to_its_least(self) -> None:
        drawn = path(range_path([0, 10, 20], [0, 20, 5], [10, 40, 15]))
        assert drawn == [[(0, 0), (0, 10)], [(10, 20), (10, 40)], [(20, 5), (20, 15)]]

    def test_a_column_with_one_value_is_a_point(self) -> None:
        assert range_path([3, 10], [7, 20], [7, 20]) == "m3+7v0m7+13v0"


class TestHeights:
    """Invariant *own scale*."""

    def test_a_value_that_never_changes_lies_in_the_middle(self) -> None:
        assert heights([5.5, 5.5], 5.5, 5.5, 2180) == [1090, 1090]

    def test_the_largest_numbers_that_are_read_keep_their_place(self) -> None:
        most = 2**53
        assert heights([-most, 0, most], -most, most, 100) == [100, 50, 0]
        assert heights([most - 1, most], most - 1, most, 100) == [100, 0]

    def test_the_smallest_differences_remain_visible(self) -> None:
        least = 5e-324
        assert heights([0, least, 2 * least], 0, 2 * least, 100) == [100, 50, 0]
