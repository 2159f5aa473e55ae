"""Compute the values of each member of the rows from the cells of its columns.

Source: health facts, section 2.  `healthapi.rows.columns` defines the columns of a member.

Contract: HA-CELL-14, HA-PRIVACY-14.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import fsum, isnan, nan
from typing import Final, Protocol

import attrs

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

__all__ = ["CellError", "Cells", "Member", "build_members"]

Cells = Mapping[str, Sequence[str]]
"""Name of a column of the file to the cells of a block."""
CellError = tuple[int, str, CellRule]
"""Index of a row in its block, column of the file, broken rule."""

_UNPUBLISHED: Final = {"log_id"}
"""Texts that only identify rows.  They are not published, and redaction could make them equal."""
_TIME_CHARACTERS: Final = b"0123456789-:.T+Z"
"""Text of these characters alone needs neither trimming nor redaction."""


class Member(Protocol):
    """Computes the values of one member of the rows.

    Attributes:
        field: Name of the member.
        is_measured: Whether a value means that something was measured: numbers and texts do,
            booleans do not.

    """

    field: str
    is_measured: bool

    def values(self, cells: Cells, /) -> Sequence[Cell]:
        """Return the values of a block."""

    def errors(self, cells: Cells, /) -> Iterator[CellError]:
        """Yield the unreadable cells of the block that was last passed to `values`."""


def build_members(table: TableMap, header: Sequence[str]) -> list[Member]:
    """Return the members of a table whose columns are in the header."""
    present = set(header)
    found = []
    for column in table.columns:
        terms = tuple(term for term in column.terms if term[0] in present)
        if terms:
            found.append(_member(table, attrs.evolve(column, terms=terms)))
    return found


def _member(table: TableMap, column: Column) -> Member:
    cell_type = table.cell_type(column.field)
    if cell_type == "text":
        return _Text(column)
    if cell_type == "boolean":
        return _Boolean(column)
    number = _Sum if len(column.terms) > 1 else _Number
    return number(column, whole=cell_type == "integer")


class _Number:
    """One column of numbers, times a factor."""

    is_measured = True

    def __init__(self, column: Column, *, whole: bool) -> None:
        self.field = column.field
        self._name, factor = column.terms[0]
        self._is_plain = factor == 1 and column.not_measured is None
        self._whole = whole
        convert = partial(
            integer if whole else decimal, factor=factor, not_measured=column.not_measured
        )
        self._converted = CachedConverter[float | None](convert, None)

    def values(self, cells: Cells) -> Sequence[Cell]:
        column = cells[self._name]
        numbers = try_parse_numbers(column, whole=self._whole) if self._is_plain else None
        return self._converted(column) if numbers is None else numbers

    def errors(self, cells: Cells) -> Iterator[CellError]:
        return _cell_errors(self._converted.errors, self._name, cells)


class _Boolean:
    """One column of booleans."""

    is_measured = False

    def __init__(self, column: Column) -> None:
        self.field = column.field
        self._name = column.terms[0][0]
        self._converted = CachedConverter(boolean, unreadable=False)

    def values(self, cells: Cells) -> Sequence[Cell]:
        return self._converted(cells[self._name])

    def errors(self, cells: Cells) -> Iterator[CellError]:
        return _cell_errors(self._converted.errors, self._name, cells)


class _Text:
    """One column of text, trimmed; published text is redacted."""

    is_measured = True

    def __init__(self, column: Column) -> None:
        self.field = column.field
        self._name = column.terms[0][0]
        self._converted = CachedConverter(str.strip if self.field in _UNPUBLISHED else _clean, "")

    def values(self, cells: Cells) -> Sequence[Cell]:
        texts = cells[self._name]
        if "".join(texts).encode().translate(None, _TIME_CHARACTERS):
            texts = self._converted(texts)
        return [text or None for text in texts] if "" in texts else texts

    def errors(self, _cells: Cells) -> Iterator[CellError]:
        return iter(())


def _clean(text: str) -> str:
    cleaned: str = clean_text(text.strip())
    return cleaned.strip()


class _Sum:
    """The sum of several columns of numbers."""

    is_measured = True

    def __init__(self, column: Column, *, whole: bool) -> None:
        self.field = column.field
        self._whole = whole
        self._terms = {
            name: CachedConverter[float | None](partial(decimal, factor=factor), nan)
            for name, factor in column.terms
        }
        self._out_of_range: list[int] = []

    def values(self, cells: Cells) -> Sequence[Cell]:
        parts = [converted(cells[name]) for name, converted in self._terms.items()]
        self._out_of_range = []
        return [self._total(row, numbers) for row, numbers in enumerate(zip(*parts, strict=True))]

    def _total(self, row: int, numbers: tuple[float | None, ...]) -> Cell:
        terms = [number for number in numbers if number is not None]
        if not terms:
            return None
        total = fsum(terms)
        if isnan(total):  # A term is unreadable; the sum of the others would be wrong.
            return None
        try:
            total = checked_number(total, exact=False)
        except Unreadable:
            self._out_of_range.append(row)
            return None
        return round(total) if self._whole else total

    def errors(self, cells: Cells) -> Iterator[CellError]:
        for name, converted in self._terms.items():
            yield from _cell_errors(converted.errors, name, cells)
        for row in self._out_of_range:
            yield row, next(iter(self._terms)), "number.range"


def _cell_errors(errors: Mapping[str, CellRule], name: str, cells: Cells) -> Iterator[CellError]:
    if errors:
        for row, text in enumerate(cells[name]):
            if text in errors:
                yield row, name, errors[text]
