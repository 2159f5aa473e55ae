"""Read a producer's CSV file into the rows of a dataset and their findings.

Rows are sorted by date; rows of one date keep the order of the file.

Invariant *nothing is dropped silently*: each rejected row and each unreadable cell has a finding,
and does not affect other rows.  A row that is rejected for its date has that finding only.
Invariant *bounded*: a file is read piece by piece.  Beside the rows, only one piece and a bounded
number of texts of each column are in memory.

Contract: HA-CSV-06 to 09, HA-CELL-04, HA-CELL-05, HA-CELL-14, HA-CELL-16, HA-COLUMN-09,
HA-COLUMN-10, HA-COLUMN-14, HA-SLEEP-01, HA-SLEEP-08, HA-SLEEP-09, HA-PRIVACY-14.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, compress
from math import fsum, isnan, nan
from typing import Any, Final, TypeVar, cast

import attrs

from healthapi.limits import PLAUSIBLE
from healthapi.redaction import clean_text
from healthapi.rows.cells import (
    CachedConverter,
    CellRule,
    Unreadable,
    boolean,
    checked_number,
    day,
    decimal,
    find_runs,
    integer,
    try_parse_days,
    try_parse_numbers,
)
from healthapi.rows.columns import ROW_OF, Column, TableMap
from healthapi.rows.csv_text import Block, CsvText, file_error
from healthapi.rows.findings import FindingLog, Findings, Problem
from healthapi.rows.records import Cell, Rows, SleepLog

SleepRank = tuple[bool, int, int]
"""Main sleep, minutes asleep, duration: the log of the greatest rank represents its date."""

_HEADER_LINE: Final = 1
_UNPUBLISHED: Final = {"log_id"}
"""Texts that only identify rows.  They are not published, and redaction could make them equal."""
_TIME_CHARACTERS: Final = b"0123456789-:.T+Z"
"""A text of these characters alone is a time or a number."""
R = TypeVar("R", bound=attrs.AttrsInstance)


@attrs.frozen
class ReadResult:
    """The rows of a file and its findings."""

    rows: Rows[Any]
    findings: Findings


def empty_rows(key: str, row: type[R]) -> Rows[R]:
    """Return a dataset without rows."""
    return Rows(key, row, {field.name: () for field in attrs.fields(row)})


def read_rows(
    data: bytes, table: TableMap, progress: Callable[[int], None] | None = None
) -> ReadResult:
    """Read a file; `progress` gets the number of bytes read so far, after each piece.

    Raises:
        DataError: The file cannot be read as a whole; its finding names the file.

    """
    file = f"csv/{table.file}"
    text = CsvText(data, file)
    if table.date not in text.header:
        raise file_error(file, "file.header", table.date)
    collector = _RowCollector(table, file, text.header)
    for block in text.blocks(collector.chosen):
        collector.add(block)
        if progress is not None:
            progress(block.end)
    return collector.result()


def sleep_rank(logs: Rows[SleepLog], index: int) -> SleepRank:
    """Return the rank of a log: main sleep, minutes asleep, duration; missing numbers are 0."""
    columns = (logs.columns[name] for name in ("is_main_sleep", "minutes_asleep", "duration"))
    return cast("SleepRank", tuple(column[index] or 0 for column in columns))


def find_repeated_logs(logs: Rows[SleepLog]) -> list[int]:
    """Return the indexes, ascending, of the rows that repeat another row of their date.

    Two rows are the same log if they have the same id, or no id and equal members.  The row of the
    greatest rank is kept, the first of equal ones; the others are repetitions, not naps.
    """
    repeated: list[int] = []
    ids = logs.columns["log_id"]
    for start, stop in find_runs(logs.labels):
        best: dict[object, int] = {}
        for index in range(start, stop):
            log = ids[index] or attrs.astuple(logs[index])
            kept = best.setdefault(log, index)
            if kept != index:
                is_better = sleep_rank(logs, index) > sleep_rank(logs, kept)
                best[log] = index if is_better else kept
                repeated.append(kept if is_better else index)
    return sorted(repeated)


class _Member:
    """Computes the values of one member of the rows from its columns.

    Numbers and texts are measured: a value of them means that the row belongs to the dataset.
    """

    def __init__(self, table: TableMap, column: Column) -> None:
        self.field = column.field
        cell_type = table.cell_type(column.field)
        self.is_measured = cell_type != "boolean"
        self._whole = cell_type == "integer"
        self._plausible = PLAUSIBLE.get(column.field)
        self._terms: dict[str, CachedConverter[Any]]
        (name, factor), *others = column.terms
        if others:
            self._terms = {
                name: CachedConverter(partial(decimal, factor=factor), nan)
                for name, factor in column.terms
            }
        elif cell_type == "boolean":
            self._terms = {name: CachedConverter(boolean, unreadable=False)}
        elif cell_type == "text":
            convert = _trimmed if column.field in _UNPUBLISHED else _clean
            self._terms = {name: CachedConverter(convert, None, _try_plain_texts)}
        else:
            number = partial(
                integer if self._whole else decimal,
                factor=factor,
                not_measured=column.not_measured,
                plausible=self._plausible,
            )
            numbers = partial(try_parse_numbers, whole=self._whole, plausible=self._plausible)
            is_plain = factor == 1 and column.not_measured is None
            self._terms = {name: CachedConverter(number, None, numbers if is_plain else None)}

    def values(
        self, cells: Mapping[str, Sequence[str]], unreadable: dict[tuple[int, str], CellRule]
    ) -> Sequence[Cell]:
        """Return the values of a block, and add its unreadable cells."""
        parts = []
        for name, converter in self._terms.items():
            parts.append(converter.column(cells[name]))
            for row, rule in converter.errors(cells[name]):
                unreadable.setdefault((row, name), rule)
        if len(parts) == 1:
            return parts[0]
        totals: list[Cell] = []
        for row, numbers in enumerate(zip(*parts, strict=True)):
            try:
                totals.append(self._total([number for number in numbers if number is not None]))
            except Unreadable as error:
                totals.append(None)
                unreadable.setdefault((row, next(iter(self._terms))), error.rule)
        return totals

    def _total(self, terms: list[float]) -> Cell:
        total = fsum(terms)
        if not terms or isnan(total):  # A term is unreadable; the sum of the others would be wrong.
            return None
        total = checked_number(total, exact=False, plausible=self._plausible)
        return round(total) if self._whole else total


def _try_plain_texts(texts: Sequence[str]) -> Sequence[str | None] | None:
    """Return texts that need neither trimming nor redaction; None if there are others."""
    if "".join(texts).encode().translate(None, _TIME_CHARACTERS):
        return None
    return [text or None for text in texts] if "" in texts else texts


def _trimmed(text: str) -> str | None:
    return text.strip() or None


def _clean(text: str) -> str | None:
    return _trimmed(clean_text(text.strip()))


class _RowCollector:
    """Collects the rows of a file block by block, from the chosen columns."""

    def __init__(self, table: TableMap, file: str, header: tuple[str, ...]) -> None:
        self._table = table
        self._log = FindingLog(file)
        needed = dict.fromkeys((table.date, *(name for _, name in table.sources())))
        problems: list[Problem] = [
            (_HEADER_LINE, name, "column.repeated" if name in header else "column.missing")
            for name in needed
            if header.count(name) != 1
        ]
        self._log.add(problems)
        self._names = [name for name in needed if name in header]
        self.chosen = [header.index(name) for name in self._names]
        self._days = CachedConverter(day, "", try_parse_days)
        self._members = []
        for column in table.columns:
            terms = tuple(term for term in column.terms if term[0] in header)
            if terms:
                self._members.append(_Member(table, attrs.evolve(column, terms=terms)))
        self._columns: dict[str, list[Any]] = {"date": []}
        self._columns |= {member.field: [] for member in self._members}
        self._lines: list[Sequence[int]] = []

    def add(self, block: Block) -> None:
        """Add the rows of a block that are served."""
        cells = dict(zip(self._names, block.columns, strict=True))
        unreadable: dict[tuple[int, str], CellRule] = {}
        values = [member.values(cells, unreadable) for member in self._members]
        dates = cells[self._table.date]
        days = self._days.column(dates)
        rejected = dict(self._days.errors(dates))
        columns: list[Sequence[Cell]] = [days, *values]
        lines = block.lines
        if self._table.wide or rejected or unreadable or block.ragged_rows:
            belongs = self._belong(block, values, unreadable)
            is_served = [here and row not in rejected for row, here in enumerate(belongs)]
            problems: list[Problem] = [
                (row, self._table.date, rule) for row, rule in rejected.items() if belongs[row]
            ]
            others = (
                *((row, None, rule) for row, rule in block.ragged_rows.items()),
                *((row, name, rule) for (row, name), rule in unreadable.items()),
            )
            problems += [problem for problem in others if is_served[problem[0]]]
            self._log.add([(lines[row], column, rule) for row, column, rule in problems])
            columns = [list(compress(column, is_served)) for column in columns]
            lines = list(compress(lines, is_served))
        if self._table.dataset == "sleep":
            self._lines.append(lines)
        for field, column in zip(self._columns, columns, strict=True):
            self._columns[field] += column

    def _belong(
        self, block: Block, values: list[Sequence[Cell]], unreadable: Mapping[tuple[int, str], Any]
    ) -> list[bool]:
        """Return for each row whether it belongs to the dataset."""
        if not self._table.wide:
            return [True] * len(block.lines)
        measured = list(compress(values, [member.is_measured for member in self._members]))
        columns = measured or [[None] * len(block.lines)]
        belongs = [row.count(None) < len(columns) for row in zip(*columns, strict=True)]
        for row, _ in unreadable:
            belongs[row] = True
        return belongs

    def result(self) -> ReadResult:
        """Return all rows, sorted by date, and the findings."""
        days = self._columns["date"]
        order = None if days == sorted(days) else sorted(range(len(days)), key=days.__getitem__)
        rows = self._rows(len(days), order)
        repeated = find_repeated_logs(rows) if self._table.dataset == "sleep" else ()
        if repeated:
            lines = list(chain.from_iterable(self._lines))
            places = repeated if order is None else [order[index] for index in repeated]
            self._log.add([(lines[place], None, "row.repeated") for place in places])
            is_kept = [True] * len(rows)
            for index in repeated:
                is_kept[index] = False
            kept = {name: tuple(compress(cells, is_kept)) for name, cells in rows.columns.items()}
            rows = Rows(rows.key, rows.row, kept)
        return ReadResult(rows, self._log.findings())

    def _rows(self, count: int, order: list[int] | None) -> Rows[Any]:
        constants = {
            column.field: column.constant for column in self._table.columns if not column.terms
        }
        row = ROW_OF[self._table.dataset]
        columns: dict[str, tuple[Cell, ...]] = {}
        for field in attrs.fields(row):
            cells = self._columns.pop(field.name, None)  # Two copies would double the memory.
            if cells is None:
                columns[field.name] = (constants.get(field.name, field.default),) * count
            else:
                columns[field.name] = tuple(
                    cells if order is None else map(cells.__getitem__, order)
                )
        return Rows(self._table.dataset, row, columns)
