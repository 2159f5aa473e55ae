"""Draw the status at a server time as a card, for a profile or a README.

A card of a window shows the foreground app and since when, the music, and the last 15 minutes of
apps, else of music, else of the load, with a key; that of a snapshot battery, load and number of
open apps in their place.  The last line says of which instant all is, or when it was checked.

Invariant *states of the page*: the card says "online" exactly where `/api/now` does; else the state
that the status page has, and why.
Invariant *inside the frame*: name and lines are cut to the width that they have; the status never.
Facts of a snapshot have more space than the longest need.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

import attrs

from devicestatus import lanes, limits
from devicestatus.durations import total_durations
from devicestatus.headline import LATE, LOW_PERCENT, Headline, State, headline
from devicestatus.lane_values import LANES, LaneValues, describe, lane_values
from devicestatus.models import Snapshot, Window
from status_contracts.instants import MINUTE_MS, SECOND_MS, check_instant, to_datetime
from status_contracts.primitives import ABSENT
from status_contracts.svg.axis import Lane, LaneLayout, Scale
from status_contracts.svg.image import MEDIUM, Frame, LegendEntry, legend, paper_of
from status_contracts.svg.labels import format_day, format_number, format_time
from status_contracts.svg.palette import GREY, INITIALS, Theme, text_on
from status_contracts.svg.text import BOLD, fit, initial, isolated_text, text_width, xml_text

__all__ = ["card"]

_STYLE: Final = attrs.evolve(MEDIUM, sample=19)  # in which two letters have space
_WIDTH: Final = 480  # px
_HEIGHT: Final = 176
_MARGIN: Final = 20
_TOP: Final = 16  # of the circle with the initial
_CIRCLE: Final = 48  # px, width and height
_TEXT: Final = _MARGIN + _CIRCLE + 14  # left end of name and lines
_MARKS: Final[Mapping[State, str]] = {"online": "●", "starting": "◕", "gap": "▨", "paused": "▮▮"}
_CORNER: Final = 12  # radius of the corners of the frame
_DRAWING: Final = 78  # upper end of what is below the texts, px
_BAR: Final = 30  # height of the bars, px
_RAISED: Final = 2  # more space between them and their key, px
_FOOT: Final = _HEIGHT - 12  # base line of the last line
_ENTRY: Final = 138  # of an entry of a key, px
_MOST: Final = 9  # names in a key that may fit
_Line = tuple[str, str, str]  # a name, which is cut, between texts that stay whole
_DRAWN: Final = (LANES["active_app"], LANES["music"], LANES["system"])  # the first is drawn


def card(
    shown: Window | Snapshot | None, *, at: int, name: str = "Device status", theme: Theme = "light"
) -> bytes:
    """Draw the status as an SVG image of 480 x 176 px, UTF-8.

    Args:
        shown: the window or snapshot that `/api/timeline` has; None if it is offline.
        at: the server time, ms since the epoch; a window is shown as it was 420 s before.
        name: of the owner, any text; cut where it is too long, as apps and tracks are.
        theme: on white, on a dark background, or without background and readable on both.

    Raises ValueError for another theme, TypeError for an `at` that is no int.

    """
    check_instant("at", at)
    said, paper, played = headline(shown, at), paper_of(theme), at - limits.PLAYBACK_DELAY_MS
    as_of, before = (
        (shown.collected_at, "Reported") if isinstance(shown, Snapshot) else (at, "Checked")
    )
    day = format_day(to_datetime(as_of), has_year=False)
    foot = f"{before} {day}, {format_time(as_of, MINUTE_MS)} UTC"
    if isinstance(shown, Window) and shown.window_start <= played < shown.window_end:
        foot = f"Shown for {format_time(played, MINUTE_MS)} UTC{LATE.replace(' shown', '')}"
    frame = Frame(_WIDTH, _MARGIN, _WIDTH - _MARGIN, _STYLE, attrs.evolve(paper, background=None))
    if isinstance(shown, Window):
        values = lane_values(shown)
        about = describe(shown, values, played)
        inside = attrs.evolve(frame, width=frame.right, paper=paper)
        drawing = _draw_window(inside, shown, values, played, foot)
    else:
        facts = {} if shown is None else _facts(shown)
        about = ". ".join(f"{fact}: {text}" for fact, text in facts.items())
        drawing = _draw_facts(frame, facts)
    lines = _lines(said, is_dated=isinstance(shown, Snapshot))  # in the last line
    description = ". ".join(filter(None, (said.label, *map("".join, lines), foot, about)))
    is_online = said.state == "online"
    look = INITIALS[theme] if is_online else (GREY, text_on(GREY))
    mark = _MARKS.get(said.state, "○")
    status = f"{mark} {said.label.lower()}", look[0] if is_online else paper.text
    drawn = _draw_initial(name, look)
    drawn += _draw_texts(frame, name, status, lines, is_beside=bool(drawing))
    if not (drawing and isinstance(shown, Window)):
        drawn += f'<path {paper.rule} d="M{_MARGIN} {_DRAWING + 0.5:g}H{frame.right}"/>'
    drawn += frame.text(f'<text x="{_MARGIN}" y="{_FOOT}">{foot}</text>')
    border = (
        f'<rect x=".5" y=".5" width="{_WIDTH - 1}" height="{_HEIGHT - 1}" rx="{_CORNER}"'
        f' fill="{paper.background or "none"}" {paper.rule}/>'
    )
    return frame.image(name, description, _HEIGHT, border + drawn + drawing)


def _lines(said: Headline, *, is_dated: bool) -> list[_Line]:
    """Return the app and since when, or the load, and any music; else the reason and when."""
    when = said.when_text().removesuffix(".")
    if said.state != "online":
        return [("", said.title, ""), ("", f"{when[0].upper()}{when[1:]}", "")]
    more = "" if is_dated else when or said.measured[1].lower()
    app = "", said.title, more and f", {more}"
    return [app, ("♫ ", said.music, "")] if said.music else [app]


def _facts(snapshot: Snapshot) -> dict[str, str]:
    """Return what a snapshot reports besides app and music, by its name.

    An empty list of apps, which a locked screen also has, says nothing.
    """
    battery, load, running = snapshot.battery, snapshot.system.load_1m, snapshot.running_apps
    facts = {}
    if battery.percent is not None:
        low = " low" if battery.percent <= LOW_PERCENT else ""
        charging = ", charging" if battery.charging else ""
        facts[f"Battery{low}{charging}"] = f"{format_number(battery.percent)} %"
    if load is not None:
        facts["Load"] = format_number(load)
    if running is not ABSENT and running:
        facts["Open apps"] = format_number(len(running))
    return facts


def _draw_initial(name: str, look: tuple[str, str]) -> str:
    (fill, color), radius, size = look, _CIRCLE // 2, 22
    x, y = _MARGIN + radius, _TOP + radius
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"/>'
        f'<text x="{x}" y="{y + size * 0.36:g}" text-anchor="middle" font-size="{size}"'
        f' font-weight="bold" fill="{color}">{xml_text(initial(name))}</text>'
    )


def _draw_texts(
    frame: Frame, name: str, status: tuple[str, str], lines: Sequence[_Line], *, is_beside: bool
) -> str:
    """Write the name, the status in its colour, and the lines: beside the circle, or below it."""
    style, paper, (shown_status, color) = frame.style, frame.paper, status
    y = _TOP + (17 + (2 - len(lines)) * style.row / 2 if is_beside else 30)
    room = frame.right - _TEXT - text_width(shown_status, style.text) - 2 * style.gap
    shown = isolated_text(fit(name, style.title * BOLD, room))
    place = f'x="{_TEXT}" y="{y:g}" font-size="{style.title}"'
    texts = [f'<text {place} font-weight="bold" fill="{paper.title}">{shown}</text>']
    place = f'x="{frame.right}" y="{y:g}" text-anchor="end"'
    texts.append(f'<text {place} fill="{color}">{xml_text(shown_status)}</text>')
    x, y = (_TEXT, y + style.row - 1) if is_beside else (_MARGIN, _DRAWING + 35)
    for number, (before, cut, after) in enumerate(lines):
        room = frame.right - x - text_width(f"{before}x{after}", style.text)
        text = f"{before}{isolated_text(fit(cut, style.text, room))}{xml_text(after)}"
        place = f'x="{x}" y="{y + number * (style.row - 1):g}"'
        texts.append(f'<text {place} fill="{paper.text if number else paper.title}">{text}</text>')
    return "".join(texts)


def _draw_facts(frame: Frame, facts: Mapping[str, str]) -> str:
    """Write facts in columns below the others, each with its name above it."""
    style, paper, y = frame.style, frame.paper, _DRAWING + 30
    starts = range(frame.left, frame.right, (frame.right - frame.left) // max(1, len(facts)))
    texts = [
        f'<text x="{x}" y="{y:g}" fill="{paper.text}">{name}</text>'
        f'<text x="{x}" y="{y + style.title + 4:g}" font-size="{style.title}" font-weight="bold"'
        f' fill="{paper.warning if " low" in name else paper.title}">{xml_text(text)}</text>'
        for x, (name, text) in zip(starts, facts.items(), strict=False)
    ]
    return "".join(texts)


def _draw_window(frame: Frame, window: Window, values: LaneValues, at: int, foot: str) -> str:
    """Draw a lane of a window, what crosses it, and beside its name and the foot their keys."""
    scale = Scale(window.window_start, window.window_end, frame.left, frame.right)
    step = SECOND_MS if scale.last - scale.first < 2 * MINUTE_MS else MINUTE_MS  # as of its axis
    mark = lanes.mark_of(window, at, format_time(at, step))
    layout = LaneLayout(frame, scale, _BAR, 0, mark, _RAISED)
    built = lanes.build_lanes(values, at, layout)
    empty = Lane(_DRAWN[0], lambda _: "") if window.gaps else None
    lane = next((lane for lane in built if lane.name in _DRAWN), empty)
    if lane is None:
        return ""
    unnamed = {gap.reason: 1 for gap in window.gaps if lanes.gap_label(gap, layout) is None}
    has_more = lane is not empty and at < window.window_end
    looks: list[lanes.Look] = [*unnamed, *[lanes.STILL_TO_COME] * has_more]
    current = {held.value for held in values.apps if held.start <= at < held.end}
    apps = sorted(total_durations(values.apps), key=lambda app: app not in current)
    names: list[lanes.Look] = [lanes.app_bar(app, values) for app in apps]
    names += dict.fromkeys(lanes.no_app_bar(held.value) for held in values.no_app if values.colors)
    y = round(_STYLE.base_line(_DRAWING - _RAISED, _STYLE.row))
    key = _draw_key(names, y, lanes.beside_name(lane, layout).frame)
    end = frame.left + round(text_width(foot, _STYLE.text))
    key += _draw_key(looks, _FOOT, attrs.evolve(frame, left=end + 3 * _STYLE.gap))
    return key + lanes.draw_window([lane], window.gaps, _DRAWING, layout)[0]


def _draw_key(looks: Sequence[lanes.Look], y: int, frame: Frame) -> str:
    """Draw as many samples with their names, cut, as fit in a row, and the number of others."""
    entries = [lanes.legend_entry(look, frame).cut(_STYLE, _ENTRY) for look in looks]
    counts = range(min(len(entries) - 1, _MOST), -1, -1)
    cuts = ([*entries[:count], LegendEntry(f"+{len(entries) - count:,}")] for count in counts)
    rows = (legend(named, y, frame) for named in chain([entries], cuts))
    return next(drawn for drawn, number in rows if number <= 1)
