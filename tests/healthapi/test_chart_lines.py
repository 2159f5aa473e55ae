"""The colours of lines, with and without colour vision; design decisions under "Charts"."""

from collections.abc import Iterable
from itertools import combinations

import pytest

from healthapi.catalog_keys import CHARTS, METRICS, Chart
from healthapi.charts.lines import LINE_COLORS, ON_DARK, USUAL, assign_colors
from support.checks.colour_vision import SIGHTS, contrast, difference, seen

LEAST_NORMAL = 24
LEAST_BLIND = 14


class TestColourVision:
    """The measures of this file agree with published figures."""

    @pytest.mark.parametrize(
        ("one", "other", "expected"),
        [
            ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
            ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
            ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792),
            ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
            ((50.0, 2.5, 0.0), (58.0, 24.0, 15.0), 19.4535),
            ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
            ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
            ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
            ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
            ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ],
    )
    def test_differences_are_those_of_the_published_pairs(
        self,
        one: tuple[float, float, float],
        other: tuple[float, float, float],
        expected: float,
    ) -> None:
        """Sharma, Wu and Dalal (2005), table 1."""
        assert difference(one, other) == pytest.approx(expected, abs=1e-4)
        assert difference(other, one) == pytest.approx(expected, abs=1e-4)

    def test_black_and_white_are_far_apart(self) -> None:
        assert contrast("#000", "#ffffff") == pytest.approx(21, abs=1e-3)
        assert difference(seen("#000", "normal"), seen("#fff", "normal")) == pytest.approx(100)

    @pytest.mark.parametrize("sight", SIGHTS)
    def test_grey_looks_grey_with_any_colour_vision(self, sight: str) -> None:
        assert seen("#808080", sight) == pytest.approx(seen("#808080", "normal"), abs=0.1)

    def test_red_and_green_come_close_without_red_or_green_cones(self) -> None:
        for sight in ("protanopia", "deuteranopia"):
            apart = difference(seen("#a44c00", sight), seen("#5c7400", sight))
            assert apart < difference(seen("#a44c00", "normal"), seen("#5c7400", "normal")) / 2


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
