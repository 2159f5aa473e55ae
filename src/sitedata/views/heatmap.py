"""Compute the levels of the days of a heat map, and draw them as SVG.

There is a column for each week, and a square for each day.

Invariant *quarters*: up to four different counts have a level each.  More are divided into at most
four levels of a quarter of the days each, as far as equal counts allow.
Invariant *no count left out*: the ranges of the legend are contiguous.
Invariant *readable by lightness*: levels differ visibly without colour vision.
Invariant *complete in text*: the description states the total of each month.
Invariant *fits a width*: with `max_width` the weeks are in as few rows as fit with squares of 9 px,
and squares are as large as these rows allow.
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

from sitedata.views.calendar import WEEK_DAYS, Calendar, Unit
from status_contracts.days import check_day, monday_of, month_of, shift
from status_contracts.primitives import check_type, plural
from status_contracts.svg.image import (
    CELL_RADIUS,
    LARGE,
    MEDIUM,
    SMALL,
    Frame,
    LegendEntry,
    Style,
    columns_width,
    legend,
    paper_of,
)
from status_contracts.svg.labels import (
    MONTHS,
    Label,
    format_day,
    format_month,
    place_labels,
    wrap,
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


@attrs.frozen
class HeatMonth:
    """The visible days of a month."""

    name: str
    days: tuple[date, ...]
    total: int
    active_days: int

    @property
    def short_name(self) -> str:
        """The text above the weeks: `Feb`; for January the year."""
        return format_month(self.days[0])


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
        """The total, and the dates from the first day with a count to the last day."""
        total = sum(month.total for month in self.months)
        active = sum(month.active_days for month in self.months)
        first, last = map(format_day, (min(self.levels), self.days[-1]))
        return f"{format_total(total, active, self.unit)}, {first} to {last}"

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

    Days before `since` are not visible.
    """
    check_type("calendar", calendar, Calendar, "pass what calendar_of(snapshot) returns")
    if not 1 <= weeks <= MAX_WEEKS:
        raise ValueError(f"weeks is {weeks}; expected 1 to {MAX_WEEKS}")
    if until is not None:
        check_day("until", until)
    end = until or _last_day(calendar, weeks)
    if end is None:
        return None
    first = max(_first_monday(end, weeks), since)
    shown = {day: count for day, count in calendar.counts.items() if first <= day <= end}
    if not shown:
        return None
    counts = sorted(shown.values())
    distinct = sorted(set(counts))
    if len(distinct) <= LEVELS:
        most = max(len(distinct) - 1, 1)
        level_of = {count: 1 + (LEVELS - 1) * n // most for n, count in enumerate(distinct)}
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
    first = _first_monday(calendar.end, max(weeks, YEAR_WEEKS))
    return calendar.last if calendar.last < first else calendar.end


def _first_monday(end: date, weeks: int) -> date:
    """Return the first day of the weeks that end with that of a day."""
    return shift(monday_of(end), relativedelta(weeks=1 - weeks))


def format_total(total: int, active_days: int, unit: Unit = "contribution") -> str:
    """Write a total and the number of days: `12 contributions on 3 days`."""
    return f"{format_things(total, unit)} on {plural(active_days, 'day')}"


def format_things(count: int, thing: str) -> str:
    """Write a number of things: `1 problem`, `31,170 contributions`."""
    return f"{format_count(count)} {thing}{'' if count == 1 else 's'}"


def empty_text(unit: Unit) -> str:
    """Return the text of a heat map without counts."""
    return f"There are no {unit}s to show."


def format_count(count: int) -> str:
    """Write a count, shortened where it is long: `12`, `31,170`, `1.2e9`."""
    digits = str(count)
    return f"{count:,}" if len(digits) <= _DIGITS else f"{digits[0]}.{digits[1]}e{len(digits) - 1}"


def legend_levels(heat: Heat) -> list[tuple[int, str]]:
    """Return the levels of a legend, and the counts of each: `none`, `1`, `2-4`, `5 or more`."""
    lowest, texts = 1, [(0, "none")]
    *inner, (last, most) = heat.scale.items()
    for level, highest in inner:
        text = format_count(lowest)
        texts.append((level, text if lowest == highest else f"{text}-{format_count(highest)}"))
        lowest = highest + 1
    return [*texts, (last, f"{format_count(lowest)}{'' if lowest == most else ' or more'}")]


def _months(days: Iterable[date], shown: Mapping[date, int]) -> Iterator[HeatMonth]:
    for _, listed in groupby(days, key=month_of):
        inside = tuple(listed)
        counts = [shown[day] for day in inside if day in shown]
        name = f"{MONTHS[inside[0].month - 1]} {inside[0].year:04}"
        yield HeatMonth(name, inside, sum(counts), len(counts))


CELL: Final = range(6, 41)
"""Sizes of a square, px."""
MIN_WIDTH: Final = 320
"""The least `max_width`, px."""

_WEEK_DAY_NAMES: Final = ((0, "Mon"), (2, "Wed"), (4, "Fri"))
_LARGE_CELL: Final = 20  # px
_SMALL_CELL: Final = 9  # px: a smaller one has small text


@attrs.frozen
class _Grid:
    """Sizes and colours of the squares, px."""

    cell: int
    step: int
    weeks: int
    rows: int
    margin: int
    left: int
    style: Style
    fills: tuple[tuple[str, str], ...]

    @property
    def height(self) -> int:
        """Distance of two rows of weeks: the squares of a week, and the names of months."""
        return WEEK_DAYS * self.step + self.style.row

    def place(self, week: int, weekday: int) -> tuple[int, int]:
        """Return the left and the upper end of a square, from those of the first one."""
        row, column = divmod(week, self.weeks)
        return column * self.step, row * self.height + weekday * self.step

    def squares(self, level: int, places: Iterable[tuple[int, int]]) -> str:
        """Draw squares of a level.

        They are smaller by the radius of their corners, and have strokes with round corners.
        """
        radius = CELL_RADIUS if self.cell >= _SMALL_CELL else 1
        side = self.cell - 2 * radius
        data = "".join(f"M{x + radius} {y + radius}h{side}v{side}h-{side}z" for x, y in places)
        color, opacity = self.fills[level]
        faint = "" if opacity == "1" else f' opacity="{opacity}"'  # of fill and stroke together
        edge = f'stroke="{color}" stroke-width="{2 * radius}" stroke-linejoin="round"'
        return f'<path fill="{color}" {edge}{faint} d="{data}"/>'


def heatmap(  # noqa: PLR0913 - all but one are settings, by name
    calendar: Calendar,
    *,
    title: str = "Contributions",
    until: date | None = None,
    weeks: int = 53,
    cell: int = 11,
    theme: Theme = "light",
    max_width: int | None = None,
) -> bytes:
    """Draw a calendar as an SVG image, UTF-8.

    Args:
        calendar: the counts.
        title: any text; cut where it is too long.
        until: the last visible day; None for the last day of the calendar, which for a snapshot is
            the day it was generated, or for the last active day if that is more than a year before.
        weeks: number of visible weeks, 1 to 106.
        cell: side of a square, 6 to 40 px; with `max_width` down to 9 where that saves a row.
        theme: on white, on a dark page, or without background and readable on both.
        max_width: of the image, 320 px or more: a year fits a phone of 390 px in two rows.  None
            for all weeks in one row.

    Raises ValueError for arguments out of these bounds, TypeError for a last day that is no date.

    """
    if cell not in CELL:
        raise ValueError(f"cell is {cell}; expected {CELL[0]} to {CELL[-1]} px")
    if max_width is not None and max_width < MIN_WIDTH:
        raise ValueError(f"max_width is {max_width}; expected {MIN_WIDTH} px or more")
    paper = paper_of(theme)
    heat = build_heat(calendar, until=until, weeks=weeks)
    summary = empty_text(calendar.unit) if heat is None else heat.summary
    grid = _build_grid(cell, weeks, max_width, FILLS[theme])
    style = grid.style
    entries = [] if heat is None else _legend_entries(heat, grid)
    width = _natural_width(grid, summary, entries)
    right = (width if max_width is None else min(width, max_width)) - grid.margin
    frame = Frame(right + grid.margin, grid.margin, right, style, paper)
    lines = wrap(summary.split(", "), style.text, right - grid.margin)
    title_line = grid.margin + style.title
    top = title_line + (len(lines) + 1) * style.row + style.gap
    content = frame.heading(title, title_line, lines)
    bottom, about = top + grid.rows * grid.height, summary
    if heat is not None:
        beside = attrs.evolve(frame, left=grid.left)  # the legend starts where the squares do
        names, rows = legend(entries, bottom, len(entries), beside)
        content += (
            f'<g transform="translate({grid.left} {top})">'
            f"{frame.text(_write_names(heat, grid))}{_draw_squares(heat, grid)}</g>{names}"
        )
        bottom += (rows - 1) * style.row
        sentences = summary, *map(heat.describe, heat.months)
        about = " ".join(f"{sentence}." for sentence in sentences)
    return frame.image(title, about, bottom + grid.margin, content)


def _build_grid(
    cell: int, weeks: int, max_width: int | None, fills: tuple[tuple[str, str], ...]
) -> _Grid:
    """Choose the sizes: the fewest rows of weeks that fit, and in them the largest squares."""
    style = LARGE if cell >= _LARGE_CELL else MEDIUM if cell >= _SMALL_CELL else SMALL
    margin, rows = max(12, cell), 1
    left = margin + ceil(text_width("Wed", style.text)) + style.gap
    if max_width is not None:
        width = max_width - left - margin
        rows = ceil(weeks / (width // _step(min(cell, _SMALL_CELL))))
        columns = ceil(weeks / rows)
        cell = next(size for size in range(cell, 0, -1) if columns * _step(size) <= width)
    return _Grid(cell, _step(cell), ceil(weeks / rows), rows, margin, left, style, fills)


def _step(cell: int) -> int:
    return cell + max(1, round(cell / 5))


def _natural_width(grid: _Grid, summary: str, entries: Sequence[LegendEntry]) -> int:
    needed = columns_width([entry.width(grid.style) for entry in entries], grid.style)
    squares = grid.left + max(grid.weeks * grid.step, needed)
    texts = grid.margin + text_width(summary, grid.style.text)
    return ceil(max(squares, texts)) + grid.margin


def _write_names(heat: Heat, grid: _Grid) -> str:
    """Write the names of three days of the week, and of the months that have space."""
    written = []
    for row in range(grid.rows):
        _, top = grid.place(row * grid.weeks, 0)
        for day, name in _WEEK_DAY_NAMES:
            base = grid.style.base_line(top + day * grid.step, grid.cell)
            written.append(write_labels([Label(name, -grid.style.gap, "end")], base))
        weeks = range(row * grid.weeks, (row + 1) * grid.weeks)
        starts = {heat.week_and_weekday(month.days[0])[0]: month for month in heat.months}
        inside = [week for week in sorted(starts) if week in weeks][::-1]
        labels = [Label(starts[week].short_name, grid.place(week, 0)[0]) for week in inside]
        placed = place_labels(labels, grid.style.text, grid.style.gap)
        written.append(write_labels(placed, top - grid.style.gap))
    return "".join(written)


def _draw_squares(heat: Heat, grid: _Grid) -> str:
    """Draw the squares of all days, each month with its total as a title."""
    drawn = []
    for month in heat.months:
        days = sorted((heat.levels.get(day, 0), *heat.week_and_weekday(day)) for day in month.days)
        squares = "".join(
            grid.squares(level, [grid.place(week, weekday) for _, week, weekday in same])
            for level, same in groupby(days, key=lambda square: square[0])
        )
        drawn.append(f"<g><title>{heat.describe(month)}</title>{squares}</g>")
    return "".join(drawn)


def _legend_entries(heat: Heat, grid: _Grid) -> list[LegendEntry]:
    """Build an entry for each level: a square, and its counts."""
    above = round(grid.style.base_line(0, grid.cell))  # from the top of a square to the base line

    def square(level: int, x: int, y: int) -> str:
        return grid.squares(level, [(x, y - above)])

    return [
        LegendEntry(counts, "", partial(square, level)) for level, counts in legend_levels(heat)
    ]
