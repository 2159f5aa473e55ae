"""Where the parts of a chart stand: title, legend, plot and dates, in px.

Source: health facts, sections 17 and 18.14; rulings under "Charts".

Invariant *plot keeps its room*: whatever the legend holds, the plot is at least `PLOT_LEAST` high.
Invariant *legend in rows*: entries fill as many columns as their words need side by side, row by
row; where that would make more than `ROWS_MOST` rows, they share the width and are cut short.
"""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

import attrs

__all__ = ["PLOT_LEAST", "ROWS_MOST", "Cell", "Layout", "Style", "layout_of", "style_of"]

PLOT_LEAST: Final = 90
"""Least height of a plot, px."""
ROWS_MOST: Final = 5
"""Most rows of a legend."""


@attrs.frozen
class Style:
    """Sizes in px.

    Attributes:
        left: room left of plot and legend.
        right: room right of them.
        title: letters of the title.
        title_line: base line of the title.
        text: letters of everything else.
        legend_line: base line of the first row of the legend.
        row: from one row to the next.
        above: from the last row to the plot.
        below: from the plot to the end of the image.
        date_line: from the base line of the dates to the end of the image.
        sample: length of the line in front of a legend entry.
        gap: between that line and the words; three times as much between columns.
        stroke: width of a line.

    """

    left: int
    right: int
    title: int
    title_line: int
    text: int
    legend_line: int
    row: int
    above: int
    below: int
    date_line: int
    sample: int
    gap: int
    stroke: float


_COMPACT: Final = Style(14, 14, 13, 20, 10, 37, 14, 10, 24, 8, 16, 4, 1.5)
_REGULAR: Final = Style(28, 24, 16, 28, 12, 52, 18, 16, 34, 13, 24, 6, 2)
_LARGE: Final = Style(40, 36, 24, 42, 17, 78, 26, 24, 48, 18, 34, 9, 3)
_BETWEEN: Final = 3  # gaps between columns
_REGULAR_FROM: Final = (600, 280)
_LARGE_FROM: Final = (1440, 640)


@attrs.frozen
class Cell:
    """Where a legend entry stands: left end, base line, and room for its words."""

    x: int
    y: int
    room: float


@attrs.frozen
class Layout:
    """Where everything stands; the plot is from left to right and from top to bottom."""

    width: int
    height: int
    style: Style
    cells: tuple[Cell, ...]
    left: int
    top: int
    right: int
    bottom: int


def style_of(width: int, height: int) -> Style:
    """Choose sizes that suit an image."""
    if width >= _LARGE_FROM[0] and height >= _LARGE_FROM[1]:
        return _LARGE
    if width >= _REGULAR_FROM[0] and height >= _REGULAR_FROM[1]:
        return _REGULAR
    return _COMPACT


def layout_of(width: int, height: int, needs: Sequence[int], style: Style) -> Layout:
    """Place the parts of an image; `needs` is how wide the words of each legend entry are."""
    left, right = style.left, width - style.right
    columns = _columns(needs, right - left, style) if needs else ()
    cells = tuple(_cells(len(needs), columns, style))
    top = (cells[-1].y if cells else style.title_line) + style.above
    return Layout(width, height, style, cells, left, top, right, height - style.below)


def _cells(count: int, columns: Sequence[float], style: Style) -> Iterator[Cell]:
    indent, between = style.sample + style.gap, _BETWEEN * style.gap
    for entry in range(count):
        row, column = divmod(entry, len(columns))
        before = sum(columns[:column]) + between * column
        x, y = style.left + round(before), style.legend_line + row * style.row
        yield Cell(x, y, columns[column] - indent)


def _columns(needs: Sequence[int], room: float, style: Style) -> Sequence[float]:
    """Give the widths of the columns of a legend."""
    between = _BETWEEN * style.gap
    for fitting in range(len(needs), 0, -1):
        rows = ceil(len(needs) / fitting)
        widths = _widths(needs, ceil(len(needs) / rows), style)
        if sum(widths) + between * (len(widths) - 1) <= room and rows <= ROWS_MOST:
            return widths
    widths = _widths(needs, ceil(len(needs) / ROWS_MOST), style)
    share = (room - between * (len(widths) - 1)) / sum(widths)
    return [share * width for width in widths]


def _widths(needs: Sequence[int], columns: int, style: Style) -> list[int]:
    indent = style.sample + style.gap
    return [max(needs[column::columns]) + indent for column in range(columns)]
