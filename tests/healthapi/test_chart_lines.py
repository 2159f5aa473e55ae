"""The styles of lines, with and without colour vision; design decisions under "Charts"."""

from itertools import combinations

import pytest

from healthapi.catalog_keys import CHARTS, METRICS, Chart
from healthapi.charts.lines import LINE_STYLES, USUAL, LineStyle, assign_styles
from support.checks.colour_vision import SIGHTS, contrast, difference, seen

LEAST_NORMAL = 25
LEAST_BLIND = 15


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


class TestLineStyles:
    @pytest.mark.parametrize("sight", SIGHTS)
    def test_any_two_are_distinguishable(self, sight: str) -> None:
        least = LEAST_NORMAL if sight == "normal" else LEAST_BLIND
        failures = [
            (one.color, other.color)
            for one, other in combinations(LINE_STYLES, 2)
            if difference(seen(one.color, sight), seen(other.color, sight)) < least
        ]
        assert not failures

    @pytest.mark.parametrize("style", LINE_STYLES, ids=lambda style: style.color)
    def test_each_is_readable_on_white_and_on_black(self, style: LineStyle) -> None:
        assert contrast(style.color, "#fff") >= 3
        assert contrast(style.color, "#000") >= 3

    def test_no_two_have_the_same_dashes(self) -> None:
        assert len({style.dashes for style in LINE_STYLES}) == len(LINE_STYLES)

    def test_dashes_are_stroke_and_space_in_turn(self) -> None:
        """An odd number of lengths would be read twice, spaces as strokes."""
        assert all(len(style.dashes) % 2 == 0 for style in LINE_STYLES)

    def test_there_are_eight_of_eight_colours(self) -> None:
        assert len({style.color for style in LINE_STYLES}) == len(LINE_STYLES) == 8


class TestAssignStyles:
    def test_every_metric_has_a_usual_style(self) -> None:
        assert USUAL.keys() == METRICS.keys()
        assert set(USUAL.values()) == set(LINE_STYLES)

    @pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
    def test_in_a_chart_of_the_vocabulary_each_has_its_usual_style(self, chart: Chart) -> None:
        assert assign_styles(chart.metrics) == {key: USUAL[key] for key in chart.metrics}

    def test_a_metric_keeps_its_style_when_others_are_left_out(self) -> None:
        for chart in CHARTS.values():
            whole = assign_styles(chart.metrics)
            for key in chart.metrics:
                assert assign_styles([key]) == {key: whole[key]}

    def test_of_two_with_one_usual_style_the_second_gets_a_free_one(self) -> None:
        styles = assign_styles(["deep_pct", "sleep_score", "steps"])
        blue, green, amber = LINE_STYLES[:3]
        assert list(styles.values()) == [blue, amber, green]

    def test_eight_with_one_usual_style_get_eight_styles(self) -> None:
        keys = sorted(METRICS, key=lambda key: USUAL[key].color)[:8]
        assert len(set(assign_styles(keys).values())) == 8
