"""The colours of pictures of windows: two papers and six inks, and which app has which.

The inks were found by search, for white words on them and for either paper around them.

Invariant *words on inks*: white has a contrast of at least 4.5 to 1 to each ink.
Invariant *readable on both*: each ink has a contrast of at least 3 to 1 to white and to black.
Invariant *by name alone*: the colour of an app depends on nothing but its name, so that it is the
same in every picture and on the home page (`adapters/site/colours.js`).
Invariant *told apart*: any two inks differ by a CIEDE2000 distance of at least 20, and of at least
10 to an eye without red, green or blue cones; no ink says anything that no word says.
"""

from typing import Final, Literal

import attrs

__all__ = [
    "APPS",
    "CHARGE",
    "MARKER",
    "MUSIC",
    "OTHER",
    "PAPERS",
    "Paper",
    "Theme",
    "colour_number",
]

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
"""Of apps, by `colour_number`."""
MUSIC: Final = "#a63292"
CHARGE: Final = APPS[1]
"""Of a battery that is charging."""
OTHER: Final = "#64696f"
"""Of all else, and of the app that stands for private ones."""
MARKER: Final = ("#202124", "#fff")
"""Of the marked instant: dark, with a bright edge to be seen on dark paper and on bars."""

_OFFSET, _PRIME, _32_BITS, _16_BITS = 0x811C9DC5, 0x0100_0193, 0xFFFF_FFFF, 0xFFFF


def colour_number(name: str) -> int:
    """Return the number of the colour of a name: its place in `APPS`.

    It is the 32-bit FNV-1a hash of the UTF-8 of the name, folded to 16 bits, modulo the number of
    colours; a surrogate, which no app name can hold, counts as its three bytes.
    """
    value = _OFFSET
    for byte in name.encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * _PRIME & _32_BITS
    return ((value ^ value >> 16) & _16_BITS) % len(APPS)
