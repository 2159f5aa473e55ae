"""Draw a card: an image of 480 x 160 px for a profile or a README.

A card has a frame, the avatar, the name and up to two lines of text of its owner, a short status on
the right, and below them a drawing of the product.

Invariant *self-contained*: the avatar is a data URL of a PNG, JPEG, GIF or WebP image, or an
initial; nothing is loaded from elsewhere.
Invariant *inside the frame*: name and lines are cut to the width that they have.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

import attrs

from purewire.svg.image import MEDIUM, Box, Frame
from purewire.svg.palette import AVATARS, Theme, paper_of
from purewire.svg.text import BOLD, fit, initial, isolated_text, text_width, xml_text

WIDTH: Final = 480
"""Width of a card, px."""
HEIGHT: Final = 160
"""Height of a card, px."""
_MAX_LINES: Final = 2

_MARGIN: Final = 20
_TOP: Final = 16  # of the avatar
_AVATAR: Final = 48  # px, width and height
_TEXT: Final = _MARGIN + _AVATAR + 14  # left end of name and lines
_CORNER: Final = 12  # radius of the corners of the frame
_BOX: Final = Box(_MARGIN, 78, WIDTH - _MARGIN, HEIGHT - 16)  # of the drawing
_IMAGE_URL: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*")
_INITIAL: Final = 22  # font size


@attrs.frozen
class Card:
    """The content of a card.

    Attributes:
        name: of the owner, any text; cut where it is too long, as the lines are.
        lines: one or two texts below it, the first in the colour of titles.
        description: all that the card shows, for people who do not see it.
        draw: draws in the box below, in the colours and text sizes of the frame.
        status: a short text on the right of the name; never cut.
        avatar: data URL of a PNG, JPEG, GIF or WebP image; None for the initial of the name.

    Raises:
        ValueError: the avatar is another URL.

    """

    name: str
    lines: Sequence[str]
    description: str
    draw: Callable[[Box, Frame], str]
    status: str = ""
    avatar: str | None = attrs.field(default=None, repr=False)

    @avatar.validator
    def _check_avatar(self, _attribute: object, url: str | None) -> None:
        if url is not None and not _IMAGE_URL.fullmatch(url):
            raise ValueError(
                "the avatar must be a data URL, data:image/png;base64,... (or jpeg, gif, webp)"
            )


def cut_before(text: str, ending: str) -> str:
    """Return a line of a card: a text, cut so that the ending after it stays whole."""
    room = WIDTH - _MARGIN - _TEXT - text_width(f"x{ending}", MEDIUM.text)
    return f"{fit(text, MEDIUM.text, room)}{ending}"


def draw_card(card: Card, theme: Theme = "light") -> bytes:
    """Draw a card as an SVG image, UTF-8; raises ValueError for an unknown theme."""
    paper = paper_of(theme)
    frame = Frame(WIDTH, _MARGIN, WIDTH - _MARGIN, MEDIUM, attrs.evolve(paper, background=None))
    border = (
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="{_CORNER}"'
        f' fill="{paper.background or "none"}" {paper.rule}/>'
    )
    content = border + _avatar(card, theme) + _texts(card, frame) + card.draw(_BOX, frame)
    return frame.image(card.name, card.description, HEIGHT, content)


def _avatar(card: Card, theme: Theme) -> str:
    radius = _AVATAR // 2
    x, y = _MARGIN + radius, _TOP + radius
    circle = f'<circle cx="{x}" cy="{y}" r="{radius}"'
    if card.avatar is not None:
        place = f'x="{_MARGIN}" y="{_TOP}" width="{_AVATAR}" height="{_AVATAR}"'
        return (  # the id may occur twice in a page: what it names is equal in all cards
            f'<clipPath id="card-avatar">{circle}/></clipPath><image {place}'
            ' preserveAspectRatio="xMidYMid slice" clip-path="url(#card-avatar)"'
            f' href="{card.avatar}"/>'
        )
    fill, color = AVATARS[theme]
    return (
        f'{circle} fill="{fill}"/>'
        f'<text x="{x}" y="{y + _INITIAL * 0.36:g}" text-anchor="middle" font-size="{_INITIAL}"'
        f' font-weight="bold" fill="{color}">{xml_text(initial(card.name))}</text>'
    )


def _texts(card: Card, frame: Frame) -> str:
    """Write the name, the status beside it and the lines, in the middle of the avatar's height."""
    style, paper = frame.style, frame.paper
    y = _TOP + 17 + (_MAX_LINES - len(card.lines)) * style.row / 2
    room = frame.right - _TEXT
    taken = text_width(card.status, style.text) + 2 * style.gap if card.status else 0
    name = isolated_text(fit(card.name, style.title * BOLD, room - taken))
    place = f'x="{_TEXT}" y="{y:g}" font-size="{style.title}"'
    texts = [f'<text {place} font-weight="bold" fill="{paper.title}">{name}</text>']
    if card.status:
        place = f'x="{frame.right}" y="{y:g}" text-anchor="end"'
        texts.append(f'<text {place} fill="{paper.text}">{xml_text(card.status)}</text>')
    for number, line in enumerate(card.lines):
        color = paper.text if number else paper.title
        text = isolated_text(fit(line, style.text, room))
        texts.append(
            f'<text x="{_TEXT}" y="{y + (number + 1) * (style.row - 1):g}"'
            f' fill="{color}">{text}</text>'
        )
    return f"<g{paper.edge}>{''.join(texts)}</g>"
