"""Charts: content and safety; design decisions under "Charts"."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import ceil
from typing import Any

import attrs
import pytest

from healthapi.chart import MAX_IMAGE_BYTES, describe, draw
from healthapi.chart_lines import MAX_LENGTH, lines_of
from healthapi.derived.periods import Series
from healthapi.keys import CARD_METRICS, CHARTS, METRICS, Granularity
from healthapi.profile import load
from status_contracts.svg.palette import PAPERS, Theme
from status_contracts.svg.text import text_width
from support.checks.golden import assert_recorded
from support.checks.xml_reading import Element, read_xml
from support.healthapi.chart_reading import Drawn, Read, Values, daily, periods, read_chart

ELEMENTS = {
    "svg": "xmlns width height viewBox role aria-describedby aria-labelledby font-family font-size"
    " text-rendering",
    **dict.fromkeys(("title", "desc"), "id"),
    "rect": "width height fill",
    "text": "x y fill font-size font-weight text-anchor",
    "tspan": "x dx dy fill stroke stroke-width",
    "g": "fill transform stroke stroke-width stroke-linejoin",
    "path": "d fill opacity stroke stroke-dasharray stroke-linecap stroke-opacity stroke-width",
    "circle": "cx cy r fill stroke",
}
"""The elements and attributes of a chart: no scripts, styles or references."""
MEANS = "line: 7-day mean, points: days, large dot: last value"


def wave(count: int, seed: int, missing: int = 0) -> Values:
    """Return numbers that rise and fall irregularly, each `missing`th of them None."""
    return [
        None
        if missing and (number * 7 + seed) % missing == 0
        else 50 + abs(number * 3 % 182 - 91) / (seed + 2) + (number * number * seed + 31) % 23
        for number in range(count)
    ]


def preset(name: str, count: int, missing: int = 0) -> Series:
    chart = CHARTS[name]
    waves = {key: wave(count, seed, missing) for seed, key in enumerate(chart.metrics, 1)}
    return daily("2024-01-01", **waves)


def chart(series: Series, title: str = "Title", *, width: int = 960, height: int = 320) -> Read:
    return read_chart(draw(series, title=title, width=width, height=height))


def line(series: Series) -> Drawn:
    """Return the only line of a chart."""
    (only,) = chart(series).lines
    return only


@pytest.mark.rule("HA-CHART-11", "HA-CHART-12", "HA-CHART-13", "HA-CHART-15", "HA-CHART-27")
def test_rows_are_refused_with_the_way_to_a_series() -> None:
    rows: Any = load("me", {}, generated_at="2026-01-31T12:00:00").daily
    with pytest.raises(TypeError, match=r"not Rows: pass profile.series\('daily', "):
        draw(rows, title="x")


class TestLines:
    def test_months_lie_at_their_first_days(self) -> None:
        read = chart(periods("monthly", ["2024-01", "2024-02", "2024-03"], hrv=[1, 2, 3]))
        (run,) = read.lines[0].runs
        assert run[1][0] - read.left == pytest.approx((read.right - read.left) * 31 / 60, abs=0.05)


class TestMeans:
    """Invariant *means of many days*."""

    def test_days_of_four_weeks_are_joined_themselves(self) -> None:
        drawn = line(daily("2024-01-01", hrv=wave(28, 3)))
        assert not drawn.around
        assert len(drawn.points) == 28

    def test_more_days_are_points_around_their_mean(self) -> None:
        values = [day % 7 for day in range(29)]
        drawn = line(daily("2024-01-01", hrv=values))
        assert [bottom - top for _, top, bottom in drawn.around] == [0] * 29
        height = drawn.bottom - drawn.top
        assert [top for _, top, _ in drawn.around] == [
            pytest.approx(drawn.bottom - value / 6 * height, abs=0.051) for value in values
        ]
        assert {y for _, y in drawn.points[4:]} == {(drawn.top + drawn.bottom) / 2}

    @pytest.mark.parametrize("count", [29, 120, 400])
    def test_points_have_the_colour_of_the_line(self, count: int) -> None:
        read = chart(daily("2024-01-01", hrv=wave(count, 3)))
        points = [part.attributes for part in read.elements if "stroke-linecap" in part.attributes]
        assert points
        for look in points:
            assert not {"stroke", "stroke-opacity", "opacity"} & {*look}
            assert float(look["stroke-width"]) >= 10 * read.lines[0].pen

    def test_the_last_dot_is_the_last_value_and_not_the_mean(self) -> None:
        drawn = line(daily("2024-01-01", hrv=[*[5] * 40, 9]))
        assert drawn.last == (drawn.right, drawn.top)


@pytest.mark.rule("HA-CHART-14")
class TestGaps:
    """*gaps are kept*."""

    @pytest.mark.parametrize(
        ("missing", "runs", "dots", "links"),
        [
            ((), [38], 0, 0),
            ((15,), [13, 24], 0, 1),
            ((15, 16, 17, 18), [13, 21], 0, 1),
            ((15, 16, 17, 18, 19), [13, 18], 0, 0),
            ((1, 5), [2, 34], 0, 1),
            ((37,), [35, 2], 0, 1),
            (range(1, 40, 2), [], 20, 17),
            ((*range(1, 40, 3), *range(2, 40, 3)), [], 14, 11),
        ],
    )
    def test_a_mean_is_of_three_values_and_is_dashed_across_few_missing_days(
        self, missing: Sequence[int], runs: list[int], dots: int, links: int
    ) -> None:
        """Without any link or two means in a row the values are dots."""
        values = [None if day in missing else day for day in range(40)]
        drawn = line(daily("2024-01-01", hrv=values))
        assert (list(map(len, drawn.runs)), len(drawn.dots)) == (runs, dots)
        assert [end[0] < start[0] for end, start in drawn.links] == [True] * links
        assert len(drawn.covered) == 40 - len(missing)
        legend = chart(daily("2024-01-01", hrv=values)).description
        assert ("7-day mean" in legend) is (runs != [] or links > 0)
        assert ("dashed across gaps" in legend) is (links > 0)
        assert "points: days, large dot: last value." in legend

    def test_nothing_is_drawn_over_a_year_that_is_missing_among_ten(self) -> None:
        """A line of many points is interrupted as well."""
        values = wave(3650, 3)
        drawn = line(daily("2014-01-01", hrv=[*values[:1000], *[None] * 365, *values[1365:]]))
        places, width = sorted(x for x, _ in drawn.points), drawn.right - drawn.left
        gaps = [after - before for before, after in pairwise(places)]
        assert max(gaps) == pytest.approx(width / 10, abs=3)


@pytest.mark.rule("HA-CHART-26")
class TestManyPoints:
    """*every point*."""

    @pytest.mark.parametrize(("count", "top"), [(30, {"15,286"}), (400, {"15,286"}), (1000, set())])
    def test_a_mean_is_never_cut_and_a_cut_value_has_a_mark_at_the_edge_inside_the_lane(
        self, count: int, top: set[str]
    ) -> None:
        values = [1000 * (day % 5) for day in range(count)]
        values[10] = 90_000
        svg = draw(daily("2024-01-01", steps=values), title="T")
        read = read_chart(svg)
        assert {*top, f"{values[-1]:,} steps", "▲ 90,000"} <= {*read.words}
        assert min(y for _, y in read.lines[0].points) == read.lines[0].top
        assert re.findall("M[0-9]+ (-?[0-9]+)l-35 60h70z", svg.decode()) == ["0"]
        weeks = [f"2024-W{week:02}" for week in range(1, 35)]
        assert not line(periods("weekly", weeks, hrv=[*range(32), None, 999])).dots  # none besides

    @pytest.mark.parametrize(
        ("count", "columns"), [(MAX_LENGTH, MAX_LENGTH), (401, 58), (1095, 157), (3650, 200)]
    )
    def test_more_than_a_year_are_weeks_or_more(self, count: int, columns: int) -> None:
        assert len(line(daily("2020-01-01", hrv=wave(count, 3))).around) == columns

    def test_the_line_is_the_mean_of_each_column_and_says_so(self) -> None:
        read = chart(daily("2020-01-01", hrv=[day % 7 for day in range(1093)]))
        (drawn,) = read.lines
        assert len(drawn.points) == 157  # 155 weeks, and two halves of one at the ends
        assert {y for _, y in drawn.points[1:-1]} == {(drawn.top + drawn.bottom) / 2}
        assert {(top, bottom) for _, top, bottom in drawn.around[1:-1]} == {
            (drawn.top, drawn.bottom)
        }
        assert "line: mean of each week, band: range, large dot: last value" in read.words
        assert "about 7 days" in chart(daily("2020-01-01", hrv=wave(540, 3)), width=360).description

    @pytest.mark.parametrize(
        ("missing", "runs", "dots"),
        [
            (range(501, 560), [72, 77], 0),
            (range(501, 563), [72, 76], 1),
            (range(306, 311), [44, 112], 1),
            ({*range(1093)} - {*range(0, 1093, 5)}, [], 157),
        ],
    )
    def test_a_column_of_fewer_than_three_days_is_a_dot_beside_the_line(
        self, missing: Sequence[int], runs: list[int], dots: int
    ) -> None:
        values = [None if day in missing else day % 7 for day in range(1093)]
        read = chart(daily("2020-01-01", hrv=values))
        (drawn,) = read.lines
        assert (list(map(len, drawn.runs)), len(drawn.dots)) == (runs, dots)
        assert len(drawn.around) == len(drawn.points)
        shown = " and ".join(["line"] * (runs != []) + ["points"] * (dots > 0))
        assert f"Legend: {shown}: mean of each week, band: range, large" in read.description

    def test_a_long_history_of_weeks_is_reduced_as_well(self) -> None:
        labels = [f"{year}-W{week:02}" for year in range(2000, 2010) for week in range(1, 53)]
        read = chart(periods("weekly", labels, hrv=wave(len(labels), 3)))
        assert len(read.lines[0].around) == 200
        assert "mean per day of each week, line: mean of about 18 days, ba" in read.description


class TestChoice:
    """*eight lines*."""

    def test_the_first_eight_are_drawn(self) -> None:
        read = chart(daily("2024-01-01", **{key: [1, 2] for key in METRICS}))
        assert len(read.lines) == len({drawn.color for drawn in read.lines}) == 8
        labels = {metric.label for metric in METRICS.values()}
        assert [METRICS[key].label for key in [*METRICS][:8]] == [
            word for word in read.words if word in labels
        ]

    def test_the_metrics_left_out_are_counted_whatever_the_title(self) -> None:
        series = daily("2024-01-01", **{key: wave(40, 3) for key in METRICS})
        assert f"+20 more metrics, {MEANS}" in chart(series).words
        for title in ("Title", "W" * 99):  # in low lanes
            words = chart(series, title, width=360).words
            assert "+20 more metrics, line: mean of about 8 days, " in " ".join(words)


@pytest.mark.rule("HA-CHART-16")
class TestLegend:
    def test_a_value_that_is_older_than_the_last_day_has_its_date(self) -> None:
        """A partial day has few metrics; the legend shows which are of an earlier day."""
        read = chart(daily("2024-01-01", steps=[4000, 5200, None, None], calories_out=[9, 9, 9, 1]))
        assert {"5,200 steps (2 Jan)", "1 kcal"} <= {*read.words}
        over_the_year = daily("2023-12-31", hrv=[30, None], rhr=[50, 51])
        assert "30 ms (31 Dec 2023)" in chart(over_the_year).words
        weeks = periods("weekly", ["2024-W01", "2024-W02"], hrv=[30, None], rhr=[50, 51])
        assert "30 ms (week of 1 Jan)" in chart(weeks).words
        months = periods("monthly", ["2024-01", "2024-02"], hrv=[30, None], rhr=[50, 51])
        assert "30 ms (Jan)" in chart(months).words

    @pytest.mark.parametrize(
        ("minutes", "hours", "exact", "tenths"),
        [
            (476, 7.9, "7 h 56 min", "7 h 54 min"),
            (56, 0.9, "56 min", "54 min"),
            (-4, -0.1, "-4 min", "-6 min"),
        ],
    )
    def test_hours_are_written_in_one_way_and_to_the_minute_where_it_is_known(
        self, minutes: int, hours: float, exact: str, tenths: str
    ) -> None:
        series = daily("2024-01-01", sleep_hours=[8.5, hours])
        words = chart(attrs.evolve(series, hours_asleep=(8.5, minutes / 60))).words
        assert {exact, "8 h 30 min"} <= {*words}
        assert tenths in chart(series).words

    def test_the_scale_beside_a_lane_is_its_ends_or_a_grid_or_in_a_low_lane_one_text(self) -> None:
        values = {key: [50, 61] for key in CARD_METRICS}
        series = daily("2024-01-01", **values | {"sleep_hours": [6.5, 8], "hrv": [91.8, 67]})
        for height, row in ((640, 0), (320, 20)):  # above, and beside
            read = chart(series, height=height)
            (text,) = [text for text in read.texts if text.text == "67.0 to 91.8"]
            lane = read.lines[[*CARD_METRICS].index("hrv")]
            assert lane.top + row - 20 < float(text.attributes["y"]) < lane.top + row
        high = chart(daily("2024-01-01", steps=[100, 0], rhr=[50, 61]), height=480)
        assert {"100", "75", "50", "25", "0"} <= {*high.words}
        last = {key: [50, 61, 52] for key in CARD_METRICS} | {"hrv": [36, 21, 22.5]}
        assert {"21.0 to 36.0", "22.5 ms"} <= {*chart(daily("2024-01-01", **last)).words}
        low = {*chart(series, height=220).words}
        assert {"67.0 to 91.8", "6 h 30 to 8 h 00 min", "50 to 61"} <= low

    def test_the_legend_has_what_is_drawn(self) -> None:
        values = [8000 + day % 5 for day in range(40)]
        rhr = [60, *[61] * 39]
        assert MEANS in chart(daily("2024-01-01", steps=values, rhr=rhr)).words
        values[3] = 31_170
        read = chart(daily("2024-01-01", steps=values, rhr=rhr))
        assert {"8,000", "13,793", "8,004 steps", "▲ 31,170"} <= {*read.words}
        legend = "line: 7-day mean, points: days, ▲ beyond the scale"
        assert f"Legend: {legend}, large dot: last value." in read.description
        narrow = chart(daily("2024-01-01", steps=values, rhr=rhr), width=360).words
        assert {f"{legend},", "large dot: last value"} <= {*narrow}
        assert "highest 31,170, 1 beyond the scale." in read.description
        values[4] = 50
        assert "▼ 50 ▲ 31,170" in chart(daily("2024-01-01", steps=values)).words
        low = daily("2024-01-01", **dict.fromkeys(CARD_METRICS, rhr) | {"steps": values})
        words = {"Steps", "8,004 steps", "6,866 to 13,793", "▼ 50 ▲ 31,170"}
        assert words <= {*chart(low, width=600).words}
        both = (*chart(low, width=360).words, *chart(low, height=220).words)
        assert sum(word.endswith("93 ▼ 50 ▲ 31,170") for word in both) == 2
        assert "mean" not in chart(daily("2024-01-01", hrv=wave(20, 3))).description

    @pytest.mark.parametrize(("by", "one"), [("weekly", "week"), ("monthly", "month")])
    def test_means_of_weeks_and_months_are_called_so_and_the_number_of_their_days_is_not(
        self, by: Granularity, one: str
    ) -> None:
        labels = {"weekly": ["2024-W01", "2024-W02"], "monthly": ["2024-01", "2024-02"]}[by]
        both = attrs.evolve(
            periods(by, labels, steps=[8, 9], days=[7, 3]), unfinished=frozenset({"steps", "days"})
        )
        read = chart(both)
        legend = f"mean per day of each {one}, △ ▽ not complete and beyond the scale"
        assert {legend, "▽ 3 days"} < {*read.words}
        assert f"Legend: {legend}." in read.description
        assert "△ 9 steps" in read.words
        assert "mean" not in chart(periods(by, labels, days=[7, 3])).description

    def test_where_space_is_short_the_name_is_cut_and_not_the_value(self) -> None:
        values = {key: [2**40] for key in CARD_METRICS}
        read = chart(daily("2024-01-01", **values), width=360, height=220)
        entries = [word for word in read.words if "1,099,511,627,776 " in word]
        assert len(entries) == 8
        assert any(word.endswith("…") for word in read.words)


@pytest.mark.rule("HA-CHART-17")
class TestAxis:
    def test_a_single_value_is_the_number_of_the_middle(self) -> None:
        read = chart(daily("2024-01-01", rhr=[52, 52]))
        assert len(read.levels) == 5
        assert {"52", "52 bpm"} <= {*read.words}

    @pytest.mark.parametrize("size", [(360, 220), (960, 320), (1920, 1080)])
    def test_every_number_stands_beside_its_line_which_ends_with_the_plot(
        self, size: tuple[int, int]
    ) -> None:
        width, height = size
        read = chart(daily("2024-01-01", rhr=[50, 58]), width=width, height=height)
        looks = [text.attributes for text in read.texts if re.fullmatch("5[02468]", text.text)]
        (left,) = {float(look["x"]) for look in looks}
        right = left + ceil(text_width("50", 12))
        ends = [end[0] for start, end in read.grid if start[1] == end[1]]
        assert ends == [max(x for x, _ in read.lines[0].points)] * 5
        bases = sorted(float(look["y"]) for look in looks)
        above = [y - base for y, base in zip(read.levels, bases, strict=True)]
        assert -7 <= min(above) <= max(above) <= min(above) + 1 <= -3
        if size == (960, 320):
            assert (read.left, right, read.levels[-1]) == (28, 960 - 24, 320 - 34)


@pytest.mark.rule("HA-CHART-18")
class TestDates:
    def test_round_days_stand_between_where_they_are_in_time(self) -> None:
        read = chart(preset("overview-trend", 400))
        found = {text.text: float(text.attributes["x"]) for text in read.texts}
        place = read.left + (read.right - read.left) * 182 / 399
        assert found["Jul"] == pytest.approx(place, abs=0.5)
        uprights = [start[0] - 0.5 for start, end in read.grid if start[0] == end[0]]
        assert found["Jul"] in uprights
        assert (len({*uprights}), "2025" in found) == (13, False)
        inner = [x for text, x in found.items() if x in uprights and not text.isdigit()]
        assert read.ticks == [read.left, *sorted(inner), read.right]

    @pytest.mark.parametrize("width", [360, 960, 1920])
    @pytest.mark.parametrize("count", [7, 30, 90, 1095])
    def test_lines_are_equally_far_apart_also_without_space_for_a_date(
        self, width: int, count: int
    ) -> None:
        for first in ("2024-01-27", "2024-02-03", "2024-03-31"):
            read = chart(daily(first, steps=wave(count, 3), hrv=wave(count, 2)), width=width)
            uprights = sorted({start[0] for start, end in read.grid if start[0] == end[0]})
            steps = [after - before for before, after in pairwise([*uprights, read.right])][:-1]
            assert max(steps, default=0) <= 1.12 * min(steps, default=0) + 1  # of 28 to 31 days

    @pytest.mark.parametrize("width", [360, 960, 1920])
    @pytest.mark.parametrize("count", [2, 30, 400, 3650])
    def test_dates_never_touch_and_one_has_the_last_year(self, width: int, count: int) -> None:
        for week in range(1, 53, 2):
            series = daily(f"2024-W{week:02}-1", hrv=wave(count, 1))
            read = chart(series, width=width)
            size = float(read.elements[0].attributes["font-size"])
            dates = [text for text in read.texts if DATE.fullmatch(text.text)]
            spans = sorted(span(text, size) for text in dates)
            assert len(spans) >= 2
            assert all(right + 4 <= left for (_, right), (left, _) in pairwise(spans))
            assert any(text.text.endswith(series.labels[-1][:4]) for text in dates)

    @pytest.mark.parametrize("count", [180, 950, 3650])
    def test_a_narrow_chart_has_two_dates_between_the_ends(self, count: int) -> None:
        words = chart(daily("2016-05-20", hrv=wave(count, 1)), width=360, height=220).words
        assert len([word for word in words if DATE.fullmatch(word)]) >= 4

    def test_a_year_is_at_its_january_before_other_months(self) -> None:
        assert "2020" in chart(daily("2019-02-01", rhr=wave(1095, 1)), width=360, height=320).words
        words = chart(daily("2023-10-24", rhr=wave(180, 1))).words
        assert words[-5:] == ["Dec", "2024", "Feb", "Mar", "20 Apr 2024"]

    def test_a_date_of_another_year_has_it_if_there_are_two_and_the_last_of_the_same_none(
        self,
    ) -> None:
        words = chart(daily("2023-12-20", rhr=wave(37, 1))).words
        between = ["25 Dec", "1 Jan", "8 Jan", "15 Jan"]
        assert words[-6:] == ["20 Dec 2023", *between, "25 Jan 2024"]
        same = chart(daily("2024-02-01", rhr=wave(60, 1))).words
        assert (same[-1], "1 Feb 2024" in same) == ("31 Mar", True)
        years = chart(daily("2021-10-20", rhr=wave(1863, 1)), width=360).words
        assert years[-4:] == ["Oct 2021", "2024", "2025", "Nov 2026"]  # of many, months
        year = chart(daily("2025-11-28", **dict.fromkeys(CARD_METRICS, wave(365, 1))), width=360)
        assert year.words[-5:] == ["Nov 2025", "Mar", "May", "Jul", "27 Nov 2026"]

    @pytest.mark.parametrize("last", [355, 365, 400])
    def test_lines_stay_where_the_dates_between_have_no_space(self, last: int) -> None:
        read = chart(daily("2025-11-28", sleep_hours=[7] * last), width=360)
        assert len({start[0] for start, end in read.grid if start[0] == end[0]}) >= 2

    @pytest.mark.parametrize("height", [220, 400])
    @pytest.mark.parametrize("count", [1, 4, 8])
    def test_both_dates_have_space_and_their_years(self, count: int, height: int) -> None:
        values = {key: [*range(60)] for key in CARD_METRICS[:count]}
        read = chart(daily("2023-12-01", **values), width=360, height=height)
        first, last = (word for word in read.texts if word.text in {"1 Dec 2023", "29 Jan 2024"})
        assert span(first, 11)[1] + 4 < span(last, 11)[0]

    def test_the_first_and_the_last_period_of_the_calendar_can_stand_alone(self) -> None:
        assert "1 Jan 0001" in chart(daily("0001-01-01", hrv=[1])).words
        assert "31 Dec 9999" in chart(daily("9999-12-31", hrv=[1])).words
        for label in ("0001-W01", "9999-W52", "0001-01", "9999-12"):
            granularity: Granularity = "weekly" if "W" in label else "monthly"
            assert chart(periods(granularity, [label], hrv=[1])).words


DATE = re.compile("([0-9]{1,2} )?[A-Z][a-z]{2}( [0-9]{4})?|20[0-9]{2}")


def span(text: Element, size: float) -> tuple[float, float]:
    """Return the left and right end of a date."""
    x, wide = float(text.attributes["x"]), text_width(text.text, size)
    back = {"middle": wide / 2, "end": wide}.get(text.attributes.get("text-anchor", ""), 0)
    return x - back, x - back + wide


class TestSafety:
    """*self-contained*."""

    @pytest.mark.parametrize("theme", PAPERS)
    @pytest.mark.parametrize("count", [0, 90])
    def test_it_has_known_elements_only(self, theme: Theme, count: int) -> None:
        for element in read_xml(draw(preset("series", count, missing=5), title="T", theme=theme)):
            assert element.attributes.keys() <= {*ELEMENTS[element.name].split()}
            assert not any("url(" in value for value in element.attributes.values())


class TestArguments:
    @pytest.mark.parametrize("size", [(359, 320), (1921, 320), (960, 219), (960, 1081)])
    def test_a_size_out_of_bounds_raises(self, size: tuple[int, int]) -> None:
        with pytest.raises(ValueError, match="px"):
            draw(preset("series", 3), title="T", width=size[0], height=size[1])


class TestSize:
    """*small*."""

    @pytest.mark.parametrize("size", [(360, 220), (1920, 1080)])
    @pytest.mark.parametrize("metrics", [1, 8])
    @pytest.mark.parametrize("cycle", [[0, 1], [None, 1], [*range(16), 9e9, 5, 9, *[None] * 17]])
    def test_no_image_is_larger(self, size: tuple[int, int], metrics: int, cycle: Values) -> None:
        """The worst: values jump from end to end, gaps separate them, all columns have marks."""
        keys = [*METRICS][: metrics if metrics < 8 else len(METRICS)]
        for count in (4000 // metrics, 12_000):
            values = [cycle[day % len(cycle)] for day in range(count)]
            series = daily("1950-01-01", **dict.fromkeys(keys, values))
            svg = draw(series, title="'" * 200, width=size[0], height=size[1], theme="transparent")
            assert len(svg) <= MAX_IMAGE_BYTES


@cache
def recorded() -> dict[str, bytes]:
    """Return the images that are recorded, by name."""
    weeks = [f"2024-W{number:02}" for number in range(1, 53) if number != 20]
    weekly = periods("weekly", weeks, sleep_score=wave(51, 1), steps=wave(51, 2), hrv=wave(51, 3))
    everything = daily(
        "2024-01-01", **{key: wave(60, seed, 11) for seed, key in enumerate(METRICS, 1)}
    )
    return {
        "sleep-90-days": draw(preset("sleep-trend", 90, 13), title="Sleep trend"),
        "weekly-transparent": draw(weekly, title="Weekly trend", theme="transparent"),
        "ten-years": draw(preset("overview-trend", 3650, 17), title="Overview"),
        "smallest": draw(everything, title="Series", width=360, height=220),
        "one-metric-dark": draw(
            daily("2024-01-01", hrv=wave(60, 3, 9)), title="Heart", theme="dark"
        ),
        "empty": draw(preset("series", 0), title="<Empty> & \x00", theme="transparent"),
    }


class TestRecorded:
    """*deterministic*, from version to version."""

    def test_the_images_are_the_recorded_ones(self) -> None:
        for name, image in recorded().items():
            assert_recorded("charts", name, image)


class TestDescription:
    """Invariant *complete in text*."""

    def test_it_names_range_and_values(self) -> None:
        series = daily("2024-01-01", steps=[4000, 5200, 3100], sleep_hours=[7, 6.5, 8])
        assert describe(series, lines_of(series)[0]) == (
            "Daily values, 2024-01-01 to 2024-01-03."
            " Each line has a scale of its own."
            " Steps: last 3,100 steps (2024-01-03), lowest 3,100, highest 5,200."
            " Sleep: last 8 h 00 min (2024-01-03), lowest 6 h 30 min, highest 8 h 00 min."
        )

    @pytest.mark.parametrize(
        ("series", "part"),
        [
            (daily("2024-01-01", nap_count=[None], hrv=[4]), "Naps: no values."),
            (periods("weekly", ["2024-W01"], hrv=[4]), "Weekly values, 2024-W01. Legend: mean"),
            (daily("2024-01-01", nap_count=[None], hrv=[4]), "Legend: no values: Naps."),
            (daily("2024-01-01", **{key: [1] for key in METRICS}), "Legend: +20 more metrics."),
            (daily("2024-01-01", **{key: [1] for key in [*METRICS][:9]}), "+1 more metric."),
        ],
    )
    def test_it_names_what_is_missing(self, series: Series, part: str) -> None:
        assert part in chart(series).description

    def test_without_points_it_states_so(self) -> None:
        assert describe(daily("2024-01-01", steps=[]), []) == "No values."
