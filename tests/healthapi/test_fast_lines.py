"""The fast path for lines without quotes.  Invariant *a fast path only*.

`tests/property/test_health_rows.py` checks that the slow path returns the same.
"""

import pytest

from healthapi.rows.csv_text import try_split_columns


class TestPlainColumns:
    def test_columns_are_in_the_order_of_the_argument(self) -> None:
        lines = b"a,1,x\nb,2,y\n"
        assert try_split_columns(lines, 3, [2, 0]) == [["x", "y"], ["a", "b"]]
        assert try_split_columns(lines, 3, []) == []

    @pytest.mark.parametrize("end", [b"\n", b"\r\n"])
    @pytest.mark.parametrize("last", [True, False])
    def test_line_ends_of_both_kinds_are_plain(self, end: bytes, last: bool) -> None:
        lines = end.join([b"a,1", b"b,", b",3"]) + end * last
        assert try_split_columns(lines, 2, [0, 1]) == [["a", "b", ""], ["1", "", "3"]]

    def test_text_beyond_ascii_is_plain(self) -> None:
        assert try_split_columns("é,🏃\n".encode(), 2, [0, 1]) == [["é"], ["🏃"]]

    @pytest.mark.parametrize(
        "lines",
        [
            b"\n",
            b"a",
            b"a,1,2",
            b"a,1\nb",
            b"a,1\nb\nc,3,4",
            b"a,1,2\nb\n",
            b"a,1\n\nb,2",
            b"a,1\n\n",
            b"a,1\rb,2",
            b"a\r,1",
            b"a,1\r\r\nb,2",
            b'"a",1',
            b'a"b,1',
            b"\xff,1",
            b"\xed\xa0\x80,1",
            b"a" * 131_072 + b",1",
        ],
    )
    def test_other_lines_fall_back(self, lines: bytes) -> None:
        assert try_split_columns(lines, 2, [0, 1]) is None

    def test_lines_of_one_cell_fall_back(self) -> None:
        """A line of blanks is no row."""
        assert try_split_columns(b"a\n \n", 1, [0]) is None
