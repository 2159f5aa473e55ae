"""Divide the time of practice into equal spans: months, years, or several years each.

Invariant *nothing left out*: the spans follow each other, and each count is in one of them.
"""

from collections.abc import Sequence
from typing import Final

import attrs

from purewire.svg.labels import MONTHS
from purewire.text import plural
from sitedata.reading.times import LAST_DAY, read_day, write_day
from sitedata.views.calendar import Calendar

MAX_SPANS: Final = 60
"""Spans of a chart; where there are more months, a span is a year or several."""

_YEAR: Final = 12  # months
_QUARTER: Final = 3
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
    """Name the starts of years; of quarters too where there are few columns, each of the fewest."""
    few = _QUARTER if len(spans) > _FEW else 1
    step = spans[0].months * (_YEAR if len(spans) > 2 * _YEAR else few)
    room = len(spans) / _FEW  # of a name, in columns
    names: dict[int, str] = {}
    last, is_year_last = -len(spans), False
    for number, span in enumerate(spans):
        day = write_day(span.first)
        month = int(day[5:7]) - 1
        is_named = (
            number == 0 or month == 0 or (step <= _QUARTER and month in range(0, _YEAR, step))
        )
        is_close = number - last < room
        if not is_named or number + room > len(spans) or (is_close and is_year_last):
            continue
        if is_close:
            del names[last]
        is_year = month == 0 or step > _QUARTER
        names[number] = day[:4] if is_year else MONTHS[month][:3]
        last, is_year_last = number, month == 0
    return names


def month_and_year(day: str) -> str:
    """Write the month of a day, YYYY-MM-DD: `Apr 2025`."""
    return f"{MONTHS[int(day[5:7]) - 1][:3]} {day[:4]}"


def _month_of(day: str) -> int:
    return int(day[:4]) * _YEAR + int(day[5:7]) - 1


def _first_day(month: int) -> int:
    year, number = divmod(month, _YEAR)
    return LAST_DAY + 1 if year > _LAST_YEAR else read_day(f"{year:04}-{number + 1:02}-01")
