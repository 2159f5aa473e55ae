"""TOML text: what the standard library reads, in linear time, and one error for the rest."""

import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from status_contracts.adapters.toml_text import MAX_LINE, parse_settings
from status_contracts.findings import Finding
from status_contracts.structuring.decoder import SettingsError
from support.checks.costs import assert_linear

FRAGMENTS = st.sampled_from(
    [
        *("\"'\\\n.=[]{},# "),
        *("'''", '"""', "a", "a.", "1.5", '"a.b"', "'a.b'", '\\"', '""', "# x.", "é", "\r\n", "\t"),
        *('"""a"""""', "'''a'''''", '"""a\\"""', '"a\\\\"', "true", "2026-01-31T12:00:00.5Z"),
    ]
)
texts = st.lists(FRAGMENTS, max_size=9).map("".join)


def decode(data: bytes) -> dict[str, Any]:
    return parse_settings(data, dict)


def attempt(data: bytes) -> None:
    with suppress(SettingsError):
        decode(data)


class TestDecode:
    def test_one_byte_order_mark_is_dropped(self) -> None:
        assert decode(b"\xef\xbb\xbfa = 1") == {"a": 1}

    @given(texts)
    @example('a = """b\\"""""" # c')
    @example("a = '''b''''' # c")
    def test_any_text_is_read_alike_or_rejected(self, text: str) -> None:
        try:
            expected = tomllib.loads(text)
        except (ValueError, RecursionError):
            with pytest.raises(SettingsError):
                decode(text.encode())
        else:
            assert decode(text.encode()) == expected

    @pytest.mark.parametrize(
        "data", [b"a", b"\xff", b"a = 1\na = 2", b"a = " + b"[" * 9000, b"a = " + b"9" * 9000]
    )
    def test_other_bytes_raise_the_one_error(self, data: bytes) -> None:
        with pytest.raises(SettingsError) as caught:
            decode(data)
        assert caught.value.__context__ is None


PLACES = """\ufeff# a comment with [ and " and '''
first = 1\r
text = '''
"not a key
'''
list = [
  "]",  # ]
  { inline = { deep = 1 } },
]
point = { x = 1, y.z = 2 }

[table."dotted.name"] # [x]
key = \"""
lines\\\\\"""
"a/b~c" = 3
other.dotted = 4

[[entries]]
name = "a"
[[entries]]
[entries.inner]
name = "b"
[[entries.parts]]
[[entries.parts]]
name = "c"
"""


def refuse(paths: list[str], _tables: object) -> None:
    raise SettingsError(tuple(Finding(path, "rule", "must") for path in paths))


def lines_of(text: str, paths: list[str]) -> list[str]:
    with pytest.raises(SettingsError) as raised:
        parse_settings(text.encode(), partial(refuse, paths))
    return [f"{found.path} {found.message}" for found in raised.value.findings]


class TestLines:
    @pytest.mark.parametrize(
        ("text", "path", "line"),
        [
            (PLACES, "/text", 3),
            (PLACES, "/list/1/inline", 6),
            (PLACES, "/point/y/z", 10),
            (PLACES, "/table/dotted.name", 12),
            (PLACES, "/table/dotted.name/a~1b~0c", 15),
            (PLACES, "/table/dotted.name/other", 16),
            (PLACES, "/table/dotted.name/missing", 12),
            (PLACES, "/entries", 18),
            (PLACES, "/entries/1", 20),
            (PLACES, "/entries/1/inner/name", 22),
            (PLACES, "/entries/1/parts/1/name", 25),
            # text in a value of several lines is no key
            ('ratings = [\n  "a",\n  "zone"\n]\nlinks = 1\nzone = 2', "/zone", 6),
            ('[ignore]\nroots = [\n  "files"\n]\nfiles = 1', "/ignore/files", 5),
            ('[t]\nx = [\n["x"]\n]\nkey = 1', "/t/key", 5),
            ('x = """\n[t]\nkey = 1\n"""\n[t]\nkey = 2', "/t/key", 6),
        ],
    )
    def test_a_problem_has_the_line_of_its_key_or_of_what_contains_it(
        self, text: str, path: str, line: int
    ) -> None:
        assert lines_of(text, [path]) == [f"{path} line {line}: must"]

    def test_problems_are_in_the_order_of_the_file(self) -> None:
        found = lines_of("b = 1\na = 1", ["/a", "", "/b"])
        assert found == [" must", "/b line 1: must", "/a line 2: must"]

    @pytest.mark.parametrize(
        "make",
        [lambda size: "[[k]]\nx = 1\n" * size, lambda size: "k = '''" + "\n" * size + "'''"],
        ids=["tables", "text"],
    )
    def test_lines_take_linear_time(self, make: Callable[[int], str]) -> None:
        assert_linear(partial(lines_of, paths=["/k"]), make, 1000)


REPEATED = (
    *("a.", "[a.", '"a".', "'a' . ", "a = {a.", "a.\n", "aa", "a ", "# a.\n", "."),
    *('"', "'", '"""', "'''", '"""x ', '"\\', '""x', "'a", '"x\n', "\\", '"""\\'),
    *("1.5,", "9", "9_", "9" * 400 + " "),
)


class TestTooLong:
    @pytest.mark.parametrize("start", ["a = 1\n# ", "k.", 'a = """\n'])
    def test_a_line_of_more_than_a_thousand_characters_is_rejected(self, start: str) -> None:
        end = ' = 1"""' if '"' in start else " = 1"
        text = f"{start}{'x' * (MAX_LINE - len(start.rpartition(chr(10))[2]) - len(end))}{end}"
        assert decode(text.encode()) == tomllib.loads(text)
        with pytest.raises(SettingsError, match="lines of at most 1000 characters"):
            decode(text.replace("x", "xx", 1).encode())

    def test_the_longest_keys_take_little_time(self) -> None:
        lines = (f"k{number}.{'a.' * 490}a = 1" for number in range(65))
        start = time.process_time()
        decode("\n".join(lines).encode())
        assert time.process_time() - start < 10

    @pytest.mark.parametrize("start", ["", 'a = """', "." * 99])
    def test_no_repetition_takes_more_than_linear_time(self, start: str) -> None:
        failures = []
        for part in REPEATED:
            try:
                assert_linear(attempt, partial(_repeat, start, part), 8000 // len(part))
            except AssertionError as error:
                failures.append(f"{part!r}: {error}")
        assert not failures


def _repeat(start: str, part: str, size: int) -> bytes:
    return (start + part * size).encode()
