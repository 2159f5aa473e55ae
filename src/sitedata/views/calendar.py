"""Compute the contribution calendar: counts by day, weeks, months, streaks, and equal spans of it.

Days are YYYY-MM-DD, in the years 0001 to 9999.  The day of a problem is the one in its
`submitted_at`, in the offset of that text.

Invariant *active days*: a day is in the calendar exactly when its count is one or more.
Invariant *nothing left out*: the spans follow each other, and each count is in one of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from math import ceil
from typing import Final, Literal

import attrs

from sitedata.models import Problem, Snapshot
from sitedata.times import LAST_DAY, read_day, week_of, write_day
from sitedata.views.selecting import SolvedProblem, ordered, solved
from status_contracts.instants import DAY_MS
from status_contracts.primitives import plural
from status_contracts.svg.labels import MONTHS, format_month

Unit = Literal["contribution", "problem"]

WEEK_DAYS: Final = 7
_DAY: Final = len("YYYY-MM-DD")
_MONTH: Final = len("YYYY-MM")
_THURSDAY: Final = 3  # the epoch's day of the week, counted from Monday


@attrs.frozen
class Streak:
    """Consecutive active days, from the first to the last."""

    first: str
    last: str
    days: int


@attrs.frozen
class Week:
    """An ISO week.

    Attributes:
        year: the ISO year, to which the week's Thursday belongs.
        number: of the week in that year, from 1.
        counts: from Monday to Sunday; None for a day outside the requested range.

    """

    year: int
    number: int
    counts: tuple[int | None, ...]


@attrs.frozen
class Month:
    """A month, `YYYY-MM`: the sum of its counts, and its number of active days."""

    name: str
    total: int
    active_days: int


@attrs.frozen(repr=False, slots=False)
class Calendar:
    """Counts by day.

    Attributes:
        counts: day to count, ascending; days with a count of 0 are omitted.
        until: last day of the calendar, active or not; None for the last active day.
        unit: what is counted.

    """

    counts: Mapping[str, int] = attrs.field(hash=False)
    until: str | None = None
    unit: Unit = "contribution"

    @property
    def first(self) -> str | None:
        """The first active day; None if there is none."""
        return min(self.counts, default=None)

    @property
    def last(self) -> str | None:
        """The last active day; None if there is none."""
        return max(self.counts, default=None)

    @property
    def end(self) -> str | None:
        """The last day of the calendar; None without active days and `until`."""
        return self.until or self.last

    @cached_property
    def total(self) -> int:
        """The sum of all counts."""
        return sum(self.counts.values())

    @property
    def active_days(self) -> int:
        """Number of active days."""
        return len(self.counts)

    @cached_property
    def streaks(self) -> tuple[Streak, ...]:
        """All streaks in order of time."""
        numbers = enumerate(map(read_day, self.counts))
        runs = groupby(numbers, key=lambda numbered: numbered[1] - numbered[0])
        return tuple(_streak([day for _, day in run]) for _, run in runs)

    @property
    def longest(self) -> Streak | None:
        """The longest streak, the latest of equal ones; None if there is none."""
        return max(reversed(self.streaks), key=lambda streak: streak.days, default=None)

    def current(self, day: str) -> Streak | None:
        """Return the streak that reaches a day or the day before; None if there is none.

        Later days are ignored.

        Raises:
            ValueError: `day` is not a day.

        """
        today = read_day(day)
        for streak in reversed(self.streaks):
            first, last = read_day(streak.first), min(read_day(streak.last), today)
            if first <= today:
                return _streak(range(first, last + 1)) if today - last <= 1 else None
        return None

    def weeks(self, first: str | None = None, last: str | None = None) -> tuple[Week, ...]:
        """Return every week between two days, both included.

        Args:
            first: the first day; by default the first active day.
            last: the last day; by default the last day of the calendar.

        Raises:
            ValueError: an argument is not a day.

        """
        start, end = first or self.first, last or self.end
        if start is None or end is None:
            return ()
        first_day, last_day = read_day(start), read_day(end)
        counts = {read_day(day): count for day, count in self.counts.items()}
        weeks = []
        for monday in range(monday_of(first_day), last_day + 1, WEEK_DAYS):
            days = range(monday, monday + WEEK_DAYS)
            shown = [counts.get(it, 0) if first_day <= it <= last_day else None for it in days]
            weeks.append(Week(*week_of(max(monday, first_day)), tuple(shown)))
        return tuple(weeks)

    def months(self) -> tuple[Month, ...]:
        """Return the months that have an active day, ascending."""
        months: dict[str, list[int]] = {}
        for day, count in self.counts.items():
            months.setdefault(day[:_MONTH], []).append(count)
        return tuple(Month(name, sum(counts), len(counts)) for name, counts in months.items())

    def __repr__(self) -> str:
        span = f", {self.first} to {self.end}" if self.counts else ""
        return f"<Calendar: {self.total} on {self.active_days} days{span}>"


def calendar_of(
    source: Snapshot | Mapping[str, int] | Iterable[Problem], *, until: str | None = None
) -> Calendar:
    """Return the calendar of a snapshot's contributions, of counts by day, or of problems.

    Problems without a time are not counted; one with several files counts on the newest day.

    Args:
        source: what is counted.
        until: last day of the calendar.  None means the last active day; for a snapshot the date
            of `generatedAt`, or the day after it if that is active, for zones ahead of UTC.

    Raises:
        ValueError: a day is not in the calendar, or a count is below 0.

    """
    counts = source.contributions if isinstance(source, Snapshot) else source
    if not isinstance(counts, Mapping):
        return calendar_of_solved(solved(ordered(counts)), until=until)
    for day, count in counts.items():
        read_day(day)
        if count < 0:
            raise ValueError("a count must be 0 or more")
    days = {day: count for day, count in sorted(counts.items()) if count}
    if until is not None:
        read_day(until)
    elif isinstance(source, Snapshot):
        until = _generated_on(source, days)
    return Calendar(days, until)


def calendar_of_solved(problems: Iterable[SolvedProblem], *, until: str | None = None) -> Calendar:
    """Return the calendar of problems whose first file is the newest, as of `ordered` ones."""
    counts = Counter(
        problem.first.submitted_at[:_DAY] for problem in problems if problem.first.submitted_at
    )
    return attrs.evolve(calendar_of(counts, until=until), unit="problem")


def calendar_to_show(snapshot: Snapshot, solved_days: Calendar | None = None) -> Calendar:
    """Return the calendar of contributions; without any, that of the solved problems.

    The calendar of the problems is counted unless it is given.
    """
    calendar = calendar_of(snapshot)
    if calendar.counts:
        return calendar
    return attrs.evolve(solved_days or calendar_of(snapshot.problems), until=calendar.end)


def monday_of(day: int) -> int:
    """Return the Monday of the week of a day, both as days since the epoch."""
    return day - (day + _THURSDAY) % WEEK_DAYS


def _generated_on(snapshot: Snapshot, days: Mapping[str, int]) -> str:
    day = snapshot.generated_at // DAY_MS
    tomorrow = write_day(day + 1) if day < LAST_DAY else ""
    return tomorrow if tomorrow in days else write_day(day)


def _streak(days: Sequence[int]) -> Streak:
    return Streak(write_day(days[0]), write_day(days[-1]), len(days))


MAX_SPANS: Final = 60
"""Spans of a chart; where there are more months, a span is a year or several."""

_YEAR: Final = 12  # months
_LAST_YEAR: Final = 9999
_FEW: Final = 8  # spans that all have room for a name


@attrs.frozen
class Span:
    """A span of months: its first and its last day, and the problems of these days."""

    first: int
    last: int
    months: int
    count: int

    @property
    def name(self) -> str:
        """`Apr 2025`, `2025` or `2020 to 2024`."""
        first, last = write_day(self.first), write_day(self.last)
        if self.months == 1:
            return month_and_year(first)
        return first[:4] if first[:4] == last[:4] else f"{first[:4]} to {last[:4]}"

    @property
    def text(self) -> str:
        """The name with the number of problems."""
        return f"{self.name}: {plural(self.count, 'problem')}"


def spans_of(calendar: Calendar, until: str) -> tuple[Span, ...]:
    """Divide the time from the first day with a count to the last, or to a later day.

    The spans are of equal length: months, or where there are more than `MAX_SPANS`, years or
    several years each.
    """
    months = {_month_of(f"{month.name}-01"): month.total for month in calendar.months()}
    if not months:
        return ()
    first, last = min(months), max(*months, _month_of(until))
    years = -(-(last // _YEAR - first // _YEAR + 1) // MAX_SPANS)
    size = 1 if last - first < MAX_SPANS else years * _YEAR
    start = first if size == 1 else first - first % _YEAR
    sums = [0] * ((last - start) // size + 1)
    for number, count in months.items():
        sums[(number - start) // size] += count
    starts = [start + number * size for number in range(len(sums) + 1)]
    return tuple(
        Span(_first_day(at), _first_day(end) - 1, size, count)
        for at, end, count in zip(starts, starts[1:], sums, strict=False)
    )


def span_names(spans: Sequence[Span]) -> dict[int, str]:
    """Name the spans at which years or quarters start, or each of the fewest."""
    room = len(spans) / _FEW  # of a name, in columns
    is_monthly = spans[0].months == 1
    step = next(it for it in (1, 3, 12) if it >= room) if is_monthly else ceil(room)
    offset = _month_of(write_day(spans[0].first)) if is_monthly else 0
    return {
        number: format_month(write_day(span.first))
        for number, span in enumerate(spans)
        if (offset + number) % step == 0 and number + room <= len(spans)
    }


def month_and_year(day: str) -> str:
    """Write the month of a day, YYYY-MM-DD: `Apr 2025`."""
    return f"{MONTHS[int(day[5:7]) - 1][:3]} {day[:4]}"


def _month_of(day: str) -> int:
    return int(day[:4]) * _YEAR + int(day[5:7]) - 1


def _first_day(month: int) -> int:
    year, number = divmod(month, _YEAR)
    return LAST_DAY + 1 if year > _LAST_YEAR else read_day(f"{year:04}-{number + 1:02}-01")
