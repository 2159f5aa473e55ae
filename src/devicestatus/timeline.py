"""Draw a window as a timeline: an SVG image with a lane for each member.

There are lanes for the foreground app, the number of running apps, music, battery and load, as far
as the window has data of them; gaps go through all.  It is deterministic and self-contained, as
`status_contracts.svg.image` states.  A notebook shows a window as this image: its method
imports this module late.

Invariant *any text*: whatever the names of apps and tracks, the image is well-formed XML of the
same few elements and attributes.
Invariant *complete in text*: the description states what the lanes show.
Invariant *bounded*: the image has at most `MAX_IMAGE_BYTES` bytes, and the time to draw it is
linear in the number of events.
Invariant *no guesses*: what was not observed or not reported is left empty.
Invariant *in proportion*: the start of a window is at the left edge of the lanes, its end at the
right edge, and instants between them in proportion; an instant has the same px in all parts.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

import attrs

from devicestatus.durations import Interval, total_durations
from devicestatus.lane_values import (
    CHARGING,
    LANES,
    OTHER,
    LaneValues,
    NumberValue,
    app_initial,
    app_label,
    describe,
    format_range,
    lane_values,
    summarize,
)
from devicestatus.lanes import (
    Area,
    Bar,
    app_bars,
    draw_bars,
    draw_gaps,
    draw_levels,
    draw_marker,
    draw_reasons,
    draw_times,
    music_bar,
)
from devicestatus.models import SENSITIVE_APP, Window, need_window
from status_contracts.instants import check_milliseconds
from status_contracts.svg.axis import Lane, LaneLayout, Scale, draw_lanes
from status_contracts.svg.image import (
    CELL_RADIUS,
    LARGE,
    MEDIUM,
    SMALL,
    Frame,
    LegendEntry,
    legend,
    paper_of,
)
from status_contracts.svg.labels import format_duration, format_number, format_time_within, wrap
from status_contracts.svg.palette import Theme, text_on
from status_contracts.svg.text import xml_text

__all__ = [
    "MAX_IMAGE_BYTES",
    "MAX_LEGEND_ROWS",
    "WIDTHS",
    "build_layout",
    "lanes",
]

WIDTHS: Final = range(320, 1921)
"""Widths of a timeline, px."""
_SIZES: Final = (  # px: least width, margin, width of the names, bar, spacing; text
    (1440, 36, 160, 38, 16, LARGE),
    (560, 20, 110, 26, 10, MEDIUM),
    (0, 12, 0, 22, 8, SMALL),
)
MAX_IMAGE_BYTES: Final = 500_000
"""Size of the largest image."""
MAX_LEGEND_ROWS: Final = 3
"""Rows of the legend at most."""
_LETTER, _LETTER_BASE = 0.7, 0.75  # size and base line of a letter in a square
_SINK: Final = 3  # px of a square below the base line
_NAMED_APPS: Final = 4  # in the legend; all others are one entry without a colour


def lanes(
    window: Window,
    *,
    at: int | None = None,
    title: str = "Device activity",
    width: int = 720,
    theme: Theme = "light",
) -> bytes:
    """Draw a window as an SVG image, UTF-8.

    Args:
        window: a valid `Window`.
        at: an instant to mark, ms since the epoch: the public state at server time `now` is the
            state at `now - limits.PLAYBACK_DELAY_MS`; outside the window no mark is drawn.
        title: any text; cut where it is too long.
        width: of the image, 320 to 1920 px; its height follows.
        theme: on white, on a dark background, or without background and readable on both.

    Raises ValueError for another width or theme, for instants outside the years 0001 to 9999, and
    for an `at` that looks like seconds; TypeError for one that is no int, and for no window.

    """
    need_window(window)
    if at is not None:
        check_milliseconds("at", at)
    is_marked = at is not None and window.window_start <= at <= window.window_end
    mark = at if is_marked else None
    layout = build_layout(width, theme, window.window_start, window.window_end, mark)
    length = window.window_end - window.window_start
    time = "" if mark is None else format_time_within(mark, length)
    values = lane_values(window)
    head, top = _draw_head(title, window, values, layout)
    body, bottom = draw_lanes(_build_lanes(values, layout), top, layout)
    content = (
        head
        + draw_times(time, top, bottom, layout)
        + body
        + draw_gaps(window.gaps, top, bottom, layout)
        + draw_reasons(window.gaps, top - layout.spacing // 2, layout)
        + draw_marker(time, top, bottom, layout)
    )
    frame = layout.frame
    height = bottom + frame.style.text + frame.left + layout.spacing
    return frame.image(title, describe(window, values, at), height, content)


def _draw_head(
    title: str, window: Window, values: LaneValues, layout: LaneLayout
) -> tuple[str, int]:
    """Write title, summary and legend; return them with the y at which the lanes start."""
    frame, style = layout.frame, layout.frame.style
    line = frame.left + style.title
    times, _, counts = summarize(window).partition(" UTC, ")
    lines = wrap([f"{times} UTC", counts], style.text, frame.right - frame.left)
    head = frame.heading(title, line, lines)
    line += len(lines) * style.row
    entries = _legend_entries(values, style.icon)
    wide = attrs.evolve(frame, style=attrs.evolve(style, sample=style.icon))
    names, rows = legend(entries, line + style.row + 4, MAX_LEGEND_ROWS, wide)
    bottom = line + rows * style.row + (4 if rows else 0)
    reasons = style.row if window.gaps else 0
    return head + names, bottom + reasons + layout.spacing


def _legend_entries(values: LaneValues, size: int) -> list[LegendEntry]:
    """Name the apps that were longest in front, longest first; add up all others.

    `System`, which replaces private apps, is last; it counts as one of the others if there are any.
    """
    totals = total_durations(values.apps)
    private = [app for app in totals if app == SENSITIVE_APP]
    named = [app for app in totals if app != SENSITIVE_APP][:_NAMED_APPS]
    if len(named) + len(private) == len(totals):
        named += private
    others = sum(total for app, total in totals.items() if app not in named)

    def square(app: str, x: int, y: int) -> str:
        color, top = values.colors[app], y - size + _SINK
        shape = (
            f'<rect x="{x}" y="{top}" width="{size}" height="{size}" rx="{CELL_RADIUS}"'
            f' fill="{color}"/>'
        )
        return (
            f'<g stroke="none">{shape}'
            f'<text x="{x + size / 2:g}" y="{top + size * _LETTER_BASE:g}" text-anchor="middle"'
            f' font-size="{size * _LETTER:g}" fill="{text_on(color)}">'
            f"{xml_text(app_initial(app))}</text></g>"
        )

    entries = [
        LegendEntry(app_label(app), format_duration(totals[app]), partial(square, app))
        for app in named
    ]
    return [*entries, LegendEntry("others", format_duration(others))] if others else entries


def _build_lanes(values: LaneValues, layout: LaneLayout) -> list[Lane]:
    music = [
        Interval(interval.start, interval.end, music_bar(interval.value))
        for interval in values.music
    ]
    built = [
        _bar_lane(LANES["active_app"], app_bars(values), layout),
        _number_lane(LANES["running_apps"], values.running, 1, layout),
        _bar_lane(LANES["music"], music, layout),
        _number_lane(LANES["battery"], values.battery, 100, layout, " %"),
        _number_lane(LANES["system"], values.load, 1, layout),
    ]
    return [lane for lane in built if lane.draw is not None] or built[:1]


def _bar_lane(name: str, lane: Sequence[Interval[Bar | None]], layout: LaneLayout) -> Lane:
    is_empty = all(interval.value is None for interval in lane)
    return Lane(name, None if is_empty else partial(draw_bars, lane, layout=layout))


def _number_lane(
    name: str,
    lane: Sequence[Interval[NumberValue]],
    least_full: int,
    layout: LaneLayout,
    unit: str = "",
) -> Lane:
    """Build a lane that the greatest number fills, or `least_full` where that is more."""
    note = format_range(lane, unit)
    full = max([least_full, *(interval.value.number or 0 for interval in lane)])
    levels = [
        Interval(interval.start, interval.end, _level(interval.value, full, unit))
        for interval in lane
    ]
    draw = partial(draw_levels, levels, layout=layout) if note else None
    return Lane(name, draw, note, has_numbers=True)


def _level(reading: NumberValue, full: float, unit: str) -> Area | None:
    if reading.number is None:
        return None
    text, share = f"{format_number(reading.number)}{unit}", reading.number / full
    if reading.is_charging:
        return Area(share, f"{text} charging", CHARGING)
    return Area(share, text, OTHER)


def build_layout(
    width: int, theme: Theme, start: int, end: int, mark: int | None = None
) -> LaneLayout:
    """Choose sizes for a width and a window; raises ValueError for one out of `WIDTHS`."""
    paper = paper_of(theme)
    if width not in WIDTHS:
        raise ValueError(f"the width is {width}; expected {WIDTHS[0]} to {WIDTHS[-1]} px")
    _, margin, names, bar, spacing, style = next(
        size_of for size_of in _SIZES if width >= size_of[0]
    )
    frame = Frame(width, margin, width - margin, style, paper)
    return LaneLayout(frame, Scale(start, end, margin + names, frame.right), bar, spacing, mark)
