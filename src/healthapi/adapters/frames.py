"""Convert datasets and series to polars frames; needs the extra `frames`.

Columns keep their order and their types: days are dates, numbers are integers or floats as in the
row class, and missing or absent values are null.
"""

from collections.abc import Mapping
from typing import Any, Final, get_args

import attrs
import polars as pl

from healthapi.derived.series import Series
from healthapi.rows.records import Cell, Rows
from purewire.absent import ABSENT

__all__ = ["to_frame"]

_TYPES: Final[Mapping[type, type[pl.DataType]]] = {
    bool: pl.Boolean,
    float: pl.Float64,
    int: pl.Int64,
    str: pl.String,
}


def to_frame(data: Rows[Any] | Series) -> pl.DataFrame:
    """Return the rows of a dataset, or the points of a series, as a frame."""
    columns = _of_series(data) if isinstance(data, Series) else _of_rows(data)
    frame = pl.DataFrame(columns)
    if "date" not in frame.columns:
        return frame
    return frame.with_columns(pl.col("date").str.to_date("%Y-%m-%d"))


def _of_rows(rows: Rows[Any]) -> list[pl.Series]:
    types = {field.name: field.type for field in attrs.fields(rows.row)}
    return [_column(name, cells, _type(types[name])) for name, cells in rows.columns.items()]


def _of_series(series: Series) -> list[pl.Series]:
    labels = _column(series.dimension, series.labels, pl.String)
    # A metric may be chosen twice; the column names of a frame are unique.
    values = {
        metric.key: cells for metric, cells in zip(series.metrics, series.values, strict=True)
    }
    return [labels, *(_column(key, cells, pl.Float64) for key, cells in values.items())]


def _column(name: str, cells: tuple[Cell, ...], kind: type[pl.DataType]) -> pl.Series:
    given = [None if cell is ABSENT else cell for cell in cells]
    return pl.Series(name, given, dtype=kind, strict=False)


def _type(annotation: object) -> type[pl.DataType]:
    members = get_args(annotation) or (annotation,)
    return next(_TYPES[member] for member in members if member in _TYPES)
