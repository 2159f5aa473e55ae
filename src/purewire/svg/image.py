"""Build a complete SVG image around drawn elements: accessible, self-contained, safe to show.

Invariant *accessible*: the image has the role `img` and is named and described by its title and
its description, which are complete even where the visible title is cut.
Invariant *self-contained*: there is no script, no style and no outside reference, so an image of
constants looks the same under `default-src 'none'; style-src 'none'; sandbox`.
"""

from hashlib import blake2s
from typing import Final

import attrs

from purewire.svg.palette import Paper
from purewire.svg.text import fit, truncate, xml_text

__all__ = ["FONTS", "MAX_TITLE_LENGTH", "Canvas", "Picture", "heading", "image"]

FONTS: Final = "Verdana,Geneva,DejaVu Sans,sans-serif"
"""Fonts of all text; `purewire.svg.text` estimates its width."""
MAX_TITLE_LENGTH: Final = 120
"""Code points of a title; a longer one is cut."""


@attrs.frozen(repr=False)
class Picture:
    """An SVG image that notebooks show."""

    svg: bytes

    def _repr_svg_(self) -> str:
        return self.svg.decode()

    def __repr__(self) -> str:
        return f"<Picture: SVG, {len(self.svg)} bytes>"


@attrs.frozen
class Canvas:
    """The size of an image and of its text in px, and its background colour; None for none."""

    width: int
    height: int
    font_size: int
    background: str | None


def image(canvas: Canvas, title: str, description: str, content: str) -> bytes:
    """Write an image, UTF-8.

    Args:
        canvas: its size.
        title: any text; the name of the image, cut to `MAX_TITLE_LENGTH`.
        description: any text; what the image shows.
        content: SVG elements.

    """
    width, height, back = canvas.width, canvas.height, canvas.background
    texts = f"{xml_text(_short(title))}</title>", f"{xml_text(description)}</desc>"
    # An id must be unique in the page around the image, unless the texts are equal.
    key = blake2s("".join(texts).encode(), digest_size=6).hexdigest()
    backdrop = f'<rect width="{width}" height="{height}" fill="{back}"/>' if back else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img" aria-labelledby="t{key}"'
        f' aria-describedby="d{key}" font-family="{FONTS}" font-size="{canvas.font_size}"'
        f' text-rendering="geometricPrecision">'
        f'<title id="t{key}">{texts[0]}<desc id="d{key}">{texts[1]}{backdrop}{content}</svg>'
    ).encode()


def heading(title: str, x: int, y: int, max_width: float, font_size: int, paper: Paper) -> str:
    """Write the visible title at a place in px, cut to a width in px."""
    shown = xml_text(fit(_short(title), font_size, max_width))
    return f'<text x="{x}" y="{y}" font-size="{font_size}" fill="{paper.title}">{shown}</text>'


def _short(title: str) -> str:
    return truncate(title, MAX_TITLE_LENGTH, MAX_TITLE_LENGTH - 1)
