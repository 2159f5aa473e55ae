"""`Rows`, an immutable sequence of the rows of one dataset, stored column-wise.

Invariant *stored column-wise*: rows are built on access, so that a table of a million rows contains
no row objects.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, tzinfo
from itertools import compress
from types import MappingProxyType
from typing import Any, Final, Generic, TypeGuard, TypeVar, cast, overload

import attrs

from healthapi.models import NEVER_NULL
from status_contracts.instants import local_datetime
from status_contracts.primitives import check_type

Cell = str | int | float | bool | None
"""A value in a column."""

_NUMBER_TYPES: Final = frozenset((int, float))
_TIMES: Final = frozenset(("start_time", "end_time"))

R = TypeVar("R", bound=attrs.AttrsInstance)


class Rows(Sequence[R], Generic[R]):
    """An immutable sequence of the rows of one dataset, stored column-wise.

    Args:
        key: Key of the dataset.
        row: The class of a row.
        cells: For each member of the class the values of all rows, as tuples of one length.
        absent: For members that some rows lack, for each row 1 if JSON leaves the member out.

    Raises:
        ValueError: The names are not the members of the class, or the lengths differ.

    """

    __slots__ = ("_absent", "_cells", "_row", "key")

    def __init__(
        self,
        key: str,
        row: type[R],
        cells: Mapping[str, tuple[Cell, ...]],
        absent: Mapping[str, bytes] | None = None,
    ) -> None:
        fields = tuple(field.name for field in attrs.fields(row))
        if cells.keys() != set(fields):
            raise ValueError("the columns are not the members of the row")
        if len(set(map(len, cells.values()))) != 1:
            raise ValueError("the columns differ in length")
        self.key = key
        self._row = row
        self._cells = MappingProxyType({name: cells[name] for name in fields})
        self._absent = dict(absent or {})

    def __reduce__(self) -> tuple[type["Rows[Any]"], tuple[object, ...]]:
        return Rows, (self.key, self._row, dict(self._cells), self._absent)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the members, in order; the first is `date` or `period`."""
        return tuple(self._cells)

    @property
    def cells(self) -> Mapping[str, tuple[Cell, ...]]:
        """The values of all rows by member."""
        return self._cells

    def columns(self, zone: tzinfo | None = None) -> dict[str, list[Any]]:
        """Return the values of all rows by member, for `pandas.DataFrame` or `polars.DataFrame`.

        Days are `datetime.date`; what is missing is None.  The times of a sleep are text, in local
        time; in the person's zone they are aware datetimes, None if they are not ISO 8601.  Raise
        TypeError for a zone that is no tzinfo.
        """
        columns: dict[str, list[Any]] = {name: list(cells) for name, cells in self._cells.items()}
        if "date" in columns:
            columns["date"] = list(map(date.fromisoformat, self.labels))
        if zone is not None:
            check_type("zone", zone, tzinfo, "pass zoneinfo.ZoneInfo(name)")
            for name in columns.keys() & _TIMES:
                columns[name] = [local_datetime(time, zone) for time in columns[name]]
        return columns

    @property
    def labels(self) -> tuple[str, ...]:
        """The dates or periods of all rows, ascending."""
        return cast("tuple[str, ...]", next(iter(self._cells.values())))

    def plain(self, start: int = 0, stop: int | None = None) -> list[dict[str, Any]]:
        """Return rows as dictionaries of JSON, without the members that a row lacks."""
        names = self.fields
        cut = [cells[start:stop] for cells in self._cells.values()]
        plain = [dict(zip(names, row, strict=True)) for row in zip(*cut, strict=True)]
        for name, mask in self._absent.items():
            for row in compress(plain, mask[start:stop]):
                del row[name]
        for name in NEVER_NULL.get(self._row, ()):
            for row in plain:
                if row.get(name) is None:
                    row.pop(name, None)
        return plain

    def __len__(self) -> int:
        return len(self.labels)

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> "Rows[R]": ...
    def __getitem__(self, index: int | slice) -> "R | Rows[R]":
        if isinstance(index, slice):
            cut = {name: cells[index] for name, cells in self._cells.items()}
            absent = {name: mask[index] for name, mask in self._absent.items()}
            return Rows(self.key, self._row, cut, absent)
        return self._row(*(cells[index] for cells in self._cells.values()))

    def __iter__(self) -> Iterator[R]:
        return (self._row(*cells) for cells in zip(*self._cells.values(), strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rows):
            return NotImplemented
        return (
            self._row is other._row
            and self._cells == other._cells
            and self._absent == other._absent
        )

    def __hash__(self) -> int:
        return hash((self._row, tuple(self._cells.values())))

    def __repr__(self) -> str:
        if not self:
            return f"<Rows of {self.key}: none>"
        return f"<Rows of {self.key}: {len(self)}, {self.labels[0]} to {self.labels[-1]}>"


def is_number(cell: Cell) -> TypeGuard[float]:
    """Return whether a value is a number; None, text and booleans are not."""
    return type(cell) in _NUMBER_TYPES
