"""Draw a series as an SVG chart that is small, exact and safe to show anywhere.

One metric is a plot with an axis of numbers and its name above; several are lanes on a common axis
of time, with their names and the ends of their scales above them or, of low lanes, beside them.  A
chart is deterministic and self-contained, as `status_contracts.svg.image` states.

Invariant *small*: an image of any series and size has at most `MAX_IMAGE_BYTES` bytes.
Invariant *empty charts*: without any value, an image of the same size and theme states so.
Invariant *complete in text*: the description contains what the lines show: the range of dates and,
for each metric, its last, least and greatest value.
Invariant *means of many days*: daily values over more than `MEAN_FROM` days are points around
their mean over seven days, long histories a range around the means of columns; other values are
joined by lines.
Invariant *plot size*: all lanes together are at least `MIN_PLOT_HEIGHT` high, and as wide.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial
from itertools import chain, product
from math import ceil
from typing import Final

import attrs

from healthapi import limits
from healthapi.chart_lines import (
    EMPTY_CHART,
    HOURS,
    SHOWN_AS,
    Line,
    Plot,
    build_plot,
    format_value,
    format_with_unit,
    lines_of,
    parse_periods,
)
from healthapi.derived.periods import Series
from healthapi.derived.statistics import Side
from healthapi.keys import Granularity, Metric
from status_contracts.days import bounds
from status_contracts.primitives import check_type
from status_contracts.svg import axis
from status_contracts.svg.image import LARGE, MEDIUM, SMALL, Frame, Style, paper_of
from status_contracts.svg.labels import Label, format_day, write_labels
from status_contracts.svg.palette import Theme
from status_contracts.svg.text import BOLD, fit, text_width

__all__ = ["draw"]

MIN_PLOT_HEIGHT: Final = 90
"""Least height of a plot, px."""

_FOUR_MONTHS, _YEAR, _MANY_MONTHS = 120, 366, 500  # days: of ticks, with a year, of ends
_SHORT: Final = 32  # font sizes: the start of a shorter axis of many days is a month, too
_NARROW: Final = 600  # px: a narrower image has no space for names beside high lanes
_LEAST_BAR: Final = 9  # px, of its lane below a name
_LEAST_PLOT: Final = 120  # px, of its lane between a name and numbers
_WIDER: Final = 0.9  # of an area: width counts more than height
_NAMES, _NAMES_ALONE, _NUMBERS = 0.4, 0.55, 0.27  # of the width at most; two dates have space


@attrs.frozen
class Sizes:
    """Sizes of a chart, in px."""

    left: int
    right: int
    title_line: int
    above: int  # between the base line of the title and the plot
    below: int  # between the plot and the end of the image
    spacing: int  # between two lanes
    stroke: float  # width of a line
    style: Style


_SIZES: Final = (  # least width, least height
    (1440, 640, Sizes(40, 36, 42, 24, 48, 20, 3, LARGE)),
    (600, 280, Sizes(28, 24, 28, 12, 34, 6, 2, MEDIUM)),
    (0, 0, Sizes(14, 14, 21, 9, 24, 4, 1.5, SMALL)),
)


def sizes_of(width: int, height: int) -> Sizes:
    """Choose the sizes for an image."""
    return next(sizes for wide, high, sizes in _SIZES if width >= wide and height >= high)


@attrs.frozen
class Texts:
    """The texts of a lane: name and note, the ends of its scale and what is beyond, its grid."""

    name: str
    note: str
    span: str  # `6 to 9`, `6 h 05 to 9 h 12 min`
    beyond: str  # `▲ 10`
    grid: Sequence[axis.Level]

    def numbers(self, bar: int, style: Style, *, is_above: bool) -> Sequence[axis.Level]:
        """Return what is right of a lane: the grid where that is high, else in a row or two."""
        if is_above:
            return self.grid if bar >= MIN_PLOT_HEIGHT else ()
        if self.beyond and bar >= 1.8 * style.text:
            return axis.Level(0, self.span), axis.Level(1, self.beyond)
        return [axis.Level(0.5, f"{self.span} {self.beyond}".rstrip())]


def arrange_lanes(
    texts: Sequence[Texts], days: tuple[int, int], height: int, sizes: Sizes, frame: Frame
) -> tuple[axis.LaneLayout, int]:
    """Arrange lanes between two days; return their layout and the upper end of the first.

    Names are above high lanes, and where these get a larger area by that; else beside them.
    """
    style, count, width, layouts = sizes.style, len(texts), frame.right - frame.left, []
    bottom, is_narrow = height - sizes.below, frame.width < _NARROW
    pitch = (bottom - sizes.title_line - sizes.above + sizes.spacing) // count
    for row in (0, style.row):
        bar, start, end = pitch - sizes.spacing - row, frame.left, frame.right
        if not row:
            rows = [(text.name, text.note) for text in texts]
            has_rows = bar >= style.row + style.text
            names = chain.from_iterable(rows) if has_rows else map(" ".join, rows)
            share = round(width * (_NAMES_ALONE if is_narrow else _NAMES))
            start += min(_widest(names, style) + style.gap, share) + 2 * style.gap
        shown = (text.numbers(bar, style, is_above=row > 0) for text in texts)
        labels = [level.label for level in chain.from_iterable(shown)]
        numbers = min(_widest(labels, style), round(width * _NUMBERS)) + 2 * style.gap
        if labels and (not is_narrow or end - numbers - start >= _LEAST_PLOT):
            end -= numbers
        scale = axis.Scale(*days, start, end)
        layouts.append(axis.LaneLayout(frame, scale, bar, sizes.spacing, raised=2))
    areas = [layout.bar * (layout.scale.end - layout.scale.start) for layout in layouts]
    is_high = bar >= (_LEAST_BAR if is_narrow else MIN_PLOT_HEIGHT)
    is_above = count == 1 or is_high or areas[1] > _WIDER * areas[0]
    return layouts[is_above], bottom - count * pitch + sizes.spacing


def _widest(texts: Iterable[str], style: Style) -> int:
    return ceil(max((text_width(text, style.text) for text in texts), default=0.0))


MAX_IMAGE_BYTES: Final = 64_000
"""Size of the largest image."""
MEAN_FROM: Final = 28
"""Days between the first and the last from which on lines are means."""
_MARKS: Final[dict[Side, tuple[str, str]]] = {"above": ("▲ ", "△ "), "below": ("▼ ", "▽ ")}
NO_VALUES: Final = "no values"


def draw(
    series: Series, *, title: str, width: int = 960, height: int = 320, theme: Theme = "light"
) -> bytes:
    """Draw a series as an SVG image, UTF-8.

    Args:
        series: its values are finite, its labels periods of its granularity.
        title: any text; cut where it is too long.
        width: of the image, px.
        height: of the image, px.
        theme: on white, on a dark page, or without background and readable on both.

    Raises ValueError for a size out of `limits.CHART_WIDTH` and `limits.CHART_HEIGHT`, for another
    theme, and for a label that is no period; TypeError for what is no series.

    """
    check_type("series", series, Series, "pass profile.series('daily', ['steps'])")
    bounded = ("width", limits.CHART_WIDTH, width), ("height", limits.CHART_HEIGHT, height)
    for name, of, size in bounded:
        if not of.minimum <= size <= of.maximum:
            raise ValueError(f"the {name} is {size}; expected {of.minimum} to {of.maximum} px")
    sizes = sizes_of(width, height)
    frame = Frame(width, sizes.left, width - sizes.right, sizes.style, paper_of(theme))
    lines, left_out = lines_of(series)
    shown = SHOWN_AS[theme]
    lines = [attrs.evolve(line, color=shown.get(line.color, line.color)) for line in lines]
    more = [f"+{left_out} more metric{'s' if left_out > 1 else ''}"] if left_out else []
    empty = [line for line in lines if not line.present]
    absent = [f"{NO_VALUES}: " * (not n) + line.metric.label for n, line in enumerate(empty)]
    middle = Label(EMPTY_CHART, (frame.left + frame.right) / 2, "middle")
    content, reading = frame.text(write_labels([middle], height / 2)), more
    lines, rows, needed = [line for line in lines if line.present], -1, 0
    while needed > rows:  # lower lanes may be drawn, and are to be read, in another way
        rows = needed
        if lines:
            lower = attrs.evolve(sizes, above=sizes.above + rows * sizes.style.row)
            content, how, lines = _draw_lanes(series, lines, height, lower, frame)
            reading = [*more, *how, *absent]
        head, needed = _draw_head(title, reading, sizes, frame)
    description = describe(series, [*lines, *empty], reading)
    return frame.image(title, description, height, head + content)


def _draw_head(title: str, reading: Sequence[str], sizes: Sizes, frame: Frame) -> tuple[str, int]:
    """Write the title, and right of it what is left out and how to read the chart.

    How to read it is below the title where both have no space in a row; return how many rows.
    """
    style, wide, below = sizes.style, frame.right - frame.left, list[str]()
    shown = ", ".join(reading)
    room = wide - text_width(title, style.title * BOLD) - 3 * style.gap
    if reading and text_width(shown, style.text) > room:
        for part in (*map("{},".format, reading[:-1]), reading[-1]):
            row = f"{below[-1]} {part}" if below else part
            has_space = text_width(row, style.text) <= wide
            below = [*below[:-1], row] if has_space else [*below, part]
        shown = ""
    if not shown:
        return frame.heading(title, sizes.title_line, below), len(below)
    note = Label(shown, frame.right, "end")
    beside = attrs.evolve(frame, right=int(note.span(style.text)[0]) - 3 * style.gap)
    written = frame.text(write_labels([note], sizes.title_line))
    return beside.heading(title, sizes.title_line) + written, 0


def arrange_lines(
    series: Series, lines: list[Line], height: int, sizes: Sizes, frame: Frame
) -> tuple[list[Line], list[Texts], axis.LaneLayout, int, Plot]:
    """Place lines, in lanes from a y on, with scales that contain the means of their columns."""
    starts, ends = parse_periods(series.labels, series.granularity)
    days, before = (starts[0], starts[-1]), list[Line]()
    has_means = series.granularity == "daily" and days[1] - days[0] >= MEAN_FROM
    while lines != before:  # means depend on widths, these on scales
        texts = [_texts_of(line, series) for line in lines]
        layout, top = arrange_lanes(texts, days, height, sizes, frame)
        plot = build_plot(starts, ends, lines, layout, has_means=has_means)
        before, lines = lines, list(map(plot.widen, lines))
    return lines, texts, layout, top, plot


def _draw_lanes(
    series: Series, lines: list[Line], height: int, sizes: Sizes, frame: Frame
) -> tuple[str, list[str], list[Line]]:
    """Return the lanes with their axis, how to read what is drawn, and lines with its scales."""
    lines, texts, layout, top, plot = arrange_lines(series, lines, height, sizes, frame)
    has_numbers = layout.scale.end < frame.right
    draw_line = partial(plot.draw_line, layout.scale.start, layout.bar, sizes.stroke)
    drawn = list[axis.Lane]()
    for line, one in zip(lines, texts, strict=True):
        end = "" if layout.has_names_beside else f"{one.span * (not has_numbers)} {one.beyond}"
        drawn.append(axis.Lane(one.name, partial(draw_line, line), one.note, end.strip()))
    names, body, bottom = axis.draw_lanes(drawn, top, layout)
    pitch = (bottom - 1 - top + layout.spacing) // len(lines)
    boxes = [(end - 1 - layout.bar, end) for end in range(bottom, top, -pitch)]
    grid = _draw_levels(texts[::-1], layout, boxes) + _draw_dates(series, layout, boxes)
    reading = plot.reading(lines, series.granularity)
    last = ["large dot: last value"] if reading and not all(line.is_open for line in lines) else []
    early = {line.scale.side(value) for line in lines for value in line.open.values()}
    last += ["○ not complete"] if None in early else []
    if outlined := "".join(_MARKS[side][1] for side in _MARKS if side in early):
        last.append(f"{outlined}not complete and beyond the scale")
    if series.granularity != "daily" and any(line.metric.key != "days" for line in lines):
        reading.insert(0, f"mean per day of each {series.granularity.removesuffix('ly')}")
    sides = {line.scale.side(end) for line in lines for end in line.ends}
    if marks := "".join(_MARKS[side][0] for side in _MARKS if side in sides):
        reading.append(f"{marks}beyond the scale")
    return names + grid + body, reading + last, lines


def _texts_of(line: Line, series: Series) -> Texts:
    """Return the texts of a lane, with a mark at the lowest and highest value that lie beyond."""
    metric, note, scale = line.metric, format_last(line, series), line.scale
    write = partial(write_value, metric)
    cut = {side: write(end) for end in line.ends if (side := scale.side(end))}
    beyond = " ".join(_MARKS[side][0] + cut[side] for side in ("below", "above") if side in cut)
    if line.is_open and (side := scale.side(line.present[-1])):
        note = _MARKS[side][1] + note
    decimals = [2] if metric.unit == HOURS else [0, 1]  # of an hour, less than a minute
    grid = axis.value_levels(scale.low, scale.high, partial(format_value, metric), decimals)
    shown = line.present[-1], scale.low, scale.high
    is_whole = not any("." in write(value) for value in shown)  # the ends have equal decimals
    ends = map(partial(write_value if is_whole else format_value, metric), shown[1:])
    span = re.sub("( h [0-9]+) min to ", r"\1 to ", " to ".join(dict.fromkeys(ends)))
    return Texts(metric.label, note, span, beyond, grid)


def _draw_levels(
    texts: Iterable[Texts], layout: axis.LaneLayout, boxes: Sequence[tuple[int, int]]
) -> str:
    """Draw the upper lines of lanes and the grid, and the numbers right of them.

    The middle of a number is at its line; two rows beside a lane are near each other in its middle.
    """
    frame, style, rules, numbers = layout.frame, layout.frame.style, "", ""
    left, is_above = layout.scale.end + 2 * style.gap, not layout.has_names_beside
    inside = 0 if is_above else max(0, layout.bar - style.text - 2) / 2
    for lane_text, (y, _) in zip(texts, boxes, strict=True):
        levels = lane_text.numbers(layout.bar, style, is_above=is_above)
        shares = (0, *(level.share for level in levels[1:-1]))
        rules += "".join(layout.rule(round(y + share * layout.bar) + 0.5) for share in shares)
        for level in levels:
            text = Label(fit(level.label, style.text, frame.right - left), left, "start")
            middle = y + level.share * layout.bar + inside * (1 - 2 * level.share)
            base = style.base_line(middle - style.row / 2, style.row)
            numbers += write_labels([text] if left < frame.right else [], base)
    return f'{frame.text(numbers)}<path {frame.paper.rule} d="{rules}"/>'


def _draw_dates(series: Series, layout: axis.LaneLayout, boxes: Sequence[tuple[int, int]]) -> str:
    """Write the first and the last date below the lanes, and round ones, where lines are.

    The dates of many days are those of months.
    """
    frame, (scale, size) = layout.frame, (layout.scale, layout.frame.style.text)
    if scale.end - scale.start > 15 * size:  # both dates have space below the lanes
        frame = attrs.evolve(frame, left=scale.start, width=scale.end + axis.AXIS_PADDING)
    layout, labels = attrs.evolve(layout, frame=frame), series.labels
    first, last = (bounds(labels[end])[0] for end in (0, -1))
    days, bottom = scale.last - scale.first, boxes[0][1]
    has_days = series.granularity == "daily" and days <= _FOUR_MONTHS
    length, spacing = scale.end - scale.start, size * (3 if frame.width >= _NARROW else 1)
    by: Granularity = "monthly" if days > _MANY_MONTHS else series.granularity
    is_short = days > _FOUR_MONTHS and length < _SHORT * size
    names = [format_start("monthly" if is_short else by, labels[0])]
    names += [format_start(by, labels[-1], labels[0])] if days else []
    ends = list(map(layout.axis_label, map(axis.Tick, (scale.first, scale.last), names)))
    ticks, dates = list[axis.Tick](), dict[int, Label]()
    for choice in axis.date_ticks(first, last, daily=has_days):  # a whole one, or the finest
        finest = axis.finest_ticks([choice], length, size, spacing)
        placed = _place_dates(finest, ends, layout)
        is_whole = 0 < len(placed) == sum(min(placed) <= at.value <= max(placed) for at in finest)
        ticks, dates = (finest, placed) if is_whole or not ticks else (ticks, dates)
        if is_whole:
            break
    in_order = sorted([*ends, *dates.values()], key=lambda label: label.x)
    written = write_labels(in_order, bottom + axis.AXIS_SPACING + size)
    places = scale.places(at.value for at in ticks)
    lines = "".join(f"M{x + 0.5:g} {start}V{end}" for x, (start, end) in product(places, boxes))
    named = scale.places([scale.first, *dates, scale.last])
    lines += "".join(f"M{x + 0.5:g} {bottom}V{bottom + axis.AXIS_SPACING}" for x in named)
    return (f'<path {frame.paper.rule} d="{lines}"/>' if lines else "") + frame.text(written)


def _place_dates(
    ticks: Iterable[axis.Tick], ends: Sequence[Label], layout: axis.LaneLayout
) -> dict[int, Label]:
    """Place the dates that have space by their day, years first; of two years the first has it."""
    placed, is_year = dict[int, Label](), layout.scale.last - layout.scale.first <= _YEAR
    for tick in sorted(ticks, key=lambda tick: not tick.label.isdigit()):
        before = max((day for day in placed if day < tick.value), default=layout.scale.first)
        year, known = (date.fromordinal(day).year for day in (tick.value, before))
        has_year = tick.label.isdigit() or is_year or year == known
        named = tick if has_year else axis.Tick(tick.value, f"{tick.label} {year}")
        for label in axis.place_tick_labels([named], [*ends, *placed.values()], layout):
            placed[tick.value] = label
    return placed


def format_start(granularity: Granularity, label: str, since: str = "") -> str:
    """Write the first day of a period or its month, `Jan 2026`; the year only if not of `since`."""
    first, _ = bounds(label)
    day = format_day(first, has_year=not since or bounds(since)[0].year != first.year)
    return day.partition(" ")[2] if granularity == "monthly" else day


def format_last(line: Line, series: Series) -> str:
    """Write the last value, with its period where the chart goes on."""
    last = series.labels[-1]
    shown = format_with_unit(line.metric, line.present[-1], write_value)
    if line.last_label == last:
        return shown
    period = format_start(series.granularity, line.last_label, last)
    return f"{shown} ({'week of ' * (series.granularity == 'weekly')}{period})"


def write_value(metric: Metric, value: float) -> str:
    """Write a value with the decimals of its metric that are not zero (health facts)."""
    text = format_value(metric, value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def describe(series: Series, lines: Sequence[Line], reading: Sequence[str] = ()) -> str:
    """Return the description of a chart: its dates, and the values of each metric.

    `reading` says how to read what is drawn, and what is left out.
    """
    if not series.labels:
        return "No values."
    dates = " to ".join(dict.fromkeys((series.labels[0], series.labels[-1])))
    sentences = [f"{series.granularity.capitalize()} values, {dates}."]
    if sum(bool(line.present) for line in lines) > 1:
        sentences.append("Each line has a scale of its own.")
    if reading:
        sentences.append(f"Legend: {', '.join(reading)}.")
    sentences += map(_describe_line, lines)
    return " ".join(sentences)


def _describe_line(line: Line) -> str:
    metric, present = line.metric, line.present
    if not present:
        return f"{metric.label}: {NO_VALUES}."
    lowest, highest = (write_value(metric, end) for end in line.ends)
    rest = f", without {len(line.open)} not complete" if line.open and line.closed else ""
    cut = sum(line.scale.side(value) is not None for value in present)
    beyond = f", {cut} beyond the scale" if cut else ""
    last, state = format_with_unit(metric, present[-1], write_value), ", not complete"
    last += f" ({line.last_label}{state * line.is_open})"
    return f"{metric.label}: last {last}, lowest {lowest}, highest {highest}{rest}{beyond}."
