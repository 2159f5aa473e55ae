"""Where the parts of a chart stand."""

from itertools import pairwise

import pytest

from healthapi import limits
from healthapi.charts.layout import PLOT_LEAST, ROWS_MOST, Cell, Layout, layout_of, style_of

SIZES = [(360, 220), (600, 280), (960, 320), (1440, 640), (1920, 1080), (360, 1080), (1920, 220)]


def layout(width: int, height: int, *needs: int) -> Layout:
    return layout_of(width, height, needs, style_of(width, height))


def end(found: Layout, cell: Cell) -> float:
    return cell.x + found.style.sample + found.style.gap + cell.room


def rows(found: Layout) -> list[int]:
    return sorted({cell.y for cell in found.cells})


class TestStyle:
    def test_small_images_have_small_letters(self) -> None:
        small, usual, large = (style_of(*size) for size in (SIZES[0], SIZES[2], SIZES[4]))
        assert small.text < usual.text < large.text
        assert small.stroke < usual.stroke < large.stroke

    @pytest.mark.parametrize("size", [(599, 1080), (1920, 279)])
    def test_low_and_narrow_ones_are_small(self, size: tuple[int, int]) -> None:
        assert style_of(*size) == style_of(360, 220)

    def test_a_wide_or_high_one_is_not_large_by_that_alone(self) -> None:
        assert style_of(1920, 639) == style_of(1439, 1080) == style_of(960, 320)


class TestLegend:
    """*legend in rows*."""

    def test_entries_that_fit_side_by_side_stand_in_one_row(self) -> None:
        assert len(rows(layout(960, 320, 150, 120, 180, 160))) == 1

    def test_more_of_them_are_shared_out_evenly(self) -> None:
        found = layout(960, 320, *[180] * 6)
        assert [found.cells.index(cell) for cell in found.cells if cell.x == 28] == [0, 3]

    def test_columns_are_as_broad_as_their_words(self) -> None:
        found = layout(960, 320, 150, 300, 150, 180, 40, 150)
        assert all(
            cell.room >= need for cell, need in zip(found.cells, (150, 300, 150), strict=False)
        )

    def test_entries_that_are_too_broad_share_the_width(self) -> None:
        found = layout(360, 220, *[400] * 8)
        first, second = found.cells[:2]
        assert len(rows(found)) == 4
        assert first.room == second.room < 400
        assert end(found, second) <= found.right + 1

    def test_one_that_is_too_broad_has_the_whole_width(self) -> None:
        found = layout(360, 220, 4000)
        assert end(found, found.cells[0]) == pytest.approx(found.right)

    def test_without_entries_the_plot_begins_below_the_title(self) -> None:
        assert layout(960, 320).top < layout(960, 320, 10).top


class TestPlot:
    """*plot keeps its room*."""

    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("need", [1, 150, 300, 5000])
    @pytest.mark.parametrize("count", range(10))
    def test_no_legend_squeezes_it(self, size: tuple[int, int], need: int, count: int) -> None:
        found = layout(*size, *[need] * count)
        assert found.bottom - found.top >= PLOT_LEAST
        assert len(rows(found)) <= ROWS_MOST
        assert all(found.left <= cell.x and cell.room > 0 for cell in found.cells)
        assert all(end(found, cell) <= found.right + 1 for cell in found.cells)
        assert all(end(found, a) < b.x or a.y < b.y for a, b in pairwise(found.cells))

    def test_the_bounds_of_the_contract_are_among_the_sizes(self) -> None:
        assert SIZES[0] == (limits.CHART_WIDTH.minimum, limits.CHART_HEIGHT.minimum)
        assert SIZES[4] == (limits.CHART_WIDTH.maximum, limits.CHART_HEIGHT.maximum)
