"""Tables that data frame libraries read through the Arrow PyCapsule interface.

pandas, polars, pyarrow, DuckDB and others make their own frame of an object with the method
`__arrow_c_stream__`, so this package depends on none of them; nanoarrow writes the Arrow format.

Invariant *missing is null*: None and ABSENT become null, never zero, an empty text or NaN.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from importlib import import_module
from typing import Any, Final, Literal

import nanoarrow as na

from purewire.primitives import ABSENT

ColumnType = Literal["text", "integer", "number", "boolean", "date", "instant", "duration"]
"""The type of a column: a date is ISO text or days since 1970, instants and durations are ms."""

Column = tuple[ColumnType, Iterable[Any]]
"""The type and the values of a column."""

_TYPES: Final[Mapping[ColumnType, Any]] = {
    "text": na.string(),
    "integer": na.int64(),
    "number": na.float64(),
    "boolean": na.bool_(),
    "date": na.date32(),
    "instant": na.timestamp("ms", "UTC"),
    "duration": na.duration("ms"),
}
_EPOCH: Final = date(1970, 1, 1).toordinal()


class ArrowTable:
    """An immutable table of named and typed columns, which must have equal lengths."""

    __slots__ = ("_array", "_names")

    def __init__(self, columns: Mapping[str, Column]) -> None:
        cells = {name: _cells(kind, values) for name, (kind, values) in columns.items()}
        lengths = {len(values) for values in cells.values()}
        if len(lengths) > 1:
            raise ValueError("the columns differ in length")
        self._names = tuple(columns)
        types = {name: _TYPES[kind] for name, (kind, _) in columns.items()}
        self._array = na.c_array_from_buffers(
            na.struct(types),
            next(iter(lengths), 0),
            [None],
            children=[na.c_array(values, types[name]) for name, values in cells.items()],
        )

    @classmethod
    def of_rows(
        cls, types: Mapping[str, ColumnType], rows: Iterable[Mapping[str, object]]
    ) -> "ArrowTable":
        """Return the table of rows; a name that a row does not have is null."""
        listed = tuple(rows)
        return cls(
            {name: (kind, [row.get(name) for row in listed]) for name, kind in types.items()}
        )

    def to_polars(self) -> Any:  # noqa: ANN401 - of a library that need not be installed
        """Return a `polars.DataFrame`."""
        return import_module("polars").DataFrame(self)

    def to_pandas(self) -> Any:  # noqa: ANN401 - of a library that need not be installed
        """Return a `pandas.DataFrame` with the types of Arrow, in which integers have nulls."""
        types = import_module("pandas").ArrowDtype
        return import_module("pyarrow").table(self).to_pandas(types_mapper=types)

    def __len__(self) -> int:
        return int(self._array.length)

    def __repr__(self) -> str:
        return f"<ArrowTable of {len(self)} rows: {', '.join(self._names)}>"

    def __arrow_c_schema__(self) -> object:
        return self._array.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table as a capsule of one batch; another schema is not produced."""
        del requested_schema  # the interface leaves it to the producer whether it converts
        return na.c_array_stream(self._array).__arrow_c_stream__()


def _cells(kind: ColumnType, values: Iterable[Any]) -> list[Any]:
    cells = [None if value is ABSENT else value for value in values]
    return [_day(cell) for cell in cells] if kind == "date" else cells


def _day(day: str | int | None) -> int | None:
    return date.fromisoformat(day).toordinal() - _EPOCH if isinstance(day, str) else day
