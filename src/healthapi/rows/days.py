"""Days, ISO weeks and months as text, and where they lie in time.

Source: health facts, sections 2 and 5.  A day is `2026-01-31`, a week `2026-W05` (ISO year and
week), a month `2026-01`.  Positions in time are ordinals: days since 0001-01-01, which is 1.
"""

import re
from collections.abc import Sequence
from datetime import date
from itertools import compress, count, islice
from operator import eq
from typing import Final

__all__ = ["DAY", "bounds", "is_day", "month_of", "ordinal", "runs", "week_of"]

DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""The form of a day; whether there is such a day is `is_day`."""

_WEEK_DAYS: Final = 7
_DECEMBER: Final = 12


def is_day(text: str) -> bool:
    """Tell whether text is a day of the calendar in its form, years 0001 to 9999."""
    if DAY.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def week_of(day: str) -> str:
    """Give the ISO week of a day: `2024-12-30` is in `2025-W01`."""
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year:04}-W{week:02}"


def month_of(day: str) -> str:
    """Give the month of a day."""
    return day[:7]


def ordinal(label: str) -> int:
    """Give the position of a day, or of the first day of a week or month."""
    return bounds(label)[0]


def bounds(label: str) -> tuple[int, int]:
    """Give the first and the last day of a day, week or month as ordinals.

    Raises ValueError where the text is none of them.  A week or month that ends after 9999-12-31
    ends there; one that begins before 0001-01-01 does not exist.
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


def runs(labels: Sequence[str]) -> list[tuple[int, int]]:
    """Give where the runs of two or more equal labels begin and end: `a b b c` has one, (1, 3)."""
    found: list[tuple[int, int]] = []
    start = stop = 0
    for index in compress(count(1), map(eq, labels, islice(labels, 1, None))):
        if index != stop:
            if stop:
                found.append((start, stop))
            start = index - 1
        stop = index + 1
    return [*found, (start, stop)] if stop else found
