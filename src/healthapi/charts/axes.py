"""The grid of a chart and its dates: the first, the last and round ones between where room is.

Invariant *dates stay apart*: no two dates below the plot touch.
"""

from collections.abc import Sequence
from typing import Final

from healthapi.charts.layout import Layout
from healthapi.charts.palette import Paper
from healthapi.charts.scale import UNITS, Periods, steps
from healthapi.charts.ticks import ticks
from healthapi.derived.series import Series
from purewire.svg.text import width, xml_text

__all__ = ["axes"]

_GRID_LINES: Final = 5
_WIDEST: Final = "0000-00"  # of the names of ticks
_MIDDLE: Final = ' text-anchor="middle"'
_END: Final = ' text-anchor="end"'

_Date = tuple[float, str, str]  # where, anchored how, and in words


def axes(series: Series, periods: Periods, layout: Layout, paper: Paper) -> str:
    """Draw the grid and write the dates of a series that has a point."""
    inner = _inner(series, periods, layout)
    y = layout.height - layout.style.date_line
    dates = "".join(
        f'<text x="{x:g}" y="{y}"{anchor}>{xml_text(label)}</text>'
        for x, anchor, label in (*_ends(series, layout), *inner)
    )
    grid = _grid([x for x, _, _ in inner], layout)
    lines = f'<path d="{grid}" {paper.grid} shape-rendering="crispEdges"/>'
    return f'{lines}<g fill="{paper.words}">{dates}</g>'


def _ends(series: Series, layout: Layout) -> list[_Date]:
    first, last = series.labels[0], series.labels[-1]
    if first == last:
        return [((layout.left + layout.right) / 2, _MIDDLE, first)]
    return [(layout.left, "", first), (layout.right, _END, last)]


def _inner(series: Series, periods: Periods, layout: Layout) -> list[_Date]:
    """Give the dates between the first and the last that stand clear of both."""
    size, extent = layout.style.text, layout.right - layout.left
    end = width(series.labels[0], size) + size  # all periods of a series are about as wide
    most = int(extent / (width(_WIDEST, size) + 2 * size))
    first, last = periods.starts[0], periods.starts[-1]
    named = ticks(first, last, most, daily=series.granularity == "daily")
    places = steps([day for day, _ in named], first, last, extent * UNITS)
    return [
        (layout.left + place / UNITS, _MIDDLE, label)
        for place, (_, label) in zip(places, named, strict=True)
        for reach in [width(label, size) / 2 + end]
        if reach <= place / UNITS <= extent - reach
    ]


def _grid(uprights: Sequence[float], layout: Layout) -> str:
    """Write five lines from side to side, and one from top to bottom at each inner date."""
    extent, height = layout.right - layout.left, layout.bottom - layout.top
    levels = (layout.top + height * number / (_GRID_LINES - 1) for number in range(_GRID_LINES))
    across = "".join(f"M{layout.left} {level:g}h{extent}" for level in levels)
    return across + "".join(f"M{x:g} {layout.top}v{height}" for x in uprights)
