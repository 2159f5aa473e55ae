"""Choose the sizes of a timeline, and map its instants to whole px.

Invariant *in proportion*: the start of a window is at the left edge of the lanes, its end at the
right edge, and instants between them in proportion; an instant has the same px in all parts.
"""

from typing import Final

from purewire.svg.image import Frame, Style
from purewire.svg.lanes import Layout
from purewire.svg.palette import Theme, paper_of
from purewire.svg.scale import Scale

__all__ = ["WIDTHS", "build_layout"]

WIDTHS: Final = range(320, 1921)
"""Widths of a timeline, px."""

_SIZES: Final = (  # px: least width, margin, width of the names, bar, spacing; text
    (1120, 20, 116, 28, 12, Style(title=18, text=13, row=19, sample=13, gap=5)),
    (560, 16, 96, 22, 10, Style(title=15, text=11, row=16, sample=11, gap=5)),
    (0, 10, 0, 20, 8, Style(title=13, text=10, row=14, sample=10, gap=5)),
)


def build_layout(width: int, theme: Theme, start: int, end: int) -> Layout:
    """Choose sizes for a width and a window; raises ValueError for one out of `WIDTHS`."""
    paper = paper_of(theme)
    if width not in WIDTHS:
        raise ValueError(f"the width is {width}; expected {WIDTHS[0]} to {WIDTHS[-1]} px")
    _, margin, names, bar, spacing, style = next(each for each in _SIZES if width >= each[0])
    frame = Frame(width, margin, width - margin, style, paper)
    return Layout(frame, Scale(start, end, margin + names, frame.right), bar, spacing)
