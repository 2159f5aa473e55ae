"""Generate files of a profile that break one rule, with the file and the id of the rule.

    @given(faulty_files("number.form"))
    def test_my_page_reports_invalid_numbers(faulty):
        profile = load("anna", faulty.files, generated_at="2026-01-31T12:00:00")
        ...

Breaks of `ROW_RULES` are findings in one row or in the header; with a break of `FILE_RULES` the
whole file cannot be read.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import attrs
from hypothesis import strategies as st

from healthapi.account.snapshot import SNAPSHOT_FILE
from healthapi.limits import SNAPSHOT_DEPTH
from healthapi.rows.csv_text import CELL_LENGTH, FileRule
from healthapi.rows.findings import RowRule
from healthapi.testing.strategies import (
    activity_rows,
    csv_text,
    hrv_rows,
    native_files,
    rhr_rows,
    sleep_logs,
    snapshots,
)

__all__ = ["FILE_RULES", "ROW_RULES", "Faulty", "faulty_files"]

ROW_RULES: Final[tuple[str, ...]] = get_args(RowRule)
FILE_RULES: Final[tuple[str, ...]] = (
    *get_args(FileRule),
    *("snapshot.json", "snapshot.shape", "snapshot.depth"),
)

_MAX_ROWS: Final = 8


@attrs.frozen
class Faulty:
    """The files of a profile with one fault.

    Attributes:
        files: file name to bytes, as `load` takes them.

    """

    files: Mapping[str, bytes]
    file: str
    rule: str


@attrs.frozen
class _Table:
    """The cells of a table; the first line is the header, the first column the date."""

    lines: list[list[str]]
    row: int
    column: int

    def with_date(self, text: str) -> bytes:
        return self._with_row([text, *self.lines[self.row][1:]])

    def with_cell(self, text: str) -> bytes:
        row = self.lines[self.row]
        return self._with_row([*row[: self.column], text, *row[self.column + 1 :]])

    def without_last_cell(self, _text: str) -> bytes:
        return self._with_row(self.lines[self.row][:-1])

    def with_another_cell(self, text: str) -> bytes:
        return self._with_row([*self.lines[self.row], text])

    def with_row_again(self, _text: str) -> bytes:
        return csv_text([*self.lines, self.lines[self.row]])

    def without_dates(self, _text: str) -> bytes:
        return csv_text(line[1:] for line in self.lines)

    def without_column(self, _text: str) -> bytes:
        return csv_text(line[: self.column] + line[self.column + 1 :] for line in self.lines)

    def with_column_again(self, _text: str) -> bytes:
        return csv_text([*line, line[self.column]] for line in self.lines)

    def with_end(self, text: str) -> bytes:
        return csv_text(self.lines) + text.encode("latin-1")

    def _with_row(self, row: list[str]) -> bytes:
        return csv_text([*self.lines[: self.row], row, *self.lines[self.row + 1 :]])


_FAULTS: Final[dict[str, tuple[Callable[[_Table, str], bytes], tuple[str, ...]]]] = {
    "date.missing": (_Table.with_date, ("", " ")),
    "date.form": (
        _Table.with_date,
        ("2026/01/31", "20260131", "31.01.2026", "2026-1-31", "today"),
    ),
    "date.unreal": (_Table.with_date, ("2026-02-30", "2025-02-29", "2026-13-01", "0000-01-01")),
    "row.short": (_Table.without_last_cell, ("",)),
    "row.long": (_Table.with_another_cell, ("", "7")),
    "row.repeated": (_Table.with_row_again, ("",)),
    "number.form": (
        _Table.with_cell,
        ("1,234", "1_234", "inf", "-nan", "0x1F", "n/a", "=1+1", "\uff11"),
    ),
    "number.range": (_Table.with_cell, ("1e16", "-9007199254740994", "1e400")),
    "number.implausible": (_Table.with_cell, ("6000", "-1", "19")),
    "boolean.form": (_Table.with_cell, ("maybe", "2", "on")),
    "column.missing": (_Table.without_column, ("",)),
    "column.repeated": (_Table.with_column_again, ("",)),
    "file.encoding": (_Table.with_end, ("\xff\n",)),
    "file.header": (_Table.without_dates, ("",)),
    "file.torn": (_Table.with_end, ('2026-01-31,"', "2026-01-31")),
    "file.field": (_Table.with_end, (f'"{"1" * (CELL_LENGTH + 1)}"\n',)),
}
"""Rule to the function that breaks it in a table, and the texts for it."""

_ROWS_OF: Final[dict[str, Callable[[int], st.SearchStrategy[Any]]]] = {
    "activity": activity_rows,
    "sleep": sleep_logs,
    "hrv": hrv_rows,
    "rhr": rhr_rows,
}
_COLUMNS: Final = {
    "activity": "steps",
    "sleep": "minutesAsleep",
    "hrv": "dailyRmssd",
    "rhr": "resting_heart_rate",
}
"""Dataset to a column of numbers."""
_DATASET_OF: Final = {
    "boolean.form": "sleep",
    "number.implausible": "rhr",
    "row.repeated": "sleep",
}
"""Rule to the only dataset that can break it."""


def faulty_files(*rules: str) -> st.SearchStrategy[Faulty]:
    """Generate files that break one of the rules (by default any) and no other."""
    return st.sampled_from(rules or (*ROW_RULES, *FILE_RULES)).flatmap(_faulty)


def _faulty(rule: str) -> st.SearchStrategy[Faulty]:
    if rule.startswith("snapshot."):
        return snapshots().flatmap(lambda value: _broken_snapshot(rule, value))
    return _broken_table(rule)


@st.composite
def _broken_table(draw: st.DrawFn, rule: str) -> Faulty:
    dataset = _DATASET_OF.get(rule) or draw(st.sampled_from(sorted(_ROWS_OF)))
    rows = draw(_ROWS_OF[dataset](_MAX_ROWS).filter(bool))
    ((file, data),) = native_files(**{dataset: rows}).items()
    lines = list(csv.reader(io.StringIO(data.decode())))
    column = lines[0].index("isMainSleep" if rule == "boolean.form" else _COLUMNS[dataset])
    break_rule, texts = _FAULTS[rule]
    table = _Table(lines, draw(st.integers(1, len(lines) - 1)), column)
    return Faulty({file: break_rule(table, draw(st.sampled_from(texts)))}, file, rule)


def _broken_snapshot(rule: str, value: dict[str, Any]) -> st.SearchStrategy[Faulty]:
    text = json.dumps(value).encode()
    deep = b'{"endpoints":{"a":%s%s}}' % (b"[" * SNAPSHOT_DEPTH, b"]" * SNAPSHOT_DEPTH)
    broken: dict[str, st.SearchStrategy[bytes]] = {
        "snapshot.json": st.integers(0, len(text) - 1).map(lambda end: text[:end]),
        "snapshot.shape": st.sampled_from((b"[%s]" % text, b"null", b'{"endpoints":[]}')),
        "snapshot.depth": st.just(deep),
    }
    return broken[rule].map(lambda data: Faulty({SNAPSHOT_FILE: data}, SNAPSHOT_FILE, rule))
