"""Read a producer's CSV file into the rows of a dataset and their findings.

Rows are sorted by date; rows of one date keep the order of the file.

Invariant *nothing is dropped silently*: each rejected row and each unreadable cell has a finding,
and does not affect other rows.  A row that is rejected for its date has that finding only.
Invariant *each text is converted once*: a column has far fewer texts than cells, so the values of
its last `CACHED_TEXTS` texts are cached.
Invariant *bounded*: beside the rows, only one line and the cached texts are in memory.
"""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby, islice
from math import fsum
from operator import itemgetter
from typing import Any, Final, cast

import attrs

from healthapi.limits import FINDINGS_LISTED, PLAUSIBLE
from healthapi.models import SleepLog
from healthapi.redaction import clean_text
from healthapi.rows.cells import (
    CellRule,
    Unreadable,
    boolean,
    checked_number,
    day,
    decimal,
    integer,
)
from healthapi.rows.csv_text import file_error, read_csv
from healthapi.rows.findings import (
    MESSAGE_OF,
    SERVED,
    CellFinding,
    Findings,
    RowRule,
    is_about_row,
)
from healthapi.rows.mapping import ROW_OF, CellType, Column, TableMap
from healthapi.rows.rows import Cell, Rows

CACHED_TEXTS: Final = 16_384
"""Texts of a column whose values are cached: more than the days of forty years."""

_HEADER_LINE: Final = 1
_Row = tuple[Any, ...]  # line, date, and the value of each member that has a column


def read_rows(data: bytes, table: TableMap) -> tuple[Rows[Any], Findings]:
    """Return the rows of a file and its findings.

    Raise DataError, whose finding names the file, if it cannot be read as a whole.
    """
    file = f"csv/{table.file}"
    lines = read_csv(data, file)
    header = [name.strip() for _, names in islice(lines, 1) for name in names]
    if table.date not in header:
        raise file_error(file, "file.header", table.date)
    log = FindingLog(file)
    reader = _RowReader(table, header, log)
    kept = [row for line, cells in lines if (row := reader.read(line, cells)) is not None]
    kept.sort(key=itemgetter(1))
    rows = reader.rows(kept)
    repeated = find_repeated_logs(rows) if table.dataset == "sleep" else ()
    for index in repeated:
        log.add(kept[index][0], None, "row.repeated")
    if repeated:
        rows = reader.rows([row for index, row in enumerate(kept) if index not in repeated])
    return rows, log.findings()


def sleep_rank(logs: Rows[SleepLog], index: int) -> tuple[bool, int, int]:
    """Return main sleep, minutes asleep and duration of a log; missing numbers are 0.

    The log of the greatest rank represents its date.
    """
    columns = (logs.cells[name] for name in ("is_main_sleep", "minutes_asleep", "duration"))
    return cast("tuple[bool, int, int]", tuple(column[index] or 0 for column in columns))


def find_repeated_logs(logs: Rows[SleepLog]) -> set[int]:
    """Return the indexes of the rows that repeat another row of their date.

    Two rows are the same log if they have the same id, or no id and equal members.  The row of the
    greatest rank is kept, the first of equal ones; the others are repetitions, not naps.
    """
    repeated: set[int] = set()
    rows = enumerate(zip(*logs.cells.values(), strict=True))
    for _, of_date in groupby(rows, key=lambda row: row[1][0]):
        best: dict[object, int] = {}
        for index, (date, log_id, *others) in of_date:
            log = log_id or (date, *others)
            kept = best.setdefault(log, index)
            if kept != index:
                is_better = sleep_rank(logs, index) > sleep_rank(logs, kept)
                best[log] = index if is_better else kept
                repeated.add(kept if is_better else index)
    return repeated


class FindingLog:
    """Collects the findings of a file while it is read."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._first: list[tuple[int, str | None, RowRule]] = []
        self._counts = Counter[RowRule]()

    def add(self, line: int, column: str | None, rule: RowRule) -> None:
        """Add a problem, in any order of lines; problems of one line keep theirs."""
        self._counts[rule] += 1
        insort(self._first, (line, column, rule), key=itemgetter(0))
        del self._first[FINDINGS_LISTED:]

    def findings(self) -> Findings:
        """Return all findings."""
        listed = tuple(
            CellFinding(self._file, line, column, rule, MESSAGE_OF[rule])
            for line, column, rule in self._first
        )
        omitted = {rule: count for rule, count in self._counts.items() if rule not in SERVED}
        rejected = sum(count for rule, count in omitted.items() if is_about_row(rule))
        unreadable = sum(omitted.values()) - rejected
        return Findings(listed, self._counts.total(), rejected, unreadable, omitted)


class _Member:
    """Computes the value of one member of a row from its columns, each with a factor."""

    def __init__(
        self, types: Mapping[str, CellType], column: Column, terms: Sequence[tuple[str, float]]
    ) -> None:
        self._column, self._is_sum = column, len(terms) > 1
        self._type = types[column.field]
        self._plausible = PLAUSIBLE.get(column.field)
        cached = lru_cache(CACHED_TEXTS)
        self._terms = [(name, cached(self._converter(factor))) for name, factor in terms]

    def _converter(self, factor: float) -> Callable[[str], Any]:
        column = self._column
        if self._type == "boolean":
            return boolean
        if self._type == "text":
            # An id is not published, and redaction could make two of them equal.
            clean = str if column.field == "log_id" else clean_text
            return lambda text: clean(text.strip()).strip() or None
        if self._is_sum:
            return partial(decimal, factor=factor)
        number = integer if self._type == "integer" else decimal
        special = column.not_measured
        return partial(number, factor=factor, not_measured=special, plausible=self._plausible)

    def value(self, texts: Mapping[str, str], unreadable: dict[str, CellRule]) -> Cell:
        """Return the value, from the texts of a row by column; add columns to `unreadable`."""
        terms: list[Any] = []
        for name, convert in self._terms:
            try:
                terms.append(convert(texts[name]))
            except Unreadable as error:
                unreadable.setdefault(name, error.rule)
        if len(terms) < len(self._terms):  # The sum of the others would be wrong.
            return False if self._type == "boolean" else None
        if len(terms) == 1:
            return cast("Cell", terms[0])
        known = [term for term in terms if term is not None]
        if not known:
            return None
        try:
            total = checked_number(fsum(known), exact=False, plausible=self._plausible)
        except Unreadable as error:
            unreadable.setdefault(self._terms[0][0], error.rule)
            return None
        return round(total) if self._type == "integer" else total


class _RowReader:
    """Reads the rows of a file, from the columns that the mapping names."""

    def __init__(self, table: TableMap, header: Sequence[str], log: FindingLog) -> None:
        self._table, self._width, self._log = table, len(header), log
        self._places: dict[str, int] = {}
        names = [name for column in table.columns for name, _ in column.terms]
        for name in dict.fromkeys((table.date, *names)):
            count = header.count(name)
            if count:
                self._places[name] = header.index(name)
            if count != 1:
                log.add(_HEADER_LINE, name, "column.repeated" if count else "column.missing")
        self._day = lru_cache(CACHED_TEXTS)(day)
        self._members: dict[str, _Member] = {}
        for column in table.columns:
            terms = tuple(term for term in column.terms if term[0] in self._places)
            if terms:
                self._members[column.field] = _Member(table.cell_types, column, terms)

    def read(self, line: int, cells: Sequence[str]) -> _Row | None:
        """Return a row, or None if it does not belong to the dataset or has no date."""
        count, unreadable = len(cells), dict[str, CellRule]()
        texts = {name: cells[at] if at < count else "" for name, at in self._places.items()}
        values = [member.value(texts, unreadable) for member in self._members.values()]
        is_blank = all(value is None or isinstance(value, bool) for value in values)
        if self._table.wide and is_blank and not unreadable:
            return None
        try:
            date = self._day(texts[self._table.date])
        except Unreadable as error:
            self._log.add(line, self._table.date, error.rule)
            return None
        if count != self._width:
            self._log.add(line, None, "row.short" if count < self._width else "row.long")
        for name, rule in unreadable.items():
            self._log.add(line, name, rule)
        return (line, date, *values)

    def rows(self, kept: Sequence[_Row]) -> Rows[Any]:
        """Return rows that were read; members without a column have one value in all of them."""
        row = ROW_OF[self._table.dataset]
        columns = {field.name: (field.default,) * len(kept) for field in attrs.fields(row)}
        for column in self._table.columns:
            if not column.terms:
                columns[column.field] = (column.constant,) * len(kept)
        for place, name in enumerate(("date", *self._members), 1):
            columns[name] = tuple(map(itemgetter(place), kept))
        return Rows(self._table.dataset, row, columns)
