"""Compute the levels of the days of a heat map, and draw them as SVG.

There is a column for each week, and a square for each day.

Invariant *quarters*: up to four different counts of a year have a level each.  More are divided
into at most four levels of a quarter of the days each, as far as equal counts allow.
Invariant *no count left out*: the ranges of the legend are contiguous.
Invariant *readable by lightness*: levels differ visibly without colour vision.
Invariant *complete in text*: the description states the total of each month.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from itertools import groupby
from math import ceil
from typing import Final

import attrs
from dateutil.relativedelta import relativedelta

from sitedata.views.calendar import WEEK_DAYS, Calendar, Unit, monday_of
from status_contracts.days import month_of, shift
from status_contracts.primitives import check_type, plural
from status_contracts.svg.image import MEDIUM, Frame, LegendEntry, legend, paper_of
from status_contracts.svg.labels import (
    MONTHS,
    Label,
    format_day,
    format_month,
    place_labels,
    write_labels,
)
from status_contracts.svg.palette import FILLS, Theme
from status_contracts.svg.text import text_width

LEVELS: Final = 4
"""Levels of days with a count; a day without one has the level 0."""
MAX_WEEKS: Final = 106
"""Two years."""
YEAR_WEEKS: Final = 53

_DIGITS: Final = 6
_RADIUS: Final = 2  # of the corners of a square, px


@attrs.frozen
class HeatMonth:
    """The visible days of a month."""

    name: str
    days: tuple[date, ...]
    total: int
    active_days: int


@attrs.frozen(repr=False)
class Heat:
    """The content of a heat map.

    `before` is the number of squares without a day before the first one: those of its week, and
    whole weeks before the year 0001.
    """

    before: int
    days: tuple[date, ...]
    levels: Mapping[date, int]
    scale: Mapping[int, int]
    months: tuple[HeatMonth, ...]
    unit: Unit = "contribution"

    def week_and_weekday(self, day: date) -> tuple[int, int]:
        """Return the week of a visible day, from 0, and its day of the week, from Monday."""
        return divmod(self.before + (day - self.days[0]).days, WEEK_DAYS)

    @property
    def summary(self) -> str:
        """The total and the visible time, as pages have it."""
        total = sum(month.total for month in self.months)
        weeks = self.week_and_weekday(self.days[-1])[0] + 1
        span = "twelve months" if weeks == YEAR_WEEKS else plural(weeks, "week")
        counted = format_total(total, len(self.levels), self.unit)
        return f"{counted} in the {span} to {format_day(self.days[-1])}"

    def describe(self, month: HeatMonth) -> str:
        """Return the name of a month and its total."""
        return f"{month.name}: {format_total(month.total, month.active_days, self.unit)}"


def build_year(calendar: Calendar, year: int) -> Heat | None:
    """Compute the heat map of a year up to the end of the calendar; None without a count."""
    first, last = date(year, 1, 1), date(year, 12, 31)
    until = min(last, calendar.end or last)
    weeks = (monday_of(until) - monday_of(first)).days // WEEK_DAYS + 1
    return build_heat(calendar, until=until, weeks=weeks, since=first)


def build_heat(
    calendar: Calendar, *, until: date | None, weeks: int, since: date = date.min
) -> Heat | None:
    """Compute the content of a heat map; None where no visible day has a count.

    Days before `since` are not visible.  The levels are those of the year, or of more weeks.
    """
    check_type("calendar", calendar, Calendar, "pass what calendar_of(snapshot) returns")
    if not 1 <= weeks <= MAX_WEEKS:
        raise ValueError(f"weeks is {weeks}; expected 1 to {MAX_WEEKS}")
    end = until or _last_day(calendar, weeks)
    if end is None:
        return None
    first, start = (max(_first_day(end, n), since) for n in (weeks, max(weeks, YEAR_WEEKS)))
    year = {day: count for day, count in calendar.counts.items() if start <= day <= end}
    shown = {day: count for day, count in year.items() if first <= day}
    if not shown:
        return None
    counts = sorted(year.values())
    distinct = sorted(set(counts))
    if len(distinct) <= LEVELS:
        most = max(len(distinct) - 1, 1)
        level_of = {count: 1 + ceil((LEVELS - 1) * n / most) for n, count in enumerate(distinct)}
    else:
        # the greatest count of the first, the second and the third quarter
        limits = [counts[-(-quarter * len(counts) // LEVELS) - 1] for quarter in range(1, LEVELS)]
        level_of = {count: 1 + bisect_left(limits, count) for count in distinct}
    levels = {day: level_of[count] for day, count in shown.items()}
    scale = {level: count for count, level in level_of.items()}
    days = tuple(first + timedelta(n) for n in range((end - first).days + 1))
    before = (weeks - 1) * WEEK_DAYS - (monday_of(end) - first).days
    return Heat(before, days, levels, scale, tuple(_months(days, shown)), calendar.unit)


def _last_day(calendar: Calendar, weeks: int) -> date | None:
    """Return the end of the calendar, or of its last active year if later days have no count."""
    if calendar.end is None or calendar.last is None:
        return calendar.end
    first = _first_day(calendar.end, max(weeks, YEAR_WEEKS))
    return calendar.last if calendar.last < first else calendar.end


def _first_day(end: date, weeks: int) -> date:
    """Return the Monday of the first week; of those of a year, the first day of twelve months."""
    monday = shift(monday_of(end), relativedelta(weeks=1 - weeks))
    year = shift(end, relativedelta(years=-1, days=1))
    return max(monday, year) if weeks == YEAR_WEEKS else monday


def format_total(total: int, active_days: int, unit: Unit = "contribution") -> str:
    """Write a total and the number of days: `12 contributions on 3 days`."""
    return f"{format_things(total, unit)} on {plural(active_days, 'day')}"


def format_things(count: int, thing: str) -> str:
    """Write a number of things: `1 problem`, `31,170 contributions`."""
    return f"{format_count(count)} {thing}{'' if count == 1 else 's'}"


def format_count(count: int) -> str:
    """Write a count, shortened where it is long: `12`, `31,170`, `1.2e9`."""
    digits = str(count)
    return f"{count:,}" if len(digits) <= _DIGITS else f"{digits[0]}.{digits[1]}e{len(digits) - 1}"


def legend_levels(heat: Heat) -> list[tuple[int, str]]:
    """Return the levels of a legend, and the counts of each: `none`, `1`, two, or `5 or more`."""
    lowest, texts = 1, [(0, "none")]
    *inner, (last, most) = heat.scale.items()
    for level, highest in inner:
        text = format_count(lowest)
        texts.append((level, text if lowest == highest else f"{text}\u2013{format_count(highest)}"))
        lowest = highest + 1
    return [*texts, (last, f"{format_count(lowest)}{'' if lowest == most else ' or more'}")]


def _months(days: Iterable[date], shown: Mapping[date, int]) -> Iterator[HeatMonth]:
    for _, listed in groupby(days, key=month_of):
        inside = tuple(listed)
        counts = [shown[day] for day in inside if day in shown]
        name = f"{MONTHS[inside[0].month - 1]} {inside[0].year:04}"
        yield HeatMonth(name, inside, sum(counts), len(counts))


_SQUARE: Final = 11  # px: its side
_STEP: Final = 13  # from one square to the next
_MARGIN: Final = 12
_WEEK_DAY_NAMES: Final = ((0, "Mon"), (2, "Wed"), (4, "Fri"))
_LEFT: Final = 46  # left end of the squares: "Wed" has 28 px


def heatmap(
    calendar: Calendar,
    *,
    title: str = "Contributions",
    weeks: int = YEAR_WEEKS,
    theme: Theme = "light",
) -> bytes:
    """Draw a calendar as an SVG image, UTF-8.

    The last visible day is that of the calendar, which for a snapshot is the day it was generated,
    or the last active day if that is more than a year before.

    Args:
        calendar: the counts.
        title: any text; cut where it is too long.
        weeks: number of visible weeks, 1 to 106.
        theme: on white, on a dark page, or without background and readable on both.

    Raises ValueError for arguments out of these bounds.

    """
    paper, fills = paper_of(theme), FILLS[theme]
    heat = build_heat(calendar, until=None, weeks=weeks)
    summary = f"There are no {calendar.unit}s to show." if heat is None else heat.summary
    right = ceil(max(_LEFT + weeks * _STEP, _MARGIN + text_width(summary, MEDIUM.text)))
    frame = Frame(right + _MARGIN, _MARGIN, right, MEDIUM, paper)
    line = _MARGIN + MEDIUM.title
    top = line + 2 * MEDIUM.row + MEDIUM.gap
    content = frame.heading(title, line, [summary])
    bottom, about = top + WEEK_DAYS * _STEP + MEDIUM.row, summary
    if heat is not None:
        entries = [
            LegendEntry(counts, "", partial(_draw_sample, fills[level]))
            for level, counts in legend_levels(heat)
        ]
        names, rows = legend(entries, bottom, attrs.evolve(frame, left=_LEFT))
        written = frame.text(_write_names(heat, frame.width - _LEFT))
        moved = f'<g transform="translate({_LEFT} {top})">'
        content += f"{moved}{written}{_draw_squares(heat, fills)}</g>{names}"
        bottom += (rows - 1) * MEDIUM.row
        about = " ".join(f"{text}." for text in (summary, *map(heat.describe, heat.months)))
    return frame.image(title, about, bottom + _MARGIN, content)


def _write_names(heat: Heat, width: int) -> str:
    """Write the names of three days of the week, and of the months that have space in a width."""
    written = ""
    for day, name in _WEEK_DAY_NAMES:
        base = MEDIUM.base_line(day * _STEP, _SQUARE)
        written += write_labels([Label(name, -MEDIUM.gap, "end")], base)
    starts = {heat.week_and_weekday(month.days[0])[0]: month for month in heat.months}
    labels = list[Label]()
    for week in sorted(starts)[::-1]:
        name = format_month(starts[week].days[0])
        names = [f"Jan {name}", name] if name.isdigit() else [name]  # a year alone needs less space
        labels += [Label(text, week * _STEP) for text in names]
    labels = [label for label in labels if label.span(MEDIUM.text)[1] <= width]
    placed = place_labels(labels, MEDIUM.text, MEDIUM.gap)
    return written + write_labels(placed, -MEDIUM.gap)


def _draw_squares(heat: Heat, fills: Sequence[tuple[str, str]]) -> str:
    drawn = []
    for month in heat.months:
        days = sorted((heat.levels.get(day, 0), *heat.week_and_weekday(day)) for day in month.days)
        squares = "".join(
            _squares(fills[level], ((week * _STEP, day * _STEP) for _, week, day in same))
            for level, same in groupby(days, key=lambda square: square[0])
        )
        drawn.append(f"<g><title>{heat.describe(month)}</title>{squares}</g>")
    return "".join(drawn)


def _draw_sample(fill: tuple[str, str], x: int, y: int) -> str:
    """Draw the square of a level in the legend, on a base line."""
    return _squares(fill, [(x, y - round(MEDIUM.base_line(0, _SQUARE)))])


def _squares(fill: tuple[str, str], places: Iterable[tuple[int, int]]) -> str:
    """Draw squares of a colour and an opacity, each at its left and upper end.

    They are smaller by the radius of their corners, and have strokes with round corners.
    """
    side = _SQUARE - 2 * _RADIUS
    data = "".join(f"M{x + _RADIUS} {y + _RADIUS}h{side}v{side}h-{side}z" for x, y in places)
    color, opacity = fill
    faint = "" if opacity == "1" else f' opacity="{opacity}"'  # of fill and stroke together
    edge = f'stroke="{color}" stroke-width="{2 * _RADIUS}" stroke-linejoin="round"'
    return f'<path fill="{color}" {edge}{faint} d="{data}"/>'
