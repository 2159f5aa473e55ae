"""Days of the calendar, and days, weeks and months as text.

A day is a `datetime.date`, in the years 0001 to 9999.  Its text is `2026-01-31`, that of a week
`2026-W05` (ISO year and week), that of a month `2026-01`.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from typing import Final

from dateutil.relativedelta import relativedelta

__all__ = ["DAY", "bounds", "find_runs", "is_day", "month_of", "parse_day", "shift", "week_of"]

DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""The form of a day; `parse_day` also checks the calendar."""

_WEEK: Final = re.compile(r"[0-9]{4}-W[0-9]{2}")
_MIDDLE_YEAR: Final = 5000


@lru_cache(maxsize=4096)
def parse_day(text: str) -> date:
    """Parse a day, YYYY-MM-DD; raise ValueError if it is not in the calendar."""
    if DAY.fullmatch(text) is None:
        raise ValueError("not a day")
    return date.fromisoformat(text)


def is_day(text: str) -> bool:
    """Return whether text is a day of the calendar as `YYYY-MM-DD`, years 0001 to 9999."""
    try:
        parse_day(text)
    except ValueError:
        return False
    return True


def week_of(day: date) -> str:
    """Return the ISO week of a day: that of 2024-12-30 is `2025-W01`."""
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def month_of(day: date) -> str:
    """Return the month of a day."""
    return day.isoformat()[:7]


def shift(day: date, span: timedelta | relativedelta) -> date:
    """Return a day moved by less than 5,000 years, not beyond 0001-01-01 and 9999-12-31."""
    try:
        return day + span
    except (OverflowError, ValueError):  # of days; of months and years
        return date.min if day.year < _MIDDLE_YEAR else date.max


def bounds(label: str) -> tuple[date, date]:
    """Return the first and the last day of a day, week or month.

    The last week ends at 9999-12-31.

    Raises:
        ValueError: The text is not a day, week or month of the years 0001 to 9999.

    """
    if DAY.fullmatch(label):
        day = date.fromisoformat(label)
        return day, day
    if _WEEK.fullmatch(label):
        monday = date.fromisoformat(f"{label}-1")
        return monday, shift(monday, timedelta(6))
    first = parse_day(f"{label}-01")
    return first, first + relativedelta(day=31)


def find_runs(labels: Sequence[str]) -> list[tuple[int, int]]:
    """Return start and stop of each run of two or more equal labels: `a b b c` has (1, 3)."""
    ends = accumulate(sum(1 for _ in run) for _, run in groupby(labels))
    return [(start, stop) for start, stop in pairwise((0, *ends)) if stop > start + 1]
