"""Where days and values lie in a plot."""

import pytest

from healthapi.charts.scale import Periods, heights, periods_of, steps

NEW_YEAR = 738_886
"""2024-01-01."""


class TestPeriodsOf:
    def test_a_day_begins_and_ends_itself(self) -> None:
        periods = periods_of(["2024-01-01", "2024-01-03"], "daily")
        assert periods == Periods([NEW_YEAR, NEW_YEAR + 2], [NEW_YEAR, NEW_YEAR + 2])

    def test_a_week_has_seven_days(self) -> None:
        assert periods_of(["2024-W01"], "weekly") == Periods([NEW_YEAR], [NEW_YEAR + 6])

    def test_a_month_has_its_days(self) -> None:
        found = periods_of(["2024-01", "2024-02"], "monthly")
        assert found == Periods([NEW_YEAR, NEW_YEAR + 31], [NEW_YEAR + 30, NEW_YEAR + 59])

    def test_what_is_no_period_is_refused(self) -> None:
        with pytest.raises(ValueError, match="month"):
            periods_of(["2024-13-01"], "daily")


class TestSteps:
    """*by date*."""

    def test_first_and_last_day_lie_at_the_ends(self) -> None:
        assert steps([10, 20], 10, 20, 908) == [0, 908]

    def test_days_lie_in_proportion(self) -> None:
        assert steps([10, 11, 15, 20], 10, 20, 100) == [0, 10, 50, 100]

    def test_a_day_lies_at_the_nearest_step(self) -> None:
        assert steps([0, 1, 2, 3], 0, 3, 10) == [0, 3, 7, 10]

    def test_between_two_steps_the_later_is_taken(self) -> None:
        assert steps([1], 0, 2, 5) == [3]

    def test_a_single_day_lies_in_the_middle(self) -> None:
        assert steps([10, 10], 10, 10, 9) == [4, 4]


class TestHeights:
    """*its own scale*."""

    def test_the_greatest_lies_at_the_top_and_the_least_at_the_bottom(self) -> None:
        assert heights([4, 8, 6], 4, 8, 2180) == [2180, 0, 1090]

    def test_a_value_that_never_changes_lies_in_the_middle(self) -> None:
        assert heights([5.5, 5.5], 5.5, 5.5, 2180) == [1090, 1090]

    def test_the_largest_numbers_that_are_read_keep_their_place(self) -> None:
        most = 2**53
        assert heights([-most, 0, most], -most, most, 100) == [100, 50, 0]
        assert heights([most - 1, most], most - 1, most, 100) == [100, 0]

    def test_the_smallest_differences_keep_theirs(self) -> None:
        least = 5e-324
        assert heights([0, least, 2 * least], 0, 2 * least, 100) == [100, 50, 0]
