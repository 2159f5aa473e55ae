"""What a heat map shows: the weeks up to a day, and how warm each of their days is.

Invariant *quarters*: the days that count are shared out by their counts into at most four levels,
a quarter of the days each, as far as equal counts allow, which share a level.
Invariant *bounded*: at most `WEEKS_MOST` weeks are shown, however long the calendar is.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

import attrs

from sitedata.reading.times import FIRST_DAY, read_day, write_day
from sitedata.views.calendar import WEEK_DAYS, Calendar, Unit

__all__ = [
    "LEVELS",
    "WEEKS_MOST",
    "Heat",
    "HeatMonth",
    "amount",
    "empty_text",
    "heat_of",
    "in_words",
    "scale_of",
]

LEVELS: Final = 4
"""Levels of days that count; a day that does not has the level 0."""
WEEKS_MOST: Final = 106
"""Two years."""

_THURSDAY: Final = 3  # the epoch's day of the week, counted from Monday
_DIGITS: Final = 6
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@attrs.frozen
class HeatMonth:
    """A month, as far as it is shown.

    Attributes:
        year: 0 to 9999.
        number: 1 to 12.
        days: the days that are shown, as numbers of days since the epoch.
        total: the sum of their counts.
        active_days: how many of them count.

    """

    year: int
    number: int
    days: range
    total: int
    active_days: int

    @property
    def name(self) -> str:
        """The month in words: `January 2026`."""
        return f"{_MONTHS[self.number - 1]} {self.year:04}"


@attrs.frozen(repr=False)
class Heat:
    """What is shown.

    Attributes:
        monday: the day with which the first week begins; it may lie before the first day.
        days: all days that are shown, as numbers of days since the epoch.
        levels: of the days that count.
        scale: for each level that is there, its least and its greatest count.
        months: the months, ascending.
        unit: what is counted.

    """

    monday: int
    days: range
    levels: Mapping[int, int]
    scale: Mapping[int, tuple[int, int]]
    months: tuple[HeatMonth, ...]
    unit: Unit = "contribution"

    @property
    def weeks(self) -> int:
        """How many weeks are shown."""
        return -((self.monday - self.days.stop) // WEEK_DAYS)

    def place_of(self, day: int) -> tuple[int, int]:
        """Give the week of a day that is shown, from 0, and its day of the week, from Monday."""
        return divmod(day - self.monday, WEEK_DAYS)

    @property
    def summary(self) -> str:
        """All that is shown, in one line: from the first day that counts to the last day."""
        total = sum(month.total for month in self.months)
        active = sum(month.active_days for month in self.months)
        span = f"{write_day(min(self.levels))} to {write_day(self.days[-1])}"
        return f"{in_words(total, active, self.unit)}, {span}"


def heat_of(calendar: Calendar, *, until: str | None, weeks: int) -> Heat | None:
    """Choose what is shown; None where no day of it counts.

    Args:
        calendar: all there is.
        until: the last day; None for that to which the calendar runs.
        weeks: how many weeks, that of the last day included.

    Raises ValueError for text that is no day and for a number that is not 1 to `WEEKS_MOST`.

    """
    if not 1 <= weeks <= WEEKS_MOST:
        raise ValueError(f"a heat map shows 1 to {WEEKS_MOST} weeks")
    end = calendar.end if until is None else until
    if end is None:
        return None
    last = read_day(end)
    monday = last - (last + _THURSDAY) % WEEK_DAYS - (weeks - 1) * WEEK_DAYS
    days = range(max(monday, FIRST_DAY), last + 1)
    first = write_day(days[0])
    shown = {read_day(day): n for day, n in calendar.counts.items() if first <= day <= end}
    if not shown:
        return None
    limits = _limits(sorted(shown.values()))
    levels = {day: 1 + sum(count > limit for limit in limits) for day, count in shown.items()}
    return Heat(
        monday, days, levels, _scale(shown, levels), tuple(_months(days, shown)), calendar.unit
    )


def in_words(total: int, active_days: int, unit: Unit = "contribution") -> str:
    """Return in words how much there was on how many days."""
    things = unit if total == 1 else f"{unit}s"
    return f"{amount(total)} {things} on {active_days} {'day' if active_days == 1 else 'days'}"


def empty_text(unit: Unit) -> str:
    """Return what is shown where no day counts."""
    return f"There are no {unit}s to show."


def amount(count: int) -> str:
    """Write a count, in short where it is long: `12`, `1.2e9`."""
    digits = str(count)
    return digits if len(digits) <= _DIGITS else f"{digits[0]}.{digits[1]}e{len(digits) - 1}"


def scale_of(heat: Heat) -> list[tuple[int, str]]:
    """Give the levels that a legend names, and which counts they stand for."""
    spans = {0: (0, 0), **heat.scale}
    return [
        (level, amount(low) if low == high else f"{amount(low)}-{amount(high)}")
        for level, (low, high) in sorted(spans.items())
    ]


def _limits(ascending: list[int]) -> list[int]:
    """Give the greatest count of the first, the second and the third quarter."""
    size = len(ascending)
    return [ascending[(quarter * size + LEVELS - 1) // LEVELS - 1] for quarter in range(1, LEVELS)]


def _scale(shown: Mapping[int, int], levels: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    scale: dict[int, tuple[int, int]] = {}
    for day, count in sorted(shown.items(), key=lambda each: each[1]):
        low, _ = scale.get(levels[day], (count, count))
        scale[levels[day]] = low, count
    return scale


def _months(days: range, shown: Mapping[int, int]) -> Iterator[HeatMonth]:
    for name, listed in groupby(days, key=lambda day: write_day(day)[:7]):
        inside = list(listed)
        counts = [shown[day] for day in inside if day in shown]
        span = range(inside[0], inside[-1] + 1)
        yield HeatMonth(int(name[:4]), int(name[5:]), span, sum(counts), len(counts))
