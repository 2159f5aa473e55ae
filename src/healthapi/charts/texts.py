"""Write the texts of a chart: amounts, periods, and the description of the image.

Source: health facts, section 17; design decisions under "Charts".

Contract: HA-CHART-16, HA-CHART-25.
"""

from collections.abc import Sequence
from datetime import date
from typing import Final

from healthapi.catalog_keys import Granularity
from healthapi.charts.lines import Line
from healthapi.derived.series import Series
from healthapi.rows.days import ordinal
from purewire.svg.labels import format_day, format_number

__all__ = ["NO_VALUES", "describe", "format_amount", "format_last", "format_start", "with_unit"]

NO_VALUES: Final = "no values"


def format_amount(value: float, unit: str) -> str:
    """Write a number with its unit: `7.5 hours`, `88%`."""
    return with_unit(format_number(value), unit)


def with_unit(number: str, unit: str) -> str:
    """Write a unit behind a number."""
    return f"{number}{unit if unit == '%' else f' {unit}'}"


def format_start(label: str, granularity: Granularity, *, since: str = "") -> str:
    """Write the first day of a period, or its month: `9 Jan 2026`, `Jan 2026`.

    There is no year where it is that of the period `since`.
    """
    first = date.fromordinal(ordinal(label))
    has_year = not since or date.fromordinal(ordinal(since)).year != first.year
    day = format_day(first.isoformat(), has_year=has_year)
    return day.partition(" ")[2] if granularity == "monthly" else day


def format_last(line: Line, series: Series) -> str:
    """Write the last value of a metric, and its period where the chart goes on after it."""
    if line.last_label is None:
        return NO_VALUES
    shown, last = format_amount(line.present[-1], line.metric.unit), series.labels[-1]
    if line.last_label == last:
        return shown
    period = format_start(line.last_label, series.granularity, since=last)
    return f"{shown} ({'week of ' if series.granularity == 'weekly' else ''}{period})"


def describe(series: Series, lines: Sequence[Line], left_out: int, reading: str = "") -> str:
    """Return the description of a chart: its dates, and the values of each metric.

    Args:
        series: what is drawn.
        lines: its metrics.
        left_out: number of the metrics that are not drawn.
        reading: how to read the lines; empty where they are the values.

    """
    if not series.labels:
        return "No values."
    first, last = series.labels[0], series.labels[-1]
    dates = first if first == last else f"{first} to {last}"
    sentences = [f"{series.granularity.capitalize()} values, {dates}."]
    if len(lines) > 1:
        sentences.append("Each line has a scale of its own, from its lowest value to its highest.")
    if reading:
        sentences.append(f"Lines: {reading}.")
    sentences += map(_describe_line, lines)
    if left_out:
        metrics = "metric is" if left_out == 1 else "metrics are"
        sentences.append(f"{left_out} more {metrics} not drawn.")
    return " ".join(sentences)


def _describe_line(line: Line) -> str:
    metric, present = line.metric, line.present
    if not present:
        return f"{metric.label}: {NO_VALUES}."
    return (
        f"{metric.label}: last {format_amount(present[-1], metric.unit)} ({line.last_label}),"
        f" lowest {format_number(min(present))}, highest {format_number(max(present))}."
    )
