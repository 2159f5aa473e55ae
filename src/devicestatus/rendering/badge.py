"""Choose the text of the badge; `purewire.svg.badge` draws it."""

from typing import Final

from devicestatus import limits
from devicestatus.models import Snapshot
from devicestatus.rendering.lane_values import app_label, song_name
from purewire.svg.badge import draw_badge
from purewire.svg.palette import GREEN, GREY
from purewire.svg.text import truncate

ONLINE: Final = "online"
OFFLINE: Final = "offline"


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
    return _short(app_label(snapshot.active_app or ONLINE))


def _short(text: str) -> str:
    return truncate(text, limits.BADGE_TEXT_LENGTH, limits.BADGE_TEXT_KEPT)


def render(label: str, text: str, *, online: bool) -> bytes:
    """Draw the badge: `label` on the left, `text` on the right, green where `online`, else grey.

    Any text is safe.  Both are shortened to 64 code points, and further where they would need more
    than `purewire.svg.badge.MAX_HALF_WIDTH`.
    """
    fill = GREEN if online else GREY
    return draw_badge(_short(label), _short(text), fill)
