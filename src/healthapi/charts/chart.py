"""Draw a series as an SVG chart that is small, exact and safe to show anywhere.

Source: health-data specification, "Parameters" and the charts; health facts, sections 17 and
18.14; design decisions under "Charts".

Invariant *deterministic*: the image depends only on the arguments.
Invariant *self-contained*: there is no script, no style and no outside reference, so the image is
complete under `default-src 'none'; style-src 'none'; sandbox`; colours are constants.
Invariant *small*: an image of any series and size has at most `MAX_IMAGE_BYTES` bytes.
Invariant *empty charts*: without any value there is an image of the same size and theme that
states so.
Invariant *complete in text*: the description contains what the lines show: the range of dates and,
for each metric, its last, least and greatest value.
Invariant *dates apart*: no two dates below the plot touch.

Contract: HA-CHART-10, HA-CHART-11, HA-CHART-16 to 18, HA-CHART-23 to 25, HA-CHART-28.
"""

from collections.abc import Callable, Sequence
from typing import Final

from healthapi import limits
from healthapi.charts.downsampling import Periods, parse_periods
from healthapi.charts.layout import MAX_LEGEND_ROWS, Layout, Style, build_layout, style_of
from healthapi.charts.lines import Line, lines_of
from healthapi.charts.palette import LineStyle
from healthapi.charts.plot import UNITS, draw_plot
from healthapi.derived.series import Series
from purewire.svg.axis import date_ticks, finest_ticks
from purewire.svg.image import Canvas, heading, image
from purewire.svg.labels import Label, format_number, place_labels, write_labels
from purewire.svg.legend import Entry, legend
from purewire.svg.palette import Paper, Theme, paper_of
from purewire.svg.scale import positions

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
    sizes = ("width", limits.CHART_WIDTH, width), ("height", limits.CHART_HEIGHT, height)
    for name, bounds, size in sizes:
        if not bounds.minimum <= size <= bounds.maximum:
            expected = f"{bounds.minimum} to {bounds.maximum} px"
            raise ValueError(f"the {name} is {size}; expected {expected}")
    paper, style = paper_of(theme), style_of(width, height)
    lines, left_out = lines_of(series)
    if any(line.present for line in lines):
        entries = _legend_entries(lines, series.labels[-1], left_out, style)
        box = style.left, style.legend_line, width - style.left - style.right
        names, rows = legend(entries, box, MAX_LEGEND_ROWS, style.legend, paper)
        layout = build_layout(width, height, rows)
        periods = parse_periods(series.labels, series.granularity)
        axes = _draw_axes(series, periods, layout, paper)
        content = names + axes + draw_plot(periods, lines, layout)
    else:
        layout = build_layout(width, height, 0)
        middle = Label(_EMPTY, (layout.left + layout.right) / 2, "middle")
        text = write_labels([middle], (layout.top + layout.bottom) / 2)
        content = f'<g fill="{paper.text}">{text}</g>'
    head = heading(
        title, layout.left, style.title_line, layout.right - layout.left, style.title, paper
    )
    canvas = Canvas(width, height, style.text, paper.background)
    return image(canvas, title, describe(series, lines, left_out), head + content)


def _legend_entries(
    lines: Sequence[Line], last_label: str, left_out: int, style: Style
) -> list[Entry]:
    """Build an entry with the last value for each line, and one for the metrics left out.

    A value that is older than the last period of the chart has its period: `8412 steps
    (2026-01-29)`.
    """
    entries = [
        Entry(line.metric.label, _last_value(line, last_label), _sample(line.style, style))
        for line in lines
    ]
    return [*entries, Entry(f"+{left_out} more")] if left_out else entries


def _last_value(line: Line, last_label: str) -> str:
    if not line.present:
        return _NO_VALUES
    shown = format_amount(line.present[-1], line.metric.unit)
    return shown if line.last_label == last_label else f"{shown} ({line.last_label})"


def _sample(line_style: LineStyle, style: Style) -> Callable[[int, int], str]:
    stroke = (
        f'stroke="{line_style.color}" stroke-width="{style.stroke:g}"'
        f"{line_style.stroke(style.stroke)}"
    )
    return lambda x, y: f'<path d="M{x} {y - style.text / 3:g}h{style.sample}" {stroke}/>'


def _draw_axes(series: Series, periods: Periods, layout: Layout, paper: Paper) -> str:
    """Draw the grid, and write the first date, the last one and round ones between them."""
    ends = _end_labels(series, layout)
    labels = place_labels(
        [*ends, *_inner_labels(series, periods, layout)], layout.style.text, layout.style.text
    )
    grid = _grid([label.x for label in labels[len(ends) :]], layout)
    dates = write_labels(labels, layout.height - layout.style.date_line)
    lines = f'<path d="{grid}" {paper.rule} shape-rendering="crispEdges"/>'
    return f'{lines}<g fill="{paper.text}">{dates}</g>'


def _end_labels(series: Series, layout: Layout) -> list[Label]:
    first, last = series.labels[0], series.labels[-1]
    if first == last:
        return [Label(first, (layout.left + layout.right) / 2, "middle")]
    return [Label(first, layout.left), Label(last, layout.right, "end")]


def _inner_labels(series: Series, periods: Periods, layout: Layout) -> list[Label]:
    width, font_size = layout.right - layout.left, layout.style.text
    first, last = periods.starts[0], periods.starts[-1]
    if first == last:
        return []
    choices = date_ticks(first, last, daily=series.granularity == "daily")
    ticks = finest_ticks(choices, width, font_size, 2 * font_size)
    places = positions([tick.value for tick in ticks], first, last, width * UNITS)
    return [
        Label(tick.label, layout.left + place / UNITS, "middle")
        for tick, place in zip(ticks, places, strict=True)
    ]


def _grid(uprights: Sequence[float], layout: Layout) -> str:
    """Return path data of five horizontal lines, and a vertical one at each inner date."""
    width, height = layout.right - layout.left, layout.bottom - layout.top
    levels = (layout.top + height * number / (_GRID_LINES - 1) for number in range(_GRID_LINES))
    across = "".join(f"M{layout.left} {level:g}h{width}" for level in levels)
    return across + "".join(f"M{x:g} {layout.top}v{height}" for x in uprights)


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
