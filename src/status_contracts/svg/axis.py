"""The axes of a picture, and lanes one below the other, with their names, on a common axis.

An axis has a scale from values to px, and ticks: round times of day, dates, or numbers.

Invariant *round ticks*: ticks are whole multiples of a round step, counted from midnight (UTC), or
every day, every or every second Monday, or the first days of every so many months or years, counted
from January and from year 0.
Invariant *finest that fits*: the step is the finest that leaves each label its space.
Invariant *labels apart*: no two labels of the axis touch, and none touches a label placed before.
Invariant *inside its column*: the text beside a lane is cut where it would reach into the lane.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final

import attrs
from dateutil.relativedelta import relativedelta

from status_contracts.instants import DAY_MS, MINUTE_MS, SECOND_MS, to_datetime
from status_contracts.svg import labels
from status_contracts.svg.image import Frame
from status_contracts.svg.text import fit, text_width, xml_text

AXIS_PADDING: Final = 5
"""Space left and right of a label of the axis, px."""
AXIS_SPACING: Final = 4
"""Distance from the lanes to the labels of the axis, px."""
NO_DATA: Final = "no data"
"""Text of a lane without content."""


@attrs.frozen
class Scale:
    """A linear scale from values to px or a smaller unit; all equal values lie in the middle."""

    first: int
    last: int
    start: int
    end: int

    def places(self, values: Iterable[int]) -> list[int]:
        """Return the place of each value from `first` to `last`, rounded half up."""
        span, length = self.last - self.first, self.end - self.start
        if not span:
            return [self.start + length // 2 for _ in values]
        slope, divisor = 2 * length, 2 * span
        # adds the start, and a half before the division
        offset = divisor * self.start + span - slope * self.first
        return [(slope * value + offset) // divisor for value in values]

    def place(self, value: int) -> int:
        """Return the place of one value."""
        return self.places([value])[0]

    def columns(self, first: int, last: int, least: int = 1) -> range:
        """Return the columns, each one px or unit wide, of a span of values: at least `least`."""
        left = min(self.place(first), self.end - least)
        return range(left, max(self.place(last), left + least))


_STEPS_MS: Final = (
    *(SECOND_MS * seconds for seconds in (5, 10, 15, 30)),
    *(MINUTE_MS * minutes for minutes in (1, 2, 5, 15, 30, 60, 120, 180, 360, 720)),
)
_SHARES: Final = (0, 0.25, 0.5, 0.75, 1)
_UNSEEN: Final = 1 / 128  # of the span, by which rounding moves a number
_MOST: Final = 1 / 32
_STEPS_DAYS: Final = (1, 7, 14)
_YEAR: Final = 12
_STEPS_MONTHS: Final = (
    *(1, 2, 3, 6),
    *(_YEAR * years for years in (1, 2, 5, 10, 20, 50, 100, 500, 2000)),
)


@attrs.frozen
class Tick:
    """A value of an axis and its label."""

    value: int
    label: str


@attrs.frozen
class Level:
    """A height of an axis of numbers, from 0 at its upper end to 1; its label may be empty."""

    share: float
    label: str = ""


TickChoice = tuple[range, Callable[[int], Tick]]
"""Multiples of one step, and how to build the tick of each."""


def finest_ticks(
    choices: Iterable[TickChoice], length: float, font_size: float, spacing: float
) -> list[Tick]:
    """Build the ticks of the first choice whose labels have space; none where none has."""
    for multiples, build_tick in choices:
        if len(multiples) * spacing > length:  # which bounds the number of labels to measure
            continue
        ticks = list(map(build_tick, multiples))
        widest = max((text_width(tick.label, font_size) for tick in ticks), default=0.0)
        if len(ticks) * (widest + spacing) <= length:
            return ticks
    return []


def time_ticks(start: int, end: int) -> Iterator[TickChoice]:
    """Yield times of day between two instants (ms); in more than a day a midnight is `31 Jan`."""

    def build_tick(step_ms: int, instant: int) -> Tick:
        if end - start > DAY_MS and instant % DAY_MS == 0:
            return Tick(instant, labels.format_day(to_datetime(instant), has_year=False))
        return Tick(instant, labels.format_time(instant, step_ms))

    for step in (*_STEPS_MS, DAY_MS):
        yield range(start + -start % step, end + 1, step), partial(build_tick, step)


def date_ticks(first: date, last: date, *, daily: bool) -> Iterator[TickChoice]:
    """Yield days between two days (both excluded); the value of a tick is the ordinal of its day.

    A day is labelled `31 Jan`, the first of a month `Feb`, of a year `2026`.  Days, Mondays and
    every second Monday are among the choices where `daily` only.
    """

    def build_day(days: int) -> Tick:
        day = first + timedelta(days)
        return Tick(day.toordinal(), labels.format_day(day, has_year=False))

    def build_month(months: int) -> Tick:
        day = first + relativedelta(months=months, day=1)
        return Tick(day.toordinal(), labels.format_month(day))

    for step in _STEPS_DAYS if daily else ():
        days = range(step - first.weekday() % step, (last - first).days, step)
        yield days, build_day
    start = first.year * _YEAR + first.month - 1  # months from January of year 0
    stop = last.year * _YEAR + last.month - (last.day == 1)
    for step in _STEPS_MONTHS:
        yield range(step - start % step, stop - start, step), build_month


def value_levels(
    least: float, greatest: float, write: Callable[[float, int], str], decimals: Sequence[int]
) -> list[Level]:
    """Choose five levels of an axis from the least to the greatest, a quarter of the span apart.

    All numbers have the fewest of some `decimals` that move none visibly, or else the last.  One
    moved by more than a 32nd has no label; of equal numbers only the middle has one.
    """
    span = greatest - least
    values = [greatest - share * span for share in _SHARES]
    for places in decimals:
        moves = [abs(round(value, places) - value) for value in values]
        if max(moves) <= span * _UNSEEN:
            break
    levels = []
    for share, value, move in zip(_SHARES, values, moves, strict=True):
        has_text = share in {0, 1} or move <= span * _MOST if span else share == _SHARES[2]
        levels.append(Level(share, write(value, places) if has_text else ""))
    return levels


@attrs.frozen
class LaneLayout:
    """The sizes of a picture of lanes."""

    frame: Frame
    scale: Scale  # maps values to px between the edges of the lanes
    bar: int  # height of the content of a lane, px
    spacing: int  # distance of two lanes, px
    mark: Tick | None = None  # a value that a line through the lanes marks
    raised: int = 0  # more space for a key beside the names above lanes, px

    @property
    def has_names_beside(self) -> bool:
        """True where the names of lanes are left of them, not above."""
        return self.scale.start > self.frame.left

    def rule(self, y: float) -> str:
        """Return path data of a line at an edge of lanes."""
        return f"M{self.scale.start} {y}H{self.scale.end}"

    def axis_label(self, tick: Tick) -> labels.Label:
        """Build the label of a tick at its value, or as near as it stays inside the image."""
        half = text_width(tick.label, self.frame.style.text) / 2
        first, last = self.frame.left + half, self.frame.width - AXIS_PADDING - half
        x = min(max(self.scale.place(tick.value), first), last)
        return labels.Label(tick.label, x, "middle")


@attrs.frozen
class Lane:
    """A lane; its note is below the name or, where the lane is too low, beside it."""

    name: str  # cut where space is short
    draw: Callable[[int], str]  # draws its content from a y on
    note: str = ""  # cut only where it has no space without any name
    end: str = ""  # at the right end of the row; never cut


def draw_lanes(drawn: Iterable[Lane], top: int, layout: LaneLayout) -> tuple[str, str, int]:
    """Draw lanes one below the other; return texts, what is drawn over them, and the lower end."""
    frame, texts, content, rules, y = layout.frame, "", "", "", top
    above = 0 if layout.has_names_beside else frame.style.row
    for lane in drawn:
        texts += _lane_name(lane, y - layout.raised * bool(above), above or layout.bar, layout)
        y += above
        content += lane.draw(y)
        rules += layout.rule(y + layout.bar + 0.5)
        y += layout.bar + layout.spacing
    return texts, f'<path {frame.paper.rule} d="{rules}"/>{content}', y - layout.spacing + 1


def _lane_name(lane: Lane, top: int, height: int, layout: LaneLayout) -> str:
    """Write name and note in the middle of a height, as two rows where it is high."""
    frame, style = layout.frame, layout.frame.style
    end = layout.scale.start if layout.has_names_beside else layout.scale.end
    room: float = end - frame.left - (2 * style.gap if layout.has_names_beside else 0)
    y, place, has_rows = style.base_line(top, height), "", height >= style.row + style.text
    room -= text_width(lane.end, style.text) + 2 * style.gap if lane.end else 0
    least = 0 if has_rows else text_width("…", style.text) + style.gap  # of a name that is cut
    note = fit(lane.note, style.text, room - least)
    if note and has_rows:
        y -= style.row / 2
        place = f'x="{frame.left}" dy="{style.row}"'
    elif note:
        room -= text_width(note, style.text) + style.gap
        place = f'dx="{style.gap}"'
    name = xml_text(fit(lane.name, style.text, room))
    if note:
        note = f'<tspan {place} fill="{frame.paper.text}">{xml_text(note)}</tspan>'
    last = frame.text(labels.write_labels([labels.Label(lane.end, layout.scale.end, "end")], y))
    return f'<text x="{frame.left}" y="{y:g}" fill="{frame.paper.title}">{name}{note}</text>{last}'


def place_tick_labels(
    ticks: Iterable[Tick], taken: Sequence[labels.Label], layout: LaneLayout
) -> list[labels.Label]:
    """Return the labels of ticks that have space beside labels placed before."""
    wanted = [layout.axis_label(tick) for tick in ticks]
    placed = labels.place_labels([*taken, *wanted], layout.frame.style.text, 3 * AXIS_PADDING)
    return placed[len(taken) :]


def draw_axis(
    ticks: Sequence[Tick],
    taken: Sequence[labels.Label],
    bottom: int,
    layout: LaneLayout,
    boxes_at: Callable[[int], Iterable[tuple[int, int]]],
) -> str:
    """Draw each tick whose label has space as lines in its boxes, and the label below them."""
    frame, placed = layout.frame, place_tick_labels(ticks, taken, layout)
    shown = [tick.value for tick in ticks if layout.axis_label(tick) in placed]
    boxes = [(x, box) for x in shown for box in boxes_at(x)]
    lines = "".join(f"M{layout.scale.place(x) + 0.5:g} {top}V{end}" for x, (top, end) in boxes)
    rules = f'<path {frame.paper.rule} d="{lines}"/>' if lines else ""
    return rules + frame.text(labels.write_labels(placed, bottom + AXIS_SPACING + frame.style.text))
