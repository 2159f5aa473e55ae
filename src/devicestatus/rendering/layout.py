"""Choose the sizes of a timeline, and map its instants to whole px.

Invariant *in proportion*: the start of a window is at the left edge of the lanes, its end at the
right edge, and instants between them in proportion; an instant has the same px in all parts.
"""

from typing import Final

from purewire.svg.image import LARGE, MEDIUM, SMALL, Frame
from purewire.svg.lanes import Layout
from purewire.svg.palette import Theme, paper_of
from purewire.svg.scale import Scale

__all__ = ["WIDTHS", "build_layout"]

WIDTHS: Final = range(320, 1921)
"""Widths of a timeline, px."""

_SIZES: Final = (  # px: least width, margin, width of the names, bar, spacing; text
    (1440, 36, 160, 38, 16, LARGE),
    (560, 20, 110, 26, 10, MEDIUM),
    (0, 12, 0, 22, 8, SMALL),
)


def build_layout(width: int, theme: Theme, start: int, end: int) -> Layout:
    """Choose sizes for a width and a window; raises ValueError for one out of `WIDTHS`."""
    paper = paper_of(theme)
    if width not in WIDTHS:
        raise ValueError(f"the width is {width}; expected {WIDTHS[0]} to {WIDTHS[-1]} px")
    _, margin, names, bar, spacing, style = next(each for each in _SIZES if width >= each[0])
    frame = Frame(width, margin, width - margin, style, paper)
    return Layout(frame, Scale(start, end, margin + names, frame.right), bar, spacing)
