"""A window as lanes over time: an SVG image of what was when.

One lane each for the app in front, the number of running apps, music, battery and load; gaps go
through all of them.  It is the image that a window shows of itself in a notebook.

Invariant *same window, same bytes*: the image depends on nothing but the arguments.
Invariant *any text*: whatever apps and tracks are called, the image is well-formed XML of the same
few elements and attributes; there is no script, no style and no reference in it.
Invariant *in words too*: the description says what the lanes show.
Invariant *bounded*: the image has at most `BYTES_MOST` bytes, and is made in time that grows with
the number of events and nothing else.
Invariant *never a guess*: what was not observed or not reported is left empty.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

import attrs

from devicestatus.engine.intervals import Interval, Recording
from devicestatus.rendering.axis import axis, marker
from devicestatus.rendering.bars import Look, bars
from devicestatus.rendering.gap_marks import hatched, reasons
from devicestatus.rendering.labels import amount, cut
from devicestatus.rendering.lane_values import Charge, Heard, Shown, shown_in
from devicestatus.rendering.layout import Layout, layout_of
from devicestatus.rendering.legend import Times, app_ink, legend, times_of
from devicestatus.rendering.palette import CHARGE, MUSIC, OTHER, PAPERS, Paper, Theme
from devicestatus.rendering.step_lane import Level, steps
from devicestatus.rendering.summary import NOTHING, extent, story, summary
from purewire.svg.image import Canvas, image
from purewire.svg.text import truncate, xml_text
from purewire.svg.text import width as text_width

__all__ = ["BYTES_MOST", "lanes"]

BYTES_MOST: Final = 500_000
"""Size of the largest image."""

_TITLE_LENGTH: Final = 120  # code points
_PERCENT: Final = 100
_LOAD_LEAST: Final = 1.0  # a lower load fills no lane: one core has that much to do
_V = TypeVar("_V")
_W = TypeVar("_W")


@attrs.frozen
class _Lane:
    """A lane: its name, what is said of all of it, its content from some y on, and its kind."""

    name: str
    note: str
    draw: Callable[[int], str]
    numbered: bool
    empty: bool


def lanes(
    window: Recording,
    *,
    at: int | None = None,
    title: str = "Device activity",
    width: int = 720,
    theme: Theme = "light",
) -> bytes:
    """Draw a window as an SVG image, UTF-8.

    Args:
        window: a valid `Window`.
        at: an instant to mark, ms since the epoch: what readers see at server time `now` is the
            state at `now - limits.PLAYBACK_DELAY_MS`; outside of the window no mark is drawn.
        title: any text; what has no room is left out.
        width: of the image, 320 to 1920 px; its height follows.
        theme: on white, or without background and readable on white as on black.

    Raises ValueError for another width or theme, and for instants outside the years 0001 to 9999.

    """
    if theme not in PAPERS:
        raise ValueError("the theme of a picture is light or transparent")
    place = layout_of(width, window.window_start, window.window_end)
    paper, shown = PAPERS[theme], shown_in(window)
    name = truncate(title, _TITLE_LENGTH, _TITLE_LENGTH - 1)
    head, top = _head(name, window, times_of(shown.apps), place, paper)
    body, bottom = _body(_lanes(shown, place, paper), top, place, paper)
    marked = at is not None and window.window_start <= at <= window.window_end
    mark = at if marked else None
    inside = [
        head,
        axis(mark, top, bottom, place, paper),
        body,
        hatched(window.gaps, top, bottom, place, paper),
        reasons(window.gaps, top - place.style.between // 2, place, paper),
        "" if mark is None else marker(mark, top, bottom, place),
    ]
    high = bottom + place.style.text + place.style.margin + place.style.between
    canvas = Canvas(width, high, place.style.text, paper.back)
    return image(canvas, name, story(window, shown, at), "".join(inside))


def _head(
    name: str, window: Recording, times: Times, place: Layout, paper: Paper
) -> tuple[str, int]:
    """Write the title, all in one line, and the legend; gives where the lanes begin as well."""
    style = place.style
    room = place.width - 2 * style.margin
    line = style.margin + style.title
    heading = (
        f'<text x="{style.margin}" y="{line}" font-size="{style.title}"'
        f' fill="{paper.title}">{xml_text(cut(name, style.title, room))}</text>'
    )
    parts = [heading]
    for words in _lines(summary(window), style.text, room):
        line += style.row
        parts.append(f'<text x="{style.margin}" y="{line}" fill="{paper.words}">{words}</text>')
    entries, rows = legend(times, line + style.row + 4, place, paper)
    bottom = line + rows * style.row + (4 if rows else 0)
    above = style.row if window.gaps else 0
    return "".join([*parts, entries]), bottom + above + style.between


def _lines(text: str, size: int, room: float) -> list[str]:
    """Break the summary in two where one line has no room for it."""
    if text_width(text, size) <= room:
        return [text]
    span, _, rest = text.partition(" UTC, ")
    return [f"{span} UTC", rest]


def _body(drawn: Iterable[_Lane], top: int, place: Layout, paper: Paper) -> tuple[str, int]:
    """Draw lanes one below the other; gives where they end as well."""
    style = place.style
    parts, rules, y = [], "", top
    for lane in drawn:
        name_y = y + style.row - 4
        if not style.beside:
            y += style.row
        if lane.numbered:
            y += style.row
        elif style.beside:
            name_y = y + style.bar // 2 + style.text // 3
        parts.append(_name(lane, name_y, place, paper))
        if lane.empty:
            base = y - 3 if lane.numbered else y + style.bar // 2 + style.text // 3
            parts.append(
                f'<text x="{place.left + 3}" y="{base}" fill="{paper.words}">{NOTHING}</text>'
            )
        else:
            parts.append(lane.draw(y))
        y += style.bar
        rules += f"M{place.left} {y + 0.5}H{place.right}"
        y += style.between
    bottom = y - style.between + 1
    return f'<path {paper.rule} d="{rules}"/>{"".join(parts)}', bottom


def _name(lane: _Lane, y: int, place: Layout, paper: Paper) -> str:
    style = place.style
    note = ""
    if lane.note:
        where = f' x="{style.margin}" dy="{style.row}"' if style.beside else ' dx="6"'
        note = f'<tspan{where} fill="{paper.words}">{lane.note}</tspan>'
    return f'<text x="{style.margin}" y="{y}" fill="{paper.title}">{lane.name}{note}</text>'


def _lanes(shown: Shown, place: Layout, paper: Paper) -> list[_Lane]:
    greatest = max((each.value or 0 for each in shown.running), default=0)
    heaviest = max((each.value or 0.0 for each in shown.load), default=0.0)

    def front(app: str | None) -> Look | None:
        return None if app is None else Look(app, app_ink(app))

    def number(apps: int | None) -> Level | None:
        return None if apps is None else Level(apps / max(greatest, 1), str(apps), OTHER)

    def load(value: float | None) -> Level | None:
        if value is None:
            return None
        return Level(value / max(heaviest, _LOAD_LEAST), amount(value), OTHER)

    def named(name: str, found: Sequence[Interval[Look | None]]) -> _Lane:
        empty = all(each.value is None for each in found)
        return _Lane(name, "", lambda y: bars(found, y, place, paper), numbered=False, empty=empty)

    def counted(name: str, note: str, found: Sequence[Interval[Level | None]]) -> _Lane:
        empty = not note
        return _Lane(
            name, note, lambda y: steps(found, y, place, paper), numbered=True, empty=empty
        )

    return [
        named("App in front", _mapped(shown.apps, front)),
        counted(
            "Running apps",
            extent(each.value for each in shown.running),
            _mapped(shown.running, number),
        ),
        named("Music", _mapped(shown.music, _music)),
        counted(
            "Battery",
            extent((each.value.percent for each in shown.battery), "%"),
            _mapped(shown.battery, _battery),
        ),
        counted(
            "Load, 1 min", extent(each.value for each in shown.load), _mapped(shown.load, load)
        ),
    ]


def _mapped(found: Iterable[Interval[_V]], look: Callable[[_V], _W]) -> list[Interval[_W]]:
    return [Interval(each.start, each.end, look(each.value)) for each in found]


def _music(heard: Heard) -> Look | None:
    if heard.state == "playing":
        return Look(heard.name or "playing", MUSIC)
    if heard.state == "paused":
        return Look(f"paused: {heard.name}" if heard.name else "paused", MUSIC, filled=False)
    return Look("stopped", None) if heard.state == "stopped" else None


def _battery(charge: Charge) -> Level | None:
    if charge.percent is None:
        return None
    words = f"{amount(charge.percent)}%"
    if charge.charging:
        return Level(charge.percent / _PERCENT, f"{words} charging", CHARGE)
    return Level(charge.percent / _PERCENT, words, OTHER)
