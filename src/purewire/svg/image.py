"""A whole SVG image around what is drawn: accessible, whole by itself, safe to show anywhere.

Invariant *in words too*: the image has the role `img` and is named and described by its title and
its description, which are whole even where the visible title is cut short.
Invariant *whole by itself*: the frame has no script, no style and no reference outside, so an image
of constants shows alike under `default-src 'none'; style-src 'none'; sandbox`.
"""

from hashlib import blake2s
from typing import Final

import attrs

from purewire.svg.text import width, xml_text

__all__ = ["FONTS", "Canvas", "Picture", "fit", "image"]

FONTS: Final = "Verdana,Geneva,DejaVu Sans,sans-serif"
"""What all text is set in; `purewire.svg.text` knows how wide it is."""


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
    """Size of an image and of its letters in px, and its background; None for none."""

    width: int
    height: int
    letters: int
    back: str | None


def image(canvas: Canvas, title: str, about: str, inside: str) -> bytes:
    """Write an image, UTF-8.

    Args:
        canvas: its size.
        title: any text; what the image is called.
        about: any text; what it shows, for who does not see it.
        inside: SVG elements.

    """
    wide, high = canvas.width, canvas.height
    names = f"{xml_text(title)}</title>", f"{xml_text(about)}</desc>"
    # ids are of the whole page that the image stands in: images that say the same may share them
    key = blake2s("".join(names).encode(), digest_size=6).hexdigest()
    back = f'<rect width="{wide}" height="{high}" fill="{canvas.back}"/>' if canvas.back else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
        f' viewBox="0 0 {wide} {high}" role="img" aria-labelledby="t{key}"'
        f' aria-describedby="d{key}" font-family="{FONTS}" font-size="{canvas.letters}"'
        f' text-rendering="geometricPrecision">'
        f'<title id="t{key}">{names[0]}<desc id="d{key}">{names[1]}{back}{inside}</svg>'
    ).encode()


def fit(text: str, size: float, room: float) -> str:
    """Give a text of a few words, or as much of it as has room in px, and an ellipsis."""
    if width(text, size) <= room:
        return text
    cuts = (f"{text[:keep].rstrip()}…" for keep in range(len(text) - 1, 0, -1))
    return next((cut for cut in cuts if width(cut, size) <= room), "…")
