"""Describe a status: the state, the app or the reason, since when, the music, the battery.

The card draws it.  The status page has it before its script runs, and without one; the overview of
several devices has it for each.  `page_files/headline.js`, which goes on with it, has its words.
"""

from collections.abc import Sequence
from html import escape
from typing import Final, Literal, get_args

import attrs

from devicestatus import limits
from devicestatus.durations import Interval, intervals
from devicestatus.lane_values import (
    AUDIBLE,
    NO_APP,
    app_colors,
    app_initial,
    app_label,
    music_text,
)
from devicestatus.models import SENSITIVE_APP, Snapshot, Window
from devicestatus.projection import NoData, prepare
from devicestatus.status_text import GAPS
from status_contracts.instants import MINUTE_MS, format_instant
from status_contracts.primitives import ABSENT
from status_contracts.svg.labels import format_number, format_time

LATE: Final = f", shown {limits.PLAYBACK_DELAY_SECONDS // 60} minutes late"

State = Literal["online", "waiting", "unknown", "offline"]
STATES: Final[tuple[State, ...]] = get_args(State)  # as the overview of several devices has them

Parts = Sequence[str | int]
"""A text in parts; an int is a time of day, ms since the epoch."""


@attrs.frozen
class Headline:
    """What a status means.

    Attributes:
        state: of what kind it is: "waiting" is known, but not online; "unknown" could not be read.
        label: name of the state.
        title: the app or, where none is shown, the reason; any text.
        when: since when it is so, or what is to be expected.
        music: what is played or paused; empty for nothing.
        battery: its charge; empty where it is not known.
        app: the foreground app, if one is shown.
        color: the value of `data-color` for it.
        is_late: whether it is of a window, which is shown late.

    """

    state: State
    label: str
    title: str
    when: Parts = ()
    music: str = ""
    battery: str = ""
    app: str | None = None
    color: str = "private"
    is_late: bool = False

    def when_text(self) -> str:
        """Return since when, with times of UTC."""
        return "".join(part if isinstance(part, str) else _time(part) for part in self.when)

    def details_html(self) -> list[str]:
        """Return what follows the title, as HTML; scripts write its times in the reader's zone."""
        when = "".join(part if isinstance(part, str) else _time_html(part) for part in self.when)
        when = f"{when}{LATE if self.is_late else ''}.".removeprefix(", ")
        when = when[0].upper() + when[1:]
        music = f"<bdi>{escape(self.music)}</bdi>" if self.music else ""
        return [detail for detail in (when, music, self.battery) if detail]

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
    ("it could not be read; the computer may be on or off",),
)
"""What pages say where the record could not be read."""
_OFFLINE: Final = Headline(
    "offline",
    "Offline",
    "Not reporting",
    ("the computer may be off, asleep or without a network",),
)


def headline(shown: Window | Snapshot | None, now: int) -> Headline:
    """Return what the value that `/api/timeline` has at server time `now` (ms) means."""
    if shown is None:
        return _OFFLINE
    if isinstance(shown, Snapshot):
        running = () if shown.running_apps is ABSENT else shown.running_apps
        when = ("reported at ", shown.collected_at)
        return _online(shown, when, (*running, shown.active_app), is_late=False)
    at = now - limits.PLAYBACK_DELAY_MS
    projected = prepare(shown).projection_at(at)
    if isinstance(projected, NoData):
        return _waiting(projected, shown)
    apps = intervals(shown, "active_app")
    names = [interval.value for interval in apps]
    return _online(projected, _since(apps, at), names, is_late=True)


def _time(at: int) -> str:
    return f"{format_time(at, MINUTE_MS)} UTC"


def _time_html(at: int) -> str:
    return f'<time datetime="{format_instant(at)}">{_time(at)}</time>'


def _since(apps: Sequence[Interval[str | None]], at: int) -> Parts:
    """Return since when the app of an instant, if any, is in front, as the window contains it."""
    index = next(n for n, interval in enumerate(apps) if interval.start <= at < interval.end)
    if apps[index].value is None:
        return ()
    is_exact = index > 0 and apps[index - 1].end == apps[index].start
    return ("since ", apps[index].start, "" if is_exact else " or earlier")


def _online(
    snapshot: Snapshot, when: Parts, names: Sequence[str | None], *, is_late: bool
) -> Headline:
    app, percent, music = snapshot.active_app, snapshot.battery.percent, snapshot.music
    return Headline(
        "online",
        "Online",
        NO_APP if app is None else app_label(app),
        when,
        f"♫ {music_text(music)}" if music.state in AUDIBLE else "",
        "" if percent is None else f"Battery {format_number(percent)}\u00a0%",
        app,
        "private" if app is None or app == SENSITIVE_APP else str(app_colors(names)[app]),
        is_late,
    )


def _waiting(no_data: NoData, window: Window) -> Headline:
    if (gap := no_data.gap) is not None:
        title, times = GAPS[gap.reason].capitalize(), ("from ", gap.start_at, " to ", gap.end_at)
        return Headline("waiting", "No record", title, times, is_late=True)
    if no_data.reason == "warm-up":
        start = window.window_start + limits.PLAYBACK_DELAY_MS
        return Headline("waiting", "Starting", "The computer is reporting", ("starts at ", start))
    last = ("last seen at ", window.window_end)
    return Headline("waiting", "Paused", "Waiting for the next report", last)
