"""Path data of lines and ranges, and heights of values."""

from healthapi.charts.plot import heights, line_path, range_path
from support.healthapi.chart_reading import path


class TestPoints:
    def test_each_step_is_relative(self) -> None:
        assert line_path([0, 10, 30], [5, 0, 7]) == "M0 5l10-5l20+7"

    def test_signs_are_separators(self) -> None:
        assert path("M0 5l10-5l20+7") == [[(0, 5), (10, 0), (30, 7)]]


class TestRanges:
    def test_a_column_is_a_stroke_from_its_greatest_to_its_least(self) -> None:
        drawn = path(range_path([0, 10, 20], [0, 20, 5], [10, 40, 15]))
        assert drawn == [[(0, 0), (0, 10)], [(10, 20), (10, 40)], [(20, 5), (20, 15)]]

    def test_a_column_with_one_value_is_a_point(self) -> None:
        assert range_path([3, 10], [7, 20], [7, 20]) == "m3+7v0m7+13v0"


class TestHeights:
    """Invariant *own scale*."""

    def test_the_greatest_lies_at_the_top_and_the_least_at_the_bottom(self) -> None:
        assert heights([4, 8, 6], 4, 8, 2180) == [2180, 0, 1090]

    def test_a_value_that_never_changes_lies_in_the_middle(self) -> None:
        assert heights([5.5, 5.5], 5.5, 5.5, 2180) == [1090, 1090]

    def test_the_largest_numbers_that_are_read_keep_their_place(self) -> None:
        most = 2**53
        assert heights([-most, 0, most], -most, most, 100) == [100, 50, 0]
        assert heights([most - 1, most], most - 1, most, 100) == [100, 0]

    def test_the_smallest_differences_remain_visible(self) -> None:
        least = 5e-324
        assert heights([0, least, 2 * least], 0, 2 * least, 100) == [100, 50, 0]
