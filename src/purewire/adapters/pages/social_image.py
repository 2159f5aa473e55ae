"""Draw the picture of shared links, a PNG of 1200 x 630 px; needs the extra `social`.

The picture has the owner of the page, what the page is, and at most one drawing of public data.  It
is made when a site is built or a service starts, never of a status, which changes and is private.
"""

from base64 import b64encode
from html import escape
from typing import Final

import resvg_py

from purewire.pages.page import SOCIAL_IMAGE_SIZE
from purewire.pages.settings import PageSettings
from purewire.svg.image import FONTS
from purewire.svg.palette import GREEN, WHITE
from purewire.svg.text import fit, initial, text_width

__all__ = ["draw_social_image"]

_BACKGROUND, _TEXT, _MUTED = "#f6f6f2", "#16181c", "#565b64"  # as light pages
_MARGIN: Final = 80
_AVATAR: Final = 128
_ABOUT: Final = 30  # font size
_DRAWING: Final = 270  # height of the drawing, px


def draw_social_image(
    settings: PageSettings, title: str, description: str, drawing: bytes | None = None
) -> bytes:
    """Draw the picture, as PNG.

    The fonts are those of the machine; without any, the picture has no text.

    Args:
        settings: the owner.
        title: of the page; it stands in the place of a missing name.
        description: a sentence, cut where it is too long.
        drawing: an SVG image for light pages, drawn below the texts.

    """
    width, height = SOCIAL_IMAGE_SIZE
    y = 60 if drawing is not None else (height - _AVATAR) / 2 - 50
    name, line = settings.name or title, settings.line
    left, room = _MARGIN + _AVATAR + 40, width - 2 * _MARGIN - _AVATAR - 40
    about = f"{title}: {description}" if settings.name else description
    bold, muted = f'font-weight="bold" fill="{_TEXT}"', f'fill="{_MUTED}"'
    texts = [
        _text(name, left, y + (62 if line else 84), 60, room, bold),
        _text(line, left, y + 114, 30, room, muted),
    ]
    for number, row in enumerate(_rows(about, width - 2 * _MARGIN)):
        below = y + _AVATAR + 56 + number * 42
        texts.append(_text(row, _MARGIN, below, _ABOUT, width, f'fill="{_TEXT}"'))
    image = ""
    if drawing is not None:
        place = f'x="{_MARGIN}" y="{height - _DRAWING - 40}" height="{_DRAWING}"'
        url = f"data:image/svg+xml;base64,{b64encode(drawing).decode()}"
        image = f'<image {place} width="{width - 2 * _MARGIN}" href="{url}"/>'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' font-family="{FONTS}"><rect width="100%" height="100%" fill="{_BACKGROUND}"/>'
        f'<rect width="100%" height="14" fill="{GREEN}"/>'
        f"{_avatar(settings, name, y)}{''.join(texts)}{image}</svg>"
    )
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def _avatar(settings: PageSettings, name: str, y: float) -> str:
    radius = _AVATAR // 2
    x, middle = _MARGIN + radius, y + radius
    circle = f'<circle cx="{x}" cy="{middle:g}" r="{radius}"'
    if settings.avatar_url is not None:
        return (
            f'<clipPath id="a">{circle}/></clipPath><image clip-path="url(#a)" x="{_MARGIN}"'
            f' y="{y:g}" width="{_AVATAR}" height="{_AVATAR}"'
            f' preserveAspectRatio="xMidYMid slice" href="{settings.avatar_url}"/>'
        )
    place = f'x="{x}" y="{middle + 22:g}" text-anchor="middle" font-size="60"'
    return (
        f'{circle} fill="{GREEN}"/><text {place} font-weight="bold" fill="{WHITE}">'
        f"{escape(initial(name))}</text>"
    )


def _rows(text: str, room: float) -> list[str]:
    """Return a text in two lines at most; the second is cut."""
    words, first = text.split(), ""
    while words and text_width(f"{first} {words[0]}", _ABOUT) <= room:
        first = f"{first} {words.pop(0)}".strip()
    return [first, fit(" ".join(words), _ABOUT, room)]


def _text(text: str, x: float, y: float, size: int, room: float, style: str) -> str:
    cut = escape(fit(text, size * 1.12, room))  # letters in bold are wider
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" {style}>{cut}</text>'
