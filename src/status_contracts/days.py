"""Days, weeks and months as text, and the numbers of days that they stand for.

A day is `2026-01-31`, a week `2026-W05` (ISO year and week), a month `2026-01`.  An ordinal is a
number of days; 0001-01-01 has the ordinal 1.
"""

import re
from collections.abc import Sequence
from datetime import date
from itertools import compress, count, islice
from operator import eq
from typing import Final

__all__ = ["DAY", "bounds", "find_runs", "is_day", "month_of", "ordinal", "week_of"]

DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""The form of a day; `is_day` also checks the calendar."""

_WEEK_DAYS: Final = 7
_DECEMBER: Final = 12


def is_day(text: str) -> bool:
    """Return whether text is a day of the calendar as `YYYY-MM-DD`, years 0001 to 9999."""
    if DAY.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def week_of(day: str) -> str:
    """Return the ISO week of a day: `2024-12-30` is in `2025-W01`."""
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year:04}-W{week:02}"


def month_of(day: str) -> str:
    """Return the month of a day."""
    return day[:7]


def ordinal(label: str) -> int:
    """Return the ordinal of a day, or of the first day of a week or month."""
    return bounds(label)[0]


def bounds(label: str) -> tuple[int, int]:
    """Return the ordinals of the first and the last day of a day, week or month.

    The last week and month end at 9999-12-31 at the latest.

    Raises:
        ValueError: The text is not a day, week or month, or it begins before 0001-01-01.

    """
    year, _, rest = label.partition("-")
    if rest.startswith("W"):
        first = date.fromisocalendar(int(year), int(rest[1:]), 1).toordinal()
        return first, min(first + _WEEK_DAYS - 1, date.max.toordinal())
    if "-" in rest:
        day = date.fromisoformat(label).toordinal()
        return day, day
    first = date(int(year), int(rest), 1).toordinal()
    if rest == str(_DECEMBER):
        return first, date(int(year), _DECEMBER, 31).toordinal()
    return first, date(int(year), int(rest) + 1, 1).toordinal() - 1


def find_runs(labels: Sequence[str]) -> list[tuple[int, int]]:
    """Return start and stop of each run of two or more equal labels: `a b b c` has (1, 3)."""
    runs: list[tuple[int, int]] = []
    start = stop = 0
    for index in compress(count(1), map(eq, labels, islice(labels, 1, None))):
        if index != stop:
            if stop:
                runs.append((start, stop))
            start = index - 1
        stop = index + 1
    return [*runs, (start, stop)] if stop else runs
