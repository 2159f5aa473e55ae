"""The colours of a chart: its two papers, eight inks, and which metric is drawn in which.

Source: health facts, sections 17 and 18.14.  The eight were found by search: of all sets whose
colours keep near the tones of the vocabulary, the one whose closest two lie farthest apart.

Invariant *told apart*: any two inks differ by a CIEDE2000 distance of at least 25, and of at least
15 to an eye without red, green or blue cones; besides, no two have the same dashes.
Invariant *readable on both*: each ink has a contrast of at least 3 to 1 to white and to black.
Invariant *never twice*: no two metrics of a chart have the same ink.
Invariant *kept colour*: in every chart of the vocabulary a metric has its usual ink, whichever of
the others are left out.
"""

from collections.abc import Sequence
from typing import Final

import attrs

__all__ = ["INKS", "PAPERS", "USUAL", "Ink", "Paper", "inks_of"]


@attrs.frozen
class Paper:
    """What a theme gives all but the lines.

    Attributes:
        back: the background; None for none.
        title: colour of the title and of the numbers.
        words: colour of the other words.
        grid: attributes of the grid's lines.

    """

    back: str | None
    title: str
    words: str
    grid: str


PAPERS: Final = {
    "light": Paper("#fff", "#202124", "#5f6368", 'stroke="#e3e5e8"'),
    "transparent": Paper(None, "#767676", "#767676", 'stroke="#767676" stroke-opacity=".3"'),
}
"""Theme to paper; words have a contrast of at least 4.5 to 1 to white, the latter to black too."""


@attrs.frozen
class Ink:
    """How a line is drawn.

    Attributes:
        name: the colour in a word.
        color: as `#rrggbb`.
        dashes: lengths of strokes and spaces in line widths; none for an unbroken line.

    """

    name: str
    color: str
    dashes: tuple[float, ...] = ()


INKS: Final = (
    Ink("blue", "#0949e3"),
    Ink("green", "#1f684e", (4, 1)),
    Ink("amber", "#999206", (2, 1)),
    Ink("red", "#b32007", (6, 1, 1, 1)),
    Ink("teal", "#0fa2a8", (8, 1.5)),
    Ink("violet", "#b373ff", (1, 1)),
    Ink("plum", "#804c74", (3, 1, 1, 1)),
    Ink("pink", "#d17c7c", (5, 1, 1, 1, 1, 1)),
)
"""The inks; the first is given first."""

USUAL: Final[dict[str, str]] = {
    metric: ink
    for ink, metrics in {
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
"""Metric to the name of its usual ink."""


def inks_of(metrics: Sequence[str]) -> dict[str, Ink]:
    """Give each of at most eight distinct metrics its ink.

    Of several that share a usual ink the first has it; the others have what is left, in order.
    """
    free = {ink.name: ink for ink in INKS}
    given = {metric: free.pop(USUAL[metric], None) for metric in metrics}
    left = iter(free.values())
    return {metric: ink or next(left) for metric, ink in given.items()}
