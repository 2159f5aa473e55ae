"""What stands on a printed page: its text, and the shapes that are filled with a colour."""

from io import BytesIO
from typing import Any, Final

import attrs
import pdfplumber

from support.servers.webdriver import Session

PAPERS: Final = {"a4": (210 / 25.4, 297 / 25.4), "letter": (8.5, 11.0)}
"""Name of a paper to its width and height, inches."""


@attrs.frozen
class Shape:
    """A fill or an outline: its colour as `#rrggbb`, the page from 1, and its edges in points."""

    color: str
    page: int
    left: float
    top: float
    right: float
    bottom: float


@attrs.frozen
class Print:
    """A printed document.

    Attributes:
        pages: the text of each page, white space as single spaces.
        shapes: all filled shapes, without those that cover a whole page.
        outlines: all outlined shapes, and lines; a dot is a line of almost no length.
        is_inside: whether each word and each shape is inside of its page.

    """

    pages: tuple[str, ...]
    shapes: tuple[Shape, ...]
    is_inside: bool
    outlines: tuple[Shape, ...] = ()

    @property
    def text(self) -> str:
        """The text of all pages."""
        return " ".join(self.pages)

    def filled(self, color: str) -> list[Shape]:
        """Return the shapes of a colour, `#rrggbb`."""
        return [shape for shape in self.shapes if shape.color == color]

    def outlined(self, color: str) -> list[Shape]:
        """Return the outlines of a colour, `#rrggbb`."""
        return [shape for shape in self.outlines if shape.color == color]


def print_page(session: Session, paper: str = "a4") -> Print:
    """Print the page that a browser shows, without "background graphics", and read the PDF."""
    return read_pdf(session.print_pdf(*PAPERS[paper]))


def read_pdf(data: bytes) -> Print:
    """Read a PDF that a browser printed."""
    pages, shapes, outlines, is_inside = [], [], [], True
    with pdfplumber.open(BytesIO(data)) as document:
        for number, page in enumerate(document.pages, 1):
            pages.append(" ".join(page.extract_text().split()))
            drawn = [*page.rects, *page.curves]
            found = _shapes(number, drawn, "fill", "non_stroking_color")
            outlines += _shapes(number, [*drawn, *page.lines], "stroke", "stroking_color")
            whole = page.width * page.height * 0.9
            shapes += [one for one in found if _area(one) < whole]
            words: list[Any] = page.extract_words()
            edges = [(each["x0"], each["x1"]) for each in words]
            edges += [(one.left, one.right) for one in found if _area(one) < whole]
            is_inside &= all(left >= -1 and right <= page.width + 1 for left, right in edges)
    return Print(tuple(pages), tuple(shapes), is_inside, tuple(outlines))


def _shapes(page: int, drawn: list[Any], kind: str, color_of: str) -> list[Shape]:
    return [
        Shape(color, page, one["x0"], one["top"], one["x1"], one["bottom"])
        for one in drawn
        if one[kind] and (color := _color(one[color_of])) is not None
    ]


def _area(shape: Shape) -> float:
    return (shape.right - shape.left) * (shape.bottom - shape.top)


def _color(parts: object) -> str | None:
    """Return a colour of a PDF as `#rrggbb`; None for a pattern."""
    values = parts if isinstance(parts, tuple | list) else (parts,)
    if not all(isinstance(value, int | float) for value in values) or len(values) not in {1, 3}:
        return None
    red, green, blue = values if len(values) > 1 else (*values, *values, *values)
    return "#" + "".join(f"{round(255 * value):02x}" for value in (red, green, blue))
