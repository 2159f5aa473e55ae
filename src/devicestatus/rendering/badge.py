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
from devicestatus.models.snapshot import Music, Snapshot
from purewire.svg.image import FONTS
from purewire.svg.text import fit, text_width, truncate, xml_text

__all__ = [
    "FONT_SIZE",
    "HEIGHT",
    "MAX_HALF_WIDTH",
    "MAX_WIDTH",
    "OFFLINE",
    "ONLINE",
    "PADDING",
    "TEXT_KEPT",
    "TEXT_LENGTH",
    "render",
    "status_text",
]

ONLINE: Final = "online"
OFFLINE: Final = "offline"
TEXT_LENGTH: Final = limits.BADGE_TEXT_LENGTH
"""Most code points of a text that is shown in full."""
TEXT_KEPT: Final = limits.BADGE_TEXT_KEPT
"""Code points of a longer text that are shown, before the ellipsis."""

HEIGHT: Final = 20
"""Height of the image, px."""
FONT_SIZE: Final = 11
"""Font size, px."""
PADDING: Final = 6
"""Space on each side of the text of a half, px."""
MAX_HALF_WIDTH: Final = 900
"""Widest half, px: 64 emoji, the widest realistic text, need 889."""
MAX_WIDTH: Final = 2 * MAX_HALF_WIDTH
"""Widest image, px."""

_BASELINE: Final = 14
_LABEL_FILL: Final = "#444"
_ONLINE_FILL: Final = "#2e7d32"  # white on it has a contrast of 5.1 to 1, on the others more
_OFFLINE_FILL: Final = "#6a6a6a"


def status_text(snapshot: Snapshot | None) -> str:
    """Return the text of the badge: the playing track, else the app, else `online`.

    For None it is `offline`.  The specification counts code points: of more than 64, the first 61
    and `…` are kept.
    """
    return _short(OFFLINE if snapshot is None else _status(snapshot))


def _status(snapshot: Snapshot) -> str:
    return _song(snapshot.music) or snapshot.active_app or ONLINE


def _song(music: Music) -> str | None:
    if music.state != "playing" or not music.track:
        return None
    return f"♫ {music.track} — {music.artist}" if music.artist else f"♫ {music.track}"


def _short(text: str) -> str:
    return truncate(text, TEXT_LENGTH, TEXT_KEPT)


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
    left, right = _half_width(label), _half_width(text)
    total, fill = left + right, _ONLINE_FILL if online else _OFFLINE_FILL
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{HEIGHT}"'
        f' viewBox="0 0 {total} {HEIGHT}" role="img" aria-label="{name}"><title>{name}</title>'
        f'<path fill="{_LABEL_FILL}" d="{_left_end(left)}"/>'
        f'<path fill="{fill}" d="{_right_end(left, total)}"/>'
        f'<g fill="#fff" font-family="{FONTS}" font-size="{FONT_SIZE}" text-anchor="middle"'
        ' text-rendering="geometricPrecision">'
        f"{_half_text(label, 0, left)}{_half_text(text, left, right)}</g></svg>"
    ).encode()


def _half_width(text: str) -> int:
    return ceil(text_width(text, FONT_SIZE)) + 2 * PADDING


def _half_text(text: str, start: int, width: int) -> str:
    return (
        f'<svg x="{start}" width="{width}" height="{HEIGHT}" overflow="hidden">'
        f'<text x="{width / 2:g}" y="{_BASELINE}">{xml_text(text)}</text></svg>'
    )


def _left_end(end: int) -> str:
    """Return the path of a box from the left edge to `end` with round outer corners."""
    return f"M{end} 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3H{end}z"


def _right_end(start: int, end: int) -> str:
    """Return the path of a box from `start` to the right edge `end` with round outer corners."""
    return f"M{start} 0H{end - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{start}z"
