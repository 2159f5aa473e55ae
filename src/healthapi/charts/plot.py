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

from healthapi.charts.downsampling import (
    Columns,
    Periods,
    build_columns,
    extremes,
    present_only,
)
from healthapi.charts.lines import Line
from purewire.svg.image import Box
from purewire.svg.scale import Scale

__all__ = ["MAX_COLUMNS", "MAX_POINTS", "UNITS", "draw_plot", "heights", "line_path"]

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


def draw_plot(periods: Periods, lines: Sequence[Line], box: Box, full_stroke: float) -> str:
    """Draw the lines that have a value, at least one, in a box; a reduced line is thinner.

    Args:
        periods: the time of all values.
        lines: their values.
        box: place of the plot.
        full_stroke: width of a line that is not reduced, px.

    """
    drawn = [line for line in lines if line.present]
    starts, width, stroke = periods.starts, box.width * UNITS, full_stroke * UNITS
    last_step = width
    if len(starts) > box.width or len(starts) * len(drawn) > MAX_POINTS:
        last_step = min(box.width // _COLUMN, MAX_COLUMNS // len(drawn) - 1)
        stroke *= _THIN
    steps = Scale(starts[0], starts[-1], 0, last_step).places(starts)
    all_columns = build_columns(periods, steps)
    x = {step: round(step * width / last_step) for step in all_columns.steps}
    last_dot = f'r="{full_stroke * UNITS * _LAST:g}"'
    parts = []
    for line in drawn:
        columns = all_columns
        if len(line.present) < len(line.values):
            columns = build_columns(*present_only(line.values, periods, steps))
        xs = [x[step] for step in columns.steps]
        parts.append(_draw_line(line, columns, xs, box.height * UNITS, stroke, last_dot))
    return (
        f'<g transform="translate({box.left} {box.top})scale({1 / UNITS:g})" fill="none"'
        f' stroke-width="{stroke:g}" stroke-linejoin="round">{"".join(parts)}</g>'
    )


def heights(values: Iterable[float], least: float, greatest: float, height: int) -> list[int]:
    """Return the distance of each value from the top of a plot of a height, in units."""
    span = greatest - least
    if not span:
        return [height // 2 for _ in values]
    return [round((greatest - value) / span * height) for value in values]


def _draw_line(
    line: Line, columns: Columns, xs: Sequence[int], height: int, stroke: float, last_dot: str
) -> str:
    """Draw a metric: its line, the isolated values, and its last value."""
    lows, highs = extremes(line.present, columns)
    least, greatest = min(lows), max(highs)
    tops = bottoms = heights(highs, least, greatest, height)
    if lows is not highs:
        bottoms = heights(lows, least, greatest, height)
    strokes, dots = "", ""
    for start, stop in columns.runs:
        if stop - start == 1 and tops[start] == bottoms[start]:
            dots += f"M{xs[start]} {tops[start]}h0"  # round line ends draw it as a dot
        else:
            strokes += line_path(xs[start:stop], tops[start:stop], bottoms[start:stop])
    if strokes:
        strokes = f'<path d="{strokes}"{line.style.stroke(stroke)}/>'
    if dots:
        width = f'stroke-width="{stroke * _DOT:g}"'
        dots = f'<path d="{dots}" {width} stroke-linecap="round"/>'
    (last,) = heights(line.present[-1:], least, greatest, height)
    color = line.style.color
    return (
        f'<g stroke="{color}">{strokes}{dots}'
        f'<circle cx="{xs[-1]}" cy="{last}" {last_dot} fill="{color}" stroke="none"/></g>'
    )


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
