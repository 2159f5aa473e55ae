"""Compute means over weeks and months, and select metrics of one granularity over time.

Invariant *means of measured values*: a mean is over the days of the period that have a value.  A
period without a day has no row; a metric without a value is None.
Invariant *stable shape*: the available metrics depend on the granularity alone, not on the data.
Each point has every selected metric, None if there is no value.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import accumulate, compress, pairwise
from typing import Any, Final, cast

import attrs

from healthapi.derived.statistics import GROWING, mean, rounded
from healthapi.keys import CARD_METRICS, GRANULARITIES, METRICS, SERIES_METRICS, Granularity, Metric
from healthapi.models import DailyRow, PeriodRow
from healthapi.rows.rows import Cell, Rows, is_number
from status_contracts.days import bounds, month_of, week_of

Value = int | float | None

LEAST_DAYS: Final[dict[str, int]] = {"weekly": 3, "monthly": 10}
"""Days with a value from which on the mean of a period is drawn and compared as one of it."""

_PERIOD_OF: Final = {"weekly": week_of, "monthly": month_of}


def build_period_rows(
    granularity: Granularity, daily: Rows[DailyRow], metrics: Mapping[str, Metric] = METRICS
) -> Rows[PeriodRow]:
    """Return the means of each ISO week, or month, that has a daily row; `metrics` round them."""
    counts = _count_days(granularity, daily)
    means = {key: _means(daily.cells[key], counts, metrics[key].decimals) for key in CARD_METRICS}
    columns: dict[str, tuple[Cell, ...]] = {"period": tuple(counts), "days": tuple(counts.values())}
    return Rows(granularity, PeriodRow, columns | means)


def _count_days(granularity: Granularity, daily: Rows[DailyRow]) -> Counter[str]:
    return Counter(map(_PERIOD_OF[granularity], map(date.fromisoformat, daily.labels)))


def _means(cells: Sequence[Cell], counts: Mapping[str, int], decimals: int) -> tuple[Value, ...]:
    edges = pairwise(accumulate(counts.values(), initial=0))
    runs = ([cell for cell in cells[start:stop] if is_number(cell)] for start, stop in edges)
    return tuple(rounded(mean(run), decimals) for run in runs)


def exact_sleep(granularity: Granularity, daily: Rows[DailyRow]) -> tuple[Value, ...]:
    """Return the hours asleep to the minute, means of periods in hundredths, not in tenths."""
    minutes = daily.cells["minutes_asleep"]
    hours = tuple(cell / 60 if is_number(cell) else None for cell in minutes)
    return hours if granularity == "daily" else _means(hours, _count_days(granularity, daily), 2)


def find_few_days(
    granularity: Granularity, daily: Rows[DailyRow], *keys: str
) -> dict[str, frozenset[str]]:
    """Return for each key the weeks or months in which few days have a value, but some."""
    least, days = LEAST_DAYS.get(granularity, 0), map(date.fromisoformat, daily.labels)
    periods = [*map(_PERIOD_OF[granularity], days)] if least else []
    cells = ([one is not None for one in daily.cells.get(key, ())] for key in keys)
    counts = zip(keys, (Counter(compress(periods, known)) for known in cells), strict=True)
    return {key: frozenset(at for at in count if count[at] < least) for key, count in counts}


def find_partial_periods(
    daily: Rows[DailyRow], granularity: Granularity, today: str
) -> tuple[str, ...]:
    """Return the first and last period if they extend beyond the first and last day with data.

    The last one, or of days the last day, is partial too if that day was not over when its data
    were written, on `today`.
    """
    if not daily:
        return ()
    if granularity == "daily":
        return daily.labels[-1:] if daily.labels[-1] >= today else ()
    period_of = _PERIOD_OF[granularity]
    first, last = (date.fromisoformat(daily.labels[end]) for end in (0, -1))
    is_late = bounds(period_of(first))[0] < first
    is_early = bounds(period_of(last))[1] > last or daily.labels[-1] >= today
    return tuple(dict.fromkeys([period_of(first)] * is_late + [period_of(last)] * is_early))


@attrs.frozen(repr=False)
class Series:
    """Metrics over time, stored column-wise.

    Attributes:
        metrics: The selected metrics, in the order of the request.
        labels: Day or period of each point, ascending.
        values: For each metric the values of all points.
        unfinished: Keys of the metrics whose last point is not complete: its day or period is not
            over.
        partial: Weeks or months that are not within the days with data.
        hours_asleep: Those of `exact_sleep`, for pictures; empty if unknown.
        few: Metric key to the periods in which few days have a value; empty if unknown.

    """

    granularity: Granularity
    metrics: tuple[Metric, ...]
    labels: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]
    unfinished: frozenset[str] = frozenset()
    hours_asleep: tuple[Value, ...] = ()
    partial: frozenset[str] = frozenset()
    few: Mapping[str, frozenset[str]] = attrs.field(factory=dict, hash=False)

    @property
    def dimension(self) -> str:
        """Name of the time member of a point: `date` or `period`."""
        return GRANULARITIES[self.granularity]

    def columns(self) -> dict[str, list[Any]]:
        """Return days or periods and the values of each metric by name, for a frame.

        Days are `datetime.date`, periods are text, and what is missing is None.
        """
        labels: list[Any] = list(self.labels)
        if self.dimension == "date":
            labels = list(map(date.fromisoformat, labels))
        pairs = zip(self.metrics, self.values, strict=True)
        return {self.dimension: labels, **{metric.key: list(cells) for metric, cells in pairs}}

    def points(self) -> list[dict[str, Any]]:
        """Return the points as dictionaries."""
        names = (self.dimension, *(metric.key for metric in self.metrics))
        rows = zip(self.labels, *self.values, strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        keys = ", ".join(metric.key for metric in self.metrics)
        span = f", {self.labels[0]} to {self.labels[-1]}" if self.labels else ""
        return f"<Series {self.granularity} of {keys}: {len(self)} points{span}>"


def select_metrics(granularity: Granularity, names: Sequence[str]) -> list[str]:
    """Return the known metrics among `names` in their order; repetitions are kept.

    Metrics that the granularity does not have are unknown, so that a preset of daily metrics fits
    every granularity.
    """
    return [name for name in names if name in SERIES_METRICS[granularity]]


def build_series(
    rows: Rows[DailyRow] | Rows[PeriodRow],
    granularity: Granularity,
    metrics: Sequence[str],
    limit: int | None = None,
    partial: Sequence[str] = (),
    hours_asleep: tuple[Value, ...] = (),
) -> Series:
    """Return the last `limit` points (None: all) of metrics; raise KeyError for an unknown one.

    `partial` are the days or periods that are not complete, ascending.
    """
    is_open = bool(rows) and rows.labels[-1] in partial
    growing = GROWING if granularity == "daily" else SERIES_METRICS[granularity]
    start = 0 if limit is None else max(0, len(rows) - limit)
    return Series(
        granularity,
        tuple(METRICS[name] for name in metrics),
        rows.labels[start:],
        tuple(cast("tuple[Value, ...]", rows.cells[name][start:]) for name in metrics),
        frozenset(growing).intersection(metrics) if is_open else frozenset(),
        hours_asleep[start:],
        frozenset(partial if granularity in LEAST_DAYS else ()),
    )
