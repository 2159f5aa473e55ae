"""Choose the text of the badge, and draw it: an SVG image of two halves, a label and a text.

Invariant *fixed structure*: every badge has the same elements with the same attributes; a label or
text changes only their values.  There is no script, no style and no reference, so the image is
complete under `default-src 'none'; style-src 'none'; sandbox`.
Invariant *inside its half*: each half is a viewport of its own, as wide as its text by
`status_contracts.svg.text.text_width` and `PADDING` on both sides.  Text that a viewer's fonts draw
wider is clipped there and never overlaps the other half.
Invariant *deterministic*: the image depends only on the arguments.
"""

from math import ceil
from typing import Final

from devicestatus import limits
from devicestatus.lane_values import song_name
from devicestatus.models import Snapshot
from status_contracts.primitives import is_visible
from status_contracts.svg.image import FONTS, RADIUS, SMALL
from status_contracts.svg.palette import GREEN, GREY
from status_contracts.svg.text import fit, text_width, truncate, xml_text

__all__ = ["render", "status_text"]

HEIGHT: Final = 20  # px
FONT_SIZE: Final = SMALL.text
PADDING: Final = 6  # px, on each side of the text of a half
MAX_HALF_WIDTH: Final = 900  # px; 64 emoji, the widest realistic text, need 889


def status_text(snapshot: Snapshot | None) -> str:
    """Return the text of the badge: the playing track, else the published app, else `online`.

    For None it is `offline`; a text of which nothing is visible is none.  The specification counts
    code points: of more than 64, the first 61 and `…` are kept.
    """
    if snapshot is None:
        return "offline"
    music = snapshot.music
    if music.state == "playing" and music.track and is_visible(music.track):
        artist = music.artist if music.artist and is_visible(music.artist) else None
        return _short(f"♫ {song_name(music.track, artist)}")
    app = snapshot.active_app
    return _short(app if app and is_visible(app) else "online")


def _short(text: str) -> str:
    return truncate(text, limits.BADGE_TEXT_LENGTH, limits.BADGE_TEXT_KEPT)


def render(label: str, text: str, *, online: bool) -> bytes:
    """Draw the badge: `label` on the left, `text` on the right, green where `online`, else grey.

    Any text is safe.  Both are shortened to 64 code points, and further where they would need more
    than `MAX_HALF_WIDTH`.
    """
    fill = GREEN if online else GREY
    label, text = _short(label), _short(text)
    name = xml_text(f"{label}: {text}")
    label, text = (fit(half, FONT_SIZE, MAX_HALF_WIDTH - 2 * PADDING) for half in (label, text))
    left, right = (ceil(text_width(half, FONT_SIZE)) + 2 * PADDING for half in (label, text))
    total, sides = left + right, HEIGHT - 2 * RADIUS
    corners = f"a{RADIUS} {RADIUS} 0 0"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{HEIGHT}"'
        f' viewBox="0 0 {total} {HEIGHT}" role="img" aria-label="{name}"><title>{name}</title>'
        # two boxes with round outer corners
        f'<path fill="#3c4043" d="M{left} 0H{RADIUS}{corners} 0-{RADIUS} {RADIUS}'
        f'v{sides}{corners} 0 {RADIUS} {RADIUS}H{left}z"/>'
        f'<path fill="{fill}" d="M{left} 0H{total - RADIUS}{corners} 1 {RADIUS} {RADIUS}'
        f'v{sides}{corners} 1-{RADIUS} {RADIUS}H{left}z"/>'
        f'<g fill="#fff" font-family="{FONTS}" font-size="{FONT_SIZE}" text-anchor="middle"'
        ' text-rendering="geometricPrecision">'
        f"{_half_text(label, 0, left)}{_half_text(text, left, right)}</g></svg>"
    ).encode()


def _half_text(text: str, start: int, width: int) -> str:
    return (
        f'<svg x="{start}" width="{width}" height="{HEIGHT}" overflow="hidden">'
        f'<text x="{width / 2:g}" y="{SMALL.base_line(0, HEIGHT):g}" unicode-bidi="plaintext">'
        f"{xml_text(text)}</text></svg>"
    )
