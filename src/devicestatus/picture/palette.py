"""The colours of pictures of windows: two papers and six inks.

The inks were found by search, for white words on them and for either paper around them.

Invariant *words on inks*: white has a contrast of at least 4.5 to 1 to each ink.
Invariant *readable on both*: each ink has a contrast of at least 3 to 1 to white and to black.
Invariant *told apart*: any two inks differ by a CIEDE2000 distance of at least 20, and of at least
10 to an eye without red, green or blue cones; no ink says anything that no word says.
"""

from typing import Final, Literal

import attrs

__all__ = ["APPS", "CHARGE", "MARKER", "MUSIC", "OTHER", "PAPERS", "Paper", "Theme"]

Theme = Literal["light", "transparent"]


@attrs.frozen
class Paper:
    """What a theme gives all that is no bar.

    Attributes:
        back: the background; None for none.
        title: colour of the title.
        words: colour of the other words.
        rule: attributes of thin lines.
        gap: colour of gaps.

    """

    back: str | None
    title: str
    words: str
    rule: str
    gap: str


PAPERS: Final = {
    "light": Paper("#fff", "#202124", "#5f6368", 'stroke="#dadce0"', "#80868b"),
    "transparent": Paper(
        None, "#767676", "#767676", 'stroke="#767676" stroke-opacity=".4"', "#767676"
    ),
}
"""Theme to paper; words have a contrast of at least 4.5 to 1 to white, the latter to black too."""

APPS: Final = ("#1f6feb", "#268053", "#736419", "#d9304c")
"""Of the apps that were longest in front."""
MUSIC: Final = "#a63292"
CHARGE: Final = APPS[1]
"""Of a battery that is charging."""
OTHER: Final = "#64696f"
"""Of all else."""
MARKER: Final = ("#202124", "#fff")
"""Of the marked instant: dark, with a bright edge to be seen on dark paper and on bars."""
