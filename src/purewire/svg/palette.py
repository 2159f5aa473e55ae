"""Define the two themes of pictures and the colours of everything that is not data.

Invariant *readable text*: text has a contrast of at least 4.5 to 1 to white; in the transparent
theme, which may stand on any page, to black as well.
"""

from typing import Final, Literal

import attrs

__all__ = ["PAPERS", "Paper", "Theme", "paper_of"]

Theme = Literal["light", "transparent"]


@attrs.frozen
class Paper:
    """The colours of a theme.

    Attributes:
        background: colour of the background; None for none.
        title: colour of the title and of numbers that stand out.
        text: colour of all other text.
        rule: attributes of thin lines, such as a grid.

    """

    background: str | None
    title: str
    text: str
    rule: str


PAPERS: Final[dict[Theme, Paper]] = {
    "light": Paper("#fff", "#202124", "#5f6368", 'stroke="#dfe1e5"'),
    "transparent": Paper(None, "#767676", "#767676", 'stroke="#767676" stroke-opacity=".35"'),
}


def paper_of(theme: Theme) -> Paper:
    """Return the colours of a theme; raises ValueError for an unknown one."""
    if theme not in PAPERS:
        raise ValueError(f'the theme is {theme!r}; expected "light" or "transparent"')
    return PAPERS[theme]
