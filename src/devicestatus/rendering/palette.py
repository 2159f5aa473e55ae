"""Define the colours of a timeline, and choose the colour of an app.

`purewire.svg.palette` has the colours and the rules of their contrast.

Invariant *by name alone*: the colour of an app depends only on its name, so that it is the same in
every picture and on the status page, which has a port of `color_index` in
`adapters/site/colors.js`.
Contract: DS-HOME-03.
"""

from typing import Final

from devicestatus.models import SENSITIVE_APP
from purewire.svg.palette import APPS, GREEN, GREY, INK, MAGENTA, WHITE

APP_COLORS: Final = len(APPS)
MUSIC: Final = MAGENTA
CHARGING: Final = GREEN
"""Colour of the level of a battery that is charging."""
OTHER: Final = GREY
"""Colour of other levels, and of the app name that replaces private ones."""
GAP: Final = "#767676"
MARKER: Final = (INK, WHITE)
"""Colours of the marked time: dark, with a bright edge that is visible on dark pages and bars."""

_OFFSET, _PRIME, _32_BITS = 0x811C9DC5, 0x0100_0193, 0xFFFF_FFFF


def app_color(app: str) -> str:
    """Return the colour of an app; `System`, which replaces private apps, has that of the rest."""
    return OTHER if app == SENSITIVE_APP else APPS[color_index(app)]


def color_index(name: str) -> int:
    """Return the index of the colour of a name in `APPS`.

    It is the 32-bit FNV-1a hash of the UTF-8 of the name, without its lowest byte, modulo the
    number of colours; a surrogate, which no app name can contain, counts as its three bytes.
    """
    value = _OFFSET
    for byte in name.encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * _PRIME & _32_BITS
    return (value >> 8) % APP_COLORS
