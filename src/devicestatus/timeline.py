"""Draw a window as a timeline: an SVG image with a lane for each member.

There are lanes for the foreground app, the number of running apps, music, battery and load, as far
as the window has data of them; gaps go through all, and the legend explains each colour and look.
What follows a marked instant is outlined.  It is deterministic and self-contained, as
`status_contracts.svg.image` states.

Invariant *any text*: whatever the names of apps and tracks, the image is well-formed XML of the
same few elements and attributes.
Invariant *complete in text*: the description states what the lanes show.
Invariant *bounded*: the image has at most `MAX_IMAGE_BYTES` bytes, and the time to draw it is
linear in the number of events.
Invariant *no guesses*: what was not observed or not reported is left empty.
Invariant *named*: each of the `APP_COLORS` apps that were longest in front is in the legend, with
its total; the others are added up.
Invariant *in proportion*: the start of a window is at the left edge of the lanes, its end at the
right edge, and instants between them in proportion; an instant has the same px in all parts.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import attrs

from devicestatus.durations import Interval, total_durations
from devicestatus.lane_values import (
    APP_COLORS,
    CHARGING,
    LANES,
    MUSIC,
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
    DASHES,
    Bar,
    app_bars,
    draw_bars,
    draw_gap_sample,
    draw_gaps,
    draw_levels,
    draw_marker,
    draw_times,
    music_bar,
    split_at,
)
from devicestatus.models import SENSITIVE_APP, GapReason, Window, need_window
from devicestatus.status_text import GAPS
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
from status_contracts.svg.labels import format_duration, format_time_within
from status_contracts.svg.palette import Theme, text_on
from status_contracts.svg.text import truncate, xml_text

__all__ = ["MAX_IMAGE_BYTES", "WIDTHS", "lanes"]

WIDTHS: Final = range(320, 1921)
"""Widths of a timeline, px."""
_SIZES: Final = (  # px: least width, margin, width of the names, bar, spacing; text
    (1440, 36, 220, 38, 16, LARGE),
    (560, 20, 150, 28, 10, MEDIUM),
    (0, 12, 0, 22, 8, SMALL),
)
MAX_IMAGE_BYTES: Final = 500_000
"""Size of the largest image."""
_LETTER, _LETTER_BASE = 0.7, 0.75  # size and base line of a letter in a square
_MARK_NAME: Final = 20, 19  # code points of the name at the mark, and those kept of a longer one
_SINK: Final = 3  # px of a square below the base line


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
    layout = _build_layout(width, theme, window.window_start, window.window_end, mark)
    values = lane_values(window)
    shown = "" if mark is None else _mark_text(window, values, mark)
    head, top = _draw_head(title, window, values, layout)
    body, bottom = draw_lanes(_build_lanes(values, layout), top, layout)
    content = (
        head
        + draw_times(shown, top, bottom, layout)
        + body
        + draw_gaps(window.gaps, top, bottom, layout)
        + draw_marker(shown, top, bottom, layout)
    )
    frame = layout.frame
    height = bottom + frame.style.text + frame.left + layout.spacing
    return frame.image(title, describe(window, values, at), height, content)


def _mark_text(window: Window, values: LaneValues, mark: int) -> str:
    """Return the marked time and the app at it, whose block may have no space for its name."""
    time = format_time_within(mark, window.window_end - window.window_start)
    app = next((held.value for held in values.apps if held.start <= mark < held.end), None)
    return time if app is None else f"{time} {truncate(app_label(app), *_MARK_NAME)}"


def _draw_head(
    title: str, window: Window, values: LaneValues, layout: LaneLayout
) -> tuple[str, int]:
    """Write title, summary and legend; return them with the y at which the lanes start."""
    frame, style = layout.frame, layout.frame.style
    line = frame.left + style.title
    lines = summarize(window)
    head = frame.heading(title, line, lines)
    line += len(lines) * style.row
    size = style.text + _SINK
    wide = attrs.evolve(frame, style=attrs.evolve(style, sample=size))
    entries = _legend_entries(window, values, layout.mark, size)
    names, rows = legend(entries, line + style.row + 4, wide)
    return head + names, line + rows * style.row + (4 if rows else 0) + layout.spacing


def _legend_entries(
    window: Window, values: LaneValues, mark: int | None, size: int
) -> Iterator[LegendEntry]:
    """Name apps, longest first, `System` (which replaces private ones) last; then gaps and looks.

    `size` is that of a sample, px.
    """
    totals = total_durations(values.apps)
    for app in sorted([*totals][:APP_COLORS], key=lambda app: app == SENSITIVE_APP):
        square = partial(_app_sample, app, values.colors[app], size)
        yield LegendEntry(app_label(app), format_duration(totals.pop(app)), square)
    if totals:
        yield LegendEntry("others", format_duration(sum(totals.values())))
    gaps: dict[GapReason, int] = total_durations(
        Interval(gap.start_at, gap.end_at, gap.reason) for gap in window.gaps
    )
    for reason, total in gaps.items():
        sample = partial(draw_gap_sample, reason, size, _SINK)
        yield LegendEntry(GAPS[reason], format_duration(total), sample)
    paused = sum(held.duration for held in values.music if held.value.state == "paused")
    if paused:
        look = f'fill="none" stroke="{MUSIC}" {DASHES}'
        yield LegendEntry("paused", format_duration(paused), partial(_square, look, size))
    charging = sum(held.duration for held in values.battery if held.value.is_charging)
    if charging:
        look = f'fill="{CHARGING}" fill-opacity=".3" stroke="{CHARGING}"'
        yield LegendEntry("charging", format_duration(charging), partial(_square, look, size))
    if mark is not None and mark < window.window_end:
        look = f'fill="none" stroke="{OTHER}"'
        yield LegendEntry("still to come", "", partial(_square, look, size))


def _square(look: str, size: int, x: int, y: int) -> str:
    top, side = y - size + _SINK + 0.5, size - 1
    box = f'x="{x + 0.5}" y="{top}" width="{side}" height="{side}" rx="{CELL_RADIUS}"'
    return f"<rect {box} {look}/>"


def _app_sample(app: str, color: str, size: int, x: int, y: int) -> str:
    base = y - size + _SINK + size * _LETTER_BASE
    look = f'fill="{color}" stroke="{color}"'
    return (
        f"{_square(look, size, x, y)}"
        f'<text x="{x + size / 2:g}" y="{base:g}" text-anchor="middle"'
        f' font-size="{size * _LETTER:g}" fill="{text_on(color)}">'
        f"{xml_text(app_initial(app))}</text>"
    )


def _build_lanes(values: LaneValues, layout: LaneLayout) -> list[Lane]:
    apps = app_bars(values)
    music = [Interval(held.start, held.end, music_bar(held.value)) for held in values.music]
    if layout.mark is not None:
        apps, music = ([*split_at(lane, layout.mark)] for lane in (apps, music))
    built = [
        _bar_lane(LANES["active_app"], apps, layout),
        _number_lane(LANES["running_apps"], values.running, layout),
        _bar_lane(LANES["music"], music, layout),
        _number_lane(LANES["battery"], values.battery, layout, " %"),
        _number_lane(LANES["system"], values.load, layout),
    ]
    return [lane for lane in built if lane.draw is not None] or built[:1]


def _bar_lane(name: str, lane: Sequence[Interval[Bar | None]], layout: LaneLayout) -> Lane:
    is_empty = all(interval.value is None for interval in lane)
    return Lane(name, None if is_empty else partial(draw_bars, lane, layout=layout))


def _number_lane(
    name: str,
    lane: Sequence[Interval[NumberValue]],
    layout: LaneLayout,
    unit: str = "",
) -> Lane:
    """Build a lane that 100 % fills; or the greatest number, or twice one that never changes."""
    note = format_range(lane, unit)
    numbers = {number for held in lane if (number := held.value.number) is not None}
    full = 100 if unit else max({1, *numbers}) * (1 if len(numbers) > 1 else 2)
    return Lane(name, partial(draw_levels, lane, full, layout=layout) if note else None, note)


def _build_layout(
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
