"""The badge: its text, and the bytes of its image; design decisions under "Badge and icons"."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devicestatus.badge import FONT_SIZE, HEIGHT, MAX_HALF_WIDTH, PADDING, render, status_text
from devicestatus.models import Music
from status_contracts.svg.text import text_width
from support.checks.golden import assert_recorded
from support.checks.xml_reading import Element, read_xml
from support.devicestatus.examples import snapshot

any_text = st.text(st.characters(exclude_categories=()), max_size=80)

STRUCTURE = [
    ("svg", ["xmlns", "width", "height", "viewBox", "role", "aria-label"]),
    ("title", []),
    ("path", ["fill", "d"]),
    ("path", ["fill", "d"]),
    ("g", ["fill", "font-family", "font-size", "text-anchor", "text-rendering"]),
    ("svg", ["x", "width", "height", "overflow"]),
    ("text", ["x", "y", "unicode-bidi"]),
    ("svg", ["x", "width", "height", "overflow"]),
    ("text", ["x", "y", "unicode-bidi"]),
]


def structure(elements: list[Element]) -> list[tuple[str, list[str]]]:
    """Return the names of elements and attributes, in order."""
    return [(element.name, list(element.attributes)) for element in elements]


class TestStatusText:
    @pytest.mark.parametrize("unseen", ["\u200b", "\u2060\u00ad", "\u3164", " "])
    def test_a_text_of_which_nothing_is_visible_is_absent(self, unseen: str) -> None:
        song = Music("playing", unseen, "Band")
        assert status_text(snapshot(active_app="Mail", music=song)) == "Mail"
        assert status_text(snapshot(active_app=unseen, music=song)) == "online"
        heard = snapshot(music=Music("playing", "Song", unseen))
        assert status_text(heard) == "♫ Song"


class TestSafety:
    """*fixed structure*, whatever the text; a strict parser reads everything back."""

    @given(any_text, any_text, st.booleans())
    @example("", "", False)
    @example("\ud800\x00", "\ufffe\uffff", True)
    @example("]]><script>", "\"'/><style>", True)
    def test_any_text_keeps_the_structure(self, label: str, text: str, online: bool) -> None:
        elements = read_xml(render(label, text, online=online))
        assert structure(elements) == STRUCTURE


class TestSize:
    """*inside its half*: as wide as the text, never wider than `MAX_HALF_WIDTH`."""

    @given(any_text, any_text)
    @example("﷽" * 64, "😀" * 64)
    @example("W" * 64, "\U0001242b" * 64)
    def test_halves_fit_their_texts_and_fill_the_image(self, label: str, text: str) -> None:
        svg, _, _, _, _, left, first, right, second = read_xml(render(label, text, online=True))
        for half, drawn in ((left, first), (right, second)):
            width = int(half.attributes["width"])
            assert 0 <= width - 2 * PADDING - text_width(drawn.text, FONT_SIZE) < 1
            assert width <= MAX_HALF_WIDTH
            assert float(drawn.attributes["x"]) == width / 2
        total = int(left.attributes["width"]) + int(right.attributes["width"])
        assert svg.attributes["width"] == str(total)
        assert svg.attributes["viewBox"] == f"0 0 {total} {HEIGHT}"
        assert right.attributes["x"] == left.attributes["width"]


class TestBytes:
    """*deterministic*."""

    @pytest.mark.parametrize(
        ("name", "label", "text", "online"),
        [
            ("offline", "status", "offline", False),
            ("song", "my computer", "♫ 夜に駆ける — YOASOBI & <友>", True),
            ("hostile", "a\x00\"b'", "]]>\u202e\ud800👩🏽‍💻 " + "Z\u0301" * 40, True),
        ],
    )
    def test_the_image_is_the_recorded_one(
        self, name: str, label: str, text: str, online: bool
    ) -> None:
        assert_recorded("badges", name, render(label, text, online=online))
