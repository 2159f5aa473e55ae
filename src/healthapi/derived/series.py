"""Select metrics of one granularity over time.

Invariant *stable shape*: the available metrics depend on the granularity alone, not on the data.
Each point has every selected metric, None if there is no value.

Contract: HA-QUERY-08, HA-QUERY-17, HA-QUERY-18, HA-DATASET-07, HA-DATASET-10, HA-DATASET-15.
"""

from collections.abc import Sequence
from typing import Any, cast

import attrs

from healthapi.catalog_keys import GRANULARITIES, METRICS, SERIES_METRICS, Granularity, Metric
from healthapi.rows.records import DailyRow, PeriodRow, Rows, cell_text
from purewire.html_table import MAX_ROWS, html_table
from purewire.primitives import ABSENT

Value = int | float | None


@attrs.frozen(repr=False)
class Series:
    """Metrics over time, stored column-wise.

    Attributes:
        metrics: The selected metrics, in the order of the request.
        labels: Day or period of each point, ascending.
        values: For each metric the values of all points.

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
        """Return the points as dictionaries."""
        names = (self.dimension, *(metric.key for metric in self.metrics))
        rows = zip(self.labels, *self.values, strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        keys = ", ".join(metric.key for metric in self.metrics)
        return f"<Series {self.granularity} of {keys}: {self._extent}>"

    def _repr_html_(self) -> str:
        """Return an HTML table of the first points for notebooks."""
        head = (self.dimension, *(metric.key for metric in self.metrics))
        values = (map(cell_text, cells[:MAX_ROWS]) for cells in self.values)
        rows = zip(self.labels[:MAX_ROWS], *values, strict=True)
        caption = f"Series {self.granularity}: {self._extent}"
        return html_table(caption, head, rows, more=max(0, len(self) - MAX_ROWS))

    @property
    def _extent(self) -> str:
        span = f", {self.labels[0]} to {self.labels[-1]}" if self.labels else ""
        return f"{len(self)} points{span}"


def select_metrics(
    granularity: Granularity, names: Sequence[str], default: Sequence[str]
) -> list[str]:
    """Return the known metrics among `names` in their order, else those among `default`.

    Metrics that the granularity does not have are unknown, so that a preset of daily metrics fits
    every granularity.  Repetitions are kept.
    """
    known = SERIES_METRICS[granularity]
    chosen = [name for name in names if name in known]
    return chosen or [name for name in default if name in known]


def build_series(
    rows: Rows[DailyRow] | Rows[PeriodRow],
    granularity: Granularity,
    metrics: Sequence[str],
    limit: int | None = None,
) -> Series:
    """Return the last `limit` points (None: all) of metrics; raise KeyError for an unknown one."""
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
