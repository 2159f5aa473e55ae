"""The sizes of a chart and the place of its plot."""

import pytest

from healthapi import limits
from healthapi.charts.layout import MAX_LEGEND_ROWS, MIN_PLOT_HEIGHT, sizes_of

SIZES = [(360, 220), (600, 280), (960, 320), (1440, 640), (1920, 1080), (360, 1080), (1920, 220)]


class TestSizes:
    def test_small_images_have_small_text(self) -> None:
        small, usual, large = (sizes_of(*size) for size in (SIZES[0], SIZES[2], SIZES[4]))
        assert small.style.text < usual.style.text < large.style.text
        assert small.stroke < usual.stroke < large.stroke

    @pytest.mark.parametrize("size", [(599, 1080), (1920, 279)])
    def test_low_and_narrow_ones_are_small(self, size: tuple[int, int]) -> None:
        assert sizes_of(*size) == sizes_of(360, 220)

    def test_a_wide_or_high_one_is_not_large_by_that_alone(self) -> None:
        assert sizes_of(1920, 639) == sizes_of(1439, 1080) == sizes_of(960, 320)


class TestPlot:
    """Invariant *plot size*."""

    @pytest.mark.parametrize("size", SIZES)
    def test_no_legend_makes_it_too_small(self, size: tuple[int, int]) -> None:
        tops = []
        for rows in range(MAX_LEGEND_ROWS + 1):
            sizes = sizes_of(*size)
            tops.append(sizes.plot_top(rows))
            assert size[1] - sizes.below - tops[-1] >= MIN_PLOT_HEIGHT
        assert tops == sorted(set(tops))

    def test_the_bounds_of_the_contract_are_among_the_sizes(self) -> None:
        assert SIZES[0] == (limits.CHART_WIDTH.minimum, limits.CHART_HEIGHT.minimum)
        assert SIZES[4] == (limits.CHART_WIDTH.maximum, limits.CHART_HEIGHT.maximum)
