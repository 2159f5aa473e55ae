"""Datasets and series as tables for pandas, polars and pyarrow; needs the extra `frames`.

`polars.DataFrame(table)`, `pyarrow.table(table)` and `pandas.DataFrame.from_arrow(table)` make a
frame of one.

Columns keep their order and their types: days are dates, numbers are integers or floats as in the
row class, and missing or absent values are null.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, get_args

import attrs

from healthapi.derived.series import Series
from healthapi.rows.records import Cell, Rows
from purewire.absent import ABSENT
from purewire.adapters.arrow import ArrowTable, Column, ColumnType

_TYPES: Final[Mapping[type, ColumnType]] = {
    bool: "boolean",
    float: "number",
    int: "integer",
    str: "text",
}
_EPOCH: Final = date(1970, 1, 1).toordinal()


def to_arrow(data: Rows[Any] | Series) -> ArrowTable:
    """Return the rows of a dataset, or the points of a series, as a table."""
    columns = _of_series(data) if isinstance(data, Series) else _of_rows(data)
    if "date" in columns:
        days = [date.fromisoformat(day).toordinal() - _EPOCH for day in data.labels]
        columns["date"] = ("date", days)
    return ArrowTable(columns)


def _of_rows(rows: Rows[Any]) -> dict[str, Column]:
    types = {field.name: field.type for field in attrs.fields(rows.row)}
    return {name: _column(_type(types[name]), cells) for name, cells in rows.columns.items()}


def _of_series(series: Series) -> dict[str, Column]:
    # A metric may be chosen twice; the column names of a table are unique.
    pairs = zip(series.metrics, series.values, strict=True)
    values = {metric.key: _column("number", cells) for metric, cells in pairs}
    return {series.dimension: _column("text", series.labels), **values}


def _column(kind: ColumnType, cells: tuple[Cell, ...]) -> Column:
    return kind, [None if cell is ABSENT else cell for cell in cells]


def _type(annotation: object) -> ColumnType:
    members = get_args(annotation) or (annotation,)
    return next(_TYPES[member] for member in members if member in _TYPES)
