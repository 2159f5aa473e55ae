"""The lines of a chart: which metrics of a series are drawn, and in which ink.

Source: health facts, section 17; rulings under "Charts".

Invariant *eight lines*: of the distinct metrics of a series the first eight are in the chart; how
many more there are is told.
"""

from collections.abc import Sequence
from typing import Final

import attrs

from healthapi.catalog_keys import Metric
from healthapi.charts.palette import INKS, Ink, inks_of
from healthapi.derived.series import Series
from healthapi.rows.records import find_numbers

__all__ = ["LINES", "Line", "lines_of"]

LINES: Final = len(INKS)
"""Most lines of a chart."""

_Number = int | float
_Value = int | float | None


@attrs.frozen(repr=False)
class Line:
    """A metric of the chart.

    Attributes:
        metric: what it is.
        ink: how it is drawn.
        values: its values in all periods.
        present: those that are not missing.
        last_label: the period of the last of them; None where there is none.

    """

    metric: Metric
    ink: Ink
    values: Sequence[_Value]
    present: Sequence[_Number]
    last_label: str | None


def lines_of(series: Series) -> tuple[tuple[Line, ...], int]:
    """Give the lines of a chart, and how many metrics are left out."""
    distinct = {
        metric.key: (metric, values)
        for metric, values in zip(series.metrics, series.values, strict=True)
    }
    chosen = list(distinct)[:LINES]
    inks = inks_of(chosen)
    lines = (
        Line(
            metric,
            inks[metric.key],
            values,
            find_numbers(values).values,
            _last_label(series.labels, values),
        )
        for metric, values in map(distinct.__getitem__, chosen)
    )
    return tuple(lines), len(distinct) - len(chosen)


def _last_label(labels: Sequence[str], values: Sequence[_Value]) -> str | None:
    backwards = zip(reversed(labels), reversed(values), strict=True)
    return next((label for label, value in backwards if value is not None), None)
