"""Means over weeks and months.

Source: health facts, section 5; health-data rulings on partial periods.

Invariant *means of what was measured*: a period's mean is over those of its days that have a value;
a period without a day has no row, a metric without a value is None.
Invariant *sums are exact*: numbers are summed without rounding in between, so that a mean depends
neither on the order of the rows nor on the interpreter (the built-in `sum` of floats rounds after
each term up to Python 3.11, and compensates from 3.12 on).  Against a sum that rounds, the last
decimal can differ by one, and only where the exact mean lies half-way between two.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from datetime import date
from math import fsum
from operator import sub, truediv
from typing import Final

from healthapi.catalog_keys import Granularity
from healthapi.rows.days import bounds, month_of, week_of
from healthapi.rows.measured import Measured
from healthapi.rows.records import Cell, DailyRow, PeriodRow, Rows
from healthapi.rows.rounding import tenths, wholes

__all__ = ["monthly", "partial_periods", "weekly"]

_WEEK_DAYS: Final = 7
_LAST_DAY: Final = date.max.toordinal()


def weekly(daily: Rows[DailyRow]) -> Rows[PeriodRow]:
    """Give the means of each ISO week that has a daily row."""
    return _means("weekly", daily, _week)


def monthly(daily: Rows[DailyRow]) -> Rows[PeriodRow]:
    """Give the means of each month that has a daily row."""
    return _means("monthly", daily, _month)


def partial_periods(daily: Rows[DailyRow], granularity: Granularity) -> tuple[str, ...]:
    """Give the first and the last period where they reach beyond the first and the last day.

    Days are never partial.
    """
    if granularity == "daily" or not daily:
        return ()
    period_of = week_of if granularity == "weekly" else month_of
    first, last = daily.labels[0], daily.labels[-1]
    partial = []
    if bounds(period_of(first))[0] < bounds(first)[0]:
        partial.append(period_of(first))
    if bounds(period_of(last))[1] > bounds(last)[1]:
        partial.append(period_of(last))
    return tuple(dict.fromkeys(partial))


def _week(day: str) -> tuple[str, str]:
    """Give the ISO week of a day, and its last day."""
    then = date.fromisoformat(day)
    year, week, weekday = then.isocalendar()
    last = min(then.toordinal() + _WEEK_DAYS - weekday, _LAST_DAY)
    return f"{year:04}-W{week:02}", date.fromordinal(last).isoformat()


def _month(day: str) -> tuple[str, str]:
    """Give the month of a day, and text that no day of it comes after."""
    return month_of(day), f"{month_of(day)}-31"


_METRICS: Final[dict[str, Callable[[Iterable[float]], list[float]]]] = {
    "sleep_score": tenths,
    "sleep_hours": tenths,
    "hrv": tenths,
    "rhr": tenths,
    "steps": wholes,
    "active_minutes": wholes,
    "active_zone_minutes": wholes,
    "calories_out": wholes,
}
"""Metric of a period to how its means are rounded."""


def _means(
    granularity: Granularity, daily: Rows[DailyRow], period_of: Callable[[str], tuple[str, str]]
) -> Rows[PeriodRow]:
    days = daily.labels
    periods: list[str] = []
    edges = [0]
    while edges[-1] < len(days):
        period, last = period_of(days[edges[-1]])
        periods.append(period)
        edges.append(bisect_right(days, last, edges[-1]))
    columns: dict[str, tuple[Cell, ...]] = {
        "period": tuple(periods),
        "days": tuple(map(sub, edges[1:], edges)),
    }
    for metric in _METRICS:
        columns[metric] = _column(metric, daily.measured(metric), edges)
    return Rows(granularity, PeriodRow, columns)


def _column(metric: str, measured: Measured, edges: list[int]) -> tuple[Cell, ...]:
    """Give the means of a metric between edges."""
    rounded = _METRICS[metric]
    places = [measured.before[edge] for edge in edges]
    parts = map(measured.numbers.__getitem__, map(slice, places, places[1:]))
    counts = list(map(sub, places[1:], places))
    if all(counts):
        return tuple(rounded(map(truediv, map(fsum, parts), counts)))
    means = rounded(map(truediv, map(fsum, parts), [count or 1 for count in counts]))
    return tuple([mean if count else None for mean, count in zip(means, counts, strict=True)])
