"""Choose the lines of a chart: which metrics of a series are drawn, and in which colour.

Invariant *eight lines*: of the distinct metrics of a series the first eight are drawn; the chart
states the number of the others.
Invariant *distinguishable*: the colours are those of `purewire.svg.palette.TONES`, and its `STAGES`
for the stages of sleep; besides, each lane has its name, so that a chart can be read in grey.
Invariant *readable on both*: each colour has a contrast of at least 3 to 1 to white, to black and
to the dark background; the brighter ones of the dark theme of at least 4.5 to 1 to the latter.
Invariant *unique*: no two metrics of a chart have the same colour.
Invariant *stable*: in every chart of the vocabulary a metric has its usual colour, whichever of the
others are left out; that is its colour on the page as well.

Contract: HA-CHART-19 to 21.
"""

from collections.abc import Sequence
from typing import Final

import attrs

from healthapi.catalog_keys import Metric
from healthapi.derived.periods import Series, Value
from healthapi.rows.records import find_numbers
from purewire.svg.palette import STAGES, STAGES_ON_DARK, TONES, TONES_ON_DARK

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
LINE_COLORS: Final = dict(zip(TONES, _METRICS, strict=True))
"""Colour to the metrics that usually have it; those without their usual one get others in order."""

_STAGES: Final = "minutes_deep", "minutes_rem", "minutes_light", "minutes_wake_stages"
STAGE_COLORS: Final = dict(zip(STAGES, _STAGES, strict=True))
"""Colour to the stage of sleep that has it; no other metric gets it."""

ON_DARK: Final = dict(
    zip((*TONES, *STAGES), (*TONES_ON_DARK, *STAGES_ON_DARK), strict=True),
)
"""Colour to the brighter one that stands for it in the dark theme."""

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
    free = {color: color for color in (*LINE_COLORS, *STAGE_COLORS)}  # the stages' are never left
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
