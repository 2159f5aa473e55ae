"""Datasets and series as tables for pandas, polars and pyarrow; needs the extra `frames`.

`to_arrow(data).to_polars()` and `to_arrow(data).to_pandas()` make a frame.

Columns keep their order and their types: days are dates, numbers are integers or floats as in the
row class, and missing or absent values are null.  In `daily`, the columns `has_activity`,
`has_sleep`, `has_hrv` and `has_rhr` tell apart what was not measured and what has no row that day.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final, get_args

import attrs

from healthapi.derived.periods import Series
from healthapi.rows.records import Cell, DailyRow, Rows
from purewire.adapters.arrow import ArrowTable, Column, ColumnType
from purewire.adapters.zones import zone_of
from purewire.instants import from_datetime
from purewire.primitives import ABSENT

_TYPES: Final[Mapping[type, ColumnType]] = {
    bool: "boolean",
    float: "number",
    int: "integer",
    str: "text",
}
_TIMES: Final = ("start_time", "end_time")
_MEMBER_OF: Final = {"activity": "steps", "sleep": "is_main_sleep", "hrv": "hrv", "rhr": "rhr"}
"""Dataset to a member that each of its rows has."""


def to_arrow(data: Rows[Any] | Series, zone: str | None = None) -> ArrowTable:
    """Return the rows of a dataset, or the points of a series, as a table.

    With the IANA name of the person's zone (`profile.person.timezone`) the times of a sleep are
    instants in UTC; without it they are text, in local time.  A time that is not ISO 8601 is null.
    """
    columns = _of_series(data) if isinstance(data, Series) else _of_rows(data)
    for name in _TIMES if zone is not None else ():
        if name in columns:
            columns[name] = "instant", _instants(columns[name][1], zone)
    return ArrowTable(columns)


def _of_rows(rows: Rows[Any]) -> dict[str, Column]:
    types = {field.name: field.type for field in attrs.fields(rows.row)}
    columns: dict[str, Column] = {
        name: ("date" if name == "date" else _type(types[name]), cells)
        for name, cells in rows.columns.items()
    }
    if rows.row is DailyRow:
        for dataset, member in _MEMBER_OF.items():
            cells = rows.columns[member]
            columns[f"has_{dataset}"] = "boolean", [cell is not ABSENT for cell in cells]
    return columns


def _of_series(series: Series) -> dict[str, Column]:
    # A metric may be chosen twice; the column names of a table are unique.
    pairs = zip(series.metrics, series.values, strict=True)
    labels: ColumnType = "date" if series.dimension == "date" else "text"
    return {
        series.dimension: (labels, series.labels),
        **{metric.key: ("number", cells) for metric, cells in pairs},
    }


def _instants(cells: Iterable[Cell], zone: str | None) -> Iterator[int | None]:
    """Yield local times as ms since the epoch."""
    local = zone_of(zone)
    for cell in cells:
        try:
            at = datetime.fromisoformat(cell) if isinstance(cell, str) else None
        except ValueError:
            at = None
        yield None if at is None else from_datetime(at if at.tzinfo else at.replace(tzinfo=local))


def _type(annotation: object) -> ColumnType:
    members = get_args(annotation) or (annotation,)
    return next(_TYPES[member] for member in members if member in _TYPES)
