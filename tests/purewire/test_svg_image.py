"""Complete SVG images: accessible, self-contained, safe."""

import pytest

from purewire.svg.image import MAX_TITLE_LENGTH, Canvas, Picture, heading, image
from purewire.svg.palette import PAPERS
from purewire.svg.text import text_width
from support.checks.xml_reading import read_xml

CANVAS = Canvas(30, 20, 10, "#fff")
HOSTILE = "]]></title><script>&\"'\x00\ud800\ufffe"


class TestImage:
    def test_it_has_a_size_a_role_a_name_and_a_description(self) -> None:
        svg, title, about, back, inside = read_xml(image(CANVAS, "T", "D", "<g/>"))
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
        elements = read_xml(image(Canvas(30, 20, 10, None), "T", "D", ""))
        assert [element.name for element in elements] == ["svg", "title", "desc"]

    def test_words_are_no_markup(self) -> None:
        elements = read_xml(image(CANVAS, HOSTILE, HOSTILE, ""))
        assert [element.name for element in elements] == ["svg", "title", "desc", "rect"]
        assert (
            elements[1].text
            == elements[2].text
            == HOSTILE.translate(dict.fromkeys((0, 0xD800, 0xFFFE), "\ufffd"))
        )

    def test_ids_tell_images_of_one_page_apart(self) -> None:
        ids = {
            read_xml(image(CANVAS, title, about, ""))[0].attributes["aria-labelledby"]
            for title, about in (("a", "b"), ("a", "c"), ("ab", ""), ("", "ab"))
        }
        assert len(ids) == 4

    def test_the_same_words_give_the_same_bytes(self) -> None:
        assert image(CANVAS, "a", "b", "") == image(CANVAS, "a", "b", "")


class TestTitle:
    @pytest.mark.parametrize(("length", "shown"), [(120, "x" * 120), (121, "x" * 119 + "…")])
    def test_it_has_at_most_120_code_points(self, length: int, shown: str) -> None:
        assert read_xml(image(CANVAS, "x" * length, "", ""))[1].text == shown
        assert len(shown) == MAX_TITLE_LENGTH

    def test_the_visible_one_is_cut_to_a_width(self) -> None:
        (text,) = read_xml(heading("W" * 50, 3, 9, 100, 13, PAPERS["light"]).encode())
        assert text.text.endswith("W…")
        assert text_width(text.text, 13) <= 100

    def test_the_visible_one_is_no_markup(self) -> None:
        (text,) = read_xml(heading(HOSTILE, 3, 9, 9000, 13, PAPERS["light"]).encode())
        assert text.name == "text"


class TestPicture:
    def test_notebooks_show_it(self) -> None:
        assert Picture(b"<svg/>")._repr_svg_() == "<svg/>"

    def test_it_is_short_in_words(self) -> None:
        assert repr(Picture(b"<svg/>")) == "<Picture: SVG, 6 bytes>"
