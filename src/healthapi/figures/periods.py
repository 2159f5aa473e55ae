"""Means over weeks and months.

Source: health facts, section 5; health-data rulings on partial periods.

Invariant *means of what was measured*: a period's mean is over those of its days that have a value;
a period without a day has no row, a metric without a value is None.
Invariant *sums are exact*: decimals are summed without rounding in between, so that a mean is the
same on every interpreter (the built-in `sum` of floats rounds after each term up to Python 3.11,
and compensates from 3.12 on).  Against a sum that rounds, the last decimal can differ by one, and
only where the exact mean lies half-way between two.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import date
from math import fsum
from typing import Any, Final

from healthapi.rows.days import bounds, month_of, week_of
from healthapi.rows.records import Cell, DailyRow, PeriodRow, Rows
from healthapi.rows.rounding import tenths
from healthapi.vocabulary import Granularity
from purewire.absent import ABSENT

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
    last = then.toordinal() + _WEEK_DAYS - then.isoweekday()
    return week_of(day), date.fromordinal(min(last, _LAST_DAY)).isoformat()


def _month(day: str) -> tuple[str, str]:
    """Give the month of a day, and text that no day of it comes after."""
    return month_of(day), f"{month_of(day)}-31"


def _whole(value: float) -> float:
    return float(round(value))


_METRICS: Final[dict[str, tuple[Callable[[Sequence[Any]], float], Callable[[float], float]]]] = {
    "sleep_score": (fsum, tenths),
    "sleep_hours": (fsum, tenths),
    "hrv": (fsum, tenths),
    "rhr": (sum, tenths),
    "steps": (sum, _whole),
    "active_minutes": (sum, _whole),
    "active_zone_minutes": (sum, _whole),
    "calories_out": (sum, _whole),
}
"""Metric of a period to its exact sum, for integers the built-in one, and how a mean is rounded."""


def _means(
    granularity: Granularity, daily: Rows[DailyRow], period_of: Callable[[str], tuple[str, str]]
) -> Rows[PeriodRow]:
    days = daily.labels
    periods: list[str] = []
    spans: list[slice] = []
    start = 0
    while start < len(days):
        period, last = period_of(days[start])
        stop = bisect_right(days, last, start)
        periods.append(period)
        spans.append(slice(start, stop))
        start = stop
    columns: dict[str, tuple[Cell, ...]] = {
        "period": tuple(periods),
        "days": tuple(span.stop - span.start for span in spans),
    }
    for metric in _METRICS:
        columns[metric] = _column(metric, daily.columns[metric], spans)
    return Rows(granularity, PeriodRow, columns)


def _column(metric: str, cells: tuple[Cell, ...], spans: list[slice]) -> tuple[float | None, ...]:
    total, rounded = _METRICS[metric]
    parts: list[Sequence[Cell]] = list(map(cells.__getitem__, spans))
    if None in cells or ABSENT in cells:
        parts = [
            [cell for cell in part if cell is not None and cell is not ABSENT] for part in parts
        ]
    return tuple([rounded(total(part) / len(part)) if part else None for part in parts])
