"""The position at which a body stops being JSON text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purewire.json.codec import JsonDepthError, JsonTextError, decode
from purewire.json.positions import describe_syntax_error

ITEM = 'expected "," or "]"'
MEMBER = 'expected "," or "}"'
NAME = "expected a member name in double quotes"
END = "the end of the text"


class TestDescribeFault:
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (b"", f"line 1, column 1: expected a value, found {END}"),
            (b"{", f'line 1, column 2: {NAME} or "}}", found {END}'),
            (b"{1:2}", f'line 1, column 2: {NAME} or "}}", found "1"'),
            (b'{"a":1,}', f'line 1, column 8: {NAME}, found "}}"'),
            (b'{"a" 1}', 'line 1, column 6: expected ":", found "1"'),
            (b'{"a":1\r\n  "b":2}', f"line 2, column 3: {MEMBER}, found '\"'"),
            (b'{"a":[1,\n2x]}', f'line 2, column 2: {ITEM}, found "x"'),
            (b"[1 2]", f'line 1, column 4: {ITEM}, found "2"'),
            (b"[1,]", 'line 1, column 4: expected a value, found "]"'),
            (b"[,1]", 'line 1, column 2: expected a value or "]", found ","'),
            (b"[]]", f'line 1, column 3: expected {END}, found "]"'),
            (b"[1.]", f'line 1, column 3: {ITEM}, found "."'),
            (b"-", f"line 1, column 2: expected a digit, found {END}"),
            (b"NaN", 'line 1, column 1: expected a value, found "N"'),
            (b'"abc', f"line 1, column 5: expected the rest of the string, found {END}"),
            (b'["a\nb"]', "line 1, column 4: expected the rest of the string, found U+000A"),
            (b'"\\x"', 'line 1, column 3: expected an escape sequence of JSON, found "x"'),
            (b'"\\', f"line 1, column 3: expected an escape sequence of JSON, found {END}"),
            (b'"\\ud83dx"', 'line 1, column 2: expected a pair of surrogates, found "\\ud83d"'),
            ("\u00a01".encode(), "line 1, column 1: expected a value, found U+00A0"),
            ('"\u00e9\U0001f3b5" x'.encode(), f'line 1, column 6: expected {END}, found "x"'),
            (b"\xef\xbb\xbf x", 'line 1, column 2: expected a value, found "x"'),
            (b'{"a":\n "\xff"}', "line 2, column 3 (byte 8): expected UTF-8, found the byte 0xFF"),
        ],
    )
    def test_it_says_line_column_and_what_stands_there(self, body: bytes, message: str) -> None:
        with pytest.raises(JsonTextError):
            decode(body)
        assert describe_syntax_error(body) == message

    @pytest.mark.parametrize("body", [b"1", b' {"a":[true,"\\ud83d\\ude00"],"b":{}} \n'])
    def test_json_text_has_no_fault(self, body: bytes) -> None:
        with pytest.raises(ValueError, match="the body is JSON text"):
            describe_syntax_error(body)

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (b"[" * 200_000, "column 200001: expected a value or"),
            (
                b"[" * 100_000 + b"]" * 99_999 + b"}",
                'column 200000: expected "," or "]", found "}"',
            ),
            (b'["' + b"\\u0041" * 100_000, "column 600003: expected the rest of the string"),
            (b" " * 500_000 + b"x", "column 500001: expected a value"),
        ],
        ids=["arrays", "closed wrongly", "escapes", "blanks"],
    )
    def test_no_depth_and_no_length_is_too_much(self, body: bytes, message: str) -> None:
        begun = time.process_time()
        assert message in describe_syntax_error(body)
        assert time.process_time() - begun < 5


TOKENS = st.sampled_from(
    [
        *'[]{},:"-. \n',
        '"a"',
        '"\\n"',
        '"\\ud800"',
        "1",
        "0",
        "-1.5e+7",
        "true",
        "nul",
        "\u00e9",
        "\x01",
    ]
)


@given(st.lists(TOKENS, max_size=8).map("".join))
def test_it_finds_a_fault_exactly_where_the_decoder_does(text: str) -> None:
    body = text.encode()
    try:
        decode(body)
    except JsonTextError:
        assert describe_syntax_error(body).startswith("line ")
    except JsonDepthError:
        pytest.fail("no text of eight tokens is deep")
    else:
        with pytest.raises(ValueError, match="the body is JSON text"):
            describe_syntax_error(body)
