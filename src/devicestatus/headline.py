"""Describe a status: the state, the app or the reason, since when, the music, the battery.

The card draws it.  The status page has it before its script runs, and without one; the overview of
several devices has it for each.  `page_files/headline.js`, which goes on with it, has its words.
"""

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Final, Literal

import attrs

from devicestatus import limits
from devicestatus.durations import Interval, intervals, total_durations
from devicestatus.icons import IconIndex
from devicestatus.lane_values import NO_APP, NO_APPS, app_colors, app_label, app_signs, music_text
from devicestatus.models import Battery, GapReason, Snapshot, Window
from devicestatus.projection import NoData, prepare
from status_contracts.instants import MINUTE_MS, format_instant
from status_contracts.primitives import ABSENT
from status_contracts.svg.labels import format_number, format_time, shorten

LATE: Final = f", shown {limits.PLAYBACK_DELAY_SECONDS // 60} minutes late"
LOW_PERCENT: Final = 20  # up to it a charge stands out, as in `page_files/cards.js`
_GAPS: Final[Mapping[GapReason, str]] = {  # as `GAPS` of `page_files/timeline.js` has them
    "sleep": "The device was asleep",
    "restart": "The recorder was restarting",
    "collection": "Nothing could be read",
    "overflow": "Too much happened to be kept",
    "clock": "The device's clock was changed",
}

_Looks = Mapping[str, tuple[str, str]]
State = Literal["online", "starting", "gap", "paused", "unknown", "offline"]


@attrs.frozen
class Headline:
    """What a status means.

    Attributes:
        state: of what kind it is; "unknown" could not be read.
        label: name of the state.
        title: the app or, where none is shown, the reason; any text.
        when: since when it is so, or what is to be expected, and `LATE` where it is of a window; an
            int is a time, ms since the epoch.
        music: what is played or paused; empty for nothing.
        measured: the charge of the battery and, where no app is shown, why or the load, as HTML.
        app: the foreground app, if one is shown.
        played: the apps of the window, those that were longest in front first.
        running: the open apps.

    """

    state: State
    label: str
    title: str
    when: Sequence[str | int] = ()
    music: str = ""
    measured: Sequence[str] = ()
    app: str | None = None
    played: Sequence[str] = ()
    running: Sequence[str] = ()

    def when_text(self) -> str:
        """Return since when, with times of UTC."""
        parts = (part if isinstance(part, str) else self._time(part) for part in self.when)
        return "".join(part for part in parts if part != LATE)

    def details_html(self) -> list[str]:
        """Return when, music and measured as HTML; scripts write times in the reader's zone."""
        texts = (escape(at) if isinstance(at, str) else self._time_html(at) for at in self.when)
        when = "".join(texts).removeprefix(", ")
        music = f"♫ <bdi>{escape(self.music)}</bdi>" if self.music else ""
        return [*filter(None, (when[:1].upper() + when[1:], music, *self.measured))]

    def tile_html(self, icons: IconIndex, base: str = "", looks: _Looks | None = None) -> str:
        """Return the mark of the app: its own icon below a path, or its sign on its colour."""
        if self.app is None:
            return ""
        if path := icons.own_path(self.app, self.played):
            return f'<img class="tile" src="{base}{path[1:]}" alt="">'
        looks = looks or looks_html(self.played, others=(*self.running, self.app))
        return sign_html(*looks[self.app])

    def _time(self, at: int) -> str:
        """Return one of the times; the last has the zone."""
        last = max(part for part in self.when if isinstance(part, int))
        return f"{format_time(at, MINUTE_MS)}{' UTC' if at == last else ''}"

    def _time_html(self, at: int) -> str:
        return f'<time datetime="{format_instant(at)}">{self._time(at)}</time>'


def looks_html(
    *windows: Collection[str], others: Collection[str] = ()
) -> dict[str, tuple[str, str]]:
    """Return the attribute for the colour of each app, as `app_colors` has it, and its sign."""
    colors = app_colors(*windows, others=others)
    signs = app_signs(colors)
    numbers = {app: "other" if index is None else index for app, index in colors.items()}
    return {app: (f'data-color="{numbers[app]}"', escape(signs[app])) for app in colors}


def sign_html(color: str, sign: str) -> str:
    """Return a sign of an app, or its icon, on its colour."""
    return f'<span class="tile" aria-hidden="true" {color}>{sign}</span>'


UNREACHABLE: Final = Headline(
    "unknown",
    "Unreachable",
    "The status is unknown",
    ("it could not be read; the device may be on or off.",),
)


def headline(shown: Window | Snapshot | None, now: int) -> Headline:
    """Return what the value that `/api/timeline` has at server time `now` (ms) means."""
    if shown is None:
        reason = "the device may be off, asleep or without a network."
        return Headline("offline", "Offline", "Not reporting", (reason,))
    if isinstance(shown, Snapshot):
        return _online(shown, ("reported at ", shown.collected_at), ())
    at = now - limits.PLAYBACK_DELAY_MS
    projected = prepare(shown).projection_at(at)
    if isinstance(projected, NoData):
        return _waiting(projected, shown)
    apps = intervals(shown, "active_app")
    return _online(projected, (*_since(apps, at), LATE), [*total_durations(apps)])


def _since(apps: Sequence[Interval[str | None]], at: int) -> Sequence[str | int]:
    """Return since when the app of an instant, if any, is in front, as the window contains it."""
    index = next(n for n, interval in enumerate(apps) if interval.start <= at < interval.end)
    if apps[index].value is None:
        return ()
    is_exact = index > 0 and apps[index - 1].end == apps[index].start
    return ("since ", apps[index].start, "" if is_exact else " or earlier")


def _battery_html(battery: Battery) -> str:
    if battery.percent is None:
        return ""
    charging = ", charging" if battery.charging else ""
    charge = f"Battery {format_number(battery.percent)}\u00a0%{charging}"
    return f"<b data-low>{charge}</b>" if battery.percent <= LOW_PERCENT else charge


def _online(snapshot: Snapshot, when: Sequence[str | int], played: Sequence[str]) -> Headline:
    app, load = snapshot.active_app, snapshot.system.load_1m
    instead = "" if app or load is None else f"Load {format_number(load)}"
    if app is None and snapshot.running_apps == ():  # as while the screen is locked
        instead = NO_APPS.capitalize()
    return Headline(
        "online",
        "Online",
        NO_APP if app is None else app_label(app),
        when,
        music_text(snapshot.music),
        (_battery_html(snapshot.battery), instead),
        app,
        played,
        () if snapshot.running_apps is ABSENT else snapshot.running_apps,
    )


def read_text(now: int) -> str:
    """Return when a page without scripts was made."""
    return f"Read at {format_time(now, MINUTE_MS)} UTC."


def _waiting(no_data: NoData, window: Window) -> Headline:
    if (gap := no_data.gap) is not None:
        times = ("from ", gap.start_at, " to ", gap.end_at)
        return Headline("gap", "No record", _GAPS[gap.reason], (*times, LATE))
    if no_data.reason == "warm-up":
        first = ("first status at ", window.window_start + limits.PLAYBACK_DELAY_MS, LATE)
        return Headline("starting", "Starting", "The device is reporting", first)
    last = prepare(window).projections[-2]
    app = None if isinstance(last, NoData) else last.active_app
    inside = "" if app is None else f" in {shorten(app_label(app))}"
    seen = ("last seen at ", window.window_end, inside)
    return Headline("paused", "Paused", "Waiting for the next report", seen)
