"""Bytes to cells.  Invariants: *bounded*, *whole or not at all*.

Source: health facts, section 2.
"""

import csv
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product

import pytest

from healthapi.errors import DataError
from healthapi.rows.reading import CELL_LENGTH, read_csv
from support.checks.costs import assert_linear

CELL = "x" * CELL_LENGTH
MIB = 1 << 20


def read(data: bytes) -> list[tuple[int, list[str]]]:
    """Return each row with its line, without the header."""
    return list(read_csv(data, "csv/a.csv"))[1:]


def rule_of(data: bytes) -> str:
    with pytest.raises(DataError) as caught:
        read(data)
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
    @pytest.mark.parametrize(
        ("data", "names"),
        [
            (b'"da""te","a,\r\nb"\r\nx,y\r\n', ['da"te', "a,\nb"]),
            (b"\r\ndate\n", []),
            (b"  \ndate\n", ["  "]),
        ],
    )
    def test_it_is_the_first_line_even_if_that_is_blank(
        self, data: bytes, names: list[str]
    ) -> None:
        assert next(read_csv(data, "f")) == (1, names)


class TestRows:
    @pytest.mark.parametrize("sign", "\v\f\x1c\x85\u2028\u2029")
    def test_nothing_else_ends_a_line(self, sign: str) -> None:
        assert read(f"a,b\n1{sign},2\n".encode()) == [(2, [f"1{sign}", "2"])]

    @pytest.mark.parametrize(
        ("data", "rows"),
        [
            pytest.param(b"a,b\r1,2\n3,4\r\n5,6", [(2, "1 2"), (3, "3 4"), (4, "5 6")], id="mixed"),
            pytest.param(
                b'a,b\n\n1,2\n  \n""\n\t\n3,4\n\n   ', [(3, "1 2"), (7, "3 4")], id="blank"
            ),
            pytest.param(b"a\n1\n\n2\n", [(2, "1"), (4, "2")], id="one column"),
            pytest.param(b"a,b\n,\n", [(2, " ")], id="commas alone are a row"),
            pytest.param(b"a,b", [], id="a header alone"),
            pytest.param(b"a,b\n\n\n", [], id="blank lines alone"),
            pytest.param(b'a,b\n1"2,"3"\n', [(2, '1"2 3')], id="a quote within a cell"),
            pytest.param(b"a,b\n\x00,2\x00\n", [(2, "\x00 2\x00")], id="NUL"),
            pytest.param("a,b\n、,🏃\n".encode(), [(2, "、 🏃")], id="beyond ASCII"),
        ],
    )
    def test_each_has_its_first_line(self, data: bytes, rows: list[tuple[int, str]]) -> None:
        assert [(line, " ".join(cells)) for line, cells in read(data)] == rows

    def test_quoted_cells_hold_commas_quotes_and_lines(self) -> None:
        data = b'a,b\n"1,1","x""y"\n2,"l\r\nm\rn\n\n"\n\n3,4\n'
        assert read(data) == [(2, ["1,1", 'x"y']), (3, ["2", "l\nm\nn\n\n"]), (9, ["3", "4"])]


class TestRefusals:
    NOT_UTF_8 = (
        *("a,b\n1,2\n".encode("utf-16"), "a,b\n1,é\n".encode("latin-1")),
        *(b"a,b\n1,\xed\xa0\x80\n", b"a,b\n1,\xc3", b"\xff", b"\xef\xbb"),
        b"a,b\n" + b"1,2\n" * 9000 + b"\xff,1\n",
    )
    TORN = (
        *(b'a,b\n1,"2\n', b'a,b\n"1,2\n3,4\n', b'a,b\n"1"2,3\n', b'"a'),  # an open quote
        *(b"a,b\n1", b"a,b\n1,2\n3", b"a,b\r1,2\r3", b'a,b\n"3"'),  # no end of a short line
    )

    @pytest.mark.parametrize(
        ("rule", "data"), [*product(["file.encoding"], NOT_UTF_8), *product(["file.torn"], TORN)]
    )
    def test_a_file_that_is_not_utf_8_or_is_torn(self, rule: str, data: bytes) -> None:
        assert rule_of(data) == rule

    @pytest.mark.parametrize("data", [b"a,b\n1\n", b"a,b\n1,2", b"a,b\n1,2,3", b"a,b\n1,2\n "])
    def test_other_last_lines_are_whole(self, data: bytes) -> None:
        read(data)

    def test_the_limit_of_a_process_is_neither_trusted_nor_changed(self) -> None:
        with field_limit(10**9):
            assert read(f"a,b\n1,{CELL}\n".encode()) == [(2, ["1", CELL])]
            assert rule_of(f"a,b\n1,{CELL}x\n".encode()) == "file.field"
            assert rule_of(f'a,b\n1,"{CELL}x\n'.encode()) == "file.torn"
            assert csv.field_size_limit() == 10**9


@pytest.mark.check
class TestCost:
    @pytest.mark.parametrize(
        ("start", "part"),
        [
            *(("a,b\n", part) for part in ("1,2\n", '"1",2\n', "\n", "\r", "1\n", '""', ",", '"')),
            ('a,b\n1,"', "\n"),
            ("", ","),
            ("", "a,"),
        ],
    )
    def test_it_is_linear(self, start: str, part: str) -> None:
        def attempt(data: bytes) -> None:
            with suppress(DataError):
                read(data)

        assert_linear(attempt, lambda size: (start + part * size + "\n").encode(), 4000)

    @pytest.mark.parametrize(
        ("data", "rule"),
        [
            (b"a,b\n" + b'"' * (16 * MIB), "file.field"),
            (b'a,b\n1,"' + b"2\n" * (8 * MIB), "file.field"),
            (b"a,b\n" + b"\x00" * (16 * MIB), "file.field"),
        ],
        ids=["quotes", "an open quote", "NUL"],
    )
    def test_16_mib_of_one_cell_are_refused_at_its_limit(self, data: bytes, rule: str) -> None:
        tracemalloc.start()
        try:
            assert rule_of(data) == rule
            held = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert held < 3 * len(data)
