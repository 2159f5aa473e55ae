"""Compute the values of each member of the rows from the cells of its columns.

`healthapi.rows.columns` defines the columns of a member.

Contract: HA-CELL-14, HA-PRIVACY-14.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import fsum, isnan, nan
from typing import Final

import attrs

from healthapi.limits import PLAUSIBLE
from healthapi.redaction.walk import clean_text
from healthapi.rows.cells import (
    CachedConverter,
    CellRule,
    Unreadable,
    boolean,
    checked_number,
    decimal,
    integer,
    try_parse_numbers,
)
from healthapi.rows.columns import Column, TableMap
from healthapi.rows.records import Cell

Cells = Mapping[str, Sequence[str]]
"""Name of a column of the file to the cells of a block."""
CellError = tuple[int, str, CellRule]
"""Index of a row in its block, column of the file, broken rule."""

_UNPUBLISHED: Final = {"log_id"}
"""Texts that only identify rows.  They are not published, and redaction could make them equal."""
_TIME_CHARACTERS: Final = b"0123456789-:.T+Z"
"""A text of these characters alone is a time or a number."""


def build_members(table: TableMap, header: Sequence[str]) -> list["Member"]:
    """Return the members of a table whose columns are in the header."""
    present = set(header)
    found = []
    for column in table.columns:
        terms = tuple(term for term in column.terms if term[0] in present)
        if terms:
            found.append(_member(table, attrs.evolve(column, terms=terms)))
    return found


def _member(table: TableMap, column: Column) -> "Member":
    cell_type = table.cell_type(column.field)
    if cell_type == "text":
        convert = _trimmed if column.field in _UNPUBLISHED else _clean
        return _Single(column, convert, None, _try_plain_texts)
    if cell_type == "boolean":
        return _Single(column, boolean, unreadable=False, is_measured=False)
    whole = cell_type == "integer"
    plausible = PLAUSIBLE.get(column.field)
    if len(column.terms) > 1:
        return _Sum(column, plausible, whole=whole)
    factor, no_value = column.terms[0][1], column.not_measured
    is_plain = factor == 1 and no_value is None
    return _Single(
        column,
        partial(
            integer if whole else decimal, factor=factor, not_measured=no_value, plausible=plausible
        ),
        None,
        partial(try_parse_numbers, whole=whole, plausible=plausible) if is_plain else None,
    )


class _Single:
    """Computes the values of one member of the rows from one column.

    Attributes:
        field: Name of the member.
        is_measured: Whether a value means that something was measured: numbers and texts do,
            booleans do not.

    """

    def __init__(
        self,
        column: Column,
        convert: Callable[[str], Cell],
        unreadable: Cell,
        fast_path: Callable[[Sequence[str]], Sequence[Cell] | None] | None = None,
        *,
        is_measured: bool = True,
    ) -> None:
        self.field = column.field
        self.is_measured = is_measured
        self._name = column.terms[0][0]
        self._fast_path = fast_path
        self._converted = CachedConverter(convert, unreadable)

    def values(self, cells: Cells) -> Sequence[Cell]:
        """Return the values of a block."""
        column = cells[self._name]
        values = self._fast_path(column) if self._fast_path else None
        return self._converted(column) if values is None else values

    def errors(self, cells: Cells) -> Iterator[CellError]:
        """Yield the unreadable cells of the block that was last passed to `values`."""
        return _cell_errors(self._converted.errors, self._name, cells)


def _try_plain_texts(texts: Sequence[str]) -> Sequence[Cell] | None:
    """Return texts that need neither trimming nor redaction; None if there are others."""
    if "".join(texts).encode().translate(None, _TIME_CHARACTERS):
        return None
    return [text or None for text in texts] if "" in texts else texts


def _trimmed(text: str) -> str | None:
    return text.strip() or None


def _clean(text: str) -> str | None:
    return _trimmed(clean_text(text.strip()))


class _Sum:
    """Computes the values of one member as the sum of several columns of numbers."""

    is_measured = True

    def __init__(
        self, column: Column, plausible: tuple[float, float] | None, *, whole: bool
    ) -> None:
        self.field = column.field
        self._plausible = plausible
        self._whole = whole
        self._terms = {
            name: CachedConverter[float | None](partial(decimal, factor=factor), nan)
            for name, factor in column.terms
        }
        self._out_of_range: dict[int, CellRule] = {}

    def values(self, cells: Cells) -> Sequence[Cell]:
        parts = [converted(cells[name]) for name, converted in self._terms.items()]
        self._out_of_range = {}
        return [self._total(row, numbers) for row, numbers in enumerate(zip(*parts, strict=True))]

    def _total(self, row: int, numbers: tuple[float | None, ...]) -> Cell:
        terms = [number for number in numbers if number is not None]
        if not terms:
            return None
        total = fsum(terms)
        if isnan(total):  # A term is unreadable; the sum of the others would be wrong.
            return None
        try:
            total = checked_number(total, exact=False, plausible=self._plausible)
        except Unreadable as error:
            self._out_of_range[row] = error.rule
            return None
        return round(total) if self._whole else total

    def errors(self, cells: Cells) -> Iterator[CellError]:
        for name, converted in self._terms.items():
            yield from _cell_errors(converted.errors, name, cells)
        for row, rule in self._out_of_range.items():
            yield row, next(iter(self._terms)), rule


Member = _Single | _Sum


def _cell_errors(errors: Mapping[str, CellRule], name: str, cells: Cells) -> Iterator[CellError]:
    if errors:
        for row, text in enumerate(cells[name]):
            if text in errors:
                yield row, name, errors[text]
