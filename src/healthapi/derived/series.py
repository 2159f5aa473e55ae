"""A series: chosen metrics of one granularity over time.

Source: health-data specification, "Parameters"; health facts, section 14.

Invariant *stable shape*: what a series may hold is the vocabulary of its granularity, not what the
data happen to have; each point has every chosen metric, None where there is no value.
"""

from collections.abc import Sequence
from typing import Any, cast

import attrs

from healthapi.catalog_keys import GRANULARITIES, METRICS, SERIES_METRICS, Granularity, Metric
from healthapi.rows.records import DailyRow, PeriodRow, Rows
from purewire.absent import ABSENT

__all__ = ["Series", "Value", "choose", "series_of"]

Value = int | float | None


@attrs.frozen(repr=False)
class Series:
    """Metrics over time, in columns.

    Attributes:
        granularity: daily, weekly or monthly.
        metrics: what was chosen, in the order of the request.
        labels: the day or period of each point, ascending.
        values: for each metric the values of all points.

    """

    granularity: Granularity
    metrics: tuple[Metric, ...]
    labels: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]

    @property
    def dimension(self) -> str:
        """Name of the time member of a point: `date` or `period`."""
        return GRANULARITIES[self.granularity]

    def points(self) -> list[dict[str, Any]]:
        """Give the points as plain values."""
        names = (self.dimension, *(metric.key for metric in self.metrics))
        rows = zip(self.labels, *self.values, strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        keys = ", ".join(metric.key for metric in self.metrics)
        span = f", {self.labels[0]} to {self.labels[-1]}" if self.labels else ""
        return f"<Series {self.granularity} of {keys}: {len(self)} points{span}>"


def choose(granularity: Granularity, names: Sequence[str], default: Sequence[str]) -> list[str]:
    """Give the metrics of a request in its order; where none is known, those of the default.

    Unknown ones are left out, of the default too: a preset of daily metrics fits every
    granularity.  Repetitions are kept.
    """
    known = SERIES_METRICS[granularity]
    chosen = [name for name in names if name in known]
    return chosen or [name for name in default if name in known]


def series_of(
    rows: Rows[DailyRow] | Rows[PeriodRow],
    granularity: Granularity,
    metrics: Sequence[str],
    limit: int | None = None,
) -> Series:
    """Give the last `limit` points (None: all) of metrics; raises KeyError for an unknown one."""
    start = 0 if limit is None else max(0, len(rows) - limit)
    return Series(
        granularity,
        tuple(METRICS[name] for name in metrics),
        rows.labels[start:],
        tuple(_values(rows, name, start) for name in metrics),
    )


def _values(rows: Rows[DailyRow] | Rows[PeriodRow], name: str, start: int) -> tuple[Value, ...]:
    cells = rows.columns[name][start:]
    if ABSENT in cells:
        cells = tuple(None if cell is ABSENT else cell for cell in cells)
    return cast("tuple[Value, ...]", cells)
