"""Define the eight line styles of a chart, and assign them to metrics.

Source: health facts, sections 17 and 18.14.  The eight colours were found by search: of all sets
near the tones of the vocabulary, the one whose closest two are farthest apart.

Invariant *distinguishable*: any two colours differ by a CIEDE2000 distance of at least 25, and of
at least 15 without red, green or blue cones; besides, no two styles have the same dashes.
Invariant *readable on both*: each colour has a contrast of at least 3 to 1 to white and to black.
Invariant *unique*: no two metrics of a chart have the same style.
Invariant *stable*: in every chart of the vocabulary a metric has its usual style, whichever of the
others are left out.

Contract: HA-CHART-20, HA-CHART-21.
"""

from collections.abc import Sequence
from typing import Final

import attrs

__all__ = ["LINE_STYLES", "USUAL", "LineStyle", "assign_styles"]


@attrs.frozen
class LineStyle:
    """A way to draw a line.

    Attributes:
        name: the name of the colour.
        color: as `#rrggbb`.
        dashes: lengths of strokes and spaces in line widths; none for an unbroken line.

    """

    name: str
    color: str
    dashes: tuple[float, ...] = ()

    def stroke(self, width: float) -> str:
        """Return the SVG attribute that dashes a line of a width; empty for an unbroken line."""
        lengths = " ".join(f"{length * width:g}" for length in self.dashes)
        return f' stroke-dasharray="{lengths}"' if lengths else ""


LINE_STYLES: Final = (
    LineStyle("blue", "#0949e3"),
    LineStyle("green", "#1f684e", (4, 1)),
    LineStyle("amber", "#999206", (2, 1)),
    LineStyle("red", "#b32007", (6, 1, 1, 1)),
    LineStyle("teal", "#0fa2a8", (8, 1.5)),
    LineStyle("violet", "#b373ff", (1, 1)),
    LineStyle("plum", "#804c74", (3, 1, 1, 1)),
    LineStyle("pink", "#d17c7c", (5, 1, 1, 1, 1, 1)),
)
"""In the order in which metrics without their usual style get them."""

USUAL: Final[dict[str, str]] = {
    metric: style
    for style, metrics in {
        "blue": "sleep_score minutes_asleep deep_pct",
        "green": "steps minutes_rem efficiency lightly_active_minutes",
        "amber": "sleep_hours activity_calories fairly_active_minutes time_in_bed",
        "red": "active_zone_minutes minutes_awake very_active_minutes",
        "teal": "active_minutes deep_rmssd minutes_light nap_count",
        "violet": "hrv minutes_deep minutes_to_fall_asleep",
        "plum": "calories_out minutes_wake_stages days rem_pct",
        "pink": "rhr sedentary_minutes minutes_after_wakeup",
    }.items()
    for metric in metrics.split()
}
"""Metric to the name of its usual style."""


def assign_styles(metrics: Sequence[str]) -> dict[str, LineStyle]:
    """Assign a style to each of at most eight distinct metrics.

    Of several metrics with the same usual style the first gets it; the others get the remaining
    styles in order.
    """
    free = {style.name: style for style in LINE_STYLES}
    assigned = {metric: free.pop(USUAL[metric], None) for metric in metrics}
    remaining = iter(free.values())
    return {metric: style or next(remaining) for metric, style in assigned.items()}
