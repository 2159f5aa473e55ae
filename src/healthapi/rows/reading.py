"""Read a producer's CSV file into the rows of a dataset and their findings.

Files are UTF-8, read by the module `csv`; a leading byte order mark is dropped.  CRLF, LF and CR
end lines, and become LF in quoted cells.  Quotes are those of RFC 4180.  A line that contains only
white space is not a row.

Rows are sorted by date; rows of one date keep the order of the file.

Invariant *nothing is dropped silently*: each rejected row and each unreadable cell has a finding,
and does not affect other rows.  A row that is rejected for its date has that finding only.
Invariant *each text is converted once*: a column has far fewer texts than cells, so the values of
its last `CACHED_TEXTS` texts are cached.
Invariant *bounded*: beside the bytes and the rows, only one line and the cached texts are in
memory.  No input takes more than linear time.
Invariant *whole or not at all*: `DataError` is the only exception, and it rejects the whole file.
"""

import csv
import re
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from io import BytesIO, TextIOWrapper
from itertools import islice, pairwise
from math import fsum, inf
from operator import itemgetter
from typing import Any, Final, Literal, cast

import attrs

from healthapi.errors import DataError
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
    formed_day,
)
from healthapi.rows.findings import MESSAGE_OF, SERVED, CellFinding, Findings, RowRule, is_about_row
from healthapi.rows.mapping import ROW_OF, CellType, Column, FileDataset, TableMap, Term, cell_types
from healthapi.rows.rows import Cell, Rows
from status_contracts.findings import Finding
from status_contracts.json_text import BOM

CACHED_TEXTS: Final = 16_384
"""Texts of a column whose values are cached: more than the days of forty years."""

FileRule = Literal["file.encoding", "file.header", "file.torn", "file.field"]
CELL_LENGTH: Final = 131_072
"""Code points of the longest cell: the limit of `csv.reader`, which a process may change."""
_FILE_MESSAGES: Final[dict[FileRule, str]] = {
    "file.encoding": "the file must be UTF-8: save it as such",
    "file.header": "the first line must name the columns; the column of dates is missing",
    "file.torn": "the last line must be complete, and each quoted cell must end with its quote",
    "file.field": f"a cell must not be longer than {CELL_LENGTH} characters",
}
_QUOTED: Final = 40
"""Characters of a cell that its finding keeps."""
_SEPARATORS: Final = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}
_THOUSANDS: Final = re.compile(r"[+-]?[0-9]{1,3}\.(?!000)[0-9]{3}")
_MINUTES: Final = {name for of in ROW_OF for name in cell_types(of) if "minutes" in name}
_EXPECTED: Final[dict[str, tuple[RowRule, float, float]]] = {
    **dict.fromkeys((*_MINUTES, "time_in_bed"), ("minutes.range", 0, 1500)),
    **dict.fromkeys(("efficiency", "sleep_score"), ("percent.range", 0, 100)),
    **dict.fromkeys(("hrv", "deep_rmssd"), ("rmssd.range", 0, 300)),
    **dict.fromkeys(("calories_out", "activity_calories"), ("energy.range", 0, 30_000)),
    "steps": ("steps.range", 0, 300_000),
}
"""Member to the range of values that can be true, and the rule of others, which are served."""

_Row = tuple[Any, ...]  # line, date, and the value of each member that has a column
_Read = tuple[Cell, Mapping[str, CellRule], RowRule | None]  # unreadable columns, and a doubt


def read_rows(data: bytes, dataset: FileDataset, table: TableMap) -> tuple[Rows[Any], Findings]:
    """Return the rows of a file and its findings.

    Raise DataError, whose finding names the file, if it cannot be read as a whole.
    """
    file = f"csv/{table.file}"
    lines = read_csv(data, file, table.delimiter, table.skip_lines)
    header = [name.strip() for _, names in islice(lines, 1) for name in names]
    if table.date not in header:
        raise _header_error(file, header, table, lines)
    log = FindingLog(file)
    reader = _RowReader(dataset, table, header, log)
    kept = [row for line, cells in lines if (row := reader.read(line, cells)) is not None]
    kept.sort(key=itemgetter(1))
    rows = reader.rows(kept)
    if dataset != "sleep":
        for before, after in pairwise(kept):
            if before[1] == after[1]:
                log.add(after[0], table.date, "date.repeated")
    elif repeated := find_repeated_logs(rows):
        for index in repeated:
            log.add(kept[index][0], None, "row.repeated")
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
    copies: dict[object, list[int]] = defaultdict(list)
    for index, (date, log_id, *others) in enumerate(zip(*logs.cells.values(), strict=True)):
        copies[date, log_id or tuple(others)].append(index)
    repeated: set[int] = set()
    for indexes in copies.values():
        if len(indexes) > 1:
            repeated.update({*indexes} - {max(indexes, key=partial(sleep_rank, logs))})
    return repeated


class FindingLog:
    """Collects the findings of a file while it is read."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._first: list[tuple[int, str | None, RowRule, str | None]] = []
        self._counts = Counter[RowRule]()

    def add(self, line: int, column: str | None, rule: RowRule, text: str | None = None) -> None:
        """Add a problem, in any order of lines; problems of one line keep theirs."""
        self._counts[rule] += 1
        shown = None if text is None else text[:_QUOTED]
        insort(self._first, (line, column, rule, shown), key=itemgetter(0))
        del self._first[FINDINGS_LISTED:]

    def findings(self) -> Findings:
        """Return all findings."""
        listed = tuple(
            CellFinding(self._file, line, column, rule, MESSAGE_OF[rule], text)
            for line, column, rule, text in self._first
        )
        omitted = {rule: count for rule, count in self._counts.items() if rule not in SERVED}
        rejected = sum(count for rule, count in omitted.items() if is_about_row(rule))
        unreadable = sum(omitted.values()) - rejected
        return Findings(listed, self._counts.total(), rejected, unreadable, omitted)


class _RowReader:
    """Reads the rows of a file, from the columns that the mapping names."""

    def __init__(
        self, dataset: FileDataset, table: TableMap, header: Sequence[str], log: FindingLog
    ) -> None:
        self._dataset, self._table, self._width, self._log = dataset, table, len(header), log
        self._only = {
            name: {text.strip().casefold() for text in texts} for name, texts in table.only.items()
        }
        self._places: dict[str, int] = {}
        capitals = {name.casefold() for name in header}
        line = table.skip_lines + 1
        names = (term.name for column in table.columns.values() for term in column.terms)
        for name in dict.fromkeys((table.date, *names, *table.only)):
            count = header.count(name)
            if count:
                self._places[name] = header.index(name)
            if count > 1:
                log.add(line, name, "column.repeated")
            elif not count:
                is_other = name.casefold() in capitals
                log.add(line, name, "column.case" if is_other else "column.missing")
        cached, form = lru_cache(CACHED_TEXTS), table.date_form
        self._day = cached(partial(formed_day, form=form) if form else day)
        self._members: dict[str, tuple[list[str], Callable[..., _Read]]] = {}
        for name, column in table.columns.items():
            if terms := [term for term in column.terms if term.name in self._places]:
                parse = partial(self._value, name, column, terms)
                self._members[name] = [term.name for term in terms], cached(parse)

    def read(self, line: int, cells: Sequence[str]) -> _Row | None:
        """Return a row, or None if it does not belong to the dataset or has no date."""
        count, unreadable = len(cells), dict[str, CellRule]()
        texts = {name: cells[at] if at < count else "" for name, at in self._places.items()}
        for name, chosen in self._only.items():
            if texts.get(name, "").strip().casefold() not in chosen:
                return None
        values, doubts = [], []
        for names, parse in self._members.values():
            value, rules, doubt = parse(*[texts[name] for name in names])
            values.append(value)
            for name, rule in rules.items():
                unreadable.setdefault(name, rule)
            if doubt:
                doubts.append((names[0], doubt))
        is_blank = all(value is None or isinstance(value, bool) for value in values)
        if self._table.wide and is_blank and not unreadable:
            return None
        try:
            date = self._day(texts[self._table.date])
        except Unreadable as error:
            self._log.add(line, self._table.date, error.rule, texts[self._table.date])
            return None
        if count < self._width or any(map(str.strip, cells[self._width :])):
            self._log.add(line, None, "row.short" if count < self._width else "row.long")
        for name, broken in (*unreadable.items(), *doubts):
            self._log.add(line, name, broken, texts[name])
        return (line, date, *values)

    def _value(self, member: str, column: Column, terms: Sequence[Term], *texts: str) -> _Read:
        """Return the value of a member, unreadable columns, and why it can hardly be true."""
        kind = cell_types(self._dataset)[member]
        values: list[Any] = []
        unreadable: dict[str, CellRule] = {}
        for term, text in zip(terms, texts, strict=True):
            try:
                values.append(self._cell(kind, member, column, term, text))
            except Unreadable as error:
                unreadable[term.name] = error.rule
        known = [value for value in values if value is not None]
        if unreadable:  # The sum of the others would be wrong.
            return False if kind == "boolean" else None, unreadable, None
        if not known or kind in ("boolean", "text"):
            return values[0], unreadable, None
        try:
            total = checked_number(
                fsum(known), exact=len(terms) == 1, plausible=PLAUSIBLE.get(member)
            )
        except Unreadable as error:
            return None, {terms[0].name: error.rule}, None
        value = round(total) if kind == "integer" else total
        rule, least, most = _EXPECTED.get(member, (None, -inf, inf))
        if least <= value <= most:
            is_whole = kind == "integer" and [term.factor for term in terms] == [1]
            rule = self._doubt_form(member, texts[0], total) if is_whole else None
        return value, unreadable, rule

    def _cell(self, kind: CellType, member: str, column: Column, term: Term, text: str) -> Cell:
        if kind == "boolean":
            true = {word.strip().casefold() for word in column.true_when}
            return text.strip().casefold() in true if true else boolean(text)
        if kind == "text":
            # An id is not published, and redaction could make two of them equal.
            clean = str if member == "log_id" else clean_text
            return clean(text.strip()).strip() or None
        if self._table.decimal == ",":
            text = text.translate(str.maketrans(",.", ".,"))  # a point is then no part of a number
        return decimal(text, term.factor, not_measured=column.not_measured)

    def _doubt_form(self, member: str, text: str, number: float) -> RowRule | None:
        if _THOUSANDS.fullmatch(text.strip().replace(",", ".")):
            return "number.thousands"
        return "steps.whole" if member == "steps" and number % 1 else None

    def rows(self, kept: Sequence[_Row]) -> Rows[Any]:
        """Return rows that were read; members without a column have one value in all of them."""
        row = ROW_OF[self._dataset]
        columns = {field.name: (field.default,) * len(kept) for field in attrs.fields(row)}
        for name, column in self._table.columns.items():
            if column.constant is not None:
                kind, constant = cell_types(self._dataset)[name], column.constant
                constant = constant.strip() if isinstance(constant, str) else constant
                columns[name] = (float(constant) if kind == "decimal" else constant,) * len(kept)
        for place, name in enumerate(("date", *self._members), 1):
            columns[name] = tuple(map(itemgetter(place), kept))
        return Rows(self._dataset, row, columns)


def _file_error(file: str, rule: FileRule, more: str = "") -> DataError:
    """Return the error for a whole file, `csv/name.csv`; `more` follows the message."""
    return DataError(Finding(f"/{file}", rule, f"{_FILE_MESSAGES[rule]}{more}"))


def _header_error(
    file: str, header: Sequence[str], table: TableMap, lines: Iterator[tuple[int, list[str]]]
) -> DataError:
    """Return the error for a header that lacks the column of dates, with what is seen instead.

    `lines` are those after the header.
    """
    first, capitals = header[0] if header else "", {name.casefold(): name for name in header}
    column, wanted = table.date, _SEPARATORS[table.delimiter]
    remedy = ""
    if first.lower().startswith("sep="):
        remedy = ": the first line is a note for a spreadsheet; remove it, or set `skip_lines = 1`"
        if first[4:] not in ("", table.delimiter):
            remedy += f"; save with {wanted}, or set `delimiter`"
    elif len(header) == 1 and (name := next(filter(None, map(_SEPARATORS.get, first)), None)):
        remedy = f": cells are separated by {name}; save with {wanted}, or set `delimiter`"
    elif written := capitals.get(column.casefold()):
        remedy = f": `{written}` must be `{column}`"
    else:
        names = {column, *(name for _, name in table.sources())}
        headers = (at for at, cells in lines if column in cells and len(names & {*cells}) > 1)
        with suppress(DataError):  # of a later line; the missing column is reported
            if at := next(headers, None):
                remedy = f": line {at} has it; remove all before it, or set `skip_lines = {at - 1}`"
    return _file_error(file, "file.header", f", `{column}`{remedy}")


def read_csv(
    data: bytes, file: str, delimiter: str = ",", skip_lines: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Yield the header, even if it is blank, then each row: its first line, counted from 1; cells.

    The header stands after `skip_lines` lines.

    Raise DataError if the file is not UTF-8 or truncated, or a cell longer than `CELL_LENGTH`.
    """
    text = TextIOWrapper(BytesIO(data.removeprefix(BOM)), "utf-8")
    reader = csv.reader(text, strict=True, delimiter=delimiter)
    width, first, cells = 0, skip_lines + 1, list[str]()
    line = first
    try:
        for _ in range(skip_lines):
            text.readline()
        for cells in reader:
            if max(map(len, cells), default=0) > CELL_LENGTH:
                raise _file_error(file, "file.field")
            if line == first:
                width = len(cells)
            if line == first or _is_row(cells):
                yield line, cells
            line = first + reader.line_num
    except UnicodeDecodeError:
        raise _file_error(file, "file.encoding") from None
    except csv.Error as error:
        rule: FileRule = "file.field" if "field limit" in str(error) else "file.torn"
        raise _file_error(file, rule, f": see line {line}") from None
    if _is_row(cells) and len(cells) < width and data[-1] not in b"\r\n":
        raise _file_error(file, "file.torn")


def _is_row(cells: Sequence[str]) -> bool:
    return len(cells) > 1 or bool(cells and cells[0].strip())
