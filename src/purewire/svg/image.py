"""Write complete SVG images: accessible, self-contained, safe to show.

Invariant *accessible*: the image has the role `img` and is named and described by its title and
its description, which are complete even where the visible title is cut.
Invariant *deterministic*: an image depends only on the arguments.
Invariant *self-contained*: there is no script, no style and no outside reference, so an image of
constants looks the same under `default-src 'none'; style-src 'none'; sandbox`.
"""

from base64 import b64encode
from collections.abc import Iterable
from typing import Final

import attrs

from purewire.svg.labels import Label, write_labels
from purewire.svg.palette import Paper
from purewire.svg.text import fit, truncate, xml_text

FONTS: Final = "Verdana,Geneva,DejaVu Sans,sans-serif"
"""Fonts of all text; `purewire.svg.text` estimates its width."""
MAX_TITLE_LENGTH: Final = 120
"""Code points of a title; a longer one is cut."""

RADIUS: Final = 3
"""Radius of the corners of bars and badges, px."""
CELL_RADIUS: Final = 2
"""Radius of the corners of small squares, px."""

_CAPITAL: Final = 0.72  # height of a capital letter or a digit, in font sizes


@attrs.frozen(repr=False)
class Picture:
    """An SVG image that notebooks show."""

    svg: bytes

    def _repr_svg_(self) -> str:
        return self.svg.decode()

    def __repr__(self) -> str:
        return f"<Picture: SVG, {len(self.svg)} bytes>"


@attrs.frozen
class Style:
    """Sizes of the text and the legend of an image, px.

    Attributes:
        row: distance of two base lines.
        sample: width of the sample in front of a legend entry.
        gap: between sample and entry; three times as much between columns.

    """

    title: int
    text: int
    row: int
    sample: int
    gap: int

    @property
    def icon(self) -> int:
        """Width of an icon on a line of text, px."""
        return self.text + 3

    @property
    def capital(self) -> float:
        """Height of a capital letter or a digit, px."""
        return self.text * _CAPITAL

    def base_line(self, top: float, height: float) -> float:
        """Return the base line of text in the middle of a box, px."""
        return top + (height + self.capital) / 2


SMALL: Final = Style(title=14, text=11, row=15, sample=11, gap=5)
MEDIUM: Final = Style(title=16, text=12, row=18, sample=12, gap=6)
LARGE: Final = Style(title=24, text=17, row=26, sample=17, gap=9)
"""The sizes of the text of all pictures; that of a badge is `SMALL`."""


@attrs.frozen
class Box:
    """The edges of a rectangle, px."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Distance of the left and the right edge, px."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Distance of the upper and the lower edge, px."""
        return self.bottom - self.top


@attrs.frozen
class Frame:
    """Edges, text sizes and colours that all parts of an image share.

    Attributes:
        width: of the image, px.
        left: left end of title and legend, px.
        right: their right end, px.

    """

    width: int
    left: int
    right: int
    style: Style
    paper: Paper

    def heading(self, title: str, y: int, lines: Iterable[str] = ()) -> str:
        """Write the visible title with the base line `y`, and other lines below it.

        The title may be any text and is cut to the width of the frame.
        """
        font_size = self.style.title
        shown = xml_text(fit(_short(title), font_size, self.right - self.left))
        place = f'x="{self.left}" y="{y}"'
        texts = "".join(
            write_labels([Label(line, self.left)], y + number * self.style.row)
            for number, line in enumerate(lines, 1)
        )
        return (
            f'<text {place} font-size="{font_size}" fill="{self.paper.title}"{self.paper.edge}>'
            f"{shown}</text>"
            f"{self.text(texts) if texts else ''}"
        )

    def box(self, top: int, bottom: int) -> Box:
        """Return the part of the frame between two heights, px."""
        return Box(self.left, top, self.right, bottom)

    def text(self, content: str) -> str:
        """Return SVG texts in the colour of all that is not the title."""
        return f'<g fill="{self.paper.text}"{self.paper.edge}>{content}</g>'

    def image(self, title: str, description: str, height: int, content: str) -> bytes:
        """Write the image, UTF-8."""
        from hashlib import blake2s  # noqa: PLC0415 - loads OpenSSL, which takes long

        size = f'width="{self.width}" height="{height}"'
        name, about = f"{xml_text(_short(title))}</title>", f"{xml_text(description)}</desc>"
        # An id must be unique in the page around the image, unless the texts are equal.
        key = blake2s((name + about).encode(), digest_size=6).hexdigest()
        back = self.paper.background
        backdrop = f'<rect {size} fill="{back}"/>' if back else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
            f' viewBox="0 0 {self.width} {height}" role="img" aria-labelledby="t{key}"'
            f' aria-describedby="d{key}" font-family="{FONTS}" font-size="{self.style.text}"'
            f' text-rendering="geometricPrecision"><title id="t{key}">{name}'
            f'<desc id="d{key}">{about}{backdrop}{content}</svg>'
        ).encode()


def png_symbol(data: bytes) -> tuple[str, str]:
    """Return the definition of a PNG image as SVG, for elements `use`, and its id.

    Equal images have equal ids, so that pictures of one page may define them twice.
    """
    from hashlib import blake2s  # noqa: PLC0415 - loads OpenSSL, which takes long

    key = f"p{blake2s(data, digest_size=6).hexdigest()}"
    url = f"data:image/png;base64,{b64encode(data).decode()}"
    image = f'<image width="1" height="1" href="{url}"/>'
    return f'<symbol id="{key}" viewBox="0 0 1 1">{image}</symbol>', key


def _short(title: str) -> str:
    return truncate(title, MAX_TITLE_LENGTH, MAX_TITLE_LENGTH - 1)
