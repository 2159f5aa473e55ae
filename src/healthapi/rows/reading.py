"""Read a producer's CSV file into the rows of a dataset and their findings.

Rows are sorted by date; rows of one date keep the order of the file.

Invariant *nothing is dropped silently*: each rejected row and each unreadable cell has a finding,
and does not affect other rows.  A row that is rejected for its date has that finding only.
Invariant *bounded*: a file is read piece by piece.  Beside the rows, only one piece and a bounded
number of texts of each column are in memory.

Contract: HA-CSV-06 to 09, HA-CELL-01, HA-CELL-03 to 05, HA-CELL-16, HA-COLUMN-09, HA-COLUMN-10,
HA-COLUMN-14, HA-SLEEP-01, HA-SLEEP-08, HA-SLEEP-09.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import chain, compress
from typing import Any, Final, TypeVar, cast

import attrs

from healthapi.rows.cells import CellRule
from healthapi.rows.columns import ROW_OF, TableMap
from healthapi.rows.csv_text import Block, CsvText, file_error
from healthapi.rows.days import DAY, find_runs, is_day
from healthapi.rows.findings import FindingLog, Findings, RowRule
from healthapi.rows.members import build_members
from healthapi.rows.records import Cell, Rows, SleepLog

SleepRank = tuple[bool, int, int]
"""Main sleep, minutes asleep, duration: the log of the greatest rank represents its date."""

_DAY_LENGTH: Final = len("YYYY-MM-DD")
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
    """Read a file.

    Args:
        data: Its bytes.
        table: Its column mapping.
        progress: Called after each piece with the number of bytes read so far.

    Raises:
        DataError: The file cannot be read as a whole; its finding names the file.

    """
    file = f"csv/{table.file}"
    text = CsvText(data, file)
    if table.date not in text.header:
        raise file_error(file, "file.header", table.date)
    collector = _RowCollector(table, file, text.header)
    while text.has_more():
        collector.add(text.block(collector.chosen))
        if progress is not None:
            progress(text.bytes_read)
    return collector.result()


def sleep_rank(logs: Rows[SleepLog]) -> Callable[[int], SleepRank]:
    """Return a function that ranks a log by its index; missing numbers count as 0."""
    main, asleep, duration = (
        cast("Sequence[int | None]", logs.columns[name])
        for name in ("is_main_sleep", "minutes_asleep", "duration")
    )
    return lambda index: (bool(main[index]), asleep[index] or 0, duration[index] or 0)


def find_repeated_logs(logs: Rows[SleepLog]) -> list[int]:
    """Return the indexes, ascending, of the rows that repeat another row of their date.

    Two rows are the same log if they have the same id, or no id and equal members.  The row of the
    greatest rank is kept, the first of equal ones; the others are repetitions, not naps.
    """
    repeated: list[int] = []
    ids = logs.columns["log_id"]
    rank = sleep_rank(logs)
    for start, stop in find_runs(logs.labels):
        best: dict[object, int] = {}
        for index in range(start, stop):
            log = ids[index] or attrs.astuple(logs[index])
            found = best.setdefault(log, index)
            if found != index:
                is_better = rank(index) > rank(found)
                best[log] = index if is_better else found
                repeated.append(found if is_better else index)
    return sorted(repeated)


class _RowCollector:
    """Collects the rows of a file block by block."""

    def __init__(self, table: TableMap, file: str, header: tuple[str, ...]) -> None:
        self._table = table
        self._log = FindingLog(file)
        needed = dict.fromkeys((table.date, *(term[0] for c in table.columns for term in c.terms)))
        for name in needed:
            if header.count(name) != 1:
                rule: RowRule = "column.repeated" if name in header else "column.missing"
                self._log.add_header(rule, name)
        self._names = [name for name in needed if name in header]
        self._members = build_members(table, self._names)
        self._columns: dict[str, list[Cell]] = {member.field: [] for member in self._members}
        self._days: list[str] = []
        self._lines: list[Sequence[int]] = []
        self.chosen = [header.index(name) for name in self._names]
        """Indexes of the needed columns; the column of dates is the first."""

    def add(self, block: Block) -> None:
        """Add the rows of a block that are served."""
        cells = dict(zip(self._names, block.columns, strict=True))
        values = [member.values(cells) for member in self._members]
        unreadable: dict[tuple[int, str], CellRule] = {}
        for member in self._members:
            for row, name, rule in member.errors(cells):
                unreadable.setdefault((row, name), rule)
        days, rejected = _parse_days(block.columns[0])
        if self._table.wide or rejected or unreadable or block.ragged_rows:
            is_served = self._check(block, values, unreadable, rejected)
            self._append(
                list(compress(days, is_served)),
                [list(compress(column, is_served)) for column in values],
                list(compress(block.lines, is_served)),
            )
        else:
            self._append(days, values, block.lines)

    def _append(
        self, days: Sequence[str], values: list[Sequence[Cell]], lines: Sequence[int]
    ) -> None:
        self._days += days
        self._lines.append(lines)
        for member, column in zip(self._members, values, strict=True):
            self._columns[member.field] += column

    def _check(
        self,
        block: Block,
        values: list[Sequence[Cell]],
        unreadable: Mapping[tuple[int, str], CellRule],
        rejected: Mapping[int, RowRule],
    ) -> list[bool]:
        """Add the findings of a block, and return for each row whether it is served."""
        belongs = [True] * len(block.lines)
        if self._table.wide:
            belongs = self._has_measurement(len(block.lines), values)
            for row, _ in unreadable:
                belongs[row] = True
        refused = {row: rule for row, rule in rejected.items() if belongs[row]}
        is_served = [here and row not in refused for row, here in enumerate(belongs)]
        ragged_rows = {row: rule for row, rule in block.ragged_rows.items() if is_served[row]}
        cells = {place: rule for place, rule in unreadable.items() if is_served[place[0]]}
        self._log.add_rows(block.lines, refused, ragged_rows, cells, self._table.date)
        return is_served

    def _has_measurement(self, count: int, values: list[Sequence[Cell]]) -> list[bool]:
        columns = [
            column
            for member, column in zip(self._members, values, strict=True)
            if member.is_measured
        ]
        if not columns:
            return [False] * count
        return [row.count(None) < len(columns) for row in zip(*columns, strict=True)]

    def result(self) -> ReadResult:
        """Return all rows, sorted by date, and the findings."""
        order = _sort_order(self._days)
        rows = self._rows(order)
        repeated = find_repeated_logs(rows) if self._table.dataset == "sleep" else ()
        if repeated:
            lines = list(chain.from_iterable(self._lines))
            places = repeated if order is None else [order[index] for index in repeated]
            self._log.add_repetitions(sorted(lines[place] for place in places))
            rows = _without(rows, repeated)
        return ReadResult(rows, self._log.findings())

    def _rows(self, order: list[int] | None) -> Rows[Any]:
        row = ROW_OF[self._table.dataset]
        constants = {
            column.field: column.constant for column in self._table.columns if not column.terms
        }
        count = len(self._days)
        collected: dict[str, list[Any]] = {"date": self._days, **self._columns}
        columns: dict[str, tuple[Cell, ...]] = {}
        for field in attrs.fields(row):
            cells = collected.get(field.name)
            if cells is None:
                columns[field.name] = (constants.get(field.name, field.default),) * count
            else:
                columns[field.name] = tuple(
                    cells if order is None else map(cells.__getitem__, order)
                )
                cells.clear()  # Two copies of all columns would double the memory.
        return Rows(self._table.dataset, row, columns)


def _parse_days(cells: Sequence[str]) -> tuple[Sequence[str], dict[int, RowRule]]:
    """Return the days of a block, and the rows without a valid one."""
    if _are_days(cells):
        return cells, {}
    days = [text.strip()[:_DAY_LENGTH] for text in cells]
    if _are_days(days):
        return days, {}
    rejected = {row: rule for row, day in enumerate(days) if (rule := _day_rule(day)) is not None}
    return days, rejected


def _are_days(days: Sequence[str]) -> bool:
    """Return whether all texts are days; faster than `is_day` for each of them."""
    if set(map(len, days)) != {_DAY_LENGTH} or "W" in "".join(days):
        return False
    try:
        list(map(date.fromisoformat, days))
    except ValueError:
        return False
    return True


def _day_rule(day: str) -> RowRule | None:
    if is_day(day):
        return None
    if not day:
        return "date.missing"
    return "date.form" if DAY.fullmatch(day) is None else "date.unreal"


def _sort_order(days: list[str]) -> list[int] | None:
    """Return the indexes of days in ascending order; None if they are sorted."""
    if days == sorted(days):
        return None
    return sorted(range(len(days)), key=days.__getitem__)


def _without(rows: Rows[Any], indexes: Sequence[int]) -> Rows[Any]:
    is_kept = [True] * len(rows)
    for index in indexes:
        is_kept[index] = False
    columns = {name: tuple(compress(cells, is_kept)) for name, cells in rows.columns.items()}
    return Rows(rows.key, rows.row, columns)
