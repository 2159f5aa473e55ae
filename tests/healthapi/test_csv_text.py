"""Bytes to cells.  Invariants: *bounded*, *whole or not at all*.

Source: health facts, section 2.
"""

import csv
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from healthapi.errors import DataError
from healthapi.rows.csv_text import CELL_LENGTH, CsvText
from support.checks.costs import assert_linear

Row = tuple[int, list[str]]


def read(data: bytes, piece: int = 64, chosen: list[int] | None = None) -> list[Row]:
    """Return each row with its line, as read by csv.reader."""
    text = CsvText(data, "csv/a.csv", piece)
    chosen = list(range(len(text.header))) if chosen is None else chosen
    rows: list[Row] = []
    for block in text.blocks(chosen):
        rows += zip(block.lines, map(list, zip(*block.columns, strict=True)), strict=True)
    return rows


def ragged_rows(data: bytes) -> dict[int, str]:
    found: dict[int, str] = {}
    for block in CsvText(data, "csv/a.csv").blocks([0]):
        found |= {block.lines[row]: rule for row, rule in block.ragged_rows.items()}
    return found


def rule_of(data: bytes, piece: int = 64) -> str:
    with pytest.raises(DataError) as caught:
        read(data, piece)
    (finding,) = caught.value.findings
    assert finding.path == "/csv/a.csv"
    assert caught.value.code == "service_unavailable"
    return finding.rule


@contextmanager
def field_limit(size: int) -> Iterator[None]:
    before = csv.field_size_limit(size)
    try:
        yield
    finally:
        csv.field_size_limit(before)


class TestHeader:
    def test_it_is_the_first_line(self) -> None:
        assert CsvText(b"date,steps\n", "f").header == ("date", "steps")

    def test_names_are_trimmed(self) -> None:
        assert CsvText(b" date ,\tsteps\n", "f").header == ("date", "steps")

    def test_it_may_have_quotes_and_line_breaks(self) -> None:
        text = CsvText(b'"da""te","a,\r\nb"\r\nx,y\r\n', "f")
        assert text.header == ('da"te', "a,\nb")
        assert [list(block.lines) for block in text.blocks([0, 1])] == [[3]]

    def test_one_byte_order_mark_is_dropped(self) -> None:
        assert CsvText(b"\xef\xbb\xbfdate\n", "f").header == ("date",)
        assert CsvText(b"\xef\xbb\xbf\xef\xbb\xbfdate\n", "f").header == ("\ufeffdate",)

    @pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n", b"\r\ndate\n"])
    def test_an_empty_first_line_names_nothing(self, data: bytes) -> None:
        assert CsvText(data, "f").header == ()


class TestLines:
    @pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
    @pytest.mark.parametrize("last", [True, False])
    @pytest.mark.parametrize("piece", [1, 2, 3, 64])
    def test_all_line_ends_end_lines(self, end: bytes, last: bool, piece: int) -> None:
        data = end.join([b"a,b", b"1,2", b"3,4", b"5,6"]) + end * last
        assert read(data, piece) == [(2, ["1", "2"]), (3, ["3", "4"]), (4, ["5", "6"])]

    def test_line_ends_may_be_mixed(self) -> None:
        assert read(b"a,b\r1,2\n3,4\r\n5,6") == [(2, ["1", "2"]), (3, ["3", "4"]), (4, ["5", "6"])]

    @pytest.mark.parametrize("sign", "\v\f\x1c\x85\u2028\u2029")
    def test_nothing_else_ends_a_line(self, sign: str) -> None:
        assert read(f"a,b\n1{sign},2\n".encode()) == [(2, [f"1{sign}", "2"])]

    def test_lines_of_blanks_are_no_rows(self) -> None:
        data = b'a,b\n\n1,2\n  \n""\n\t\n3,4\n\n   '
        assert read(data) == [(3, ["1", "2"]), (7, ["3", "4"])]

    def test_lines_of_commas_are_rows(self) -> None:
        assert read(b"a,b\n,\n") == [(2, ["", ""])]

    def test_a_file_of_one_column(self) -> None:
        assert read(b"a\n1\n\n2\n") == [(2, ["1"]), (4, ["2"])]

    def test_a_header_alone_has_no_rows(self) -> None:
        assert read(b"a,b") == read(b"a,b\n") == read(b"a,b\n\n\n") == []


class TestQuotes:
    @pytest.mark.parametrize("piece", [1, 5, 64])
    def test_quoted_cells_hold_commas_quotes_and_lines(self, piece: int) -> None:
        data = b'a,b\n"1,1","x""y"\n2,"l\r\nm\rn"\n3,4\n'
        assert read(data, piece) == [
            (2, ["1,1", 'x"y']),
            (3, ["2", "l\nm\nn"]),
            (6, ["3", "4"]),
        ]

    def test_a_quote_within_a_cell_is_a_letter(self) -> None:
        assert read(b'a,b\n1"2, "3"\n') == [(2, ['1"2', ' "3"'])]

    @pytest.mark.parametrize("data", [b'a,b\n1,"2\n', b'a,b\n"1,2\n3,4\n', b'a,b\n"1"2,3\n', b'"a'])
    @pytest.mark.parametrize("piece", [1, 64])
    def test_an_open_quote_truncates_the_file(self, data: bytes, piece: int) -> None:
        assert rule_of(data, piece) == "file.torn"


class TestChosen:
    def test_columns_are_in_the_order_of_the_argument(self) -> None:
        assert read(b"a,b,c\n1,2,3\n", chosen=[2, 0]) == [(2, ["3", "1"])]


class TestRaggedRows:
    def test_missing_cells_are_empty(self) -> None:
        data = b"a,b,c\n1\n1,2\n1,2,3\n"
        assert read(data) == [(2, ["1", "", ""]), (3, ["1", "2", ""]), (4, ["1", "2", "3"])]
        assert ragged_rows(data) == {2: "row.short", 3: "row.short"}

    def test_surplus_cells_are_ignored(self) -> None:
        data = b"a,b\n1,2,3\n1,2,\n"
        assert read(data) == [(2, ["1", "2"]), (3, ["1", "2"])]
        assert ragged_rows(data) == {2: "row.long", 3: "row.long"}

    @pytest.mark.parametrize("data", [b"a,b\n1", b"a,b\n1,2\n3", b"a,b\r1,2\r3", b'a,b\n"3"'])
    def test_a_short_last_line_without_an_end_truncates_the_file(self, data: bytes) -> None:
        assert rule_of(data) == "file.torn"

    @pytest.mark.parametrize("data", [b"a,b\n1\n", b"a,b\n1,2", b"a,b\n1,2,3", b"a,b\n1,2\n "])
    def test_other_last_lines_do_not(self, data: bytes) -> None:
        read(data)


class TestPieces:
    """Pieces take the fast path up to the first that is not plain."""

    def test_lines_are_numbered_across_pieces_of_both_kinds(self) -> None:
        data = b'a,b\n1,2\r\n3,4\n5,"6\n"\n7,8\n\n9,10\n11,12'
        rows = [(2, ["1", "2"]), (3, ["3", "4"]), (4, ["5", "6\n"]), (6, ["7", "8"])]
        rows += [(8, ["9", "10"]), (9, ["11", "12"])]
        for piece in range(1, len(data)):
            assert read(data, piece) == rows

    def test_the_bytes_read_are_counted(self) -> None:
        text = CsvText(b"a,b\n1,2\r\n3,4\n5,6", "f", 6)
        assert [block.end for block in text.blocks([0])] == [13, 16]

    def test_a_row_belongs_to_the_piece_in_which_it_ends(self) -> None:
        text = CsvText(b'a,b\n1,2\n3,"x\ny"\n5,6\n', "f", 2)
        assert [list(block.columns[0]) for block in text.blocks([0])] == [["1"], ["3"], ["5"]]


class TestEncoding:
    @pytest.mark.parametrize(
        "data",
        [
            "a,b\n1,2\n".encode("utf-16"),
            "a,b\n1,é\n".encode("latin-1"),
            b"a,b\n1,\xed\xa0\x80\n",
            b"a,b\n1,\xc3",
            b"\xff",
        ],
    )
    def test_a_file_that_is_not_utf_8_is_rejected(self, data: bytes) -> None:
        assert rule_of(data) == "file.encoding"

    def test_text_beyond_ascii_is_read(self) -> None:
        assert read("a,b\nRun、Walk,🏃\n".encode(), 1) == [(2, ["Run、Walk", "🏃"])]

    def test_nul_bytes_are_text(self) -> None:
        assert read(b"a,b\n\x00,2\x00\n") == [(2, ["\x00", "2\x00"])]


class TestLongCells:
    @pytest.mark.parametrize("quote", ['"', ""])
    def test_a_cell_has_a_limit(self, quote: str) -> None:
        cell = "x" * CELL_LENGTH
        assert read(f"a,b\n1,{quote}{cell}{quote}\n".encode()) == [(2, ["1", cell])]
        assert rule_of(f"a,b\n1,{quote}{cell}x{quote}\n".encode()) == "file.field"

    def test_the_limit_does_not_depend_on_the_process(self) -> None:
        cell = "x" * CELL_LENGTH
        with field_limit(10**9):
            assert read(f"a,b\n1,{cell}\n".encode()) == [(2, ["1", cell])]
            assert rule_of(f"a,b\n1,{cell}x\n".encode()) == "file.field"
            assert rule_of(f'a,b\n1,"{cell}x\n'.encode()) == "file.torn"

    def test_a_cell_in_the_header_has_it_too(self) -> None:
        assert rule_of(b"x" * (CELL_LENGTH + 1)) == "file.field"


@pytest.mark.check
class TestCost:
    @pytest.mark.parametrize(
        ("start", "part"),
        [
            ("a,b\n", "1,2\n"),
            ("a,b\n", '"1",2\n'),
            ("a,b\n", "\n"),
            ("a,b\n", "\r"),
            ("a,b\n", "1\n"),
            ("a,b\n", "1,2,3\n"),
            ('a,b\n1,"', "\n"),
            ("a,b\n", '""'),
            ("a,b\n", ","),
            ("", ","),
            ("", "a,"),
        ],
    )
    def test_it_is_linear(self, start: str, part: str) -> None:
        def attempt(data: bytes) -> None:
            try:
                read(data, 4096)
            except DataError:
                return

        assert_linear(attempt, lambda size: (start + part * size + "\n").encode(), 4000)

    def test_short_lines_below_a_wide_header_cost_linear_time(self) -> None:
        def make(size: int) -> bytes:
            return b"a" + b",a" * size + b"\n" + b"1\n" * size

        assert_linear(lambda data: read(data, chosen=[0, 1]), make, 3000)


class TestEmptyLines:
    def test_they_are_skipped_and_counted_except_in_quotes(self) -> None:
        data = b'a,b\n\n\n1,"x\n\n\ny"\n\n2,z\n'
        assert read(data) == [(4, ["1", "x\n\n\ny"]), (9, ["2", "z"])]
