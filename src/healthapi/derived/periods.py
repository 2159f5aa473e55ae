"""Compute means over weeks and months.

Invariant *means of measured values*: a mean is over the days of the period that have a value.  A
period without a day has no row; a metric without a value is None.
Invariant *sums are exact*: numbers are summed without intermediate rounding, so that a mean depends
neither on the order of the rows nor on the interpreter, as it would with the built-in `sum`.

Contract: HA-PERIOD-03, HA-PERIOD-05 to 11.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from datetime import date
from math import fsum
from operator import sub, truediv
from typing import Final

from healthapi.catalog_keys import Granularity
from healthapi.derived.arithmetic import round_to_integers, round_to_tenths
from healthapi.rows.days import bounds, month_of, week_of
from healthapi.rows.records import Cell, ColumnNumbers, DailyRow, PeriodRow, Rows

_WEEK_DAYS: Final = 7
_LAST_DAY: Final = date.max.toordinal()


def build_weekly_rows(daily: Rows[DailyRow]) -> Rows[PeriodRow]:
    """Return the means of each ISO week that has a daily row."""
    return _means("weekly", daily, _week)


def build_monthly_rows(daily: Rows[DailyRow]) -> Rows[PeriodRow]:
    """Return the means of each month that has a daily row."""
    return _means("monthly", daily, _month)


def find_partial_periods(
    daily: Rows[DailyRow], granularity: Granularity, today: str
) -> tuple[str, ...]:
    """Return the first and last period if they extend beyond the first and last day with data.

    Of days, the last one is partial if it was not over when its data were written, on `today`.
    """
    if not daily:
        return ()
    first, last = daily.labels[0], daily.labels[-1]
    if granularity == "daily":
        return (last,) if last >= today else ()
    period_of = week_of if granularity == "weekly" else month_of
    partial: dict[str, None] = {}
    if bounds(period_of(first))[0] < bounds(first)[0]:
        partial[period_of(first)] = None
    if bounds(period_of(last))[1] > bounds(last)[1]:
        partial[period_of(last)] = None
    return tuple(partial)


def _week(day: str) -> tuple[str, str]:
    """Return the ISO week of a day, and the last day of the week."""
    then = date.fromisoformat(day)
    year, week, weekday = then.isocalendar()
    last = min(then.toordinal() + _WEEK_DAYS - weekday, _LAST_DAY)
    return f"{year:04}-W{week:02}", date.fromordinal(last).isoformat()


def _month(day: str) -> tuple[str, str]:
    """Return the month of a day, and text that no day of the month exceeds."""
    return month_of(day), f"{month_of(day)}-31"


_METRICS: Final[dict[str, Callable[[Iterable[float]], list[float]]]] = {
    **dict.fromkeys(("sleep_score", "sleep_hours", "hrv", "rhr"), round_to_tenths),
    **dict.fromkeys(
        ("steps", "active_minutes", "active_zone_minutes", "calories_out"), round_to_integers
    ),
}
"""Metric of a period to the function that rounds its means."""


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
        columns[metric] = _column(metric, daily.numbers(metric), edges)
    return Rows(granularity, PeriodRow, columns)


def _column(metric: str, numbers: ColumnNumbers, edges: list[int]) -> tuple[Cell, ...]:
    """Return the means of a metric between each two edges."""
    rounded = _METRICS[metric]
    places = [numbers.counts_before[edge] for edge in edges]
    parts = map(numbers.values.__getitem__, map(slice, places, places[1:]))
    counts = list(map(sub, places[1:], places))
    means = rounded(map(truediv, map(fsum, parts), [count or 1 for count in counts]))
    return tuple([mean if count else None for mean, count in zip(means, counts, strict=True)])
