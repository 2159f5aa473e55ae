"""Legends: rows, columns, and texts that are cut."""

from itertools import pairwise
from math import ceil

import pytest

from purewire.svg.image import Frame, Style
from purewire.svg.legend import Entry, arrange, columns_width, legend
from purewire.svg.palette import paper_of
from purewire.svg.text import text_width
from support.checks.xml_reading import read_xml

STYLE = Style(title=16, text=12, row=18, sample=24, gap=6)
INDENT = STYLE.sample + STYLE.gap


def frame(width: int) -> Frame:
    """Return a frame whose texts start at 10 px and may be so wide."""
    return Frame(width + 20, 10, width + 10, STYLE, paper_of("light"))


class TestArrange:
    """Invariant *rows and columns*."""

    def test_entries_that_fit_side_by_side_are_one_row(self) -> None:
        assert len(arrange([180, 150, 210, 190], 908, 5, STYLE)) == 4

    def test_more_of_them_are_divided_evenly(self) -> None:
        assert len(arrange([210] * 6, 908, 5, STYLE)) == 3

    def test_columns_are_as_wide_as_their_texts(self) -> None:
        needed = [180, 330, 180, 210, 70, 180]
        columns = arrange(needed, 908, 5, STYLE)
        assert len(columns) == 3
        for number, width in enumerate(needed):
            assert columns[number % 3][1] >= width

    def test_entries_that_are_too_wide_share_the_width(self) -> None:
        (start, width), (other_start, other_width) = arrange([430] * 8, 332, 5, STYLE)
        assert start == 0
        assert width == other_width < 430
        assert other_start + other_width <= 333

    def test_a_narrow_entry_beside_a_wide_one_keeps_its_width(self) -> None:
        (_, wide), (_, narrow) = arrange([4000, 90], 332, 1, STYLE)
        assert narrow == 90
        assert 130 < wide < 332

    def test_one_that_is_too_wide_has_the_whole_width(self) -> None:
        assert arrange([4000], 332, 5, STYLE) == [(0, 332)]

    def test_without_entries_there_are_no_columns(self) -> None:
        assert arrange([], 332, 5, STYLE) == []

    @pytest.mark.parametrize("width", [300, 332, 548, 908, 1364, 1844])
    @pytest.mark.parametrize("needed", [31, 180, 330, 5000])
    def test_columns_stay_inside_and_apart(self, width: int, needed: int) -> None:
        for count in range(1, 10):
            columns = arrange([needed] * count, width, 5, STYLE)
            assert ceil(count / len(columns)) <= 5
            assert all(x >= 0 and wide > INDENT for x, wide in columns)
            assert all(x + wide <= width + 1 for x, wide in columns)
            assert all(x + wide < other for (x, wide), (other, _) in pairwise(columns))

    def test_the_width_of_columns_includes_their_distances(self) -> None:
        assert columns_width([10, 20], STYLE) == 30 + 3 * STYLE.gap


class TestLegend:
    def texts(self, *entries: Entry, width: int = 500) -> list[str]:
        svg, rows = legend(entries, 20, 5, frame(width))
        texts = [e for e in read_xml(svg.encode()) if e.name in {"text", "tspan"}]
        assert rows == len({e.attributes["y"] for e in texts if e.name == "text"})
        return [e.text.strip() for e in texts]

    def test_names_and_values(self) -> None:
        assert self.texts(Entry("a", "1"), Entry("<b>")) == ["a", "1", "<b>"]

    def test_values_stay_whole(self) -> None:
        """Invariant *values stay whole*."""
        name, value = self.texts(Entry("W" * 100, "9007199254740991"), width=250)
        assert name.endswith("W…")
        assert value == "9007199254740991"
        assert text_width(f"{name} {value}", 12) <= 250 - INDENT

    @pytest.mark.parametrize("name", ["יומן", "قرآن", "a\u202eb"])
    def test_values_stay_last(self, name: str) -> None:
        """Invariant *values stay last*."""
        svg, _ = legend([Entry(name, "17 s")], 20, 5, frame(500))
        _, _, isolated, value = read_xml(svg.encode())
        assert (isolated.text, isolated.attributes) == (name, {"unicode-bidi": "isolate"})
        assert value.text == "17 s"

    def test_a_sample_stands_in_front(self) -> None:
        entry = Entry("a", "", lambda x, y: f'<path d="M{x} {y}h9"/>')
        svg, _ = legend([entry], 20, 5, frame(500))
        _, sample, text = read_xml(svg.encode())
        assert sample.attributes["d"] == "M10 20h9"
        assert text.attributes["x"] == str(10 + INDENT)

    def test_without_entries_there_is_no_row(self) -> None:
        assert self.texts() == []
