"""A producer's CSV file to the rows of a dataset, with everything that is wrong with them.

Source: health facts, sections 2 and 3; health-data rulings on rows.  Rows are sorted by date, rows
of one date stay in the order of the file.

Invariant *nothing is lost*: a row that is not served and a cell that cannot be read each make a
finding; one bad row spoils no other.  A row that is rejected for its date makes that finding only.
Invariant *bounded*: a file is read a piece at a time, and beside the rows themselves only a piece
and a bounded number of texts of each column are held.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import chain, compress
from typing import Any, Final, TypeVar

import attrs

from healthapi.rows.cells import CellRule
from healthapi.rows.columns import ROW_OF, TableMap
from healthapi.rows.csv_text import Block, CsvText, file_error
from healthapi.rows.days import DAY, is_day
from healthapi.rows.duplicates import repeated
from healthapi.rows.finding_log import FindingLog
from healthapi.rows.findings import Findings, RowRule
from healthapi.rows.members import members_of
from healthapi.rows.records import Cell, Rows

__all__ = ["Reading", "empty_rows", "read_rows"]

_DAY_LENGTH: Final = len("YYYY-MM-DD")
R = TypeVar("R", bound=attrs.AttrsInstance)


@attrs.frozen
class Reading:
    """The rows of a file, and what was wrong with it."""

    rows: Rows[Any]
    findings: Findings


def empty_rows(key: str, row: type[R]) -> Rows[R]:
    """Give no rows of a dataset."""
    return Rows(key, row, {field.name: () for field in attrs.fields(row)})


def read_rows(
    data: bytes, table: TableMap, progress: Callable[[int], None] | None = None
) -> Reading:
    """Read a file.

    Args:
        data: its bytes.
        table: its layout.
        progress: called after each piece with the number of bytes that are done.

    Raises DataError for a file that cannot be read as a whole; its finding names the file.

    """
    file = f"csv/{table.file}"
    text = CsvText(data, file)
    if table.date not in text.header:
        raise file_error(file, "file.header", table.date)
    gathering = _Gathering(table, file, text.header)
    while text.more():
        gathering.take(text.block(gathering.chosen))
        if progress is not None:
            progress(text.done)
    return gathering.reading()


class _Gathering:
    """The rows of a file, as they come in block by block."""

    def __init__(self, table: TableMap, file: str, header: tuple[str, ...]) -> None:
        self._table = table
        self._log = FindingLog(file)
        named = dict.fromkeys((table.date, *(term[0] for c in table.columns for term in c.terms)))
        for name in named:
            if header.count(name) != 1:
                self._log.header("column.repeated" if name in header else "column.missing", name)
        self._names = [name for name in named if name in header]
        self._members = members_of(table, self._names)
        self._columns: dict[str, list[Cell]] = {member.field: [] for member in self._members}
        self._days: list[str] = []
        self._lines: list[Sequence[int]] = []
        self.chosen = [header.index(name) for name in self._names]
        """The columns of the file that are needed; first that of the dates."""

    def take(self, block: Block) -> None:
        """Add the rows of a block, but those that are not served."""
        cells = dict(zip(self._names, block.columns, strict=True))
        values = [member.values(cells) for member in self._members]
        faults: dict[tuple[int, str], CellRule] = {}
        for member in self._members:
            for row, name, rule in member.faults(cells):
                faults.setdefault((row, name), rule)
        days, rejected = _days(block.columns[0])
        if self._table.wide or rejected or faults or block.misfits:
            stays = self._judge(block, values, faults, rejected)
            self._add(
                list(compress(days, stays)),
                [list(compress(column, stays)) for column in values],
                list(compress(block.lines, stays)),
            )
        else:
            self._add(days, values, block.lines)

    def _add(self, days: Sequence[str], values: list[Sequence[Cell]], lines: Sequence[int]) -> None:
        self._days += days
        self._lines.append(lines)
        for member, column in zip(self._members, values, strict=True):
            self._columns[member.field] += column

    def _judge(
        self,
        block: Block,
        values: list[Sequence[Cell]],
        faults: Mapping[tuple[int, str], CellRule],
        rejected: Mapping[int, RowRule],
    ) -> list[bool]:
        """Note what is wrong with the rows of a block, and tell which of them stay."""
        counts = [True] * len(block.lines)
        if self._table.wide:
            counts = self._measured(len(block.lines), values)
            for row, _ in faults:
                counts[row] = True
        refused = {row: rule for row, rule in rejected.items() if counts[row]}
        stays = [here and row not in refused for row, here in enumerate(counts)]
        misfits = {row: rule for row, rule in block.misfits.items() if stays[row]}
        unread = {place: rule for place, rule in faults.items() if stays[place[0]]}
        self._log.rows(block.lines, refused, misfits, unread, self._table.date)
        return stays

    def _measured(self, count: int, values: list[Sequence[Cell]]) -> list[bool]:
        """Tell for each row whether anything was measured."""
        columns = [
            column for member, column in zip(self._members, values, strict=True) if member.measured
        ]
        if not columns:
            return [False] * count
        return [row.count(None) < len(columns) for row in zip(*columns, strict=True)]

    def reading(self) -> Reading:
        """Give all rows, sorted by date, and the findings."""
        order = _order(self._days)
        rows = self._rows(order)
        again = repeated(rows) if self._table.dataset == "sleep" else ()
        if again:
            lines = list(chain.from_iterable(self._lines))
            places = again if order is None else [order[index] for index in again]
            self._log.repetitions(sorted(lines[place] for place in places))
            rows = _without(rows, again)
        return Reading(rows, self._log.findings())

    def _rows(self, order: list[int] | None) -> Rows[Any]:
        row = ROW_OF[self._table.dataset]
        fixed = {
            column.field: column.constant for column in self._table.columns if not column.terms
        }
        count = len(self._days)
        given: dict[str, list[Any]] = {"date": self._days, **self._columns}
        columns: dict[str, tuple[Cell, ...]] = {}
        for field in attrs.fields(row):
            cells = given.get(field.name)
            if cells is None:
                columns[field.name] = (fixed.get(field.name, field.default),) * count
            else:
                columns[field.name] = tuple(
                    cells if order is None else map(cells.__getitem__, order)
                )
                cells.clear()  # else everything would be held twice
        return Rows(self._table.dataset, row, columns)


def _days(cells: Sequence[str]) -> tuple[Sequence[str], dict[int, RowRule]]:
    """Give the days of a block, and the rows without one."""
    if _all_days(cells):
        return cells, {}
    days = [text.strip()[:_DAY_LENGTH] for text in cells]
    if _all_days(days):
        return days, {}
    faults = {row: rule for row, day in enumerate(days) if (rule := _date_fault(day)) is not None}
    return days, faults


def _all_days(days: Sequence[str]) -> bool:
    """Tell whether all texts are days, in less time than it takes to look at each by itself."""
    if set(map(len, days)) != {_DAY_LENGTH} or "W" in "".join(days):
        return False
    try:
        list(map(date.fromisoformat, days))
    except ValueError:
        return False
    return True


def _date_fault(day: str) -> RowRule | None:
    if is_day(day):
        return None
    if not day:
        return "date.missing"
    return "date.form" if DAY.fullmatch(day) is None else "date.unreal"


def _order(days: list[str]) -> list[int] | None:
    """Give the order in which days ascend; None where they do as they are."""
    if days == sorted(days):
        return None
    return sorted(range(len(days)), key=days.__getitem__)


def _without(rows: Rows[Any], indexes: Sequence[int]) -> Rows[Any]:
    stays = [True] * len(rows)
    for index in indexes:
        stays[index] = False
    columns = {name: tuple(compress(cells, stays)) for name, cells in rows.columns.items()}
    return Rows(rows.key, rows.row, columns)
