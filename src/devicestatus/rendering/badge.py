"""Choose the text of the badge, and draw it as an SVG image of two halves.

Source: device-status specification, "GET /api/badge.svg"; design decisions under "Badge and icons".

Invariant *fixed structure*: every badge has the same elements with the same attributes; a label or
text changes only their values.  There is no script, no style and no reference, so the image is
complete under `default-src 'none'; style-src 'none'; sandbox`.
Invariant *inside its half*: each half is a viewport of its own, as wide as its text by
`purewire.svg.text.text_width` and `PADDING` on both sides.  Text that a viewer's fonts draw wider
is clipped there and never overlaps the other half.
Invariant *deterministic*: the image depends only on the three arguments.

Contract: DS-MUSIC-10, DS-BADGE-02 to 04, DS-BADGE-06.
"""

from math import ceil
from typing import Final

from devicestatus import limits
from devicestatus.models.snapshot import Snapshot
from devicestatus.rendering.lane_values import song_name
from purewire.svg.image import FONTS
from purewire.svg.text import fit, text_width, truncate, xml_text

__all__ = [
    "FONT_SIZE",
    "HEIGHT",
    "MAX_HALF_WIDTH",
    "OFFLINE",
    "ONLINE",
    "PADDING",
    "render",
    "status_text",
]

ONLINE: Final = "online"
OFFLINE: Final = "offline"

HEIGHT: Final = 20
"""Height of the image, px."""
FONT_SIZE: Final = 11
"""Font size, px."""
PADDING: Final = 6
"""Space on each side of the text of a half, px."""
MAX_HALF_WIDTH: Final = 900
"""Widest half, px: 64 emoji, the widest realistic text, need 889."""

_BASELINE: Final = 14
_LABEL_FILL: Final = "#444"
_ONLINE_FILL: Final = "#2e7d32"  # white on it has a contrast of 5.1 to 1, on the others more
_OFFLINE_FILL: Final = "#6a6a6a"


def status_text(snapshot: Snapshot | None) -> str:
    """Return the text of the badge: the playing track, else the app, else `online`.

    For None it is `offline`.  The specification counts code points: of more than 64, the first 61
    and `…` are kept.
    """
    if snapshot is None:
        return OFFLINE
    music = snapshot.music
    if music.state == "playing" and music.track:
        return _short(f"♫ {song_name(music.track, music.artist)}")
    return _short(snapshot.active_app or ONLINE)


def _short(text: str) -> str:
    return truncate(text, limits.BADGE_TEXT_LENGTH, limits.BADGE_TEXT_KEPT)


def render(label: str, text: str, *, online: bool) -> bytes:
    """Draw the badge: `label` on the left, `text` on the right, green where `online`, else grey.

    Any text is safe.  Both are shortened to 64 code points, and further where they would need more
    than `MAX_HALF_WIDTH`.

    Returns:
        The image, UTF-8.

    """
    label, text = _short(label), _short(text)
    name = xml_text(f"{label}: {text}")
    max_width = MAX_HALF_WIDTH - 2 * PADDING
    label, text = (fit(each, FONT_SIZE, max_width) for each in (label, text))
    left, right = (ceil(text_width(each, FONT_SIZE)) + 2 * PADDING for each in (label, text))
    total, fill = left + right, _ONLINE_FILL if online else _OFFLINE_FILL
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{HEIGHT}"'
        f' viewBox="0 0 {total} {HEIGHT}" role="img" aria-label="{name}"><title>{name}</title>'
        # two boxes with round outer corners
        f'<path fill="{_LABEL_FILL}" d="M{left} 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3H{left}z"/>'
        f'<path fill="{fill}" d="M{left} 0H{total - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{left}z"/>'
        f'<g fill="#fff" font-family="{FONTS}" font-size="{FONT_SIZE}" text-anchor="middle"'
        ' text-rendering="geometricPrecision">'
        f"{_half_text(label, 0, left)}{_half_text(text, left, right)}</g></svg>"
    ).encode()


def _half_text(text: str, start: int, width: int) -> str:
    return (
        f'<svg x="{start}" width="{width}" height="{HEIGHT}" overflow="hidden">'
        f'<text x="{width / 2:g}" y="{_BASELINE}">{xml_text(text)}</text></svg>'
    )
