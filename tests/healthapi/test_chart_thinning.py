"""Which points of a long line are drawn."""

from healthapi.charts.downsampling import Columns, Thinned, columns_of, of_present, thin
from healthapi.charts.scale import Periods

WEEK = Periods(range(1, 8), range(1, 8))


def days(*ordinals: int) -> Periods:
    return Periods(ordinals, ordinals)


class TestColumnsOf:
    def test_days_of_one_step_share_a_column(self) -> None:
        columns = columns_of(WEEK, [0, 0, 0, 1, 1, 2, 2])
        assert columns == Columns([0, 1, 2], [slice(0, 3), slice(3, 5), slice(5, 7)], [(0, 3)])

    def test_a_step_without_a_day_is_no_column(self) -> None:
        assert columns_of(WEEK, [0, 2, 4, 6, 8, 10, 12]).steps == [0, 2, 4, 6, 8, 10, 12]

    def test_days_that_follow_each_other_hang_together_however_far_apart(self) -> None:
        assert columns_of(days(1, 2), [0, 9080]).runs == [(0, 2)]

    def test_a_missing_day_parts_them(self) -> None:
        assert columns_of(days(1, 2, 4, 5), [0, 3, 9, 12]).runs == [(0, 2), (2, 4)]

    def test_neighbours_hang_together_all_the_same(self) -> None:
        assert columns_of(days(1, 2, 4, 5), [0, 1, 2, 3]).runs == [(0, 4)]

    def test_weeks_that_touch_hang_together(self) -> None:
        assert columns_of(Periods([1, 8], [7, 14]), [0, 100]).runs == [(0, 2)]

    def test_a_missing_week_parts_them(self) -> None:
        assert columns_of(Periods([1, 15], [7, 21]), [0, 100]).runs == [(0, 1), (1, 2)]

    def test_a_repeated_day_is_no_gap(self) -> None:
        assert columns_of(days(1, 1), [0, 100]).runs == [(0, 2)]


class TestOfPresent:
    def test_a_value_that_is_not_there_has_no_day(self) -> None:
        periods, steps = of_present([5, None, 7], days(1, 2, 3), [0, 10, 20])
        assert (periods, steps) == (Periods([1, 3], [1, 3]), [0, 20])

    def test_so_it_parts_its_neighbours_as_a_missing_day_does(self) -> None:
        periods, steps = of_present([5, None, 7], days(1, 2, 3), [0, 10, 20])
        assert columns_of(periods, steps).runs == [(0, 1), (1, 2)]

    def test_weeks_keep_their_ends(self) -> None:
        weeks = Periods([1, 8, 15], [7, 14, 21])
        assert of_present([None, 6, 7], weeks, [0, 10, 20]) == (
            Periods([8, 15], [14, 21]),
            [10, 20],
        )


class TestThin:
    """*extremes stay*."""

    def test_each_column_keeps_its_least_and_greatest(self) -> None:
        columns = columns_of(WEEK, [0, 0, 0, 1, 1, 2, 2])
        assert thin([3, 1, 2, 7, 9, 4, 4], columns) == Thinned([1, 7, 4], [3, 9, 4])

    def test_where_each_column_has_one_all_are_kept(self) -> None:
        present = [3, 1, 2]
        thinned = thin(present, columns_of(days(1, 2, 3), [0, 5, 10]))
        assert thinned.lows is thinned.highs is present
