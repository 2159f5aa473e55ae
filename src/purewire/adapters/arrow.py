"""Tables that data frame libraries read through the Arrow PyCapsule interface.

pandas, polars, pyarrow, DuckDB and others make their own frame of an object with the method
`__arrow_c_stream__`, so this package depends on none of them; nanoarrow writes the Arrow format.

Invariant *missing is null*: None becomes null, never zero, an empty text or NaN.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import nanoarrow as na

ColumnType = Literal["text", "integer", "number", "boolean", "date", "instant", "duration"]
"""The type of a column: a date is in days, an instant in ms since 1970-01-01; a duration in ms."""

Column = tuple[ColumnType, Sequence[Any]]
"""The type and the values of a column; None is null."""

_TYPES: Final[Mapping[ColumnType, Any]] = {
    "text": na.string(),
    "integer": na.int64(),
    "number": na.float64(),
    "boolean": na.bool_(),
    "date": na.date32(),
    "instant": na.timestamp("ms", "UTC"),
    "duration": na.duration("ms"),
}


class ArrowTable:
    """An immutable table of named and typed columns, which must have equal lengths."""

    __slots__ = ("_array", "_names")

    def __init__(self, columns: Mapping[str, Column]) -> None:
        lengths = {len(values) for _, values in columns.values()}
        if len(lengths) > 1:
            raise ValueError("the columns differ in length")
        self._names = tuple(columns)
        schema = na.struct({name: _TYPES[kind] for name, (kind, _) in columns.items()})
        self._array = na.c_array_from_buffers(
            schema,
            next(iter(lengths), 0),
            [None],
            children=[na.c_array(values, _TYPES[kind]) for kind, values in columns.values()],
        )

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return self._names

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


def columns_of_rows(
    types: Mapping[str, ColumnType], rows: Iterable[tuple[Any, ...]]
) -> dict[str, Column]:
    """Return the columns of rows, each of which has a value for each name."""
    values = list(zip(*rows, strict=True)) or [()] * len(types)
    return {name: (kind, cells) for (name, kind), cells in zip(types.items(), values, strict=True)}
