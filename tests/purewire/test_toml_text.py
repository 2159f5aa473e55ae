"""TOML text: what the standard library reads, in linear time, and one error for the rest."""

import tomllib
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from purewire.adapters.toml_text import MAX_KEY_PARTS, TomlTextError, decode
from support.checks.costs import assert_linear

LONG_KEY = "z." * MAX_KEY_PARTS + "z = 1"
KEY = "z." * (MAX_KEY_PARTS - 1) + "z = 1"
FRAGMENTS = st.sampled_from(
    [
        *("\"'\\\n.=[]{},# "),
        *("'''", '"""', "a", "a.", "1.5", '"a.b"', "'a.b'", '\\"', '""', "# x.", "é", "\r\n", "\t"),
        *('"""a"""""', "'''a'''''", '"""a\\"""', '"a\\\\"', "true", "2026-01-31T12:00:00.5Z"),
    ]
)
VALUES = (
    *('"""a"""""', "'''a'''''", '"a\\"b\\\\"', "'a\\'", '"""a\\"""\n"""', "1.5", '"# x"', "''"),
    *("[ '#', \"'\" ] # ' \"", "'#' # '''", '"\'" # """', '""""""', "''''''", '""', '\'"""\''),
)
texts = st.lists(FRAGMENTS, max_size=9).map("".join)


def attempt(data: bytes) -> None:
    with suppress(TomlTextError):
        decode(data)


class TestDecode:
    def test_a_file_is_read_as_the_standard_library_reads_it(self) -> None:
        text = 'a.b = 1\n[c."d.e"]\nf = [1.5, {g = "h"}] # i.j\n'
        assert decode(text.encode()) == tomllib.loads(text)

    def test_one_byte_order_mark_is_dropped(self) -> None:
        assert decode(b"\xef\xbb\xbfa = 1") == {"a": 1}

    @given(texts)
    @example('a = """b\\"""""" # c')
    @example("a = '''b''''' # c")
    def test_any_text_is_read_alike_or_rejected(self, text: str) -> None:
        try:
            expected = tomllib.loads(text)
        except (ValueError, RecursionError):
            with pytest.raises(TomlTextError):
                decode(text.encode())
        else:
            assert decode(text.encode()) == expected

    @pytest.mark.parametrize(
        "data", [b"a", b"\xff", b"a = 1\na = 2", b"a = " + b"[" * 9000, b"a = " + b"9" * 9000]
    )
    def test_other_bytes_raise_the_one_error(self, data: bytes) -> None:
        with pytest.raises(TomlTextError) as caught:
            decode(data)
        assert caught.value.__context__ is None


REPEATED = (
    *("a.", "[a.", '"a".', "'a' . ", "a = {a.", "a.\n", "aa", "a ", "# a.\n", "."),
    *('"', "'", '"""', "'''", '"""x ', '"\\', '""x', "'a", '"x\n', "\\", '"""\\'),
    *("1.5,", "9", "9_", "9" * 400 + " "),
)


class TestTooLong:
    @pytest.mark.parametrize(
        "text",
        [
            LONG_KEY,
            f"[{LONG_KEY.removesuffix(' = 1')}]",
            f"a = {{{LONG_KEY}}}",
            LONG_KEY.replace(".", " .\t"),
            LONG_KEY.replace("z", '"y.x"'),
            LONG_KEY.replace("z", "'y'"),
            f'a = """ "b" \\""" """\n{LONG_KEY}',
        ],
    )
    def test_a_key_of_too_many_parts_is_rejected(self, text: str) -> None:
        tomllib.loads(text)
        with pytest.raises(TomlTextError):
            decode(text.encode())

    @pytest.mark.parametrize(
        "text",
        [
            KEY,
            f"a = '{LONG_KEY}'",
            f'a = "\\"{LONG_KEY}"',
            f"# {LONG_KEY}",
            f"a = '''\n{LONG_KEY}\n'' '''",
            f'a = """\n{LONG_KEY}\n"" \\""" """',
            "a = [" + "1.5, " * 200 + "]",
            "\n".join(f"a.b.c{number} = 1" for number in range(200)),
        ],
    )
    def test_dots_elsewhere_are_read(self, text: str) -> None:
        assert decode(text.encode()) == tomllib.loads(text)

    @pytest.mark.parametrize(
        "digits", ["9" * 401, "-" + "9" * 500_000, "9_" * 201, "9" * 401 + ".5"]
    )
    def test_a_number_of_too_many_digits_is_rejected(self, digits: str) -> None:
        with pytest.raises(TomlTextError):
            decode(f"a = {digits}".encode())

    @pytest.mark.parametrize("value", ["9" * 400, f"'{'9' * 5000}'", f"1 # {'9' * 5000}"])
    def test_digits_elsewhere_and_fewer_are_read(self, value: str) -> None:
        assert decode(f"a = {value}".encode()) == tomllib.loads(f"a = {value}")

    @given(st.lists(st.sampled_from(VALUES), max_size=6))
    def test_a_long_key_is_found_behind_any_text(self, values: list[str]) -> None:
        lines = [f"key{number} = {value}" for number, value in enumerate(values)]
        text = "\n".join([*lines, ""])
        assert len(decode(text.encode())) == len(values)
        with pytest.raises(TomlTextError):
            decode(f"{text}{LONG_KEY}".encode())
        with pytest.raises(TomlTextError):
            decode(f"{text}a = {'9' * 401}".encode())
        assert decode(f"{text}# {LONG_KEY}".encode()) == tomllib.loads(text)

    @pytest.mark.parametrize("start", ["", "a = ", 'a = """', "." * 99])
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
