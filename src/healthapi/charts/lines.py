"""Choose the lines of a chart: which metrics of a series are drawn, and in which colour.

The eight colours were found by search: of all sets near the tones of the vocabulary, the one whose
closest two are farthest apart.

Invariant *eight lines*: of the distinct metrics of a series the first eight are drawn; the chart
states the number of the others.
Invariant *distinguishable*: any two colours differ by a CIEDE2000 distance of at least 24, and of
at least 14 without red, green or blue cones; besides, each lane has its name, so that a chart can
be read in grey.
Invariant *readable on both*: each colour has a contrast of at least 3 to 1 to white, to black and
to the dark background; the brighter ones of the dark theme of at least 4.5 to 1 to the latter.
Invariant *unique*: no two metrics of a chart have the same colour.
Invariant *stable*: in every chart of the vocabulary a metric has its usual colour, whichever of the
others are left out.

Contract: HA-CHART-19 to 21.
"""

from collections.abc import Sequence
from typing import Final

import attrs

from healthapi.catalog_keys import Metric
from healthapi.derived.series import Series, Value
from healthapi.rows.records import find_numbers

LINE_COLORS: Final = {
    "#1454de": "sleep_score minutes_asleep deep_pct",
    "#057849": "steps minutes_rem efficiency lightly_active_minutes",
    "#9b9806": "sleep_hours activity_calories fairly_active_minutes time_in_bed",
    "#c40100": "active_zone_minutes minutes_awake very_active_minutes",
    "#15a3a9": "active_minutes deep_rmssd minutes_light nap_count",
    "#b177ff": "hrv minutes_deep minutes_to_fall_asleep",
    "#8a4d77": "calories_out minutes_wake_stages days rem_pct",
    "#c18580": "rhr sedentary_minutes minutes_after_wakeup",
}
"""Blue, green, amber, red, teal, violet, plum, pink, and the metrics that usually have them.

Metrics without their usual colour get the others in this order.
"""

ON_DARK: Final = dict(
    zip(
        LINE_COLORS,
        ("#3b7dfe", "#2db572", "#d5d739", "#fe461e", "#aeffff", "#cdb5ff", "#bb6992", "#fdbfb9"),
        strict=True,
    )
)
"""Colour to the brighter one that stands for it in the dark theme."""

USUAL: Final = {
    metric: color for color, metrics in LINE_COLORS.items() for metric in metrics.split()
}
"""Metric to its usual colour."""


def assign_colors(metrics: Sequence[str]) -> dict[str, str]:
    """Assign a colour to each of at most eight distinct metrics.

    Of several metrics with the same usual colour the first gets it; the others get the remaining
    colours in order.
    """
    free = {color: color for color in LINE_COLORS}
    assigned = {metric: free.pop(USUAL[metric], None) for metric in metrics}
    remaining = iter(free)
    return {metric: color or next(remaining) for metric, color in assigned.items()}


@attrs.frozen(repr=False)
class Line:
    """A metric of the chart with its values in all periods, and those that are not missing.

    The label is the period of the last of them; None where there is none.
    """

    metric: Metric
    color: str
    values: Sequence[Value]
    present: Sequence[float]
    last_label: str | None


def lines_of(series: Series) -> tuple[list[Line], int]:
    """Return the lines of a chart, and the number of metrics that are left out."""
    columns = zip(series.metrics, series.values, strict=True)
    distinct = {metric.key: (metric, values) for metric, values in columns}
    colors = assign_colors(list(distinct)[: len(LINE_COLORS)])
    lines = []
    for key, color in colors.items():
        metric, values = distinct[key]
        backwards = zip(reversed(series.labels), reversed(values), strict=True)
        last_label = next((label for label, value in backwards if value is not None), None)
        lines.append(Line(metric, color, values, find_numbers(values).values, last_label))
    return lines, len(distinct) - len(lines)
