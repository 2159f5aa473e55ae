"""Draw a window as a timeline: an SVG image with a lane for each member.

There are lanes for the foreground app, the number of running apps, music, battery and load, as far
as the window has data of them; gaps go through all, and the legend explains each colour and look.
What follows an instant is outlined.  It is deterministic and self-contained, as
`status_contracts.svg.image` states.

Invariant *any text*: whatever the names of apps and tracks, the image is well-formed XML of the
same few elements and attributes.
Invariant *complete in text*: the description states what the lanes show.
Invariant *bounded*: the image has at most `MAX_IMAGE_BYTES` bytes, and the time to draw it is
linear in the number of events.
Invariant *no guesses*: what was not observed or not reported is left empty.
Invariant *named*: each app with a colour of its own is in the legend, from 400 px with its total;
several others, which are grey, are added up.
Invariant *in proportion*: the start of a window is at the left edge of the lanes, its end at the
right edge, and instants between them in proportion; an instant has the same px in all parts.
"""

from collections.abc import Iterator
from typing import Final

import attrs

from devicestatus.durations import Interval, total_durations
from devicestatus.lane_values import (
    CHARGING,
    LANES,
    MUSIC,
    NO_MUSIC,
    OTHER,
    LaneValues,
    describe,
    format_date_range,
    lane_values,
    outside_text,
)
from devicestatus.lanes import (
    STILL_TO_COME,
    Bar,
    Look,
    app_bar,
    build_lanes,
    draw_window,
    legend_entry,
    mark_of,
    no_app_bar,
)
from devicestatus.models import SENSITIVE_APP, Window, need_window
from status_contracts.instants import check_milliseconds
from status_contracts.svg.axis import AXIS_PADDING, NO_DATA, Lane, LaneLayout, Scale
from status_contracts.svg.image import LARGE, MEDIUM, SMALL, Frame, LegendEntry, legend, paper_of
from status_contracts.svg.labels import format_duration, format_time
from status_contracts.svg.palette import Theme

__all__ = ["MAX_IMAGE_BYTES", "WIDTHS", "lanes"]

WIDTHS: Final = range(320, 1921)
"""Widths of a timeline, px."""
_SIZES: Final = (  # px: least width, margin, width of the names, bar, spacing; text
    (1440, 36, 220, 38, 16, LARGE),
    (640, 20, 150, 28, 10, MEDIUM),
    (480, 12, 0, 28, 8, MEDIUM),
    (0, 12, 0, 22, 8, SMALL),
)
_LEAST_WITH_TOTALS: Final = 400  # px
MAX_IMAGE_BYTES: Final = 500_000
"""Size of the largest image."""


def lanes(
    window: Window,
    *,
    at: int | None = None,
    title: str = "Device activity",
    width: int = 560,
    theme: Theme = "light",
) -> bytes:
    """Draw a window as an SVG image, UTF-8.

    Args:
        window: a valid `Window`.
        at: the instant that is shown, ms since the epoch, which is marked; what follows it is
            outlined.  At server time `now` it is `now - limits.PLAYBACK_DELAY_MS`.
        title: any text; cut where it is too long.
        width: of the image, 320 to 1920 px, by default readable on phones too; its height follows.
        theme: on white, on a dark background, or without background and readable on both.

    Raises ValueError for another width or theme, for instants outside the years 0001 to 9999, and
    for an `at` that looks like seconds; TypeError for one that is no int, and for no window.

    """
    need_window(window)
    if at is not None:
        check_milliseconds("at", at)
    if width not in WIDTHS:
        raise ValueError(f"the width is {width}; expected {WIDTHS[0]} to {WIDTHS[-1]} px")
    values, until = lane_values(window), window.window_end if at is None else at
    mark = mark_of(window, until, f"shown {format_time(until)}")
    _, margin, indent, bar, spacing, style = next(size for size in _SIZES if width >= size[0])
    style = attrs.evolve(style, sample=style.text + 7)  # in which two letters have space
    frame = Frame(width, margin, width - margin, style, paper_of(theme))
    scale = Scale(window.window_start, window.window_end, margin + indent, frame.right)
    inside = attrs.evolve(frame, width=frame.right + AXIS_PADDING)  # the label of the mark too
    layout = LaneLayout(inside, scale, bar, spacing, mark)
    line = margin + style.title
    times = format_date_range(window.window_start, window.window_end)
    outside = [] if at is None else [*filter(None, [outside_text(window, at)])]
    head = frame.heading(title, line, [times, *outside])
    line += style.row * len(outside)
    drawn = build_lanes(values, until, layout)
    until = until if drawn else window.window_end  # an empty lane has nothing to come
    entries = _entries(window, values, until, frame)
    if width < _LEAST_WITH_TOTALS:
        entries = (attrs.evolve(entry, value="") for entry in entries)
    names, rows = legend(entries, line + 2 * style.row + 4, frame)
    # a name above its lane is no row of the legend, nor is the label of the mark
    space = spacing + style.row if mark and indent else 2 * spacing
    top = line + (rows + 1) * style.row + (4 if rows else 0) + space
    drawn = drawn or [Lane(LANES["active_app"], lambda _: "", NO_DATA)]
    body, bottom = draw_window(drawn, window.gaps, top, layout)
    height = bottom + style.text + margin + spacing
    return frame.image(title, describe(window, values, at), height, head + names + body)


def _entries(window: Window, values: LaneValues, until: int, frame: Frame) -> Iterator[LegendEntry]:
    """Name apps, longest first; gaps, and looks."""
    totals = total_durations(values.apps)
    rare = [app for app in totals if app != SENSITIVE_APP and values.colors[app] == OTHER]
    rare = rare if len(rare) > 1 else []
    gaps = (Interval(gap.start_at, gap.end_at, gap.reason) for gap in window.gaps)
    states = (Interval(held.start, held.end, held.value.state) for held in values.music)
    music = total_durations(states)
    charging = sum(held.duration for held in values.battery if held.value.is_charging)
    no_app = total_durations(values.no_app if values.colors else ())
    looks: dict[Look, int] = {
        **{app_bar(app, values): total for app, total in totals.items() if app not in rare},
        Bar(f"{len(rare)} other apps", OTHER): sum(totals[app] for app in rare),
        **total_durations(gaps),
        **{no_app_bar(text): total for text, total in no_app.items()},
        Bar("music paused", MUSIC, look="tinted"): music.get("paused", 0),
        no_app_bar(NO_MUSIC): music.get("unavailable", 0) * bool({"playing", "paused"} & {*music}),
        Bar("charging", CHARGING): charging,
        STILL_TO_COME: sum(held.end > until for held in values.apps),  # a gap looks the same
    }
    for look, total in looks.items():
        if total > 0:
            yield legend_entry(look, frame, format_duration(total) * (look != STILL_TO_COME))
