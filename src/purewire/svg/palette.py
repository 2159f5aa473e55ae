"""Define the colours of all pictures: those of data, and the themes with those of all else.

The colours of data were found by search, for white text on them and for light and dark pages
around them; `healthapi.charts.lines` has eight more for lines.

Invariant *readable text*: text has a contrast of at least 4.5 to 1 to the background of its theme;
in the transparent theme, which may stand on any page, to white and to black.
Invariant *readable data*: white has a contrast of at least 4.5 to 1 to each colour of data, and
each has at least 3 to 1 to white and to the dark background.
"""

from typing import Final, Literal

import attrs

Theme = Literal["light", "dark", "transparent"]

BLUE: Final = "#1f6feb"
GREEN: Final = "#268053"
OLIVE: Final = "#736419"
RED: Final = "#d9304c"
MAGENTA: Final = "#a63292"
GREY: Final = "#64696f"
INK: Final = "#202124"
"""Text on white; with white text on it, what must be seen on any page."""


@attrs.frozen
class Paper:
    """The colours of a theme.

    Attributes:
        background: colour of the background; None for none.
        rule: attributes of thin lines, such as a grid.

    """

    background: str | None
    title: str
    text: str
    rule: str


PAPERS: Final[dict[Theme, Paper]] = {
    "light": Paper("#fff", INK, "#5f6368", 'stroke="#dfe1e5"'),
    "dark": Paper("#0d1117", "#f0f3f6", "#9aa2ab", 'stroke="#2c323a"'),
    "transparent": Paper(None, "#767676", "#767676", 'stroke="#767676" stroke-opacity=".35"'),
}


def paper_of(theme: Theme) -> Paper:
    """Return the colours of a theme; raises ValueError for an unknown one."""
    if theme not in PAPERS:
        raise ValueError(f'the theme is {theme!r}; expected "light", "dark" or "transparent"')
    return PAPERS[theme]
