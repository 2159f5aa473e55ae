"""The parts of a chart: sizes and lanes, colours, and the points of a line."""

from collections.abc import Sequence
from itertools import product

import pytest

from healthapi.chart import MIN_PLOT_HEIGHT, Texts, arrange_lanes, sizes_of
from healthapi.chart_lines import (
    LINE_COLORS,
    SHOWN_AS,
    STAGE_COLORS,
    USUAL,
    assign_colors,
    mean_of,
    values_until,
)
from healthapi.keys import CHARTS, METRICS, Chart
from status_contracts.svg.axis import LaneLayout, Level
from status_contracts.svg.image import Frame, paper_of
from status_contracts.svg.palette import Theme
from support.checks.colour_vision import contrast


class TestMean:
    """Invariant *only what is known*."""

    def test_it_is_of_the_seven_days_that_end_with_the_day(self) -> None:
        values = [100, 1, 2, 3, 4, 5, 6, 7]
        assert values_until(values, range(8), 7) == values[1:]
        assert values_until(values, range(8), 2) == values[:3]

    def test_missing_days_count_as_days_but_not_as_values(self) -> None:
        assert values_until([10, None, 30], [1, 2, 7], 2) == [10, 30]
        assert values_until([10, 20, 30], [1, 2, 9], 2) == [30]

    def test_rounding_does_not_lead_out_of_the_values(self) -> None:
        assert mean_of([0.1] * 7) == 0.1
        assert mean_of([1.7e308] * 7) == 1.7e308


SIZES = [(360, 220), (600, 280), (960, 320), (1440, 640), (1920, 1080), (360, 1080), (1920, 220)]
SHORT = Texts("Steps", "9", "1 to 9", "", [Level(0, "9"), Level(1, "1")])
LONG = Texts("W" * 60, "W" * 60, "9" * 60, "9" * 60, [Level(0, "9" * 60)])


def arranged(size: tuple[int, int], texts: Texts, count: int) -> tuple[LaneLayout, int]:
    width, height = size
    sizes = sizes_of(width, height)
    frame = Frame(width, sizes.left, width - sizes.right, sizes.style, paper_of("light"))
    return arrange_lanes([texts] * count, (0, 9), height, sizes, frame)


@pytest.mark.rule("HA-CHART-22")
class TestPlot:
    """Invariant *plot size*."""

    @pytest.mark.parametrize("size", SIZES)
    def test_no_texts_make_it_too_small(self, size: tuple[int, int]) -> None:
        sizes = sizes_of(*size)
        for texts, count in product((SHORT, LONG), range(1, 9)):
            layout, top = arranged(size, texts, count)
            assert size[1] - sizes.below - top >= MIN_PLOT_HEIGHT
            assert layout.scale.end - layout.scale.start >= MIN_PLOT_HEIGHT
            assert top >= sizes.title_line + sizes.above
            assert layout.bar > sizes.style.text * layout.has_names_beside


@pytest.mark.parametrize(("width", "most"), [(360, 6), (600, 5), (840, 4), (960, 3), (1920, 2)])
def test_names_stand_above_as_many_lanes_as_stay_high(width: int, most: int) -> None:
    texts = Texts("Heart rate variability", "2,699 steps", "1 to 9", "", [Level(0, "9")])
    layouts = [arranged((width, 320), texts, count)[0] for count in range(1, 7)]
    assert [layout.has_names_beside for layout in layouts] == [n > most for n in range(1, 7)]


@pytest.mark.rule("HA-CHART-21")
class TestLineColors:
    @pytest.mark.parametrize("color", [*LINE_COLORS, *STAGE_COLORS])
    def test_each_is_readable_on_any_page(self, color: str) -> None:
        assert all(contrast(color, page) >= 3 for page in ("#fff", "#000", "#0d1117"))

    @pytest.mark.parametrize(
        ("theme", "least", "pages"),
        [("dark", 4.5, ("#0d1117", "#161a20")), ("transparent", 3.5, ("#fff", "#000", "#0d1117"))],
    )
    def test_each_of_a_theme_is_readable_on_it(
        self, theme: Theme, least: float, pages: Sequence[str]
    ) -> None:
        for color, page in product(SHOWN_AS[theme].values(), pages):
            assert contrast(color, page) >= least


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
