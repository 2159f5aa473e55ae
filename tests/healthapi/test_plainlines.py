"""The shortcut for lines without any fault.  Invariant *a shortcut, no other way*.

That it gives what the way with all care gives is a law of `tests/property/test_health_rows.py`.
"""

from typing import Any

import pytest

from healthapi.rows.plainlines import PlainKind, plain_reader


def read(lines: bytes, *kinds: PlainKind) -> list[tuple[Any, ...]] | None:
    reader = plain_reader(kinds)
    assert reader is not None
    return reader(lines)


def number(text: str, kind: PlainKind = "decimal") -> Any:
    rows = read(f"2026-01-31,{text}".encode(), "word", kind)
    return "careful" if rows is None else rows[0][1]


class TestPlainReader:
    def test_cells_become_values_of_their_kind(self) -> None:
        lines = b"2026-01-30,61.0,61.5,True\n2026-01-31,,,Run\n"
        assert read(lines, "word", "integer", "decimal", "text") == [
            ("2026-01-30", 61, 61.5, "True"),
            ("2026-01-31", None, None, "Run"),
        ]

    @pytest.mark.parametrize("end", [b"\n", b"\r\n"])
    @pytest.mark.parametrize("last", [True, False])
    def test_line_ends_of_both_kinds_are_plain(self, end: bytes, last: bool) -> None:
        lines = end.join([b"a,1", b"b,", b",3"]) + end * last
        assert read(lines, "text", "integer") == [("a", 1), ("b", None), (None, 3)]

    @pytest.mark.parametrize("kind", ["integer", "decimal"])
    @pytest.mark.parametrize(
        "text",
        [
            "x",
            " 1",
            "1 ",
            "-1",
            "-0.0",
            "+1",
            "007",
            "1.",
            ".5",
            "1_0",
            "nan",
            "inf",
            "1e400",
            "9007199254740994",
            "9" * 5000,
            "１",
            "1\t",
            "0x1",
        ],
    )
    def test_a_number_that_is_not_plain_needs_care(self, text: str, kind: PlainKind) -> None:
        assert number(text, kind) == "careful"

    def test_a_fraction_in_a_column_of_integers_needs_care(self) -> None:
        assert number("2.5", "integer") == "careful"
        assert number("2.5") == 2.5

    @pytest.mark.parametrize("text", ["null", "NULL", ""])
    def test_missing_numbers_are_plain(self, text: str) -> None:
        assert number(text) is None

    @pytest.mark.parametrize(
        "lines",
        [
            b"",
            b"\n",
            b"a",
            b"a,1,2",
            b"a,1\nb",
            b"a,1\n\nb,2",
            b"a,1\rb,2",
            b"a\r,1",
            b'"a",1',
            b'a"b,1',
            b"a\\n,1",
            b"a\x00,1",
            b"a\t,1",
            b"\xff,1",
            b"\xed\xa0\x80,1",
            b"-a,1",
            b"a" * 200_000 + b",1",
        ],
    )
    def test_lines_that_are_not_plain_need_care(self, lines: bytes) -> None:
        assert read(lines, "text", "integer") is None

    def test_a_word_is_never_missing(self) -> None:
        assert read(b",1", "word", "integer") is None

    def test_a_very_wide_table_has_no_reader(self) -> None:
        assert plain_reader(["text"] * 200) is not None
        assert plain_reader(["text"] * 201) is None
