"""Compute the contribution calendar: counts by day, weeks, months, streaks, and equal spans of it.

The day of a problem is that of its earliest file, in the offset of the text.  The zone of
contributions is not in the file: where only the day in UTC has some, that counts.

Invariant *active days*: a day is in the calendar exactly when its count is one or more.
Invariant *nothing left out*: the spans follow each other, and each count is in one of them.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import groupby
from math import ceil, floor
from typing import Final, Literal

import attrs
from dateutil.relativedelta import relativedelta

from sitedata.models import Problem, Snapshot
from sitedata.views.selecting import SolvedProblem, ordered, solved
from status_contracts.days import month_of, parse_day, shift, week_of
from status_contracts.instants import to_datetime
from status_contracts.primitives import plural
from status_contracts.svg.labels import MONTHS, format_month

Unit = Literal["contribution", "problem"]

WEEK_DAYS: Final = 7


def check_day(name: str, value: object) -> None:
    """Raise TypeError, with the remedy, if a value is not a date, or is a datetime."""
    if isinstance(value, datetime):
        raise TypeError(f"{name}: must be a date, not a datetime: pass value.date()")
    if not isinstance(value, date):
        remedy = "date.fromisoformat(value)" if isinstance(value, str) else "a datetime.date"
        raise TypeError(f"{name}: must be a date, not {type(value).__name__}: pass {remedy}")


def monday_of(day: date) -> date:
    """Return the Monday of the week of a day; 0001-01-01 is one."""
    return day - timedelta(day.weekday())


@attrs.frozen
class Streak:
    """Consecutive active days, from the first to the last."""

    first: date
    last: date
    days: int


@attrs.frozen(repr=False, slots=False)
class Calendar:
    """Counts by day.

    Attributes:
        counts: day to count, ascending; days with a count of 0 are omitted.
        until: last day of the calendar, active or not; None for the last active day.
        unit: what is counted.

    """

    counts: Mapping[date, int] = attrs.field(hash=False)
    until: date | None = None
    unit: Unit = "contribution"

    @property
    def first(self) -> date | None:
        """The first active day; None if there is none."""
        return min(self.counts, default=None)

    @property
    def last(self) -> date | None:
        """The last active day; None if there is none."""
        return max(self.counts, default=None)

    @property
    def end(self) -> date | None:
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
        runs = groupby(enumerate(self.counts), key=lambda pair: pair[1].toordinal() - pair[0])
        streaks = ([day for _, day in run] for _, run in runs)
        return tuple(Streak(days[0], days[-1], len(days)) for days in streaks)

    @property
    def longest(self) -> Streak | None:
        """The longest streak, the latest of equal ones; None if there is none."""
        return max(reversed(self.streaks), key=lambda streak: streak.days, default=None)

    def current(self, day: date) -> Streak | None:
        """Return the streak that reaches a day or the day before; None if there is none.

        Later days are ignored.  Raises TypeError if `day` is no date.
        """
        check_day("day", day)
        for streak in reversed(self.streaks):
            first, last = streak.first, min(streak.last, day)
            if first <= day:
                is_current = (day - last).days <= 1
                return Streak(first, last, (last - first).days + 1) if is_current else None
        return None

    def weeks(self) -> dict[str, tuple[int | None, ...]]:
        """Return each ISO week, as `2026-W05`, and its counts from Monday to Sunday.

        Days before the first active one and after the end of the calendar have None.
        """
        start, end = self.first, self.end
        if start is None or end is None or end < start:
            return {}
        days = (start + timedelta(n) for n in range((end - start).days + 1))
        shown: list[int | None] = [self.counts.get(day, 0) for day in days]
        shown = [None] * start.weekday() + shown + [None] * (WEEK_DAYS - 1 - end.weekday())
        monday = monday_of(start)
        return {
            week_of(monday + timedelta(n)): tuple(shown[n : n + WEEK_DAYS])
            for n in range(0, len(shown), WEEK_DAYS)
        }

    def months(self) -> dict[str, tuple[int, ...]]:
        """Return each month with an active day, as `2026-01`, and the counts of these days."""
        months = groupby(self.counts, key=month_of)
        return {month: tuple(self.counts[day] for day in days) for month, days in months}

    def __repr__(self) -> str:
        span = f", {self.first} to {self.end}" if self.counts else ""
        return f"<Calendar: {self.total} on {self.active_days} days{span}>"


def calendar_of(
    source: Snapshot | Mapping[date, int] | Iterable[Problem], *, until: date | None = None
) -> Calendar:
    """Return the calendar of a snapshot's contributions, of counts by day, or of problems.

    Problems without a time are not counted; one with several files counts on the earliest day.

    Args:
        source: what is counted.
        until: last day of the calendar.  None means the last active day; for a snapshot the date
            of `generatedAt`, or the day after it if that is active, for zones ahead of UTC.

    Raises:
        TypeError: a day is no date; a datetime has a time as well.
        ValueError: a day of the snapshot is not in the calendar, or a count is below 0.

    """
    if until is not None:
        check_day("until", until)
    counts: Mapping[date, int]
    if isinstance(source, Snapshot):
        counts = {parse_day(day): count for day, count in source.contributions.items()}
        day = to_datetime(source.generated_at).date()
        tomorrow = shift(day, timedelta(1))
        until = until or (tomorrow if counts.get(tomorrow) else day)
    elif isinstance(source, Mapping):
        counts = source
        for day in counts:
            check_day("day", day)
    else:
        return calendar_of_solved(solved(ordered(source)), until=until)
    if min(counts.values(), default=0) < 0:
        raise ValueError("a count must be 0 or more")
    return Calendar({day: count for day, count in sorted(counts.items()) if count}, until)


def calendar_of_solved(
    problems: Iterable[SolvedProblem],
    *,
    until: date | None = None,
    contributions: Collection[date] = (),
) -> Calendar:
    """Return the calendar of solved problems, beside the days with contributions."""
    counts = Counter(
        day for problem in problems if (day := solved_on(problem, contributions)) is not None
    )
    return attrs.evolve(calendar_of(counts, until=until), unit="problem")


def solved_on(problem: SolvedProblem, contributions: Collection[date] = ()) -> date | None:
    """Return the day on which a problem, its newest file first, was solved; None if unknown."""
    for file in reversed(problem.files):
        if file.submitted_at is None or file.instant is None:
            continue
        day = parse_day(file.submitted_at[: len("YYYY-MM-DD")])
        in_utc = to_datetime(floor(file.instant)).date()
        return in_utc if in_utc in contributions and day not in contributions else day
    return None


def calendar_to_show(snapshot: Snapshot) -> Calendar:
    """Return the calendar of contributions; without any, that of the solved problems."""
    calendar = calendar_of(snapshot)
    if calendar.counts:
        return calendar
    return attrs.evolve(calendar_of(snapshot.problems), until=calendar.end)


MAX_SPANS: Final = 60
"""Spans of a chart; where there are more months, a span is a year or several."""

_YEAR: Final = 12  # months
_FEW: Final = 6  # spans that all have room for a name, also on a phone
_FIRST, _LAST = 0.12, 0.13  # of the spans: how far from that name another one has room
SECOND: Final = 0.288  # of the width: middle of a name beside a first one with a year, on a phone


@attrs.frozen
class Span:
    """A span of months: its first and its last day, and the problems of these days."""

    first: date
    last: date
    months: int
    count: int

    @property
    def name(self) -> str:
        """`Apr 2025`, `2025` or `2020 to 2024`."""
        if self.months == 1:
            return month_and_year(self.first)
        first, last = f"{self.first.year:04}", f"{self.last.year:04}"
        return first if first == last else f"{first} to {last}"

    @property
    def text(self) -> str:
        """The name with the number of problems."""
        return f"{self.name}: {plural(self.count, 'problem')}"


def spans_of(calendar: Calendar, until: date) -> tuple[Span, ...]:
    """Divide the time from the first day with a count to the last, or to a later day.

    The spans are of equal length: months, or where there are more than `MAX_SPANS`, years or
    several years each.
    """
    if calendar.first is None or calendar.last is None:
        return ()
    start, last, size = calendar.first.replace(day=1), max(calendar.last, until), 1
    if _months_between(start, last) >= MAX_SPANS:
        start = start.replace(month=1)
        size = _YEAR * -(-(last.year - start.year + 1) // MAX_SPANS)
    places = range(0, _months_between(start, last) + 1, size)
    starts = [start + relativedelta(months=place) for place in places]
    sums = [0] * len(starts)
    for day, count in calendar.counts.items():
        sums[bisect_right(starts, day) - 1] += count
    to_end = relativedelta(months=size - 1, day=31)  # of its last month
    return tuple(
        Span(first, shift(first, to_end), size, count)
        for first, count in zip(starts, sums, strict=True)
    )


def span_names(spans: Sequence[Span]) -> dict[int, str]:
    """Name the first and the last span, and others at equal steps that have room on a phone.

    Of months, these are the starts of years, halves or quarters; of few spans it is each.
    """
    count, last, before = len(spans), len(spans) - 1, 1 - spans[0].first.month
    room, near = ceil(count / _FEW), SECOND * count - 0.5 if count > _FEW else 0
    steps = (it for it in (1, 3, 6) if it >= room and (before % it or it >= near))
    step = next(steps, _YEAR)
    if spans[0].months > 1:
        step = next((it for it in range(room, 2 * room) if last % it == 0), room)
    is_year = spans[0].months > 1 or (step, before) == (_YEAR, 0)  # a short name
    first = format_month(spans[0].first) if is_year else spans[0].name
    inner = range(before % step or step, last - ceil(_LAST * count) + 1, step)
    far = (it for it in inner if it > _FIRST * count)
    return {0: first} | {number: format_month(spans[number].first) for number in (*far, last)}


def month_and_year(day: date) -> str:
    """Write the month of a day: `Apr 2025`."""
    return f"{MONTHS[day.month - 1][:3]} {day.year:04}"


def _months_between(first: date, last: date) -> int:
    """Return the whole months from the first day of a month to a day."""
    span = relativedelta(last, first)
    return span.years * _YEAR + span.months
