"""The values of one member of the rows, out of the cells of the columns that it has.

Source: health facts, section 2; `healthapi.rows.columns` says which columns a member has.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import fsum, isnan, nan
from typing import Final, Protocol

import attrs

from healthapi.redaction.walk import clean_text
from healthapi.rows.cells import CellRule, Converted, Unreadable, boolean, decimal, integer, within
from healthapi.rows.columns import Column, TableMap
from healthapi.rows.fast_numbers import plain_numbers
from healthapi.rows.records import Cell

__all__ = ["Cells", "Fault", "Member", "members_of"]

Cells = Mapping[str, Sequence[str]]
"""Name of a column of the file to the cells of a block."""
Fault = tuple[int, str, CellRule]
"""Index of a row in its block, column of the file, broken rule."""

_UNPUBLISHED: Final = {"log_id"}
"""Texts that only tell rows apart: they leave in no answer, and cleaning could make them alike."""
_TIME_SIGNS: Final = b"0123456789-:.T+Z"
"""What times are made of; text of nothing else needs neither trimming nor cleaning."""


class Member(Protocol):
    """What is asked of a member.

    Attributes:
        field: its name.
        measured: whether a value says that something was measured: numbers and texts do.

    """

    field: str
    measured: bool

    def values(self, cells: Cells, /) -> Sequence[Cell]:
        """Give the values of a block."""

    def faults(self, cells: Cells, /) -> Iterator[Fault]:
        """Give the cells that could not be read, of the block whose values were asked for last."""


def members_of(table: TableMap, header: Sequence[str]) -> list[Member]:
    """Give the members that a table has values for, as far as the header has their columns."""
    known = set(header)
    found = []
    for column in table.columns:
        terms = tuple(term for term in column.terms if term[0] in known)
        if terms:
            found.append(_member(table, attrs.evolve(column, terms=terms)))
    return found


def _member(table: TableMap, column: Column) -> Member:
    kind = table.kind(column.field)
    if kind == "text":
        return _Text(column)
    if kind == "boolean":
        return _Truth(column)
    number = _Sum if len(column.terms) > 1 else _Number
    return number(column, whole=kind == "integer")


class _Number:
    """One column of numbers, perhaps times a factor."""

    measured = True

    def __init__(self, column: Column, *, whole: bool) -> None:
        self.field = column.field
        self._name, factor = column.terms[0]
        self._as_they_are = factor == 1 and column.not_measured is None
        self._whole = whole
        convert = partial(
            integer if whole else decimal, factor=factor, not_measured=column.not_measured
        )
        self._converted = Converted[float | None](convert, None)

    def values(self, cells: Cells) -> Sequence[Cell]:
        column = cells[self._name]
        numbers = plain_numbers(column, whole=self._whole) if self._as_they_are else None
        return self._converted(column) if numbers is None else numbers

    def faults(self, cells: Cells) -> Iterator[Fault]:
        return _faults(self._converted.faults, self._name, cells)


class _Truth:
    """One column of booleans."""

    measured = False

    def __init__(self, column: Column) -> None:
        self.field = column.field
        self._name = column.terms[0][0]
        self._converted = Converted(boolean, unreadable=False)

    def values(self, cells: Cells) -> Sequence[Cell]:
        return self._converted(cells[self._name])

    def faults(self, cells: Cells) -> Iterator[Fault]:
        return _faults(self._converted.faults, self._name, cells)


class _Text:
    """One column of text: trimmed, and free of secrets where it is published."""

    measured = True

    def __init__(self, column: Column) -> None:
        self.field = column.field
        self._name = column.terms[0][0]
        self._shown = Converted(str.strip if self.field in _UNPUBLISHED else _clean, "")

    def values(self, cells: Cells) -> Sequence[Cell]:
        texts = cells[self._name]
        if "".join(texts).encode().translate(None, _TIME_SIGNS):
            texts = self._shown(texts)
        return [text or None for text in texts] if "" in texts else texts

    def faults(self, _cells: Cells) -> Iterator[Fault]:
        return iter(())


def _clean(text: str) -> str:
    cleaned: str = clean_text(text.strip())
    return cleaned.strip()


class _Sum:
    """Several columns of numbers, added up row by row."""

    measured = True

    def __init__(self, column: Column, *, whole: bool) -> None:
        self.field = column.field
        self._whole = whole
        self._terms = {
            name: Converted[float | None](partial(decimal, factor=factor), nan)
            for name, factor in column.terms
        }
        self._beyond: list[int] = []

    def values(self, cells: Cells) -> Sequence[Cell]:
        parts = [converted(cells[name]) for name, converted in self._terms.items()]
        self._beyond = []
        return [self._total(row, numbers) for row, numbers in enumerate(zip(*parts, strict=True))]

    def _total(self, row: int, numbers: tuple[float | None, ...]) -> Cell:
        given = [number for number in numbers if number is not None]
        if not given:
            return None
        total = fsum(given)
        if isnan(total):  # a sum of what could be read alone would be a wrong value
            return None
        try:
            total = within(total, exact=False)
        except Unreadable:
            self._beyond.append(row)
            return None
        return round(total) if self._whole else total

    def faults(self, cells: Cells) -> Iterator[Fault]:
        for name, converted in self._terms.items():
            yield from _faults(converted.faults, name, cells)
        for row in self._beyond:
            yield row, next(iter(self._terms)), "number.range"


def _faults(faults: Mapping[str, CellRule], name: str, cells: Cells) -> Iterator[Fault]:
    if faults:
        for row, text in enumerate(cells[name]):
            if text in faults:
                yield row, name, faults[text]
