"""Path data of lines, and heights of values."""

from healthapi.charts.plot import heights, line_path
from support.healthapi.chart_reading import path


class TestPoints:
    """A line whose columns have one value each."""

    def test_each_step_is_relative(self) -> None:
        assert line_path([0, 10, 30], [5, 0, 7], [5, 0, 7]) == "M0 5l10-5l20+7"

    def test_signs_are_separators(self) -> None:
        assert path("M0 5l10-5l20+7") == [[(0, 5), (10, 0), (30, 7)]]


class TestColumns:
    def test_a_column_is_entered_at_its_nearer_end(self) -> None:
        drawn = path(line_path([0, 10, 20], [0, 20, 5], [10, 40, 15]))
        assert drawn == [[(0, 0), (0, 10), (10, 20), (10, 40), (20, 15), (20, 5)]]

    def test_the_first_is_left_at_the_end_nearer_to_the_second(self) -> None:
        assert path(line_path([0, 10], [50, 0], [60, 5])) == [[(0, 60), (0, 50), (10, 5), (10, 0)]]
        assert path(line_path([0, 10], [0, 50], [5, 60])) == [[(0, 0), (0, 5), (10, 50), (10, 60)]]

    def test_a_single_column_is_a_vertical_line(self) -> None:
        assert line_path([7], [0], [30]) == "M7 0v30"

    def test_a_column_with_one_value_among_others_is_a_point(self) -> None:
        assert path(line_path([0, 10], [0, 20], [10, 20])) == [
            [(0, 0), (0, 10), (10, 20), (10, 20)]
        ]

    def test_one_command_for_each_end(self) -> None:
        assert line_path([0, 20, 40], [0, 0, 0], [9, 9, 9]) == "M0 0v9l20+0v-9l20+0v9"


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
