"""Draw a window as a timeline: an SVG image with a lane for each member.

There are lanes for the app in front, the number of running apps, music, battery and load; gaps go
through all of them.  A window shows this image in a notebook.

Invariant *deterministic*: the image depends only on the arguments.
Invariant *any text*: whatever the names of apps and tracks, the image is well-formed XML of the
same few elements and attributes, without script, style or reference.
Invariant *complete in text*: the description states what the lanes show.
Invariant *bounded*: the image has at most `MAX_IMAGE_BYTES` bytes, and the time to draw it is
linear in the number of events.
Invariant *no guesses*: what was not observed or not reported is left empty.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

import attrs

from devicestatus.engine.intervals import Interval
from devicestatus.models.snapshot import SENSITIVE_APP
from devicestatus.models.window import Window
from devicestatus.rendering.lane_values import (
    BatteryLevel,
    LaneValues,
    MusicStatus,
    lane_values,
    total_durations,
)
from devicestatus.rendering.lanes import Bar, Level, draw_bars, draw_levels
from devicestatus.rendering.layout import Layout, build_layout
from devicestatus.rendering.palette import CHARGING, MUSIC, OTHER, app_color
from devicestatus.rendering.summary import NO_DATA, describe, format_range, summarize
from devicestatus.rendering.time_marks import draw_axis, draw_gaps, draw_marker, draw_reasons
from purewire.svg.image import Canvas, heading, image
from purewire.svg.labels import format_duration, format_number
from purewire.svg.legend import Entry, LegendStyle, legend
from purewire.svg.palette import Paper, Theme, paper_of
from purewire.svg.text import text_width

__all__ = ["MAX_IMAGE_BYTES", "MAX_LEGEND_ROWS", "lanes"]

MAX_IMAGE_BYTES: Final = 500_000
"""Size of the largest image."""
MAX_LEGEND_ROWS: Final = 3

_NAMED_APPS: Final = 4  # in the legend; all others are one entry without a colour
_SAMPLE_GAP: Final = 5  # px from a square of the legend to its text
_PERCENT: Final = 100
_MIN_FULL_LOAD: Final = 1.0  # the load that fills a lane is at least that of one busy core
_V = TypeVar("_V")
_W = TypeVar("_W")


@attrs.frozen
class _Lane:
    """A lane.

    Attributes:
        name: its name.
        note: text beside the name.
        draw: draws its content from a y on.
        has_numbers: whether there is a row of numbers above it.
        is_empty: whether nothing was reported.

    """

    name: str
    note: str
    draw: Callable[[int], str]
    has_numbers: bool
    is_empty: bool


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
        theme: on white, or without background and readable on white and on black.

    Raises ValueError for another width or theme, and for instants outside the years 0001 to 9999.

    """
    paper = paper_of(theme)
    layout = build_layout(width, window.window_start, window.window_end)
    values = lane_values(window)
    head, top = _draw_head(title, window, values, layout, paper)
    body, bottom = _draw_lanes(_build_lanes(values, layout, paper), top, layout, paper)
    is_marked = at is not None and window.window_start <= at <= window.window_end
    mark = at if is_marked else None
    content = [
        head,
        draw_axis(mark, top, bottom, layout, paper),
        body,
        draw_gaps(window.gaps, top, bottom, layout),
        draw_reasons(window.gaps, top - layout.style.spacing // 2, layout, paper),
        "" if mark is None else draw_marker(mark, top, bottom, layout),
    ]
    height = bottom + layout.style.text + layout.style.margin + layout.style.spacing
    canvas = Canvas(width, height, layout.style.text, paper.background)
    return image(canvas, title, describe(window, values, at), "".join(content))


def _draw_head(
    title: str, window: Window, values: LaneValues, layout: Layout, paper: Paper
) -> tuple[str, int]:
    """Write title, summary and legend; return them with the y at which the lanes start."""
    style = layout.style
    max_width = layout.width - 2 * style.margin
    line = style.margin + style.title
    parts = [heading(title, style.margin, line, max_width, style.title, paper)]
    for text in _lines(summarize(window), style.text, max_width):
        line += style.row
        parts.append(f'<text x="{style.margin}" y="{line}" fill="{paper.text}">{text}</text>')
    entries, rows = legend(
        _legend_entries(values, style.text),
        (style.margin, line + style.row + 4, max_width),
        MAX_LEGEND_ROWS,
        LegendStyle(style.text, style.row, style.text, _SAMPLE_GAP),
        paper,
    )
    bottom = line + rows * style.row + (4 if rows else 0)
    reasons = style.row if window.gaps else 0
    return "".join([*parts, entries]), bottom + reasons + style.spacing


def _lines(summary: str, font_size: int, max_width: float) -> list[str]:
    """Break the summary into two lines where it is too wide for one."""
    if text_width(summary, font_size) <= max_width:
        return [summary]
    times, _, rest = summary.partition(" UTC, ")
    return [f"{times} UTC", rest]


def _legend_entries(values: LaneValues, size: int) -> list[Entry]:
    """Name the apps that were longest in front, longest first; add up all others."""
    totals = total_durations((each.value, each.duration) for each in values.apps)
    named = [app for app in totals if app != SENSITIVE_APP][:_NAMED_APPS]
    others = sum(total for app, total in totals.items() if app not in named)

    def square(app: str) -> Callable[[int, int], str]:
        return lambda x, y: (
            f'<rect x="{x}" y="{y - size + 1}" width="{size}" height="{size}" rx="2"'
            f' fill="{app_color(app)}"/>'
        )

    entries = [Entry(app, format_duration(totals[app]), square(app)) for app in named]
    return [*entries, Entry("others", format_duration(others))] if others else entries


def _draw_lanes(drawn: Iterable[_Lane], top: int, layout: Layout, paper: Paper) -> tuple[str, int]:
    """Draw lanes one below the other; return them with the y at which they end."""
    style = layout.style
    middle = style.bar // 2 + style.text // 3  # of a bar, for the base line of a text
    parts, rules, y = [], "", top
    for lane in drawn:
        name_y = y + style.row - 4
        if not style.has_names_beside:
            y += style.row
        if lane.has_numbers:
            y += style.row
        elif style.has_names_beside:
            name_y = y + middle
        parts.append(_lane_name(lane, name_y, layout, paper))
        if lane.is_empty:
            base = y - 3 if lane.has_numbers else y + middle
            parts.append(
                f'<text x="{layout.left + 3}" y="{base}" fill="{paper.text}">{NO_DATA}</text>'
            )
        else:
            parts.append(lane.draw(y))
        y += style.bar
        rules += f"M{layout.left} {y + 0.5}H{layout.right}"
        y += style.spacing
    bottom = y - style.spacing + 1
    return f'<path {paper.rule} d="{rules}"/>{"".join(parts)}', bottom


def _lane_name(lane: _Lane, y: int, layout: Layout, paper: Paper) -> str:
    style = layout.style
    note = ""
    if lane.note:
        place = f' x="{style.margin}" dy="{style.row}"' if style.has_names_beside else ' dx="6"'
        note = f'<tspan{place} fill="{paper.text}">{lane.note}</tspan>'
    return f'<text x="{style.margin}" y="{y}" fill="{paper.title}">{lane.name}{note}</text>'


def _build_lanes(values: LaneValues, layout: Layout, paper: Paper) -> list[_Lane]:
    most_apps = max((each.value or 0 for each in values.running), default=0)
    full_load = max((each.value or 0.0 for each in values.load), default=0.0)

    def app_bar(app: str | None) -> Bar | None:
        return None if app is None else Bar(app, app_color(app))

    def count_level(apps: int | None) -> Level | None:
        return None if apps is None else Level(apps / max(most_apps, 1), str(apps), OTHER)

    def load_level(load: float | None) -> Level | None:
        if load is None:
            return None
        return Level(load / max(full_load, _MIN_FULL_LOAD), format_number(load), OTHER)

    def bar_lane(name: str, found: Sequence[Interval[Bar | None]]) -> _Lane:
        is_empty = all(each.value is None for each in found)
        return _Lane(
            name,
            "",
            lambda y: draw_bars(found, y, layout, paper),
            has_numbers=False,
            is_empty=is_empty,
        )

    def number_lane(name: str, note: str, found: Sequence[Interval[Level | None]]) -> _Lane:
        return _Lane(
            name,
            note,
            lambda y: draw_levels(found, y, layout, paper),
            has_numbers=True,
            is_empty=not note,
        )

    running = format_range(each.value for each in values.running)
    battery = format_range((each.value.percent for each in values.battery), "%")
    load = format_range(each.value for each in values.load)
    return [
        bar_lane("App in front", _mapped(values.apps, app_bar)),
        number_lane("Running apps", running, _mapped(values.running, count_level)),
        bar_lane("Music", _mapped(values.music, _music_bar)),
        number_lane("Battery", battery, _mapped(values.battery, _battery_level)),
        number_lane("Load, 1 min", load, _mapped(values.load, load_level)),
    ]


def _mapped(found: Iterable[Interval[_V]], convert: Callable[[_V], _W]) -> list[Interval[_W]]:
    return [Interval(each.start, each.end, convert(each.value)) for each in found]


def _music_bar(music: MusicStatus) -> Bar | None:
    if music.state == "playing":
        return Bar(music.name or "playing", MUSIC)
    if music.state == "paused":
        return Bar(f"paused: {music.name}" if music.name else "paused", MUSIC, is_filled=False)
    return Bar("stopped", None) if music.state == "stopped" else None


def _battery_level(battery: BatteryLevel) -> Level | None:
    if battery.percent is None:
        return None
    text = f"{format_number(battery.percent)}%"
    if battery.is_charging:
        return Level(battery.percent / _PERCENT, f"{text} charging", CHARGING)
    return Level(battery.percent / _PERCENT, text, OTHER)
