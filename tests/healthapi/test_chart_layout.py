"""The sizes of a chart and the arrangement of its lanes."""

import pytest

from healthapi import limits
from healthapi.catalog_keys import CHARTS, METRICS, Chart
from healthapi.charts.chart import MIN_PLOT_HEIGHT, Texts, arrange_lanes, sizes_of
from healthapi.charts.lines import LINE_COLORS, ON_DARK, STAGE_COLORS, USUAL, assign_colors
from purewire.svg.axis import Level
from purewire.svg.image import Frame
from purewire.svg.lanes import Layout
from purewire.svg.palette import paper_of
from support.checks.colour_vision import contrast

SIZES = [(360, 220), (600, 280), (960, 320), (1440, 640), (1920, 1080), (360, 1080), (1920, 220)]
SHORT = Texts("Steps", "9", [Level(0, "9"), Level(1, "1")])
LONG = Texts("W" * 60, "W" * 60, [Level(0, "9" * 60), Level(1, "9" * 60)])


def arranged(size: tuple[int, int], texts: Texts, count: int) -> tuple[Layout, int]:
    width, height = size
    sizes = sizes_of(width, height)
    frame = Frame(width, sizes.left, width - sizes.right, sizes.style, paper_of("light"))
    return arrange_lanes([texts] * count, (0, 9), height, sizes, frame)


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
    @pytest.mark.parametrize("count", range(1, 9))
    @pytest.mark.parametrize("texts", [SHORT, LONG], ids=["short", "long"])
    def test_no_texts_make_it_too_small(
        self, size: tuple[int, int], count: int, texts: Texts
    ) -> None:
        layout, top = arranged(size, texts, count)
        sizes = sizes_of(*size)
        bottom = size[1] - sizes.below
        assert bottom - top >= MIN_PLOT_HEIGHT
        assert layout.scale.end - layout.scale.start >= MIN_PLOT_HEIGHT
        assert top >= sizes.title_line + sizes.above
        assert layout.bar > sizes.style.text

    def test_the_bounds_of_the_contract_are_among_the_sizes(self) -> None:
        assert SIZES[0] == (limits.CHART_WIDTH.minimum, limits.CHART_HEIGHT.minimum)
        assert SIZES[4] == (limits.CHART_WIDTH.maximum, limits.CHART_HEIGHT.maximum)


class TestNames:
    def test_of_a_single_metric_they_stand_above(self) -> None:
        layout, top = arranged((960, 320), SHORT, 1)
        assert not layout.has_names_beside
        assert top + sizes_of(960, 320).style.row + layout.bar == 320 - 34

    def test_in_a_narrow_image_only_beside_low_lanes(self) -> None:
        assert not arranged((360, 220), SHORT, 3)[0].has_names_beside
        assert arranged((360, 220), SHORT, 6)[0].has_names_beside


class TestLevels:
    def test_low_lanes_have_one_text(self) -> None:
        style = sizes_of(960, 320).style
        assert SHORT.shown_levels(60, style) == SHORT.levels
        assert SHORT.shown_levels(20, style) == [Level(0.5, "1 to 9")]
        single = Texts("Steps", "9", [Level(0.5, "9")])
        assert single.shown_levels(20, style) == single.levels


class TestLineColors:
    @pytest.mark.parametrize("color", [*LINE_COLORS, *STAGE_COLORS])
    def test_each_is_readable_on_any_page(self, color: str) -> None:
        assert all(contrast(color, page) >= 3 for page in ("#fff", "#000", "#0d1117"))

    @pytest.mark.parametrize("color", ON_DARK.values())
    def test_each_of_the_dark_theme_is_readable_on_it(self, color: str) -> None:
        assert all(contrast(color, page) >= 4.5 for page in ("#0d1117", "#161a20"))


class TestAssignColors:
    def test_every_metric_has_a_usual_colour(self) -> None:
        assert USUAL.keys() == METRICS.keys()
        assert set(USUAL.values()) == {*LINE_COLORS, *STAGE_COLORS}

    @pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
    def test_in_a_chart_of_the_vocabulary_each_has_its_usual_one(self, chart: Chart) -> None:
        assert assign_colors(chart.metrics) == {key: USUAL[key] for key in chart.metrics}

    def test_a_metric_keeps_its_colour_when_others_are_left_out(self) -> None:
        for chart in CHARTS.values():
            whole = assign_colors(chart.metrics)
            for key in chart.metrics:
                assert assign_colors([key]) == {key: whole[key]}

    def test_of_two_with_one_usual_colour_the_second_gets_a_free_one(self) -> None:
        colors = assign_colors(["deep_pct", "sleep_score", "steps"])
        blue, green, _, _, teal, *_ = LINE_COLORS
        assert list(colors.values()) == [teal, blue, green]

    def test_the_stages_of_sleep_have_colours_of_no_other_metric(self) -> None:
        for stage in STAGE_COLORS.values():
            assert [key for key, color in USUAL.items() if color == USUAL[stage]] == [stage]
        others = ["efficiency", "steps", *STAGE_COLORS.values(), "deep_pct", "sleep_score"]
        colors = assign_colors(others)
        assert [colors[stage] for stage in STAGE_COLORS.values()] == list(STAGE_COLORS)
        assert len(set(colors.values())) == 8

    def test_eight_with_one_usual_colour_get_eight(self) -> None:
        keys = sorted(METRICS, key=lambda key: USUAL[key])[:8]
        assert len(set(assign_colors(keys).values())) == 8
