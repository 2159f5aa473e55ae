"""Axes of pictures: scales, round ticks, and lanes with names on a common axis."""

from datetime import date, timedelta

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.days import shift
from status_contracts.instants import DAY_MS
from status_contracts.svg.axis import (
    AXIS_PADDING,
    Lane,
    LaneLayout,
    Scale,
    Tick,
    date_ticks,
    draw_axis,
    draw_lanes,
    finest_ticks,
    time_ticks,
    value_levels,
)
from status_contracts.svg.image import SMALL, Frame, Style, paper_of
from status_contracts.svg.labels import Label
from status_contracts.svg.text import text_width
from support.checks.xml_reading import Element, read_xml

NOON = 1_767_268_800_000
"""2026-01-01, 12:00 UTC."""


def named(first: str, last: str, most: int) -> list[str]:
    """Return the labels of dates of the finest choice with at most so many ticks."""
    begin, end = map(date.fromisoformat, (first, last))
    choices = date_ticks(begin, end, daily=True)
    fitting = next((choice for choice in choices if len(choice[0]) <= most), None)
    ticks = [] if fitting is None else list(map(fitting[1], fitting[0]))
    assert all(begin < date.fromordinal(tick.value) < end for tick in ticks)
    return [tick.label for tick in ticks]


class TestDateTicks:
    """Invariant *round ticks*."""

    @pytest.mark.parametrize(
        ("first", "last", "most", "labels"),
        [
            ("2024-02-27", "2024-03-02", 12, "28 Feb, 29 Feb, 1 Mar"),
            ("2024-01-01", "2024-01-31", 12, "8 Jan, 15 Jan, 22 Jan, 29 Jan"),
            ("2024-01-07", "2024-01-15", 1, "8 Jan"),  # not the Monday at the end
            ("2024-01-15", "2024-03-02", 3, "29 Jan, 12 Feb, 26 Feb"),
            ("2024-01-15", "2024-05-02", 6, "Feb, Mar, Apr, May"),
            ("2023-02-10", "2024-03-10", 4, "Apr, Jul, Oct, 2024"),
            ("2023-02-10", "2024-03-10", 3, "Jul, 2024"),
            ("2024-01-01", "2024-12-31", 2, "Jul"),  # not the first day at the start
            ("2024-01-01", "2024-07-01", 1, "Apr"),
            ("0001-01-01", "0001-01-04", 12, "2 Jan, 3 Jan"),
            ("0001-01-01", "0001-04-02", 4, "Feb, Mar, Apr"),
            ("9999-12-28", "9999-12-31", 12, "29 Dec, 30 Dec"),
            ("9999-12-20", "9999-12-31", 1, "27 Dec"),
            ("9999-09-20", "9999-12-31", 4, "Oct, Nov, Dec"),
            ("0001-01-01", "9999-12-31", 4, "2000, 4000, 6000, 8000"),
            ("0001-01-01", "9999-12-31", 0, ""),
        ],
    )
    def test_days_mondays_months_quarters_halves_and_years(
        self, first: str, last: str, most: int, labels: str
    ) -> None:
        assert ", ".join(named(first, last, most)) == labels

    @given(st.dates(), st.integers(0, 800), st.booleans())
    def test_ticks_are_the_round_days_inside(self, first: date, length: int, daily: bool) -> None:
        last = shift(first, timedelta(length))
        days = [date.fromordinal(day) for day in range(first.toordinal() + 1, last.toordinal())]
        months = [day for day in days if day.day == 1]
        mondays = [day for day in days if not day.weekday()]
        expected = [days, mondays, mondays[1::2]] if daily else []
        expected += [
            [day for day in months if (12 * day.year + day.month - 1) % step == 0]
            for step in (1, 2, 3, 6, *(12 * n for n in (1, 2, 5, 10, 20, 50, 100, 500, 2000)))
        ]
        choices = date_ticks(first, last, daily=daily)
        assert expected == [
            [date.fromordinal(build_tick(place).value) for place in places]
            for places, build_tick in choices
        ]


def test_a_label_of_the_axis_stays_inside_the_image() -> None:
    frame = Frame(100 + AXIS_PADDING, 0, 100, SMALL, paper_of("light"))
    layout = LaneLayout(frame, Scale(0, 100, 0, 100), 10, 0)
    half = text_width("abc", SMALL.text) / 2
    assert [layout.axis_label(Tick(x, "abc")).x for x in (0, 50, 100)] == [half, 50, 100 - half]


class TestTimeTicks:
    """Invariant *round ticks*."""

    @pytest.mark.parametrize(
        ("length_ms", "step_ms", "width", "font_size"),
        [
            (900_000, 300_000, 300, 10),
            (900_000, 300_000, 512, 11),
            (900_000, 120_000, 1124, 13),
            (20_000, 5000, 592, 11),
            (0, 5000, 592, 11),
            (8 * 3_600_000, 3_600_000, 800, 12),
            (36 * 3_600_000, 6 * 3_600_000, 800, 12),
        ],
    )
    def test_the_step_suits_the_axis(
        self, length_ms: int, step_ms: int, width: int, font_size: int
    ) -> None:
        choices = time_ticks(NOON, NOON + length_ms)
        ticks = finest_ticks(choices, width, font_size, 3 * font_size)
        values = [tick.value for tick in ticks]
        assert values == [*range(NOON, NOON + length_ms + 1, step_ms)]

    def test_spans_of_days_are_labelled_by_their_dates(self) -> None:
        ticks = finest_ticks(time_ticks(NOON, NOON + 5 * DAY_MS), 500, 12, 36)
        assert [tick.label for tick in ticks] == ["2 Jan", "3 Jan", "4 Jan", "5 Jan", "6 Jan"]
        assert {tick.value % DAY_MS for tick in ticks} == {0}
        ticks = finest_ticks(time_ticks(NOON, NOON + 2 * DAY_MS), 500, 12, 36)
        assert [tick.label for tick in ticks] == ["12:00", "2 Jan", "12:00", "3 Jan", "12:00"]


class TestFinestTicks:
    """Invariant *finest that fits*."""

    def test_labels_have_their_space(self) -> None:
        first, last = date(2024, 8, 23), date(2025, 9, 27)
        for length in range(50, 2000, 50):
            for choices in (time_ticks(NOON, NOON + 900_000), date_ticks(first, last, daily=True)):
                ticks = finest_ticks(choices, length, 11, 22)
                assert sum(text_width(tick.label, 11) + 22 for tick in ticks) <= length

    def test_without_space_there_are_none(self) -> None:
        assert finest_ticks(date_ticks(date.min, date.max, daily=True), 10, 12, 24) == []
        assert finest_ticks(time_ticks(0, NOON), 300, 10, 30) == []

    @pytest.mark.parametrize("daily", [True, False])
    @pytest.mark.parametrize("day", [date.min, date(2024, 8, 23), date(9999, 12, 30)])
    def test_between_neighbours_and_a_day_and_itself_are_none(self, day: date, daily: bool) -> None:
        for last in (day, day + timedelta(1)):
            assert finest_ticks(date_ticks(day, last, daily=daily), 900, 12, 24) == []


def with_decimals(value: float, decimals: int) -> str:
    return f"{value:,.{decimals}f}"


class TestValueLevels:
    @pytest.mark.parametrize(
        ("least", "greatest", "labels"),
        [
            (6, 19065, "19,065 14,300 9,536 4,771 6"),
            (714, 10094, "10,094 7,749 5,404 3,059 714"),
            (0, 46.63, "46.6 35.0 23.3 11.7 0.0"),
            (24.5, 30.6, "30.6 29.1 27.6 26.0 24.5"),
            (-1, 1, "1.0 0.5 0.0 -0.5 -1.0"),
            (5, 5.2, "5.2  5.1  5.0"),
            (58, 58, "  58  "),
            (57, 62, "62.0 60.8 59.5 58.2 57.0"),
            (5, 9, "9 8 7 6 5"),
            (0, 8 * 10**15, " ".join([*(f"{n}{5 * ',000'}" for n in (8, 6, 4, 2)), "0"])),
        ],
    )
    def test_all_have_the_same_decimals(self, least: float, greatest: float, labels: str) -> None:
        levels = value_levels(least, greatest, with_decimals, [0, 1])
        assert [level.label for level in levels] == labels.split(" ")

    @given(st.floats(-1e15, 1e15), st.floats(0, 1e15))
    def test_levels_are_a_quarter_apart_and_each_has_its_number(
        self, least: float, span: float
    ) -> None:
        levels = value_levels(least, least + span, with_decimals, [0, 1])
        assert [level.share for level in levels] == [0, 0.25, 0.5, 0.75, 1]
        for level in levels[1:-1]:
            if span > 1 and level.label:  # smaller ones get lost beside a large number
                number = float(level.label.replace(",", ""))
                assert abs(least + span * (1 - level.share) - number) <= span / 30


class TestScale:
    @pytest.mark.parametrize(
        ("scale", "values", "places"),
        [
            (Scale(0, 3, 0, 10), [0, 1, 2, 3], [0, 3, 7, 10]),
            (Scale(0, 2, 0, 5), [1], [3]),  # between two steps the later
            (Scale(10, 10, 0, 9), [10, 10], [4, 4]),
            (Scale(10, 20, 96, 196), [10, 15, 20], [96, 146, 196]),
        ],
    )
    def test_a_value_lies_at_the_nearest_place(
        self, scale: Scale, values: list[int], places: list[int]
    ) -> None:
        assert scale.places(values) == places

    def test_a_span_covers_at_least_one_column(self) -> None:
        scale = Scale(0, 1000, 96, 196)
        assert scale.columns(100, 300) == range(106, 126)
        assert scale.columns(100, 101) == range(106, 107)
        assert scale.columns(1000, 1000) == range(195, 196)
        assert scale.columns(1000, 1000, least=2) == range(194, 196)


FRAME = Frame(200, 10, 190, Style(title=13, text=10, row=14, sample=10, gap=5), paper_of("light"))
BESIDE = LaneLayout(FRAME, Scale(0, 100, 90, 190), bar=20, spacing=8)
ABOVE = attrs.evolve(BESIDE, scale=Scale(0, 100, 10, 190))


def drawn(*lanes: Lane, layout: LaneLayout = BESIDE) -> tuple[list[Element], int]:
    texts, body, bottom = draw_lanes(lanes, 50, layout)
    return read_xml(f"<g>{texts}{body}</g>".encode()), bottom


def lane(name: str) -> Lane:
    """Return a lane that writes the y at which its content starts."""
    return Lane(name, lambda y: f"<rect y='{y}'/>")


class TestDrawLanes:
    def test_lanes_follow_each_other(self) -> None:
        elements, bottom = drawn(lane("a"), lane("b"), lane("c"))
        tops = [element.attributes["y"] for element in elements if element.name == "rect"]
        assert tops == ["50", "78", "106"]
        assert bottom == 127

    def test_names_above_need_a_row(self) -> None:
        elements, _ = drawn(lane("a"), lane("b"), layout=ABOVE)
        tops = [element.attributes["y"] for element in elements if element.name == "rect"]
        assert tops == ["64", "106"]

    def test_there_is_a_line_below_each(self) -> None:
        elements, _ = drawn(lane("a"), lane("b"))
        rules = [element.attributes["d"] for element in elements if element.name == "path"]
        assert rules == ["M90 70.5H190M90 98.5H190"]

    def test_names_and_notes_are_text(self) -> None:
        for layout in (BESIDE, ABOVE):
            elements, _ = drawn(Lane("<a>", lambda _: "", "<b>"), layout=layout)
            assert [element.text for element in elements if element.text] == ["<a>", "<b>"]
        cut, _ = drawn(Lane("name", lambda _: "", "n" * 99, "end"), layout=ABOVE)
        assert sum(text_width(part.text, 10) for part in cut) + 3 * 5 <= 180, "the end stays free"


class TestDrawAxis:
    """Invariant *labels apart*."""

    def axis(self, *taken: Label) -> list[Element]:
        ticks = [Tick(0, "first"), Tick(50, "middle"), Tick(100, "last")]
        drawn = draw_axis(ticks, taken, 80, BESIDE, lambda _: [(20, 80)])
        return read_xml(f"<g>{drawn}</g>".encode())

    def test_each_tick_has_a_line_and_a_label(self) -> None:
        _, lines, _, *texts = self.axis()
        assert lines.attributes["d"] == "M90.5 20V80M140.5 20V80M190.5 20V80"
        assert [text.text for text in texts] == ["first", "middle", "last"]
        assert float(texts[-1].attributes["x"]) < 190

    def test_a_label_that_touches_another_is_left_out_with_its_line(self) -> None:
        _, lines, _, *texts = self.axis(Label("taken", 140, "middle"))
        assert lines.attributes["d"] == "M90.5 20V80M190.5 20V80"
        assert [text.text for text in texts] == ["first", "last"]
