"""The frame of every SVG image: accessible, whole by itself, safe."""

import pytest

from purewire.svg.image import Canvas, Picture, fit, image
from purewire.svg.text import width
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


class TestFit:
    def test_what_has_room_stays(self) -> None:
        assert fit("word", 10, width("word", 10)) == "word"

    @pytest.mark.parametrize("room", [0, 5, 20, 40, 60])
    def test_what_has_none_is_cut(self, room: float) -> None:
        shown = fit("some words that are long", 10, room)
        assert shown.endswith("…")
        assert " …" not in shown
        assert shown == "…" or width(shown, 10) <= room

    def test_as_much_stays_as_has_room(self) -> None:
        assert fit("mmmmmm", 10, width("mmm…", 10)) == "mmm…"


class TestPicture:
    def test_notebooks_show_it(self) -> None:
        assert Picture(b"<svg/>")._repr_svg_() == "<svg/>"

    def test_it_is_short_in_words(self) -> None:
        assert repr(Picture(b"<svg/>")) == "<Picture: SVG, 6 bytes>"
