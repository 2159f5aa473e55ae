"""Choose the lines of a chart: which metrics of a series are drawn, and in which style.

Source: health facts, section 17; design decisions under "Charts".

Invariant *eight lines*: of the distinct metrics of a series the first eight are drawn; the chart
states the number of the others.

Contract: HA-CHART-19.
"""

from collections.abc import Sequence
from typing import Final

import attrs

from healthapi.catalog_keys import Metric
from healthapi.charts.palette import LINE_STYLES, LineStyle, assign_styles
from healthapi.derived.series import Series
from healthapi.rows.records import find_numbers

__all__ = ["MAX_LINES", "Line", "lines_of"]

MAX_LINES: Final = len(LINE_STYLES)

_Number = int | float
_Value = int | float | None


@attrs.frozen(repr=False)
class Line:
    """A metric of the chart.

    Attributes:
        metric: its name and unit.
        style: how it is drawn.
        values: its values in all periods.
        present: those that are not missing.
        last_label: the period of the last of them; None where there is none.

    """

    metric: Metric
    style: LineStyle
    values: Sequence[_Value]
    present: Sequence[_Number]
    last_label: str | None


def lines_of(series: Series) -> tuple[tuple[Line, ...], int]:
    """Return the lines of a chart, and the number of metrics that are left out."""
    distinct = {
        metric.key: (metric, values)
        for metric, values in zip(series.metrics, series.values, strict=True)
    }
    chosen = list(distinct)[:MAX_LINES]
    styles = assign_styles(chosen)
    lines = (
        Line(
            metric,
            styles[metric.key],
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
