"""Define the colours of all pictures and pages: the one place where they are written.

Pages get those of data as variables of their style, so that a metric, an app and a day have the
same colour in a page and in a picture.  All were found by search.

Invariant *readable text*: text has a contrast of at least 4.5 to 1 to what is behind it, in every
theme but the transparent one, whose text has the most that one grey has to white and to the dark
background alike, 4.3 to 1.
Invariant *readable data*: white or black text has a contrast of at least 4.5 to 1 to each colour
of blocks, and each has at least 3 to 1 to white and to the dark background.
Invariant *distinguishable lines*: any two of `TONES` differ by a CIEDE2000 distance of at least 24,
and of at least 14 without red, green or blue cones; without background by 19 and 11.
Invariant *distinguishable stages*: any two of `STAGES`, and one of them and one of `TONES`, differ
by at least 11, and by at least 6.5 without red, green or blue cones; so do those on dark, and by
10.5 and 6 those without background.
Invariant *distinguishable apps*: any two of `APPS` and `GREY` differ by at least 16, and by at
least 9.5 without red, green or blue cones; no information is given by colour alone.
Invariant *visible days*: on light and dark, levels 0 and 1 have a contrast of at least 1.6 to 1.
"""

from typing import Final, Literal

import attrs

Theme = Literal["light", "dark", "transparent"]

WHITE: Final = "#fff"
BLACK: Final = "#000"
GREEN: Final = "#268053"
MAGENTA: Final = "#a63292"
GREY: Final = "#64696f"
MIDDLE: Final = "#797979"  # as far from white as from the dark background
INK: Final = "#202124"
"""Text on white."""

APPS: Final = (
    *("#c800be", "#fa50b4", "#6ea000", "#a082f0", "#c81400", "#2896a0"),
    *("#825a8c", "#be7882", "#be1464", "#968c5a", "#147832", "#005afa"),
)
"""Colours of names, such as those of apps."""
TONES: Final = (
    *("#1454de", "#057849", "#9b9806", "#c40100"),
    *("#15a3a9", "#b177ff", "#8a4d77", "#c18580"),
)
"""Colours of lines: blue, green, amber, red, teal, violet, plum, pink."""
TONES_ON_DARK: Final = (
    *("#4d80ff", "#0a9c52", "#c0c564", "#ff2712"),
    *("#8bcdca", "#d2a9fd", "#de5493", "#cd9d91"),
)
"""Those that stand for them on a dark background: about as bright as each other."""
STAGES: Final = ("#09659f", "#0e84b7", "#7a94cd", "#607195")
"""Colours of the stages of sleep, tints of its blue: deep, REM, light, awake."""
STAGES_ON_DARK: Final = ("#59a6d4", "#8e75c7", "#9893b3", "#b0b9b0")
"""The brighter ones that stand for them on a dark background."""
TONES_ON_BOTH: Final = (
    *("#6e7cff", "#007a4f", "#7f8f4a", "#ff3b02"),
    *("#08989b", "#8c4dba", "#c81e79", "#ad7d7b"),
)
STAGES_ON_BOTH: Final = ("#4a6d97", "#48839e", "#8b76c1", "#6e7486")
"""Those that stand for lines and stages without background: 3.5 to 1 to white and to dark."""
INITIALS: Final[dict[Theme, tuple[str, str]]] = {
    "light": ("#0c6e4f", "#f6f6f2"),
    "dark": ("#4cc38a", "#0d1014"),
    "transparent": ("#278a56", BLACK),
}
"""Theme to the colours of the circle of an initial, and of its letter, as pages have them."""
FILLS: Final[dict[Theme, tuple[tuple[str, str], ...]]] = {
    "light": tuple(
        (color, "1") for color in ("#eceef1", "#7db0e8", "#4f8ccd", "#2a66aa", "#123c78")
    ),
    "dark": tuple(
        (color, "1") for color in ("#262d37", "#1766b8", "#4688d9", "#7baef0", "#b6d4f8")
    ),
    "transparent": (
        (MIDDLE, ".15"),
        *(("#2f7cf0", opacity) for opacity in (".38", ".58", ".78", "1")),
    ),
}
"""Theme to the colour and the opacity of the days of each level of a calendar, from 0."""

_WEIGHTS: Final = (0.2126, 0.7152, 0.0722)
"""Shares of red, green and blue in the luminance of a colour."""
_GAMMA: Final = 2.2
_WHITE_TEXT_BELOW: Final = 0.18


@attrs.frozen
class Paper:
    """The colours of a theme."""

    background: str | None  # None for none
    title: str
    text: str
    rule: str  # attributes of thin lines, such as a grid
    warning: str = "#855500"  # text that stands out


PAPERS: Final[dict[Theme, Paper]] = {
    "light": Paper(WHITE, INK, "#5f6368", 'stroke="#dfe1e5"'),
    "dark": Paper("#0d1117", "#f0f3f6", "#9aa2ab", 'stroke="#2c323a"', warning="#e8ba6c"),
    "transparent": Paper(
        None, MIDDLE, MIDDLE, f'stroke="{MIDDLE}" stroke-opacity=".35"', "#a56e00"
    ),
}


def text_on(color: str) -> str:
    """Return the colour of text on a block of a colour `#rrggbb`: white or black."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    luminance = sum(weight * part**_GAMMA for weight, part in zip(_WEIGHTS, parts, strict=True))
    return WHITE if luminance < _WHITE_TEXT_BELOW else BLACK
