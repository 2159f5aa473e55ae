"""The position at which a body stops being JSON text."""

import time

import pytest

from status_contracts.json_text import JsonTextError, decode, describe_syntax_error


class TestDescribeFault:
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (b"", "line 1, column 1: expected a value"),
            (b"{", "line 1, column 2: expected a property name enclosed in double quotes"),
            (b'{"a" 1}', "line 1, column 6: expected a ':' delimiter"),
            (b'{"a":1\r\n  "b":2}', "line 2, column 3: expected a ',' delimiter"),
            (b'{"a":[1,\n2x]}', "line 2, column 2: expected a ',' delimiter"),
            (b"[1.]", "line 1, column 3: expected a ',' delimiter"),
            (b"[1]]", "line 1, column 4: Extra data"),
            (b"NaN", "line 1, column 1: NaN and infinities are not JSON"),
            (b'["NaN\\"",\n-Infinity]', "line 2, column 1: NaN and infinities are not JSON"),
            (b'"abc', "line 1, column 1: Unterminated string"),
            (b'["a\nb"]', "line 1, column 4: Invalid control character"),
            (b'"\\x"', "line 1, column 2: Invalid \\escape"),
            (b'"\\ud83dx"', "line 1, column 2: expected a pair of surrogates"),
            (b'["\\\\ud83d\\\\",\n"\\ude00"]', "line 2, column 2: expected a pair of surrogates"),
            ("\u00a01".encode(), "line 1, column 1: expected a value"),
            ('"\u00e9\U0001f3b5" x'.encode(), "line 1, column 6: Extra data"),
            (b"\xef\xbb\xbf x", "line 1, column 2: expected a value"),
            (b'{"a":\n "\xff"}', "line 2, column 3 (byte 8): expected UTF-8, found the byte 0xFF"),
        ],
    )
    def test_it_says_line_column_and_fault(self, body: bytes, message: str) -> None:
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
            (b"[" * 200_000, "line 1, column 1: nested too deep"),
            (b'["' + b"\\n" * 100_000, "line 1, column 2: Unterminated string"),
            (b" " * 500_000 + b"x", "column 500001: expected a value"),
            (b'["' + b"\\u0041" * 100_000 + b'\\ud800"]', "column 600003: expected a pair"),
        ],
        ids=["arrays", "escapes", "blanks", "surrogate"],
    )
    def test_no_depth_and_no_length_is_too_much(self, body: bytes, message: str) -> None:
        begun = time.process_time()
        assert message in describe_syntax_error(body)
        assert time.process_time() - begun < 1
