"""The numbers of a column.  Invariant *only numbers count*."""

import pytest

from healthapi.rows.records import find_numbers, paired_numbers
from purewire.absent import ABSENT


class TestFindNumbers:
    @pytest.mark.parametrize("cell", [0, -1, 0.0, 2**53])
    def test_zero_is_a_number(self, cell: object) -> None:
        assert list(find_numbers([None, cell]).values) == [cell]

    @pytest.mark.parametrize("cell", [None, ABSENT, "", "1", True])
    def test_other_cells_are_not_numbers(self, cell: object) -> None:
        assert list(find_numbers([1, cell, 2]).values) == [1, 2]

    def test_numbers_are_counted_before_each_cell_and_the_end(self) -> None:
        found = find_numbers([None, 5, ABSENT, 7.5])
        assert (list(found.values), found.mask) == ([5, 7.5], b"\0\1\0\1")
        assert list(found.counts_before) == [0, 0, 1, 1, 2]

    def test_a_column_without_gaps_is_not_copied(self) -> None:
        cells = (5, 7.5)
        found = find_numbers(cells)
        assert found.values is cells
        assert (found.mask, list(found.counts_before)) == (None, [0, 1, 2])

    def test_an_empty_column_has_no_gaps(self) -> None:
        assert list(find_numbers(()).counts_before) == [0]


def pairs(one: tuple[object, ...], other: tuple[object, ...]) -> list[tuple[float, float]]:
    return list(zip(*paired_numbers(find_numbers(one), find_numbers(other)), strict=True))


class TestPairedNumbers:
    def test_only_places_where_both_have_a_number_count(self) -> None:
        one = (1, None, 3, ABSENT, 0, 6)
        other = (0.5, 2.5, None, ABSENT, 4.5, 5.5)
        assert pairs(one, other) == [(1, 0.5), (0, 4.5), (6, 5.5)]

    def test_gaps_on_one_side_take_both(self) -> None:
        assert pairs((1, 2, 3), (4, None, 6)) == [(1, 4), (3, 6)]
        assert pairs((4, None, 6), (1, 2, 3)) == [(4, 1), (6, 3)]

    def test_equal_gaps_are_gaps_of_both(self) -> None:
        assert pairs((1, None, 3), (4, None, 6)) == [(1, 4), (3, 6)]

    def test_columns_without_common_rows_have_no_pairs(self) -> None:
        assert pairs((1, None), (None, 2)) == []
        assert pairs((1, 2), (None, None)) == []
        assert pairs((), ()) == []
