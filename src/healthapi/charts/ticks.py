"""Which days of a time axis are named between its first and its last.

Invariant *round days*: ticks are every day, every Monday, or the first days of every so many
months or years, counted from January and from year 0; the finest of these that leaves each name
its room.
"""

from datetime import date
from typing import Final

__all__ = ["ticks"]

_DAYS: Final = (1, 7)  # ordinal 1 was a Monday
_YEAR: Final = 12
_MONTHS: Final = (1, 3, 6, *(_YEAR * years for years in (1, 2, 5, 10, 20, 50, 100, 500, 2000)))


def ticks(first: int, last: int, most: int, *, daily: bool) -> list[tuple[int, str]]:
    """Give at most `most` days between two, as ordinals with names; none where none fit.

    A day is `01-31`, the first of a month `2026-01`, of a year `2026`.  Days and Mondays are named
    on a daily axis only.
    """
    if first == last:
        return []
    for step in _DAYS if daily else ():
        days = range(first + 1 + -first % step, last, step)
        if len(days) <= most:
            return [(day, date.fromordinal(day).isoformat()[5:]) for day in days]
    begin, end = _month(first) + 1, _month(last - 1) + 1
    for step in _MONTHS:
        months = range(begin + -begin % step, end, step)
        if len(months) <= most:
            return [_named(month, step) for month in months]
    return []


def _month(day: int) -> int:
    """Give the number of the month of a day, counted from January of year 0."""
    found = date.fromordinal(day)
    return found.year * _YEAR + found.month - 1


def _named(month: int, step: int) -> tuple[int, str]:
    day = date(month // _YEAR, month % _YEAR + 1, 1)
    return day.toordinal(), day.isoformat()[: 7 if step < _YEAR else 4]
