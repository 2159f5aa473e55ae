"""Draw a series as an SVG chart that is small, exact and safe to show anywhere.

Source: health-data specification, "Parameters" and the charts; health facts, sections 17 and
18.14; design decisions under "Charts".

It is deterministic and self-contained, as `purewire.svg.image` states.

Invariant *small*: an image of any series and size has at most `MAX_IMAGE_BYTES` bytes.
Invariant *empty charts*: without any value there is an image of the same size and theme that
states so.
Invariant *complete in text*: the description contains what the lines show: the range of dates and,
for each metric, its last, least and greatest value.
Invariant *dates apart*: no two dates below the plot touch.

Contract: HA-CHART-10, HA-CHART-11, HA-CHART-16 to 18, HA-CHART-23 to 25, HA-CHART-28.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from healthapi import limits
from healthapi.charts.downsampling import Periods, parse_periods
from healthapi.charts.layout import MAX_LEGEND_ROWS, Sizes, sizes_of
from healthapi.charts.lines import Line, LineStyle, lines_of
from healthapi.charts.plot import UNITS, draw_plot
from healthapi.derived.series import Series
from purewire.svg.axis import date_ticks, finest_ticks
from purewire.svg.image import Box, Frame
from purewire.svg.labels import Label, format_number, place_labels, write_labels
from purewire.svg.legend import Entry, legend
from purewire.svg.palette import Theme, paper_of
from purewire.svg.scale import Scale

__all__ = ["MAX_IMAGE_BYTES", "Theme", "describe", "draw", "format_amount"]

MAX_IMAGE_BYTES: Final = 60_000
"""Size of the largest image."""

_EMPTY: Final = "There are no values to show."
_NO_VALUES: Final = "no values"
_SCALES: Final = "Each line has a scale of its own, from its lowest value to its highest."
_GRID_LINES: Final = 5


def draw(
    series: Series,
    *,
    title: str,
    width: int = 960,
    height: int = 320,
    theme: Theme = "light",
) -> bytes:
    """Draw a series as an SVG image, UTF-8.

    Args:
        series: its values are finite, its labels periods of its granularity.
        title: any text; cut where it is too long.
        width: of the image, px.
        height: of the image, px.
        theme: on white, or without background and readable on white and on black.

    Raises ValueError for a size out of `limits.CHART_WIDTH` and `limits.CHART_HEIGHT`, for another
    theme, and for a label that is no period.

    """
    bounded = ("width", limits.CHART_WIDTH, width), ("height", limits.CHART_HEIGHT, height)
    for name, bounds, size in bounded:
        if not bounds.minimum <= size <= bounds.maximum:
            expected = f"{bounds.minimum} to {bounds.maximum} px"
            raise ValueError(f"the {name} is {size}; expected {expected}")
    sizes = sizes_of(width, height)
    frame = Frame(width, sizes.left, width - sizes.right, sizes.style, paper_of(theme))
    lines, left_out = lines_of(series)
    if any(line.present for line in lines):
        entries = _legend_entries(lines, series.labels[-1], left_out, sizes)
        names, rows = legend(entries, sizes.legend_line, MAX_LEGEND_ROWS, frame)
        plot = frame.box(sizes.plot_top(rows), height - sizes.below)
        periods = parse_periods(series.labels, series.granularity)
        axes = _draw_axes(series, periods, plot, height - sizes.date_line, frame)
        content = names + axes + draw_plot(periods, lines, plot, sizes.stroke)
    else:
        plot = frame.box(sizes.plot_top(0), height - sizes.below)
        middle = Label(_EMPTY, (plot.left + plot.right) / 2, "middle")
        content = frame.text(write_labels([middle], (plot.top + plot.bottom) / 2))
    head = frame.heading(title, sizes.title_line)
    return frame.image(title, describe(series, lines, left_out), height, head + content)


def _legend_entries(
    lines: Sequence[Line], last_label: str, left_out: int, sizes: Sizes
) -> list[Entry]:
    """Build an entry with the last value for each line, and one for the metrics left out.

    A value that is older than the last period of the chart has its period: `8412 steps
    (2026-01-29)`.
    """
    entries = [
        Entry(
            line.metric.label,
            _last_value(line, last_label),
            partial(_draw_sample, line.style, sizes),
        )
        for line in lines
    ]
    return [*entries, Entry(f"+{left_out} more")] if left_out else entries


def _last_value(line: Line, last_label: str) -> str:
    if not line.present:
        return _NO_VALUES
    shown = format_amount(line.present[-1], line.metric.unit)
    return shown if line.last_label == last_label else f"{shown} ({line.last_label})"


def _draw_sample(line_style: LineStyle, sizes: Sizes, x: int, y: int) -> str:
    data = f"M{x} {y - sizes.style.text / 3:g}h{sizes.style.sample}"
    dashes = line_style.stroke(sizes.stroke)
    return f'<path d="{data}" stroke="{line_style.color}" stroke-width="{sizes.stroke:g}"{dashes}/>'


def _draw_axes(series: Series, periods: Periods, plot: Box, y: int, frame: Frame) -> str:
    """Draw the grid, and write the first date, the last one and round ones between them."""
    ends = _end_labels(series, plot)
    inner = _inner_labels(series, periods, plot, frame.style.text)
    labels = place_labels([*ends, *inner], frame.style.text, frame.style.text)
    levels = (plot.top + plot.height * line / (_GRID_LINES - 1) for line in range(_GRID_LINES))
    grid = "".join(f"M{plot.left} {level:g}h{plot.width}" for level in levels)
    grid += "".join(f"M{label.x:g} {plot.top}v{plot.height}" for label in labels[len(ends) :])
    lines = f'<path d="{grid}" {frame.paper.rule} shape-rendering="crispEdges"/>'
    return lines + frame.text(write_labels(labels, y))


def _end_labels(series: Series, plot: Box) -> list[Label]:
    first, last = series.labels[0], series.labels[-1]
    if first == last:
        return [Label(first, (plot.left + plot.right) / 2, "middle")]
    return [Label(first, plot.left), Label(last, plot.right, "end")]


def _inner_labels(series: Series, periods: Periods, plot: Box, font_size: int) -> list[Label]:
    first, last = periods.starts[0], periods.starts[-1]
    if first == last:
        return []
    choices = date_ticks(first, last, daily=series.granularity == "daily")
    ticks = finest_ticks(choices, plot.width, font_size, 2 * font_size)
    scale = Scale(first, last, plot.left * UNITS, plot.right * UNITS)
    return [Label(tick.label, scale.place(tick.value) / UNITS, "middle") for tick in ticks]


def format_amount(value: float, unit: str) -> str:
    """Write a number with its unit: `7.5 hours`, `88%`."""
    return f"{format_number(value)}{unit if unit == '%' else f' {unit}'}"


def describe(series: Series, lines: Sequence[Line], left_out: int) -> str:
    """Return the description of a chart: its dates, and the values of each metric."""
    if not series.labels:
        return "No values."
    first, last = series.labels[0], series.labels[-1]
    dates = first if first == last else f"{first} to {last}"
    sentences = [f"{series.granularity.capitalize()} values, {dates}.", _SCALES]
    sentences += map(_describe_line, lines)
    if left_out:
        metrics = "metric is" if left_out == 1 else "metrics are"
        sentences.append(f"{left_out} more {metrics} not drawn.")
    return " ".join(sentences)


def _describe_line(line: Line) -> str:
    metric, present = line.metric, line.present
    if not present:
        return f"{metric.label}: {_NO_VALUES}."
    return (
        f"{metric.label}: last {format_amount(present[-1], metric.unit)} ({line.last_label}),"
        f" lowest {format_number(min(present))}, highest {format_number(max(present))}."
    )
