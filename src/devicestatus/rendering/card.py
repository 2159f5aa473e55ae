"""Draw the status at a server time as a card, for a profile or a README.

A card of a window shows the foreground app and since when, the music, and the last 15 minutes, in
which the shown instant is marked and what follows it is outlined; that of a snapshot battery, load
and open apps in their place.

Invariant *offline as reported*: the card says "offline" exactly where `/api/now` does, and why.
"""

from functools import partial
from typing import Final

from devicestatus import limits
from devicestatus.engine.projection import NoData, prepare
from devicestatus.engine.status_text import GAPS
from devicestatus.models import Snapshot, Window
from devicestatus.rendering.lane_values import (
    NO_APP,
    LaneValues,
    app_label,
    describe,
    lane_values,
)
from devicestatus.rendering.lanes import (
    app_bars,
    draw_bars,
    draw_gap_names,
    draw_gaps,
    draw_marker,
    draw_times,
    music_bar,
    split_at,
)
from purewire.instants import MINUTE_MS, format_instant
from purewire.primitives import ABSENT, plural
from purewire.svg.axis import NO_DATA, Layout, Scale
from purewire.svg.card import Card, cut_before, draw_card
from purewire.svg.image import Box, Frame
from purewire.svg.labels import Label, format_day, format_number, format_time, write_labels
from purewire.svg.palette import Theme, paper_of

__all__ = ["card"]

_BAR: Final = 30  # height of the apps, px
_SPACING: Final = 9
_NOTHING: Final = NO_DATA.capitalize()
_DATE: Final = slice(len("YYYY-MM-DD"))


def card(
    shown: Window | Snapshot | None,
    *,
    at: int,
    name: str = "Device status",
    avatar: str | None = None,
    theme: Theme = "light",
) -> bytes:
    """Draw the status as an SVG image of 480 x 160 px, UTF-8.

    Args:
        shown: the window or snapshot that `/api/timeline` has; None if it is offline.
        at: the server time, ms since the epoch; a window is shown as it was 420 s before.
        name: of the owner, any text; cut where it is too long, as apps and tracks are.
        avatar: data URL of a PNG, JPEG, GIF or WebP image; None for the initial of the name.
        theme: on white, on a dark background, or without background and readable on both.

    Raises ValueError for another URL or theme.

    """
    if shown is None:
        status, lines, about = "offline", ["Not reporting"], _NOTHING
        draw = partial(_draw_text, text=about)
    elif isinstance(shown, Snapshot):
        collected = format_time(shown.collected_at, MINUTE_MS)
        status, lines, about = "online", _lines(shown, f", as of {collected} UTC"), _facts(shown)
        draw = partial(_draw_text, text=about)
    else:
        values, played = lane_values(shown), at - limits.PLAYBACK_DELAY_MS
        projected = prepare(shown).project(at)
        if isinstance(projected, Snapshot):
            status, lines = "online", _lines(projected, _since(values, played))
        else:
            status, lines = "offline", [_offline_line(projected, shown, values)]
        about = describe(shown, values, played)
        background = paper_of(theme).background
        draw = partial(_draw_window, window=shown, values=values, at=played, background=background)
    description = ". ".join((status.capitalize(), *lines, about))
    day = format_day(format_instant(at)[_DATE], has_year=False)
    return draw_card(Card(name, lines, description, draw, f"{status}, {day}", avatar), theme)


def _lines(snapshot: Snapshot, ending: str) -> list[str]:
    """Return the line of the app, with the ending, and that of the music if there is any."""
    name = NO_APP if snapshot.active_app is None else app_label(snapshot.active_app)
    bar = music_bar(snapshot.music)
    music = [] if bar is None or bar.color is None else [f"♫ {bar.text}"]
    return [cut_before(name, ending), *music]


def _since(values: LaneValues, at: int) -> str:
    """Return since when the app of an instant was in front, as far as the window contains it."""
    index = next(
        number for number, interval in enumerate(values.apps) if interval.start <= at < interval.end
    )
    start, app = values.apps[index].start, values.apps[index].value
    is_exact = index > 0 and values.apps[index - 1].end == start
    if app is None:
        return ""
    since = f" since {format_time(start, MINUTE_MS)} UTC"
    return since if is_exact else f"{since} or earlier"


def _offline_line(no_data: NoData, window: Window, values: LaneValues) -> str:
    """Return why a window is shown as offline."""
    if (gap := no_data.gap) is not None:
        start, end = (format_time(instant, MINUTE_MS) for instant in (gap.start_at, gap.end_at))
        return f"No record from {start} to {end} UTC ({GAPS[gap.reason]})"
    if no_data.reason == "warm-up":
        first = window.window_start + limits.PLAYBACK_DELAY_MS
        return f"Playback starts at {format_time(first, MINUTE_MS)} UTC"
    last = f"Last seen at {format_time(window.window_end, MINUTE_MS)} UTC"
    in_front = values.apps[-1] if values.apps else None
    if in_front is None or in_front.value is None or in_front.end < window.window_end:
        return last  # what was in front before a gap at the end is not the last app
    return cut_before(f"{last} in {app_label(in_front.value)}", "")


def _facts(snapshot: Snapshot) -> str:
    """Return what a snapshot reports besides app and music."""
    battery, load, running = snapshot.battery, snapshot.system.load_1m, snapshot.running_apps
    charging = " charging" if battery.charging else ""
    facts = (
        "" if battery.percent is None else f"Battery {format_number(battery.percent)} %{charging}",
        "" if load is None else f"load {format_number(load)}",
        "" if running is ABSENT else f"{plural(len(running), 'open app')}",
    )
    text = ", ".join(filter(None, facts))
    return f"{text[0].upper()}{text[1:]}" if text else _NOTHING


def _draw_text(box: Box, frame: Frame, *, text: str) -> str:
    """Write a text in the middle of the box, below a line."""
    x, y = frame.left, frame.style.base_line(box.top, box.height)
    line = f'<path {frame.paper.rule} d="M{box.left} {box.top + 0.5:g}H{box.right}"/>'
    return line + frame.text(write_labels([Label(text, x)], y))


def _draw_window(
    box: Box, frame: Frame, *, window: Window, values: LaneValues, at: int, background: str | None
) -> str:
    """Draw the apps of a window, its gaps, its times, and the shown instant inside it."""
    scale = Scale(window.window_start, window.window_end, box.left, box.right)
    mark = at if window.window_start <= at < window.window_end else None
    layout = Layout(frame, scale, _BAR, 0, mark)
    time = "" if mark is None else format_time(mark, MINUTE_MS)
    top = box.top + _SPACING
    bottom = top + _BAR
    return (
        f'<path {frame.paper.rule} d="M{box.left} {bottom + 0.5:g}H{box.right}"/>'
        + draw_times(time, top, bottom, layout)
        + draw_bars(split_at(app_bars(values), at), top, layout)
        + draw_gaps(window.gaps, top, bottom, layout)
        + draw_gap_names(window.gaps, top, background, layout)
        + draw_marker(time, top - 2, bottom, layout)
    )
