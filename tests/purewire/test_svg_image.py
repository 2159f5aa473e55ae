"""Complete SVG images: accessible, self-contained, safe."""

import attrs
import pytest

from purewire.svg.image import MAX_TITLE_LENGTH, Box, Frame, Picture, Style
from purewire.svg.palette import paper_of
from purewire.svg.text import text_width
from support.checks.xml_reading import read_xml

FRAME = Frame(30, 3, 27, Style(title=13, text=10, row=14, sample=10, gap=4), paper_of("light"))
HOSTILE = "]]></title><script>&\"'\x00\ud800\ufffe"


class TestImage:
    def test_it_has_a_size_a_role_a_name_and_a_description(self) -> None:
        svg, title, about, back, inside = read_xml(FRAME.image("T", "D", 20, "<g/>"))
        assert (svg.attributes["width"], svg.attributes["height"]) == ("30", "20")
        assert svg.attributes["viewBox"] == "0 0 30 20"
        assert svg.attributes["role"] == "img"
        assert (title.name, title.text, title.attributes["id"]) == (
            "title",
            "T",
            svg.attributes["aria-labelledby"],
        )
        assert (about.name, about.text, about.attributes["id"]) == (
            "desc",
            "D",
            svg.attributes["aria-describedby"],
        )
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

    def test_the_same_texts_give_the_same_bytes(self) -> None:
        assert FRAME.image("a", "b", 20, "") == FRAME.image("a", "b", 20, "")


class TestTitle:
    @pytest.mark.parametrize(("length", "shown"), [(120, "x" * 120), (121, "x" * 119 + "…")])
    def test_it_has_at_most_120_code_points(self, length: int, shown: str) -> None:
        assert read_xml(FRAME.image("x" * length, "", 20, ""))[1].text == shown
        assert len(shown) == MAX_TITLE_LENGTH

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


class TestBox:
    def test_it_has_the_edges_of_the_frame(self) -> None:
        box = FRAME.box(5, 15)
        assert box == Box(3, 5, 27, 15)
        assert (box.width, box.height) == (24, 10)


class TestPicture:
    def test_notebooks_show_it(self) -> None:
        assert Picture(b"<svg/>")._repr_svg_() == "<svg/>"

    def test_its_repr_is_short(self) -> None:
        assert repr(Picture(b"<svg/>")) == "<Picture: SVG, 6 bytes>"
