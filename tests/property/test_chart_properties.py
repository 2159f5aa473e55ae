"""Properties of charts: the image of any series is complete, small and exact."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from healthapi import limits
from healthapi.chart import MAX_IMAGE_BYTES, MIN_PLOT_HEIGHT, arrange_lines, draw, sizes_of
from healthapi.chart_lines import MAX_COLUMNS, lines_of
from healthapi.derived.periods import Series
from healthapi.derived.statistics import Range, find_scale
from healthapi.keys import METRICS
from status_contracts.svg.image import Frame, paper_of
from status_contracts.svg.palette import PAPERS, Theme
from support.checks.xml_reading import read_xml
from support.healthapi.chart_reading import Drawn, Point, daily, periods, read_chart

ROUNDING = 0.051
"""Coordinates are tenths of a px."""

values = st.none() | st.integers(-(2**53), 2**53) | st.floats(-(2.0**53), 2.0**53)
widths = st.integers(limits.CHART_WIDTH.minimum, limits.CHART_WIDTH.maximum)
heights = st.integers(limits.CHART_HEIGHT.minimum, limits.CHART_HEIGHT.maximum)
themes: st.SearchStrategy[Theme] = st.sampled_from(sorted(PAPERS))
days = st.sets(st.dates(), max_size=40) | st.sets(
    st.dates(date(2024, 1, 1), date(2024, 3, 1)), max_size=40
)
any_text = st.text(st.characters(exclude_categories=()), max_size=200)


@st.composite
def series(draw_one: st.DrawFn) -> Series:
    """Draw a series of a few days, near or far, with up to all metrics."""
    labels = [day.isoformat() for day in sorted(draw_one(days))]
    keys = draw_one(st.lists(st.sampled_from(sorted(METRICS)), unique=True, max_size=12))
    column = st.lists(values, min_size=len(labels), max_size=len(labels))
    return periods("daily", labels, **{key: draw_one(column) for key in keys})


@st.composite
def long_columns(draw_one: st.DrawFn) -> list[float | None]:
    """Draw one column of thousands of values from a few, repeated with drawn strides."""
    count = draw_one(st.integers(1000, 6000))
    basis = draw_one(st.lists(st.none() | st.floats(-1000, 1000), min_size=1, max_size=30))
    stride = draw_one(st.integers(1, 7))
    odd = draw_one(st.dictionaries(st.integers(0, count - 1), st.floats(-5000, 5000), max_size=5))
    column = [basis[number // stride % len(basis)] for number in range(count)]
    for place, value in odd.items():
        column[place] = value
    return column


with_lines = series().filter(lambda drawn: len(drawn) > 1 and any(map(there, drawn.values[:8])))


class TestImages:
    @given(series(), any_text, widths, heights, themes)
    @example(periods("daily", []), "\ud800\x00]]>", 360, 220, "transparent")
    def test_every_image_is_xml_and_small(
        self, drawn: Series, title: str, width: int, height: int, theme: Theme
    ) -> None:
        """*small*; and the same arguments give the same bytes."""
        svg = draw(drawn, title=title, width=width, height=height, theme=theme)
        root = read_xml(svg)[0].attributes
        assert (root["width"], root["height"]) == (str(width), str(height))
        assert len(svg) <= MAX_IMAGE_BYTES
        assert draw(drawn, title=title, width=width, height=height, theme=theme) == svg

    @given(series(), widths, heights)
    def test_everything_lies_inside(self, drawn: Series, width: int, height: int) -> None:
        read = read_chart(draw(drawn, title="T", width=width, height=height))
        for text in read.texts:
            assert 0 <= float(text.attributes["x"]) <= width
            assert 0 <= float(text.attributes["y"]) <= height
        if read.lines:
            assert 0 < read.left < read.right < width
            assert read.right - read.left >= MIN_PLOT_HEIGHT
            assert read.levels[-1] - read.levels[0] >= MIN_PLOT_HEIGHT
        for above, below in pairwise(read.lines):
            assert above.bottom < below.top
        for line in read.lines:
            for x, top, bottom in (*line.covered, *((x, y, y) for x, y in line.points)):
                assert line.left <= x <= line.right
                assert line.top <= top <= bottom <= line.bottom


class TestLines:
    @given(series(), widths, heights)
    def test_a_line_reaches_from_its_least_to_its_greatest(
        self, drawn: Series, width: int, height: int
    ) -> None:
        """*own scale*."""
        read = read_chart(draw(drawn, title="T", width=width, height=height))
        columns = [present for column in drawn.values[:8] if (present := there(column))]
        for line, present in zip(read.lines, columns, strict=True):
            tops = [*(top for _, top, _ in line.covered), *(y for _, y in line.points)]
            ends = min(tops), max(end for end in (*tops, *(end for *_, end in line.covered)))
            if min(present) == max(present):
                assert ends[0] == ends[1]
            else:
                assert ends == (line.top, line.bottom)

    @given(with_lines)
    def test_of_few_points_each_is_drawn_in_its_place(self, drawn: Series) -> None:
        """*by date*, *every point*."""
        read = read_chart(draw(drawn, title="T"))
        ordinals = [date.fromisoformat(label).toordinal() for label in drawn.labels]
        span = ordinals[-1] - ordinals[0]
        columns = [column for column in drawn.values[:8] if there(column)]
        for line, column, ends in zip(read.lines, columns, scales_of(drawn), strict=True):
            for day, value in zip(ordinals, column, strict=True):
                if value is not None and ends.side(value) is not None:
                    assert "beyond the scale" in read.description  # its mark has no point
                elif value is not None:
                    x = read.left + (day - ordinals[0]) / span * (read.right - read.left)
                    assert_drawn(line, (x, height_of(value, ends, line)))

    @given(with_lines)
    def test_no_line_crosses_a_missing_day(self, drawn: Series) -> None:
        """*gaps are kept*; days that lie closer than a tenth of a px have none between them."""
        read = read_chart(draw(drawn, title="T", width=1920, height=1080))
        ordinals = [date.fromisoformat(label).toordinal() for label in drawn.labels]
        day = (read.right - read.left) / (ordinals[-1] - ordinals[0])
        for line in read.lines:
            for run in line.runs:
                for before, after in pairwise(run):
                    assert after[0] - before[0] <= max(day, 0.1) + 2 * ROUNDING


class TestThinning:
    @settings(max_examples=25)
    @given(long_columns(), widths)
    def test_extremes_stay(self, column: list[float | None], width: int) -> None:
        """Each value lies within what its column of the plot covers, half a column off at most."""
        present = there(column)
        assume(present)
        drawn = daily("2000-01-01", hrv=column)
        read = read_chart(draw(drawn, title="T", width=width))
        (line,), (ends,) = read.lines, scales_of(drawn, width)
        assert len(line.points) <= MAX_COLUMNS
        covered: dict[float, tuple[float, float]] = {}
        for x, top, bottom in line.covered:
            low, high = covered.get(x, (top, bottom))
            covered[x] = (min(low, top), max(high, bottom))
        places = sorted(covered)
        width = int(read.right - read.left)
        reach, steps = width / (len(column) - 1), min(width // 4, MAX_COLUMNS - 1, len(column) // 7)
        for number, value in enumerate(column):
            if value is not None:
                x, y = read.left + number * reach, height_of(value, ends, line)
                assert any(
                    covered[place][0] - ROUNDING <= y <= covered[place][1] + ROUNDING
                    for place in near(places, x, width / steps / 2 + 0.2)
                )


def there(column: Sequence[float | None]) -> list[float]:
    return [value for value in column if value is not None]


def scales_of(drawn: Series, width: int = 960) -> list[Range]:
    """Return the ends of each lane: those beyond which values are cut, or the farthest means."""
    sizes, lines = sizes_of(width, 320), [one for one in lines_of(drawn)[0] if one.present]
    frame = Frame(width, sizes.left, width - sizes.right, sizes.style, paper_of("light"))
    scales = [one.scale for one in arrange_lines(drawn, lines, 320, sizes, frame)[0]]
    columns = filter(None, map(there, drawn.values[:8]))
    for scale, bare in zip(scales, map(find_scale, columns), strict=True):
        assert scale.low <= bare.low <= bare.high <= scale.high
    return scales


def height_of(value: float, ends: Range, line: Drawn) -> float:
    if ends.low == ends.high:
        return (line.top + line.bottom) / 2
    shown = min(max(value, ends.low), ends.high)
    return line.top + (ends.high - shown) / (ends.high - ends.low) * (line.bottom - line.top)


def near(places: Sequence[float], x: float, reach: float) -> Sequence[float]:
    return places[bisect_left(places, x - reach) : bisect_right(places, x + reach)]


def assert_drawn(line: Drawn, point: Point) -> None:
    """Assert that one of the values is this point, or covers it where days share a place."""
    spans = [ends for x, *ends in line.covered if abs(x - point[0]) <= ROUNDING]
    assert min(top for top, _ in spans) - ROUNDING <= point[1]
    assert point[1] <= max(bottom for _, bottom in spans) + ROUNDING
