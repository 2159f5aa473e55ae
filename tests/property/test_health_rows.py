"""Properties of reading tables: nothing is lost, only DataError is raised."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from healthapi.errors import DataError
from healthapi.rows.findings import DOUBTS, Findings
from healthapi.rows.mapping import Column, TableMap
from healthapi.rows.reading import read_rows
from healthapi.rows.rows import Rows

TABLE = TableMap(
    "s.csv",
    {
        "is_main_sleep": Column("main"),
        "minutes_asleep": Column("asleep"),
        "sleep_score": Column("score"),
        "start_time": Column("start"),
    },
)
HEADER = "date,main,asleep,score,start,other"

dates = st.dates(date(2025, 12, 1), date(2026, 2, 28)).map(date.isoformat)
numerals = (
    st.integers(0, 600).map(str)
    | st.integers(0, 600).map("{}.0".format)
    | st.decimals(0, 100, places=2).map(str)
    | st.just("")
)
odd = st.sampled_from(
    ["nan", "-0", "-1", "+5", "1e3", "007", ".5", "5.", " 7 ", "1_0", "inf", "x", "１", "9" * 20]
) | st.text("0123456789.,eE+- ]nul", max_size=6).map(lambda text: text.replace(",", ";"))
texts = st.sampled_from(
    ["", " ", "2026-01-31T22:10:00.000", "é", "=1+1", "a\\b", "\x00", "Bearer x"]
)
lines = st.tuples(
    dates | st.sampled_from(["", "2026-02-30", " 2026-01-31", "2026-W05-1", "31.01.2026"]),
    st.sampled_from(["True", "False", "1", "0", "", "maybe"]),
    numerals | odd,
    numerals | odd,
    texts,
    texts,
)
tables = st.lists(lines, max_size=12) | st.lists(
    st.tuples(dates, st.just("True"), numerals, numerals, st.just(""), st.just("")), max_size=12
)


def outcome(data: bytes) -> tuple[Any, ...]:
    """Return the rows and findings of a file, or those of its error."""
    try:
        rows, findings = read_rows(data, "sleep", TABLE)
    except DataError as error:
        return (error.findings,)
    return list(rows), findings


def table_text(rows: Sequence[tuple[str, ...]], cell: Callable[[str], str]) -> str:
    """Return the text of a table; `cell` formats each cell."""
    return "\n".join([HEADER, *(",".join(map(cell, row)) for row in rows), ""])


class TestQuotes:
    @given(tables)
    def test_quotes_around_each_cell_change_nothing(self, rows: Sequence[tuple[str, ...]]) -> None:
        plain = table_text(rows, str)
        quoted = table_text(rows, '"{}"'.format)
        assert outcome(plain.encode()) == outcome(quoted.encode())


def reading_of(rows: Sequence[tuple[str, ...]]) -> tuple[Rows[Any], Findings]:
    return read_rows(table_text(rows, str).encode(), "sleep", TABLE)


class TestCompleteness:
    """Invariant *nothing is dropped silently*."""

    @given(tables)
    def test_every_line_is_a_row_or_a_rejected_one(self, rows: Sequence[tuple[str, ...]]) -> None:
        read, findings = reading_of(rows)
        assert len(read) + findings.rejected_rows == len(rows)

    @given(tables)
    def test_every_finding_is_counted_and_names_its_line(
        self, rows: Sequence[tuple[str, ...]]
    ) -> None:
        _, found = reading_of(rows)
        doubts = sum(each.rule in DOUBTS for each in found.listed)
        omitted = found.rejected_rows + found.unreadable_cells
        assert found.total == len(found.listed) == omitted + doubts
        assert all(2 <= each.line <= len(rows) + 1 for each in found.listed)
        assert [each.line for each in found.listed] == sorted(each.line for each in found.listed)

    @given(tables, tables)
    def test_an_unreadable_line_affects_no_other(
        self, rows: Sequence[tuple[str, ...]], others: list[tuple[str, ...]]
    ) -> None:
        bad = [("no day", *row[1:]) for row in others]
        assert reading_of([*rows, *bad])[0] == reading_of(rows)[0]
