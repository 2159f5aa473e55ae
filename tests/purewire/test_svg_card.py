"""Cards: the frame, the avatar and the texts that all products share."""

from typing import Any

import attrs
import pytest

from purewire.svg.card import HEIGHT, WIDTH, Card, draw_card
from purewire.svg.image import Box, Frame
from support.checks.drawn_text import least_contrasts
from support.checks.xml_reading import read_xml

PIXEL = "data:image/png;base64,iVBORw0KGgo="
HOSTILE = "]]></title><script>&\"'\x00\ud800\ufffe"


def draw_nothing(_box: Box, _frame: Frame) -> str:
    return ""


CARD = Card("Ada", ("first", "second"), "All of it.", draw_nothing)


def texts(card: Card) -> list[str]:
    elements = read_xml(draw_card(card))
    return [each.text for each in elements if each.name in ("text", "tspan") and each.text]


def test_it_is_480_by_160_px_and_named_and_described() -> None:
    svg, title, about, *_ = read_xml(draw_card(CARD))
    assert (
        (svg.attributes["width"], svg.attributes["height"])
        == ("480", "160")
        == (
            str(WIDTH),
            str(HEIGHT),
        )
    )
    assert (title.text, about.text) == ("Ada", "All of it.")


def test_it_has_an_initial_or_the_avatar() -> None:
    assert texts(CARD) == ["A", "Ada", "first", "second"]
    (image,) = (
        each
        for each in read_xml(draw_card(attrs.evolve(CARD, avatar=PIXEL)))
        if each.name == "image"
    )
    assert image.attributes["href"] == PIXEL


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a.png",
        "a.png",
        "",
        "data:image/svg+xml;base64,PHN2Zy8+",
        f"{PIXEL} ",
        f'{PIXEL}"/><script/>',
    ],
)
def test_another_url_than_that_of_an_image_inside_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="data URL"):
        attrs.evolve(CARD, avatar=url)


def test_any_text_is_text() -> None:
    hostile = attrs.evolve(CARD, name=HOSTILE, lines=(HOSTILE,) * 2, description=HOSTILE)
    names = [each.name for each in read_xml(draw_card(hostile))]
    assert names == [each.name for each in read_xml(draw_card(CARD))]


def test_long_texts_are_cut_and_the_status_is_not() -> None:
    card = Card("W" * 99, ("W" * 99,), "", draw_nothing, status="online")
    _, name, status, line = texts(card)
    assert (name[-1], line[-1], status) == ("…", "…", "online")
    assert len(name) < len(line)


def test_the_drawing_is_below_the_texts() -> None:
    boxes = []

    def draw(box: Box, frame: Frame) -> str:
        boxes.append((box.left, box.right, frame.left, frame.right))
        return f'<path d="M{box.left} {box.top}V{box.bottom}"/>'

    assert b'<path d="M20 78V144"/>' in draw_card(attrs.evolve(CARD, draw=draw))
    assert boxes == [(20, 460, 20, 460)]


@pytest.mark.parametrize(
    ("theme", "page"),
    [("light", "#000"), ("dark", "#fff"), ("transparent", "#fff"), ("transparent", "#000")],
)
def test_texts_are_readable_on_each_page(theme: Any, page: str) -> None:
    card = attrs.evolve(CARD, status="online")
    found = least_contrasts(draw_card(card, theme), page)
    assert len(found) == 5
    assert found[0][0] >= 4.5


def test_another_theme_raises() -> None:
    theme: Any = "blue"
    with pytest.raises(ValueError, match="'blue'"):
        draw_card(CARD, theme)
