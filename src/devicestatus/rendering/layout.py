"""Where the parts of a picture stand and where its instants lie, in whole px.

Invariant *in proportion*: the start of a window lies at the left edge of the lanes, its end at the
right, and what is between them in proportion; an instant lies at the same px for all parts.
"""

from typing import Final

import attrs

__all__ = ["WIDTHS", "Layout", "Style", "layout_of"]

WIDTHS: Final = range(320, 1921)
"""Widths of pictures, px."""

_REGULAR_FROM: Final = 560
_LARGE_FROM: Final = 1120


@attrs.frozen
class Style:
    """Sizes in px.

    Attributes:
        margin: room around everything.
        title: letters of the title.
        text: letters of everything else.
        names: room for the names of lanes left of them; 0 where they stand above.
        bar: height of a bar, and of what stands for numbers.
        row: from one line of words to the next.
        between: from one lane to the next.

    """

    margin: int
    title: int
    text: int
    names: int
    bar: int
    row: int
    between: int

    @property
    def beside(self) -> bool:
        """Whether the names of lanes stand beside them."""
        return self.names > 0


_COMPACT: Final = Style(10, 13, 10, 0, 20, 14, 8)
_REGULAR: Final = Style(16, 15, 11, 96, 22, 16, 10)
_LARGE: Final = Style(20, 18, 13, 116, 28, 19, 12)


@attrs.frozen
class Layout:
    """Sizes, and the lanes from left to right, of a window from start to end."""

    width: int
    style: Style
    left: int
    right: int
    start: int
    end: int

    def x(self, instant: int) -> int:
        """Give where an instant of the window lies; all of a window without length at the left."""
        span = max(self.end - self.start, 1)
        whole = 2 * (instant - self.start) * (self.right - self.left) + span
        return self.left + whole // (2 * span)


def layout_of(width: int, start: int, end: int) -> Layout:
    """Choose sizes that suit a picture; raises ValueError for one that is not of `WIDTHS`."""
    if width not in WIDTHS:
        raise ValueError(f"a picture of a window is {WIDTHS[0]} to {WIDTHS[-1]} px wide")
    style = _COMPACT
    if width >= _REGULAR_FROM:
        style = _LARGE if width >= _LARGE_FROM else _REGULAR
    return Layout(width, style, style.margin + style.names, width - style.margin, start, end)
