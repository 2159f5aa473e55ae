"""Choose the sizes of a timeline, and map its instants to whole px.

Invariant *in proportion*: the start of a window is at the left edge of the lanes, its end at the
right edge, and instants between them in proportion; an instant has the same px in all parts.
"""

from typing import Final

import attrs

from purewire.svg.scale import positions

__all__ = ["WIDTHS", "Layout", "Style", "build_layout"]

WIDTHS: Final = range(320, 1921)
"""Widths of a timeline, px."""

_REGULAR_FROM: Final = 560
_LARGE_FROM: Final = 1120


@attrs.frozen
class Style:
    """Sizes in px.

    Attributes:
        margin: space around everything.
        title: font size of the title.
        text: font size of other text.
        names: width of the lane names left of the lanes; 0 where they stand above.
        bar: height of a bar, and of the area of a number lane.
        row: distance of two lines of text.
        spacing: distance of two lanes.

    """

    margin: int
    title: int
    text: int
    names: int
    bar: int
    row: int
    spacing: int

    @property
    def has_names_beside(self) -> bool:
        """True where the names of lanes are left of them."""
        return self.names > 0


_COMPACT: Final = Style(10, 13, 10, 0, 20, 14, 8)
_REGULAR: Final = Style(16, 15, 11, 96, 22, 16, 10)
_LARGE: Final = Style(20, 18, 13, 116, 28, 19, 12)


@attrs.frozen
class Layout:
    """The sizes, and the left and right edge of the lanes, of a window from start to end."""

    width: int
    style: Style
    left: int
    right: int
    start: int
    end: int

    def x(self, instant: int) -> int:
        """Return the px of an instant of the window; the middle for a window without length."""
        (distance,) = positions([instant], self.start, self.end, self.right - self.left)
        return self.left + distance

    def columns(self, start: int, end: int) -> range:
        """Return the columns of one px that a span covers: at least one."""
        left = min(self.x(start), self.right - 1)
        return range(left, max(self.x(end), left + 1))


def build_layout(width: int, start: int, end: int) -> Layout:
    """Choose sizes for a width; raises ValueError for one out of `WIDTHS`."""
    if width not in WIDTHS:
        raise ValueError(f"the width is {width}; expected {WIDTHS[0]} to {WIDTHS[-1]} px")
    style = _COMPACT
    if width >= _REGULAR_FROM:
        style = _LARGE if width >= _LARGE_FROM else _REGULAR
    return Layout(width, style, style.margin + style.names, width - style.margin, start, end)
