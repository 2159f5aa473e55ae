"""Complete SVG images: accessible, self-contained, safe; legends whose texts are cut."""

from itertools import pairwise

import attrs
import pytest

from status_contracts.svg.image import Frame, LegendEntry, Picture, Style, legend, paper_of
from status_contracts.svg.text import text_width
from support.checks.xml_reading import read_xml

FRAME = Frame(30, 3, 27, Style(title=13, text=10, row=14, sample=10, gap=4), paper_of("light"))
HOSTILE = "]]></title><script>&\"'\x00\ud800\ufffe"


class TestImage:
    def test_it_has_a_size_a_role_a_name_and_a_description(self) -> None:
        svg, title, about, back, inside = read_xml(FRAME.image("T", "D", 20, "<g/>"))
        assert (svg.attributes["width"], svg.attributes["height"]) == ("30", "20")
        assert svg.attributes["viewBox"] == "0 0 30 20"
        assert svg.attributes["role"] == "img"
        assert (title.name, title.text) == ("title", "T")
        assert title.attributes["id"] == svg.attributes["aria-labelledby"]
        assert (about.name, about.text) == ("desc", "D")
        assert about.attributes["id"] == svg.attributes["aria-describedby"]
        assert back.attributes == {"width": "30", "height": "20", "fill": "#fff"}
        assert inside.name == "g"

    def test_without_a_background_there_is_none(self) -> None:
        frame = attrs.evolve(FRAME, paper=paper_of("transparent"))
        elements = read_xml(frame.image("T", "D", 20, ""))
        assert [element.name for element in elements] == ["svg", "title", "desc"]

    def test_texts_are_no_markup(self) -> None:
        elements = read_xml(FRAME.image(HOSTILE, HOSTILE, 20, ""))
        assert [element.name for element in elements] == ["svg", "title", "desc", "rect"]
        assert (
            elements[1].text
            == elements[2].text
            == HOSTILE.translate(dict.fromkeys((0, 0xD800, 0xFFFE), "\ufffd"))
        )

    def test_ids_of_different_images_differ(self) -> None:
        ids = {
            read_xml(FRAME.image(title, about, 20, ""))[0].attributes["aria-labelledby"]
            for title, about in (("a", "b"), ("a", "c"), ("ab", ""), ("", "ab"))
        }
        assert len(ids) == 4


class TestTitle:
    @pytest.mark.parametrize(("length", "shown"), [(120, "x" * 120), (121, "x" * 119 + "…")])
    def test_it_has_at_most_120_code_points(self, length: int, shown: str) -> None:
        assert read_xml(FRAME.image("x" * length, "", 20, ""))[1].text == shown

    def test_the_visible_one_is_cut_to_a_width(self) -> None:
        frame = attrs.evolve(FRAME, right=103)
        (text,) = read_xml(frame.heading("W" * 50, 9).encode())
        assert text.text.endswith("W…")
        assert text_width(text.text, 13) <= 100

    def test_the_visible_one_is_no_markup(self) -> None:
        frame = attrs.evolve(FRAME, right=9000)
        (text,) = read_xml(frame.heading(HOSTILE, 9).encode())
        assert text.name == "text"

    def test_other_lines_follow_below_it(self) -> None:
        _, _, *texts = read_xml(f"<g>{FRAME.heading('T', 9, ['a', '<b>'])}</g>".encode())
        lines = [(text.attributes["y"], text.text) for text in texts if text.name == "text"]
        assert lines == [("23", "a"), ("37", "<b>")]


class TestStyle:
    def test_the_base_line_is_below_the_middle(self) -> None:
        assert FRAME.style.base_line(100, 20) == pytest.approx(113.6)


class TestPicture:
    def test_notebooks_show_it(self) -> None:
        assert Picture(b"<svg/>")._repr_svg_() == "<svg/>"

    def test_its_repr_is_short(self) -> None:
        assert repr(Picture(b"<svg/>")) == "<Picture: SVG, 6 bytes>"


STYLE = Style(title=16, text=12, row=18, sample=24, gap=6)
INDENT = STYLE.sample + STYLE.gap


def frame(width: int) -> Frame:
    """Return a frame whose texts start at 10 px and may be so wide."""
    return Frame(width + 20, 10, width + 10, STYLE, paper_of("light"))


class TestLegend:
    def texts(self, *entries: LegendEntry, width: int = 500) -> list[str]:
        svg, rows = legend(entries, 20, frame(width))
        texts = [e for e in read_xml(svg.encode()) if e.name in {"text", "tspan"}]
        assert rows == len({e.attributes["y"] for e in texts if e.name == "text"})
        return [e.text.strip() for e in texts]

    @pytest.mark.parametrize("width", [150, 332, 548, 1364])
    @pytest.mark.parametrize("length", [1, 9, 999])
    def test_entries_follow_each_other_in_columns_and_stay_inside(
        self, width: int, length: int
    ) -> None:
        """Invariant *rows*."""
        entries = [LegendEntry("W" * (length + n % 3), "1 s") for n in range(9)]
        svg, rows = legend(entries, 20, frame(width))
        texts = [each for each in read_xml(svg.encode()) if each.name in {"text", "tspan"}]
        places: list[tuple[int, float, float]] = []
        for name, value in zip(texts[::2], texts[1::2], strict=True):
            x, y = int(name.attributes["x"]), int(name.attributes["y"])
            taken = text_width(f"{name.text} {value.text.strip()}", 12)
            places.append((y, x, float(value.attributes.get("x", x + taken))))
            assert places[-1][2] >= x + taken
        assert len({y for y, _, _ in places}) == rows
        assert all(left >= 10 and right <= width + 10 for _, left, right in places)
        for (y, _, right), (next_y, following, end) in pairwise(places):
            if y == next_y:
                assert 3 * STYLE.gap <= following - right < 3 * STYLE.gap + 1
            else:
                assert following == 10
                assert right + 4 * STYLE.gap + end - following > width + 10

    def test_names_and_values(self) -> None:
        assert self.texts(LegendEntry("a", "1"), LegendEntry("<b>")) == ["a", "1", "<b>"]

    def test_values_stay_whole(self) -> None:
        """Invariant *values stay whole*."""
        name, value = self.texts(LegendEntry("W" * 100, "9007199254740991"), width=250)
        assert name.endswith("W…")
        assert value == "9007199254740991"
        assert text_width(f"{name} {value}", 12) <= 250

    @pytest.mark.parametrize("name", ["יומן", "قرآن", "a\u202eb"])
    def test_values_stay_last(self, name: str) -> None:
        """Invariant *values stay last*."""
        svg, _ = legend([LegendEntry(name, "17 s")], 20, frame(500))
        _, _, isolated, value = read_xml(svg.encode())
        assert (isolated.text, isolated.attributes) == (name, {"unicode-bidi": "plaintext"})
        assert value.text == "17 s"

    def test_a_sample_stands_in_front(self) -> None:
        entry = LegendEntry("a", "", lambda x, y: f'<path d="M{x} {y}h9"/>')
        svg, _ = legend([entry], 20, frame(500))
        _, sample, _, text = read_xml(f"<g>{svg}</g>".encode())
        assert sample.attributes["d"] == "M10 20h9"
        assert text.attributes["x"] == str(10 + INDENT)
