"""The lines of a chart as SVG: strokes, dots of values that stand alone, and last values.

Inside the plot one unit is a tenth of a px, so coordinates are whole numbers.

Invariant *true to every point*: up to `POINTS_MOST` points are all drawn; more are thinned, to
columns of two px or, with many lines, as few as `COLUMNS_MOST` columns for all lines together.
Invariant *one stroke a metric*: each metric that has a value is one group with a stroke of its own.
"""

from collections.abc import Sequence
from typing import Final

import attrs

from healthapi.charts.downsampling import Columns, columns_of, of_present, thin
from healthapi.charts.layout import Layout
from healthapi.charts.lines import Line
from healthapi.charts.palette import Ink
from healthapi.charts.path_data import dot, line
from healthapi.charts.scale import UNITS, Periods, heights, steps

__all__ = ["COLUMNS_MOST", "POINTS_MOST", "dashes", "plot"]

POINTS_MOST: Final = 4000
"""Points of all lines together that are drawn one by one; each takes up to 9 bytes."""
COLUMNS_MOST: Final = 3840
"""Columns of all lines together where there are more points; each takes up to 14 bytes."""

_COLUMN: Final = 2  # px: about as broad as a line
_THIN: Final = 0.6  # a thinned line goes up and down all the time: a broad one would fill the plot
_DOT: Final = 2.0  # how many line widths a value that stands alone measures
_LAST: Final = 1.75  # radius of the last value's dot in line widths


def dashes(ink: Ink, stroke: float) -> str:
    """Write the attribute that dashes a line of some width; nothing for an unbroken one."""
    if not ink.dashes:
        return ""
    return f' stroke-dasharray="{" ".join(f"{length * stroke:g}" for length in ink.dashes)}"'


@attrs.frozen
class _Canvas:
    """A plot from inside.

    Attributes:
        periods: where its points lie in time.
        steps: where they lie in steps from the left.
        columns: those of a line without missing values.
        places: where each step lies from the left.
        height: from the greatest value to the least.
        pen: width of a line.
        last: radius of the dot on the last value.

    """

    periods: Periods
    steps: Sequence[int]
    columns: Columns
    places: dict[int, int]
    height: int
    pen: float
    last: float

    def columns_of(self, one: Line) -> Columns:
        """Give the columns of a line."""
        if len(one.present) == len(one.values):
            return self.columns
        return columns_of(*of_present(one.values, self.periods, self.steps))


def plot(periods: Periods, lines: Sequence[Line], layout: Layout) -> str:
    """Draw the lines that have a value, of which there is one at least."""
    drawn = [one for one in lines if one.present]
    canvas = _canvas(periods, len(drawn), layout)
    return (
        f'<g transform="translate({layout.left} {layout.top})scale({1 / UNITS:g})" fill="none"'
        f' stroke-width="{canvas.pen:g}" stroke-linejoin="round">'
        f"{''.join(_group(one, canvas) for one in drawn)}</g>"
    )


def _canvas(periods: Periods, lines: int, layout: Layout) -> _Canvas:
    starts, pixels = periods.starts, layout.right - layout.left
    stroke = layout.style.stroke * UNITS
    most, pen = pixels * UNITS, stroke
    if len(starts) > pixels or len(starts) * lines > POINTS_MOST:
        most, pen = min(pixels // _COLUMN, COLUMNS_MOST // lines - 1), stroke * _THIN
    where = steps(starts, starts[0], starts[-1], most)
    columns = columns_of(periods, where)
    places = {step: round(step * pixels * UNITS / most) for step in columns.steps}
    height = (layout.bottom - layout.top) * UNITS
    return _Canvas(periods, where, columns, places, height, pen, stroke * _LAST)


def _group(one: Line, canvas: _Canvas) -> str:
    """Draw a metric: its line, the values that stand alone, and its last value."""
    columns = canvas.columns_of(one)
    thinned = thin(one.present, columns)
    least, greatest = min(thinned.lows), max(thinned.highs)
    places = [canvas.places[step] for step in columns.steps]
    tops = feet = heights(thinned.highs, least, greatest, canvas.height)
    if thinned.lows is not thinned.highs:
        feet = heights(thinned.lows, least, greatest, canvas.height)
    strokes, alone = [], []
    for start, stop in columns.runs:
        if stop - start == 1 and tops[start] == feet[start]:
            alone.append(dot(places[start], tops[start]))
        else:
            strokes.append(line(places[start:stop], tops[start:stop], feet[start:stop]))
    (last,) = heights(one.present[-1:], least, greatest, canvas.height)
    return (
        f'<g stroke="{one.ink.color}">{_strokes(strokes, one.ink, canvas)}{_dots(alone, canvas)}'
        f'<circle cx="{places[-1]}" cy="{last}" r="{canvas.last:g}"'
        f' fill="{one.ink.color}" stroke="none"/></g>'
    )


def _strokes(paths: Sequence[str], ink: Ink, canvas: _Canvas) -> str:
    return f'<path d="{"".join(paths)}"{dashes(ink, canvas.pen)}/>' if paths else ""


def _dots(paths: Sequence[str], canvas: _Canvas) -> str:
    if not paths:
        return ""
    look = f'stroke-width="{canvas.pen * _DOT:g}" stroke-linecap="round"'
    return f'<path d="{"".join(paths)}" {look}/>'
