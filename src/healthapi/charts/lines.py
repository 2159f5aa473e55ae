"""Choose the lines of a chart: which metrics of a series are drawn, and in which style.

Source: health facts, sections 17 and 18.14; design decisions under "Charts".  The eight colours
were found by search: of all sets near the tones of the vocabulary, the one whose closest two are
farthest apart.

Invariant *eight lines*: of the distinct metrics of a series the first eight are drawn; the chart
states the number of the others.
Invariant *distinguishable*: any two colours differ by a CIEDE2000 distance of at least 25, and of
at least 15 without red, green or blue cones; besides, no two styles have the same dashes.
Invariant *readable on both*: each colour has a contrast of at least 3 to 1 to white and to black.
Invariant *unique*: no two metrics of a chart have the same style.
Invariant *stable*: in every chart of the vocabulary a metric has its usual style, whichever of the
others are left out.

Contract: HA-CHART-19 to 21.
"""

from collections.abc import Sequence
from typing import Final

import attrs

from healthapi.catalog_keys import Metric
from healthapi.derived.series import Series, Value
from healthapi.rows.records import find_numbers

__all__ = ["LINE_STYLES", "USUAL", "Line", "LineStyle", "assign_styles", "lines_of"]


@attrs.frozen
class LineStyle:
    """A way to draw a line.

    Attributes:
        color: as `#rrggbb`.
        dashes: lengths of strokes and spaces in line widths; none for an unbroken line.
        metrics: the metrics that usually have it, separated by spaces.

    """

    color: str
    dashes: tuple[float, ...]
    metrics: str

    def stroke(self, width: float) -> str:
        """Return the SVG attribute that dashes a line of a width; empty for an unbroken line."""
        lengths = " ".join(f"{length * width:g}" for length in self.dashes)
        return f' stroke-dasharray="{lengths}"' if lengths else ""


LINE_STYLES: Final = (  # blue, green, amber, red, teal, violet, plum, pink
    LineStyle("#0949e3", (), "sleep_score minutes_asleep deep_pct"),
    LineStyle("#1f684e", (4, 1), "steps minutes_rem efficiency lightly_active_minutes"),
    LineStyle("#999206", (2, 1), "sleep_hours activity_calories fairly_active_minutes time_in_bed"),
    LineStyle("#b32007", (6, 1, 1, 1), "active_zone_minutes minutes_awake very_active_minutes"),
    LineStyle("#0fa2a8", (8, 1.5), "active_minutes deep_rmssd minutes_light nap_count"),
    LineStyle("#b373ff", (1, 1), "hrv minutes_deep minutes_to_fall_asleep"),
    LineStyle("#804c74", (3, 1, 1, 1), "calories_out minutes_wake_stages days rem_pct"),
    LineStyle("#d17c7c", (5, 1, 1, 1, 1, 1), "rhr sedentary_minutes minutes_after_wakeup"),
)
"""In the order in which metrics without their usual style get them."""

USUAL: Final = {metric: style for style in LINE_STYLES for metric in style.metrics.split()}
"""Metric to its usual style."""


def assign_styles(metrics: Sequence[str]) -> dict[str, LineStyle]:
    """Assign a style to each of at most eight distinct metrics.

    Of several metrics with the same usual style the first gets it; the others get the remaining
    styles in order.
    """
    free = {style: style for style in LINE_STYLES}
    assigned = {metric: free.pop(USUAL[metric], None) for metric in metrics}
    remaining = iter(free)
    return {metric: style or next(remaining) for metric, style in assigned.items()}


@attrs.frozen(repr=False)
class Line:
    """A metric of the chart.

    Attributes:
        metric: its name and unit.
        style: how it is drawn.
        values: its values in all periods.
        present: those that are not missing.
        last_label: the period of the last of them; None where there is none.

    """

    metric: Metric
    style: LineStyle
    values: Sequence[Value]
    present: Sequence[float]
    last_label: str | None


def lines_of(series: Series) -> tuple[list[Line], int]:
    """Return the lines of a chart, and the number of metrics that are left out."""
    columns = zip(series.metrics, series.values, strict=True)
    distinct = {metric.key: (metric, values) for metric, values in columns}
    styles = assign_styles(list(distinct)[: len(LINE_STYLES)])
    lines = []
    for key, style in styles.items():
        metric, values = distinct[key]
        backwards = zip(reversed(series.labels), reversed(values), strict=True)
        last_label = next((label for label, value in backwards if value is not None), None)
        lines.append(Line(metric, style, values, find_numbers(values).values, last_label))
    return lines, len(distinct) - len(lines)
