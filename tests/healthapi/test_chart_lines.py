"""The colours of lines, with and without colour vision; design decisions under "Charts"."""

from collections.abc import Iterable
from itertools import combinations

import pytest

from healthapi.catalog_keys import CHARTS, METRICS, Chart
from healthapi.charts.lines import LINE_COLORS, ON_DARK, USUAL, assign_colors
from support.checks.colour_vision import SIGHTS, contrast, difference, seen

LEAST_NORMAL = 24
LEAST_BLIND = 14


class TestLineColors:
    @pytest.mark.parametrize("sight", SIGHTS)
    @pytest.mark.parametrize("colors", [LINE_COLORS, ON_DARK.values()], ids=["any", "dark"])
    def test_any_two_are_distinguishable(self, colors: Iterable[str], sight: str) -> None:
        least = LEAST_NORMAL if sight == "normal" else LEAST_BLIND
        failures = [
            (one, other)
            for one, other in combinations(colors, 2)
            if difference(seen(one, sight), seen(other, sight)) < least
        ]
        assert not failures

    @pytest.mark.parametrize("color", LINE_COLORS)
    def test_each_is_readable_on_any_page(self, color: str) -> None:
        assert all(contrast(color, page) >= 3 for page in ("#fff", "#000", "#0d1117"))

    @pytest.mark.parametrize("color", ON_DARK.values())
    def test_each_of_the_dark_theme_is_readable_on_it(self, color: str) -> None:
        assert contrast(color, "#0d1117") >= 4.5

    def test_there_are_eight(self) -> None:
        assert len(set(LINE_COLORS)) == len(set(ON_DARK.values())) == 8


class TestAssignColors:
    def test_every_metric_has_a_usual_colour(self) -> None:
        assert USUAL.keys() == METRICS.keys()
        assert set(USUAL.values()) == set(LINE_COLORS)

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
        blue, green, amber, *_ = LINE_COLORS
        assert list(colors.values()) == [blue, amber, green]

    def test_eight_with_one_usual_colour_get_eight(self) -> None:
        keys = sorted(METRICS, key=lambda key: USUAL[key])[:8]
        assert len(set(assign_colors(keys).values())) == 8
