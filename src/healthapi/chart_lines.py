"""Choose the lines of a chart with their colours, and draw each as path data.

The values of a long history are distributed to columns: a column contains the values whose periods
are nearest to it.  Inside a lane one unit is a tenth of a px: coordinates are whole numbers.

Invariant *eight lines*: of the distinct metrics of a series the first eight are drawn; the chart
states the number of the others.
Invariant *unique*: no two metrics of a chart have the same colour; a metric has its usual colour
in every chart of the vocabulary, whichever of the others are left out, and on the page.
Invariant *by date*: the first period of a chart is at the left edge of a lane, the last at its
right; distances are proportional to the days between the starts of periods.
Invariant *own scale*: the least value of a metric is at the bottom, the greatest at the top, a
value that never changes in the middle.  Values are cut by the rule of the page, and have a mark
that points out of the lane; a mean of three values is never cut.
Invariant *open*: the value of a day or period that is not over is a circle, no part of a line, and
sets no end of a scale; beyond the scale it is an outlined mark at the edge of the lane.
Invariant *few days*: a mean of few days, by the rule of the page, is a dot that dashed strokes join
to its neighbours.  Of circles and strokes that are too many, the last ones are drawn.
Invariant *every point*: up to `MAX_LENGTH` points of a line, and `MAX_POINTS` of all lines, are all
drawn, around means up to one each 1.5 px; more are reduced to at most `MAX_COLUMNS` columns of a
week or more: the line is the mean of each column, around it is its range.
Invariant *extremes are kept*: the least and the greatest value of a column are those of all points.
Invariant *gaps are kept*: a line joins two columns only where no period between their values is
missing or without value, or where they are neighbours, between which no gap would be visible.
Means less than seven days apart are joined by dashes, as on the page.
Invariant *only what is known*: a mean of days has three values, that of a day those that exist in
the seven days that end with it; one that nothing joins is not drawn, a lone column is a dot.
Invariant *linear*: the time is linear in the number of points.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property, partial
from itertools import chain, compress, groupby, islice, pairwise, starmap
from typing import Final

import attrs

from healthapi.derived.periods import LEAST_DAYS, Series, Value
from healthapi.derived.statistics import Range, find_scale
from healthapi.keys import SHOWN, Granularity, Metric
from status_contracts.days import bounds
from status_contracts.svg import palette
from status_contracts.svg.axis import LaneLayout, Scale
from status_contracts.svg.labels import format_minutes

_METRICS: Final = (
    "sleep_hours activity_calories fairly_active_minutes time_in_bed",
    "steps efficiency lightly_active_minutes",
    "active_minutes deep_rmssd nap_count",
    "rhr sedentary_minutes minutes_after_wakeup",
    "sleep_score minutes_asleep deep_pct",
    "hrv minutes_to_fall_asleep",
    "calories_out days rem_pct",
    "active_zone_minutes minutes_awake very_active_minutes",
)
LINE_COLORS: Final = dict(zip(palette.TONES, _METRICS, strict=True))
"""Colour to the metrics that usually have it; those without their usual one get others in order."""

_STAGES: Final = ["minutes_deep", "minutes_rem", "minutes_light", "minutes_wake_stages"]
STAGE_COLORS: Final = dict(zip(palette.STAGES, _STAGES, strict=True))
"""Colour to the stage of sleep that has it; no other metric gets it."""

_COLORS: Final = (*LINE_COLORS, *STAGE_COLORS)
SHOWN_AS: Final[dict[palette.Theme, dict[str, str]]] = {
    "light": {},
    "dark": dict(zip(_COLORS, palette.TONES_ON_DARK + palette.STAGES_ON_DARK, strict=True)),
    "transparent": dict(zip(_COLORS, palette.TONES_ON_BOTH + palette.STAGES_ON_BOTH, strict=True)),
}
"""Theme to the colours that stand for others."""

USUAL: Final = {
    metric: color
    for color, metrics in (LINE_COLORS | STAGE_COLORS).items()
    for metric in metrics.split()
}
"""Metric to its usual colour."""


def assign_colors(metrics: Sequence[str]) -> dict[str, str]:
    """Assign a colour to each of at most eight distinct metrics.

    Of several metrics with the same usual colour the first gets it; the others get the remaining
    colours in order.
    """
    free = {color: color for color in _COLORS}  # the stages' are never left
    assigned = {metric: free.pop(USUAL[metric], None) for metric in metrics}
    remaining = iter(free)
    return {metric: color or next(remaining) for metric, color in assigned.items()}


HOURS: Final = SHOWN["sleep_hours"].unit
EMPTY_CHART: Final = "There are no values to show."


@attrs.frozen(repr=False)
class Line:
    """A metric of the chart with its values in all periods, and those that are not missing.

    The label is the period of the last of them, empty without any.  Open values, by their
    position, are those of days or periods that are not complete: they are beside the line, and not
    among the values of periods.  Means of few days are.  The scale contains the `means`.
    """

    metric: Metric
    color: str
    values: Sequence[Value]
    present: Sequence[float]
    last_label: str
    open: Mapping[int, float]
    few: set[int]  # positions of means of few days
    is_open: bool  # the last
    means: Sequence[float] = ()

    @cached_property
    def closed(self) -> Sequence[float]:
        """The values of what is complete."""
        return [value for value in self.values if value is not None]

    @cached_property
    def ends(self) -> Sequence[float]:
        """The lowest and the highest of what is complete, or of the open values without any."""
        shown = self.closed or self.present
        return (min(shown), max(shown)) if shown else ()

    @cached_property
    def scale(self) -> Range:
        """The ends of the lane of a line that has a value."""
        ends = (*attrs.astuple(find_scale(self.closed or self.present)), *self.means)
        return Range(min(ends), max(ends))


def format_value(metric: Metric, value: float, decimals: int | None = None) -> str:
    """Write a value or a mean with its metric's decimals, or others: `31,170`, `36.0`, `54 min`."""
    if metric.unit == HOURS:
        return format_minutes(round(value * 60))
    places = metric.decimals if decimals is None else decimals
    return f"{round(value, places) + 0:,.{places}f}"


def format_with_unit(
    metric: Metric, value: float, write: Callable[[Metric, float], str] = format_value
) -> str:
    """Write a value with its unit, which hours have already."""
    text = write(metric, value)
    return text if metric.unit == HOURS else f"{text} {metric.unit}"


def lines_of(series: Series) -> tuple[list[Line], int]:
    """Return the lines of a chart, and the number of metrics that are left out."""
    columns = zip(series.metrics, series.values, strict=True)
    distinct = {metric.key: (metric, values) for metric, values in columns}
    if "sleep_hours" in distinct and series.hours_asleep:
        distinct["sleep_hours"] = SHOWN["sleep_hours"], series.hours_asleep
    colors = assign_colors(list(distinct)[: len(LINE_COLORS)])
    place_of = {label: at for at, label in enumerate(series.labels)}
    partial = [place_of[label] for label in sorted(series.partial & place_of.keys())]
    lines = []
    for key, color in colors.items():
        metric, values = distinct[key]
        known = {at: value for at, value in enumerate(values) if value is not None}
        last = max(known, default=None)
        label = "" if last is None else series.labels[last]
        places = [] if key == "days" else partial  # a number of days is no mean of them
        if key in series.unfinished:
            places = [*places, len(values) - 1]
        opened = {at: known[at] for at in places if at in known}
        closed = [None if at in opened else value for at, value in enumerate(values)]
        few = {place_of[label] for label in series.few.get(key, frozenset()) & place_of.keys()}
        present, is_open = [*known.values()], last in opened
        lines.append(Line(metric, color, closed, present, label, opened, few, is_open))
    return lines, len(distinct) - len(lines)


MEAN_DAYS: Final = 7
"""Days of a mean."""


def parse_periods(
    labels: Sequence[str], granularity: Granularity
) -> tuple[Sequence[int], Sequence[int]]:
    """Return the first and last day of each period as ordinals; raise ValueError for other text."""
    if granularity == "daily":  # a chart may have a million of them
        days = list(map(date.toordinal, map(date.fromisoformat, labels)))
        return days, days
    both = [bounds(label) for label in labels]
    return [start.toordinal() for start, _ in both], [end.toordinal() for _, end in both]


def values_until(values: Sequence[Value], days: Sequence[int], last: int) -> list[float]:
    """Return the values in the seven days that end with that of the `last` value."""
    first = max(last + 1 - MEAN_DAYS, 0)
    inside = zip(values[first : last + 1], days[first : last + 1], strict=True)
    near = [value for value, day in inside if days[last] - day < MEAN_DAYS]
    return [value for value in near if value is not None]


def mean_of(values: Sequence[float]) -> float:
    """Return the mean; rounding does not lead out of the range of the values."""
    return min(max(sum(values) / len(values), min(values)), max(values))


UNITS: Final = 10
"""Units of one px."""
MAX_POINTS: Final = 2000
"""Points of all lines together that are all drawn; each takes up to 30 bytes."""
MAX_LENGTH: Final = 400
"""Points of a line that are all drawn."""
MAX_COLUMNS: Final = 200
"""Columns of a longer line."""
MEAN_VALUES: Final = 3
"""Values of seven days from which on they have a mean."""

Point = tuple[int, int]
Run = tuple[int, int]
"""The first of the columns that a line joins, and one past the last."""
_Joined = tuple[list[int], list[list[float]], list[float], list[Run], list[Run]]

_COLUMN: Final = 4  # px: the narrowest of a longer line
_DOT: Final = 2  # diameter of a value in line widths
_FINE_DOT: Final = 2.4  # px, at least, of days that have less space
_FLAT: Final = 10  # dots that a lane is high at least, unless they are fine
_RANGE_OPACITY: Final = ".22"  # of the range around it
_DASH, _BREAK = 2.5, 1.25  # of a stroke across a gap, in line widths
_POINTED: Final = 20  # px: in a lower lane days are points only where each has 12 px
_MARK: Final = 1.7  # height of a mark in halves of its width
_MARKS: Final = 480  # of values beyond the scale, of all lines: more would make the image large
_LAST: Final = 1.75  # radius of the last value's dot in line widths


@attrs.frozen(repr=False)
class Plot:
    """The horizontal places of all values of a chart, common to its lanes.

    They are the column of each period, with its first and last day.  The width is in units.  With
    means, lines show means over seven days instead of the values; reduced lines show those of
    columns.
    """

    starts: Sequence[int]
    ends: Sequence[int]
    steps: Sequence[int]
    last_step: int
    width: int
    marks: int  # of a line, the last ones of values beyond the scale, circles and dashed strokes
    has_means: bool
    is_reduced: bool

    def reading(self, lines: Iterable[Line], granularity: Granularity) -> list[str]:
        """Return how to read lines that are not the values, and what is around them."""
        joined = [self._joined(line) for line in lines if line.closed]
        lengths = {stop - start for *_, runs, _ in joined for start, stop in runs}
        dashed = ", dashed across gaps" * any(links for *_, links in joined)
        has_line = bool(dashed) or max(lengths, default=0) > 1
        if not self.is_reduced:
            means = [f"line: {MEAN_DAYS}-day mean{dashed}", "points: days"]
            few = f"dashed: fewer than {LEAST_DAYS.get(granularity)} days"
            return means[not has_line :] if self.has_means else [few] * bool(dashed)
        days = f"{(self.starts[-1] - self.starts[0]) / self.last_step:.0f} days"
        line = f"line{' and points' * (1 in lengths)}" if has_line else "points"
        is_weekly = self.last_step == (self.starts[-1] - self.starts[0]) // MEAN_DAYS
        of = "each week" if is_weekly and days == f"{MEAN_DAYS} days" else f"about {days}"
        return [f"{line}: mean of {of}", "band: range"]

    def places(self, steps: Iterable[int]) -> list[int]:
        """Return the distance of columns from the left, in units."""
        return [round(step * self.width / self.last_step) for step in steps]

    def draw_line(self, left: int, height: int, stroke: float, line: Line, top: int) -> str:
        """Draw a metric in a lane of a height, at a left and an upper end (px).

        The line has a width of `stroke` px.  Points, or a faint band, are the values that the line
        does not reach.
        """
        drawn = self._draw_closed(line, height, stroke) if line.closed else ""
        if not line.is_open:
            last = self.places([max(compress(self.steps, _is_present(line.values)))])
            ((x, y),) = _points(last, line.present[-1:], line.scale, height * UNITS)
            look = f'r="{stroke * UNITS * _LAST:g}" fill="{line.color}" stroke="none"'
            drawn += f'<circle cx="{x}" cy="{y}" {look}/>'
        if line.open:
            drawn += f'<path d="{self._open_path(line, height, stroke)}" fill="none"/>'
        return (
            f'<g transform="translate({left} {top})scale({1 / UNITS:g})">'
            f'<g stroke="{line.color}" stroke-width="{stroke * UNITS:g}" fill="none"'
            f' stroke-linejoin="round">{drawn}</g></g>'
        )

    def _open_path(self, line: Line, height: int, stroke: float) -> str:
        """Return path data of a circle for each open value; beyond the scale, of a triangle."""
        size, sides = round(stroke * UNITS * _LAST), map(line.scale.side, line.open.values())
        xs = self.places(self.steps[at] for at in line.open)
        points = _points(xs, line.open.values(), line.scale, height * UNITS)
        marks = dict[str, None]()
        for (x, y), side in zip(points, sides, strict=True):
            mark = f"M{x} {y - size}a{size} {size} 0 1 0 1 0z"
            if side:
                edge, rise = (0, size) if side == "above" else (height * UNITS, -size)
                mark = mark_path(x, edge, round(rise * 1.5))
            marks[mark] = None
        return "".join([*marks][-self.marks if self.is_reduced else 0 :])

    def widen(self, line: Line) -> Line:
        """Return the line with the means that its scale must contain: those of three values."""
        is_cut = line.closed and line.ends != (line.scale.low, line.scale.high)
        if not is_cut or not (self.is_reduced or self.has_means):
            return line
        _, parts, shown, runs, _ = self._joined(line)
        means: Iterable[int] = chain.from_iterable(starmap(range, runs))
        if self.is_reduced:
            means = [at for at, part in enumerate(parts) if len(part) >= MEAN_VALUES]
        beyond = [shown[at] for at in means if line.scale.side(shown[at])]
        return attrs.evolve(line, means=[*line.means, *beyond]) if beyond else line

    def _draw_closed(self, line: Line, height: int, stroke: float) -> str:
        """Draw the line of the values, what is around it, and marks of those that are cut."""
        (xs, parts, shown, runs, links), around = self._joined(line), ""
        dot, day = stroke * UNITS * _DOT, self.width / len(self.starts)
        has_points = self.has_means and not self.is_reduced
        if has_points:
            largest = min(day * 0.85, dot, height * UNITS / _FLAT)
            dot = max(max(stroke, _FINE_DOT) * UNITS, largest)
        scale, place = line.scale, partial(_points, xs, scale=line.scale, height=height * UNITS)
        if self.is_reduced:
            upper, lower = place(map(max, parts)), place(map(min, parts))
            spans = starmap(slice, runs)
            band = "".join(f"{line_path(upper[span] + lower[span][::-1])}z" for span in spans)
            around = f'<path d="{band}" fill="{line.color}" opacity="{_RANGE_OPACITY}"/>'
        elif has_points or len(parts) < len(line.closed):
            steps = self.places(compress(self.steps, _is_present(line.values)))
            points = _points(steps, line.closed, scale, height * UNITS)
            inside = compress(points, [scale.side(value) is None for value in line.closed])
            around = _draw_dots(inside, dot)
        size, beyond = round(stroke * UNITS * _LAST), list[str]()
        for x, part in zip(xs, parts, strict=True):  # triangles that point out of the lane
            beyond += [mark_path(x, 0, size)] if max(part) > scale.high else []
            beyond += [mark_path(x, height * UNITS, -size)] if min(part) < scale.low else []
        marks = "".join(beyond[-self.marks :])
        cut = f'<path d="{marks}" fill="{line.color}" stroke="none"/>' if marks else ""
        points = place(shown)
        strokes = "".join(line_path(points[start:stop]) for start, stop in runs if stop - start > 1)
        lone = [] if has_points else [at for at, stop in runs if stop - at == 1]
        dots = [points[at] for at in lone if not scale.side(shown[at])]
        drawn = f'<path d="{strokes}"/>' if strokes else ""
        chains = list[list[Point]]()
        for a, b in links:  # strokes that meet are one line, with equal dashes
            chains += [] if chains and chains[-1][-1] == points[a] else [[points[a]]]
            chains[-1].append(points[b])
        if dashed := "".join(map(line_path, chains)):
            dash, gap = (width * stroke * UNITS for width in (_DASH, _BREAK))
            drawn += f'<path d="{dashed}" stroke-dasharray="{dash:g} {gap:g}"/>'
        return f"{around}{drawn}{_draw_dots(dots, dot)}{cut}"

    def _joined(self, line: Line) -> _Joined:
        """Return the columns: places, values, what is shown; runs, and what is dashed."""
        present = list(compress(range(len(self.steps)), _is_present(line.values)))
        columns = [list(column) for _, column in groupby(present, self.steps.__getitem__)]
        rest, runs = iter(line.closed), self._runs(columns)
        parts = [list(islice(rest, len(column))) for column in columns]
        shown = [mean_of(part) if self.is_reduced else part[-1] for part in parts]
        near, has_points = parts, self.has_means and not self.is_reduced
        if has_points:  # all values are dots
            near = [values_until(line.values, self.starts, column[-1]) for column in columns]
            shown = list(map(mean_of, near))
        if self.has_means:
            lone = {at for at, some in enumerate(near) if len(some) < MEAN_VALUES}
            runs = [run for run in split(runs, lone) if not has_points or run[0] not in lone]
        few = {at for at, column in enumerate(columns) if line.few and column[-1] in line.few}
        before, runs = {start for start, _ in runs}, runs if self.is_reduced else split(runs, few)
        xs = self.places(self.steps[column[0]] for column in columns)
        ends = [(stop - 1, start) for (_, stop), (start, _) in pairwise(runs)]
        links = [(a, b) for a, b in ends if b not in before][-self.marks :]
        if self.has_means:  # gaps that are as short as those of the page
            reach = (MEAN_DAYS - 0.5) * self.width / max(1, self.starts[-1] - self.starts[0])
            links = [(a, b) for a, b in ends if xs[b] - xs[a] < reach]
        return xs, parts, shown, runs, links

    def _runs(self, columns: Sequence[Sequence[int]]) -> list[Run]:
        """Return the columns that are joined, as first and one past the last, in order."""
        breaks = [
            column
            for column, (before, after) in enumerate(pairwise(columns), 1)
            if self.steps[after[0]] - self.steps[before[0]] > 1
            and self.starts[after[0]] - self.ends[before[-1]] > 1
        ]
        return list(pairwise([0, *breaks, len(columns)]))


def _is_present(values: Sequence[Value]) -> list[bool]:
    return [value is not None for value in values]


def split(runs: Iterable[Run], lone: set[int]) -> list[Run]:
    """Split runs so that each of some columns is a run of its own."""
    pieces = list[Run]()
    for start, stop in runs:
        some = [at for at in range(start, stop) if at in lone]
        pieces += pairwise(sorted({start, *some, *(at + 1 for at in some), stop}))
    return pieces


def build_plot(
    starts: Sequence[int],
    ends: Sequence[int],
    lines: list[Line],
    layout: LaneLayout,
    *,
    has_means: bool,
) -> Plot:
    """Place the periods of lines in lanes."""
    width, height = layout.scale.end - layout.scale.start, layout.bar
    last_step, longest = width * UNITS, max(len(line.closed) for line in lines)
    room = width * 2 // (3 if height >= _POINTED else 24) if has_means else longest
    is_reduced = longest > room or len(starts) > min(MAX_LENGTH, MAX_POINTS // len(lines))
    if is_reduced:
        weeks = (starts[-1] - starts[0]) // MEAN_DAYS
        last_step = max(1, min(width // _COLUMN, MAX_COLUMNS - 1, weeks))
    steps = Scale(starts[0], starts[-1], 0, last_step).places(starts)
    marks = _MARKS // len(lines)
    return Plot(starts, ends, steps, last_step, width * UNITS, marks, has_means, is_reduced)


def _points(xs: Iterable[int], values: Iterable[float], scale: Range, height: int) -> list[Point]:
    """Return the point of each value in a plot of a height, in units from its upper left end.

    Values beyond the scale are at its edge.
    """
    span = scale.high - scale.low
    if not span:
        return [(x, height // 2) for x in xs]
    inner = (min(max(value, scale.low), scale.high) for value in values)
    ys = (round((scale.high - value) / span * height) for value in inner)
    return list(zip(xs, ys, strict=True))


def mark_path(x: int, y: int, half: int) -> str:
    """Return path data of a triangle of half a width from its tip, down where that is positive."""
    return f"M{x} {y}l-{abs(half)} {round(half * _MARK)}h{2 * abs(half)}z"


def _draw_dots(points: Iterable[Point], width: float) -> str:
    data = "".join(map("M%d %dh0".__mod__, points))
    look = f'stroke-linecap="round" stroke-width="{width:g}"'
    return f'<path d="{data}" {look}/>' if data else ""


def line_path(points: Sequence[Point]) -> str:
    """Return path data of a line; each step is relative, a plus sign separates two numbers."""
    rises = ((to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(points))
    return ("M%d %d" + "l%d%+d" * (len(points) - 1)) % (*points[0], *chain.from_iterable(rises))
