"""Draw the lines of a chart: strokes, dots for isolated values, and a dot on each last value.

Inside the plot one unit is a tenth of a px, so that coordinates are whole numbers.

Invariant *by date*: the first period of a chart is at its left edge, the last at its right, and
between them the distance of two periods is proportional to the days between their starts.
Invariant *own scale*: the least value of a metric is at the bottom, the greatest at the top, a
value that never changes in the middle; so a line shows a shape, not an amount.
Invariant *every point*: up to `MAX_POINTS` points are all drawn; more are reduced to columns of two
px or, with many lines, as few as `MAX_COLUMNS` columns for all lines together.
Invariant *one group a metric*: each metric that has a value is one group with its own stroke.
Invariant *short paths*: a column takes at most two commands, one to its nearer end and one to the
other; a plus sign separates two numbers as well as a space does.

Contract: HA-CHART-11 to 13, HA-CHART-15, HA-CHART-27.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import Final

import attrs

from healthapi.charts.downsampling import (
    Columns,
    Periods,
    build_columns,
    extremes,
    present_only,
)
from healthapi.charts.layout import Layout
from healthapi.charts.lines import Line
from healthapi.charts.palette import LineStyle
from purewire.svg.scale import positions

__all__ = ["MAX_COLUMNS", "MAX_POINTS", "UNITS", "dot_path", "draw_plot", "heights", "line_path"]

UNITS: Final = 10
"""Units of one px."""
MAX_POINTS: Final = 4000
"""Points of all lines together that are drawn one by one; each takes up to 9 bytes."""
MAX_COLUMNS: Final = 3840
"""Columns of all lines together where there are more points; each takes up to 14 bytes."""

_COLUMN: Final = 2  # px: about the width of a line
_THIN: Final = 0.6  # a reduced line changes direction all the time: a wide one would fill the plot
_DOT: Final = 2.0  # diameter of an isolated value in line widths
_LAST: Final = 1.75  # radius of the last value's dot in line widths

_Number = int | float


@attrs.frozen
class _Plot:
    """The scales and sizes inside a plot.

    Attributes:
        periods: the time of its points.
        steps: their place in steps from the left.
        columns: those of a line without missing values.
        x: the place of each step in units from the left.
        height: from the greatest value to the least.
        stroke: width of a line.
        last: radius of the dot on the last value.

    """

    periods: Periods
    steps: Sequence[int]
    columns: Columns
    x: dict[int, int]
    height: int
    stroke: float
    last: float

    def columns_of(self, line: Line) -> Columns:
        """Return the columns of a line."""
        if len(line.present) == len(line.values):
            return self.columns
        return build_columns(*present_only(line.values, self.periods, self.steps))


def draw_plot(periods: Periods, lines: Sequence[Line], layout: Layout) -> str:
    """Draw the lines that have a value; there must be at least one."""
    drawn = [line for line in lines if line.present]
    plot = _build_plot(periods, len(drawn), layout)
    return (
        f'<g transform="translate({layout.left} {layout.top})scale({1 / UNITS:g})" fill="none"'
        f' stroke-width="{plot.stroke:g}" stroke-linejoin="round">'
        f"{''.join(_draw_line(line, plot) for line in drawn)}</g>"
    )


def _build_plot(periods: Periods, lines: int, layout: Layout) -> _Plot:
    starts, pixels = periods.starts, layout.right - layout.left
    full_stroke = layout.style.stroke * UNITS
    last_step, stroke = pixels * UNITS, full_stroke
    if len(starts) > pixels or len(starts) * lines > MAX_POINTS:
        last_step, stroke = min(pixels // _COLUMN, MAX_COLUMNS // lines - 1), full_stroke * _THIN
    steps = positions(starts, starts[0], starts[-1], last_step)
    columns = build_columns(periods, steps)
    x = {step: round(step * pixels * UNITS / last_step) for step in columns.steps}
    height = (layout.bottom - layout.top) * UNITS
    return _Plot(periods, steps, columns, x, height, stroke, full_stroke * _LAST)


def heights(values: Iterable[_Number], least: _Number, greatest: _Number, height: int) -> list[int]:
    """Return the distance of each value from the top of a plot of a height, in units."""
    span = greatest - least
    if not span:
        return [height // 2 for _ in values]
    return [round((greatest - value) / span * height) for value in values]


def _draw_line(line: Line, plot: _Plot) -> str:
    """Draw a metric: its line, the isolated values, and its last value."""
    columns = plot.columns_of(line)
    found = extremes(line.present, columns)
    least, greatest = min(found.lows), max(found.highs)
    xs = [plot.x[step] for step in columns.steps]
    tops = bottoms = heights(found.highs, least, greatest, plot.height)
    if found.lows is not found.highs:
        bottoms = heights(found.lows, least, greatest, plot.height)
    strokes, isolated = [], []
    for start, stop in columns.runs:
        if stop - start == 1 and tops[start] == bottoms[start]:
            isolated.append(dot_path(xs[start], tops[start]))
        else:
            strokes.append(line_path(xs[start:stop], tops[start:stop], bottoms[start:stop]))
    (last,) = heights(line.present[-1:], least, greatest, plot.height)
    color = line.style.color
    return (
        f'<g stroke="{color}">{_strokes(strokes, line.style, plot)}{_dots(isolated, plot)}'
        f'<circle cx="{xs[-1]}" cy="{last}" r="{plot.last:g}" fill="{color}" stroke="none"/></g>'
    )


def _strokes(paths: Sequence[str], style: LineStyle, plot: _Plot) -> str:
    return f'<path d="{"".join(paths)}"{style.stroke(plot.stroke)}/>' if paths else ""


def _dots(paths: Sequence[str], plot: _Plot) -> str:
    if not paths:
        return ""
    stroke = f'stroke-width="{plot.stroke * _DOT:g}" stroke-linecap="round"'
    return f'<path d="{"".join(paths)}" {stroke}/>'


def dot_path(x: int, y: int) -> str:
    """Return path data without length, which round line ends draw as a dot."""
    return f"M{x} {y}h0"


def line_path(xs: Sequence[int], tops: Sequence[int], bottoms: Sequence[int]) -> str:
    """Return path data of a line through columns from left to right.

    Heights count downwards: the top of a column is at most its bottom.  The line leaves the first
    column at the end that is nearer to the second.  Each step is relative to the one before.
    """
    steps = [after - before for before, after in pairwise(xs)]
    if tops == bottoms:
        rises = (after - before for before, after in pairwise(tops))
        moves = chain.from_iterable(zip(steps, rises, strict=True))
        return f"M{xs[0]} {tops[0]}" + "l%d%+d" * len(steps) % tuple(moves)
    start, y = tops[0], bottoms[0]
    if steps and tops[1] + bottoms[1] < start + y:
        start, y = y, start
    numbers = [xs[0], start, y - start]
    for step, top, bottom in zip(steps, tops[1:], bottoms[1:], strict=True):
        if y + y <= top + bottom:
            numbers += step, top - y, bottom - top
            y = bottom
        else:
            numbers += step, bottom - y, top - bottom
            y = top
    return ("M%d %dv%d" + "l%d%+dv%d" * len(steps)) % tuple(numbers)
