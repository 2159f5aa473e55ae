"""The badge: what it says about a snapshot, and its SVG image in two halves.

Source: device-status specification, "GET /api/badge.svg"; rulings under "Badge and icons".

Invariant *one shape*: every badge has the same elements with the same attributes; a label or text
changes their values only.  There is no script, no style and no reference, so the image is whole
under `default-src 'none'; style-src 'none'; sandbox`.
Invariant *inside its half*: each half is a viewport of its own, as wide as its words by
`purewire.svg.text.width` and `PADDING` on both sides; words that a viewer's fonts draw wider are
clipped there and never run into the other half.
Invariant *same words, same bytes*: the image depends on nothing but the three arguments.
"""

from math import ceil
from typing import Final

from devicestatus import limits
from devicestatus.models.snapshot import Music, Snapshot
from purewire.svg.text import truncate, width, xml_text

__all__ = [
    "FONT_SIZE",
    "HALF_WIDTH_MAX",
    "HEIGHT",
    "OFFLINE",
    "ONLINE",
    "PADDING",
    "TEXT_KEPT",
    "TEXT_LENGTH",
    "WIDTH_MAX",
    "render",
    "status_text",
]

ONLINE: Final = "online"
OFFLINE: Final = "offline"
TEXT_LENGTH: Final = limits.BADGE_TEXT_LENGTH
"""Code points that a half shows in full."""
TEXT_KEPT: Final = limits.BADGE_TEXT_KEPT
"""Code points that stay of a longer text, before the ellipsis."""

HEIGHT: Final = 20
"""Height of the image, px."""
FONT_SIZE: Final = 11
"""Size of its letters, px."""
PADDING: Final = 6
"""Room on each side of the words of a half, px."""
HALF_WIDTH_MAX: Final = 900
"""Widest half, px: 64 emoji, the widest text that people write, need 889."""
WIDTH_MAX: Final = 2 * HALF_WIDTH_MAX
"""Widest image, px."""

_BASELINE: Final = 14
_LABEL_FILL: Final = "#444"
_ONLINE_FILL: Final = "#2e7d32"  # white on it has a contrast of 5.1, on the others more
_OFFLINE_FILL: Final = "#6a6a6a"
_FONTS: Final = "Verdana,Geneva,DejaVu Sans,sans-serif"


def status_text(snapshot: Snapshot | None) -> str:
    """Say what the badge says: the playing track, else the app, else `online`; None is `offline`.

    The source counts code points: of more than 64, the first 61 and `…` are left.
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

    Any text is safe.  Both are shortened to 64 code points, and drawn shorter still where they
    would need more than `HALF_WIDTH_MAX`.  Gives UTF-8 bytes.
    """
    label, text = _short(label), _short(text)
    name = xml_text(f"{label}: {text}")
    label, text = _fitted(label), _fitted(text)
    left, right = _half_width(label), _half_width(text)
    total, fill = left + right, _ONLINE_FILL if online else _OFFLINE_FILL
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{HEIGHT}"'
        f' viewBox="0 0 {total} {HEIGHT}" role="img" aria-label="{name}"><title>{name}</title>'
        f'<path fill="{_LABEL_FILL}" d="{_left_end(left)}"/>'
        f'<path fill="{fill}" d="{_right_end(left, total)}"/>'
        f'<g fill="#fff" font-family="{_FONTS}" font-size="{FONT_SIZE}" text-anchor="middle"'
        ' text-rendering="geometricPrecision">'
        f"{_words(label, 0, left)}{_words(text, left, right)}</g></svg>"
    ).encode()


def _half_width(text: str) -> int:
    return ceil(width(text, FONT_SIZE)) + 2 * PADDING


def _words(text: str, start: int, room: int) -> str:
    return (
        f'<svg x="{start}" width="{room}" height="{HEIGHT}" overflow="hidden">'
        f'<text x="{room / 2:g}" y="{_BASELINE}">{xml_text(text)}</text></svg>'
    )


def _fitted(text: str) -> str:
    """Give the text, or as much of it as the widest half holds, and an ellipsis."""
    room = HALF_WIDTH_MAX - 2 * PADDING
    if width(text, FONT_SIZE) <= room:
        return text
    shorter = (f"{text[:keep]}…" for keep in range(len(text) - 1, -1, -1))
    return next(short for short in shorter if width(short, FONT_SIZE) <= room)


def _left_end(end: int) -> str:
    """Draw a box from the left edge to `end` whose outer corners are round."""
    return f"M{end} 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3H{end}z"


def _right_end(start: int, end: int) -> str:
    """Draw a box from `start` to the right edge `end` whose outer corners are round."""
    return f"M{start} 0H{end - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{start}z"
