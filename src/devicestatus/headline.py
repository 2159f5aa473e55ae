"""Say what a record means now: the state, its name, the app or the reason, and details as HTML.

The status page has it before its script runs, and without one; the overview of several devices has
it for each.  `page_files/headline.js`, which goes on with it, has the same words.
"""

from collections.abc import Sequence
from html import escape
from typing import Final, Literal

import attrs

from devicestatus import limits
from devicestatus.durations import Interval, intervals
from devicestatus.lane_values import NO_APP, app_colors, app_initial, app_label, song_name
from devicestatus.models import SENSITIVE_APP, Snapshot, Window
from devicestatus.projection import NoData, PreparedWindow
from devicestatus.record import Record, WindowRecord
from devicestatus.state import is_valid_window, shown_value
from devicestatus.status_text import GAPS
from status_contracts.instants import MINUTE_MS, format_instant
from status_contracts.primitives import ABSENT
from status_contracts.svg.labels import format_number, format_time

LATE: Final = f"shown {limits.PLAYBACK_DELAY_SECONDS // 60} minutes late"


@attrs.frozen
class Headline:
    """What a status means.

    Attributes:
        state: of what kind it is: "waiting" is known, but not online; "unknown" could not be read.
        label: name of the state.
        title: the app or, where none is shown, the reason; any text.
        details: sentences, as HTML.
        app: the foreground app, if one is shown.
        color: the value of `data-color` for it.

    """

    state: Literal["online", "waiting", "offline", "unknown"]
    label: str
    title: str
    details: Sequence[str] = ()
    app: str | None = None
    color: str = "private"

    def tile_html(self, icon: str | None = None) -> str:
        """Return the mark of the app: the image at a URL, or its initial on its colour."""
        if self.app is None:
            return ""
        if icon is not None:
            return f'<img class="tile" src="{escape(icon)}" alt="">'
        letter = escape(app_initial(self.app))
        return f'<span class="tile" aria-hidden="true" data-color="{self.color}">{letter}</span>'


UNREACHABLE: Final = Headline(
    "unknown",
    "Unreachable",
    "The status is unknown",
    ("The service could not read the status; the computer may be on or off.",),
)
"""What pages say where the record could not be read."""
OFFLINE_TEXT: Final = "The computer may be off, asleep or without a network."
_OFFLINE: Final = Headline("offline", "Offline", "Not reporting", (OFFLINE_TEXT,))


def headline(record: Record | None, *, now: int, ttl_seconds: int) -> Headline:
    """Return what a record means at server time `now`, ms since the epoch."""
    if isinstance(record, WindowRecord) and is_valid_window(record, now):
        return _headline_at(record.prepared, now - limits.PLAYBACK_DELAY_MS)
    shown = shown_value(record, now=now, ttl_seconds=ttl_seconds)
    if not isinstance(shown, Snapshot):
        return _OFFLINE
    running = () if shown.running_apps is ABSENT else shown.running_apps
    age = f"Reported at {time_html(shown.collected_at)}."
    return _online(shown, age, (*running, shown.active_app))


def _headline_at(prepared: PreparedWindow, at: int) -> Headline:
    projected, window = prepared.projection_at(at), prepared.window
    if isinstance(projected, NoData):
        return _waiting(projected, window)
    apps = intervals(window, "active_app")
    detail = f"{LATE.capitalize()}." if projected.active_app is None else _since(apps, at)
    return _online(projected, detail, [interval.value for interval in apps])


def in_front(apps: Sequence[Interval[str | None]], at: int) -> tuple[int, bool, str | None]:
    """Return since when the app of an instant is in front, whether exactly then, and the app.

    It may have been in front before where its interval begins with the window or after a gap.
    """
    index = next(n for n, interval in enumerate(apps) if interval.start <= at < interval.end)
    start = apps[index].start
    return start, index > 0 and apps[index - 1].end == start, apps[index].value


def time_html(at: int) -> str:
    """Return a time of day, which scripts write in the zone of the reader."""
    return f'<time datetime="{format_instant(at)}">{format_time(at, MINUTE_MS)} UTC</time>'


def _since(apps: Sequence[Interval[str | None]], at: int) -> str:
    start, is_exact, _ = in_front(apps, at)
    return f"Since {time_html(start)}{'' if is_exact else ' or earlier'}, {LATE}."


def _online(snapshot: Snapshot, detail: str, names: Sequence[str | None]) -> Headline:
    app, music, percent = snapshot.active_app, snapshot.music, snapshot.battery.percent
    details = [detail]
    if music.state == "playing" and music.track:
        details.append(f"<bdi>♫ {escape(song_name(music.track, music.artist))}</bdi>")
    if percent is not None:
        details.append(f"Battery {format_number(percent)}\u00a0%")
    if app is None:
        return Headline("online", "Online", NO_APP, details)
    color = "private" if app == SENSITIVE_APP else str(app_colors(names)[app])
    return Headline("online", "Online", app_label(app), details, app, color)


def _waiting(no_data: NoData, window: Window) -> Headline:
    if (gap := no_data.gap) is not None:
        times = f"No record from {time_html(gap.start_at)} to {time_html(gap.end_at)}."
        return Headline("waiting", "No record", GAPS[gap.reason].capitalize(), (times,))
    if no_data.reason == "warm-up":
        start = time_html(window.window_start + limits.PLAYBACK_DELAY_MS)
        return Headline(
            "waiting", "Starting", "The computer is reporting", (f"Starts at {start}.",)
        )
    last = f"Last seen at {time_html(window.window_end)}."
    return Headline("waiting", "Paused", "Waiting for the next report", (last,))
