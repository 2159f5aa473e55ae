"""Compute what a heat map shows: the weeks up to a day, and the level of each of their days.

Invariant *quarters*: up to four different counts have a level each.  More are divided into at most
four levels of a quarter of the days each, as far as equal counts allow.
Invariant *no count left out*: the ranges of the legend are contiguous.

Contract: SD-VIEW-08, SD-VIEW-12.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

import attrs

from purewire.svg.labels import MONTHS, format_day, format_month
from purewire.text import plural
from sitedata.reading.times import FIRST_DAY, read_day, write_day
from sitedata.views.calendar import WEEK_DAYS, Calendar, Unit, monday_of

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
    days: range
    total: int
    active_days: int

    @property
    def short_name(self) -> str:
        """The text above the weeks: `Feb`; for January the year."""
        return format_month(write_day(self.days[0]))


@attrs.frozen(repr=False)
class Heat:
    """The content of a heat map."""

    monday: int
    days: range
    levels: Mapping[int, int]
    scale: Mapping[int, int]
    months: tuple[HeatMonth, ...]
    unit: Unit = "contribution"

    def week_and_weekday(self, day: int) -> tuple[int, int]:
        """Return the week of a visible day, from 0, and its day of the week, from Monday."""
        return divmod(day - self.monday, WEEK_DAYS)

    @property
    def summary(self) -> str:
        """The total, and the dates from the first day with a count to the last day."""
        total = sum(month.total for month in self.months)
        active = sum(month.active_days for month in self.months)
        first, last = (format_day(write_day(day)) for day in (min(self.levels), self.days[-1]))
        return f"{format_total(total, active, self.unit)}, {first} to {last}"

    def describe(self, month: HeatMonth) -> str:
        """Return the name of a month and its total."""
        return f"{month.name}: {format_total(month.total, month.active_days, self.unit)}"


def build_heat(calendar: Calendar, *, until: str | None, weeks: int) -> Heat | None:
    """Compute the content of a heat map; None where no visible day has a count."""
    if not 1 <= weeks <= MAX_WEEKS:
        raise ValueError(f"weeks is {weeks}; expected 1 to {MAX_WEEKS}")
    end = _last_day(calendar, weeks) if until is None else until
    if end is None:
        return None
    last = read_day(end)
    monday = monday_of(last) - (weeks - 1) * WEEK_DAYS
    days = range(max(monday, FIRST_DAY), last + 1)
    first = write_day(days[0])
    shown = {read_day(day): n for day, n in calendar.counts.items() if first <= day <= end}
    if not shown:
        return None
    counts = sorted(shown.values())
    distinct = sorted(set(counts))
    if len(distinct) <= LEVELS:
        last = max(len(distinct) - 1, 1)
        level_of = {count: 1 + (LEVELS - 1) * n // last for n, count in enumerate(distinct)}
    else:
        # the greatest count of the first, the second and the third quarter
        limits = [counts[-(-quarter * len(counts) // LEVELS) - 1] for quarter in range(1, LEVELS)]
        level_of = {count: 1 + bisect_left(limits, count) for count in distinct}
    levels = {day: level_of[count] for day, count in shown.items()}
    scale = {level: count for count, level in level_of.items()}
    return Heat(monday, days, levels, scale, tuple(_months(days, shown)), calendar.unit)


def _last_day(calendar: Calendar, weeks: int) -> str | None:
    """Return the end of the calendar, or of its last active year if later days have no count."""
    if calendar.end is None or calendar.last is None:
        return calendar.end
    first = monday_of(read_day(calendar.end)) - (max(weeks, YEAR_WEEKS) - 1) * WEEK_DAYS
    return calendar.last if read_day(calendar.last) < first else calendar.end


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
    lowest, found = 1, [(0, "none")]
    *inner, (last, most) = heat.scale.items()
    for level, highest in inner:
        text = format_count(lowest)
        found.append((level, text if lowest == highest else f"{text}-{format_count(highest)}"))
        lowest = highest + 1
    return [*found, (last, f"{format_count(lowest)}{'' if lowest == most else ' or more'}")]


def _months(days: range, shown: Mapping[int, int]) -> Iterator[HeatMonth]:
    for month, listed in groupby(days, key=lambda day: write_day(day)[: len("YYYY-MM")]):
        first, *others = listed
        inside = range(first, first + 1 + len(others))
        counts = [shown[day] for day in inside if day in shown]
        year, _, number = month.partition("-")
        yield HeatMonth(f"{MONTHS[int(number) - 1]} {year}", inside, sum(counts), len(counts))
