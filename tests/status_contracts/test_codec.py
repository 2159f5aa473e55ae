"""JSON text by RFC 8259: the public suite, and the three verdicts where parsers have quirks."""

import base64
import json
import math
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from status_contracts.json_text import BOM, JsonDepthError, JsonTextError, decode, encode

CORPUS = Path(__file__).parents[1] / "data" / "corpora" / "json_test_suite.jsonl"
MARK = b"\xef\xbb\xbf"
DEEP = 100_000
NEEDED = 12
"""Frames that a verdict and its helpers need on the stack."""


class Case(NamedTuple):
    """A case of a packed corpus; `expect` is accept, reject or either."""

    name: str
    expect: str
    body: bytes


SUITE = [
    Case(case["name"], case["expect"], base64.b64decode(case["body_b64"]))
    for case in map(json.loads, CORPUS.read_text("utf-8").splitlines())
]


def verdict(body: bytes) -> str:
    try:
        decode(body)
    except JsonTextError:
        return "broken"
    except JsonDepthError:
        return "deep"
    return "value"


def at_depth(frames: int, body: bytes) -> str:
    """Return the verdict with that many more frames on the caller's stack."""
    return at_depth(frames - 1, body) if frames else verdict(body)


class TestPublicSuite:
    """JSONTestSuite: each body is accepted or refused as listed; nothing else is raised."""

    def test_the_verdict_is_the_one_of_the_suite(self) -> None:
        allowed = {"accept": ["value"], "reject": ["broken", "deep"], "either": ["value", "broken"]}
        failures = [case.name for case in SUITE if verdict(case.body) not in allowed[case.expect]]
        assert not failures

    def test_an_accepted_text_has_the_value_of_the_standard_library(self) -> None:
        accepted = [case for case in SUITE if verdict(case.body) == "value"]
        failures = [
            case.name
            for case in accepted
            if decode(case.body) != json.loads(case.body.removeprefix(BOM).decode())
        ]
        assert not failures

    def test_the_suite_is_whole(self) -> None:
        counts = Counter(case.expect for case in SUITE)
        assert counts == {"accept": 95, "reject": 188, "either": 35}


class TestThreeVerdicts:
    """Values, broken text, or text that is too deep; nothing else is raised."""

    @pytest.mark.parametrize(
        "body",
        [
            b'"\xff"',
            b'"\xc0\xaf"',
            b'"\xed\xa0\x80"',
            b'"\xf4\x90\x80\x80"',
            b"{}\xff",
            '"名"'.encode("utf-16"),
            "{}".encode("utf-16-le"),
            *(MARK + MARK + b"1", b" " + MARK + b"1", b"1" + MARK, MARK[:2] + b"1", b"\xfe\xff1"),
        ],
    )
    def test_bytes_that_are_not_utf_8_and_a_mark_elsewhere_are_broken(self, body: bytes) -> None:
        assert verdict(body) == "broken"

    @pytest.mark.parametrize(
        ("text", "value"), [(b"[1e999]", [math.inf]), (b'{"\xef\xbb\xbf":1}', {"\ufeff": 1})]
    )
    def test_one_byte_order_mark_is_dropped(self, text: bytes, value: object) -> None:
        assert decode(MARK + text) == decode(text) == value


DEEP_TEXTS = {
    "arrays": b"[" * DEEP + b"]" * DEEP,
    "mixed": b'[{"a":' * DEEP + b"null" + b"}]" * DEEP,
    "brackets in text": b"[" * DEEP + b'"]]]\\"}}"' + b"]" * DEEP,
    "unclosed": b"[" * 524_288,
    "one bracket missing": b"[" * DEEP + b"]" * (DEEP - 1),
    "one wrong bracket": b"[" * DEEP + b"}" + b"]" * (DEEP - 1),
    "a lone surrogate": b"[" * DEEP + b'"\\ud800"' + b"]" * DEEP,
    "neighbours on both sides": b'[{"a":[],"b":' * DEEP + b'"c"' + b',"d":{}},{}]' * DEEP,
    "a long number within": b"[" * DEEP + b"9" * 60_000 + b"]" * DEEP,
}
REFUSED = ("broken", "deep")


class TestDepth:
    """Deep text is refused, whether it is broken or not; no depth crashes or takes long."""

    @pytest.mark.parametrize("name", DEEP_TEXTS)
    def test_deep_text_is_refused_at_once(self, name: str) -> None:
        begun = time.process_time()
        assert verdict(DEEP_TEXTS[name]) in REFUSED
        assert time.process_time() - begun < 1

    def test_what_is_broken_before_it_is_deep_is_broken(self) -> None:
        assert verdict(b"[1 " + DEEP_TEXTS["arrays"]) == "broken"
        assert verdict(b"\xff" + DEEP_TEXTS["arrays"]) == "broken"

    @pytest.mark.parametrize(("before", "after"), [(b"[", b"]"), (b'{"a":', b"}")])
    def test_every_depth_has_one_of_its_verdicts(self, before: bytes, after: bytes) -> None:
        depths = range(1, 3000, 17)
        sound = [verdict(before * depth + b"1" + after * depth) for depth in depths]
        assert sound == sorted(sound, key=["value", "deep"].index)
        assert sound[:4] == ["value"] * 4
        assert {verdict(before * depth + b"1") for depth in depths} <= {*REFUSED}

    def test_a_deep_stack_of_the_caller_turns_values_into_deep_text_and_nothing_else(self) -> None:
        most = _free_frames() - NEEDED
        for frames in (100, 300, 500, 700, 900, most):
            for depth in (1, 150, 300, 600, 2000):
                body = b"[" * depth + b"]" * depth
                assert at_depth(min(frames, most), body) in ("value", "deep")
                assert at_depth(min(frames, most), body[:-1]) in REFUSED
        assert at_depth(most, b'{"a":[1,{"b":2.5}]}') in ("value", "deep")


def _free_frames() -> int:
    """Return how many frames the caller may add before the interpreter refuses."""

    def deeper(frames: int) -> int:
        try:
            return deeper(frames + 1)
        except RecursionError:
            return frames

    return deeper(0)


class TestNumbers:
    """Digits alone are exact integers, other numbers doubles, too large ones infinities."""

    @pytest.mark.parametrize(
        "digits",
        [
            "0",
            "9007199254740993",
            "9223372036854775808",
            "-9223372036854775809",
            "18446744073709551616",
            "9" * 400,
            "-" + "9" * 399,
        ],
    )
    def test_digits_alone_are_exact(self, digits: str) -> None:
        value = decode(digits.encode())
        assert type(value) is int
        assert str(value) == digits

    def test_digits_are_exact_beside_a_number_that_is_too_large(self) -> None:
        body = b"[1e999," + b"9" * 400 + b",-" + b"9" * 399 + b"," + b"9" * 401 + b"]"
        *values, too_long = _list(body)
        assert values == [math.inf, 10**400 - 1, 1 - 10**399]
        assert too_long > sys.float_info.max  # type: ignore[operator]

    def test_minus_zero_is_the_integer_zero(self) -> None:
        value = decode(b"-0")
        assert type(value) is int
        assert value == 0

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            (b"1e+2", 100.0),
            (b"-0.0", -0.0),
            (b"9007199254740993.0", 9007199254740992.0),
            (b"1.00000000000000011102230246251565404", 1.0),
            (b"1.00000000000000011102230246251565405", 1.0000000000000002),
            (b"4.9e-324", 5e-324),
            (b"1.7976931348623157e308", sys.float_info.max),
            (b"123456789" * 40 + b"e-350", float("123456789" * 40 + "e-350")),
            (b"0." + b"3" * 5000, 1 / 3),
            (b"0e99999999999999999999", 0.0),
        ],
    )
    def test_other_numbers_are_the_nearest_double(self, text: bytes, value: float) -> None:
        read = decode(text)
        assert type(read) is float
        assert (read, math.copysign(1, read)) == (value, math.copysign(1, value))

    @pytest.mark.parametrize(
        "text", [b"1e999", b"1e309", b"1.8e308", b"1" * 400 + b".0", b"1e99999999999999999999"]
    )
    @pytest.mark.parametrize("sign", [b"", b"-"])
    def test_a_number_too_large_for_a_double_is_an_infinity(self, sign: bytes, text: bytes) -> None:
        assert decode(sign + text) == float(sign + b"inf")

    @pytest.mark.parametrize("digits", [401, 640, 641, 4300, 4301, 520_000])
    def test_more_digits_than_any_double_has_are_larger_than_every_limit(self, digits: int) -> None:
        more: Any = decode(b"9" * digits)
        less: Any = decode(b"-" + b"9" * digits)
        assert less < -sys.float_info.max < sys.float_info.max < more

    @pytest.mark.parametrize("limit", [0, 640])
    def test_the_interpreters_limit_on_digits_changes_no_verdict(self, limit: int) -> None:
        """The limit is the host's; four hundred digits are read exactly whatever it is."""
        code = (
            "from status_contracts.json_text import decode\n"
            "assert decode(b'[' + b'9' * 400 + b']') == [10**400 - 1]\n"
            "for digits in (401, 641, 4300, 4301, 5000, 500_000):\n"
            "    for tail in (b'', b'.5', b'e1'):\n"
            "        assert decode(b'9' * digits + tail) > 1.7976931348623157e308\n"
        )
        command = [sys.executable, "-X", f"int_max_str_digits={limit}", "-c", code]
        subprocess.run(command, check=True)


def _list(body: bytes) -> list[object]:
    value = decode(body)
    assert isinstance(value, list)
    return value


class TestText:
    """Bytes that are not UTF-8, and lone surrogates as escapes, are broken text."""

    @pytest.mark.parametrize(
        "text",
        [
            rb'"\ud800"',
            rb'"\udfff"',
            rb'"\uDfFf"',
            rb'"\ud800\ud800"',
            rb'"\ud83d\ude00\ud83d"',
            rb'"\ud83d\u0041"',
            rb'"\ud83d\\ude00"',
            rb'"\\\ud800"',
            rb'{"\ud800":1}',
            rb'{"a":"\ud800","a":"sound"}',
        ],
    )
    def test_an_escaped_lone_surrogate_is_broken(self, text: bytes) -> None:
        assert verdict(text) == "broken"
        assert verdict(b"[1e999," + text + b"]") == "broken"  # the same on the slow path

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            (rb'"\ud83d\ude00"', "😀"),
            (rb'"\ud800\udc00\udbff\udfff"', "\U00010000\U0010ffff"),
            (rb'"\\ud800"', "\\ud800"),
            (rb'"\\\ud83d\ude00"', "\\😀"),
            (rb'"\ud7ff\ue000"', "\ud7ff\ue000"),
            (rb'"\u0000\u001f\u007f"', "\x00\x1f\x7f"),
            (rb'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
            (b'"\xf4\x8f\xbf\xbf"', "\U0010ffff"),
        ],
    )
    def test_paired_escapes_and_other_text_are_read(self, text: bytes, value: str) -> None:
        assert decode(text) == value
        assert decode(b"[1e999," + text + b"]") == [math.inf, value]

    @pytest.mark.parametrize("tail", [b"", b",1e999"])
    def test_of_members_with_one_name_the_last_counts(self, tail: bytes) -> None:
        body = b'[{"a":1,"b":2,"\\u0061":{"a":3,"a":4}}' + tail + b"]"
        assert _list(body)[0] == {"a": {"a": 4}, "b": 2}


class TestEncode:
    def test_text_is_compact_utf_8(self) -> None:
        value = {"a": [1, 1.5, True, None], "名前": 'a"\\\n\x7f🎵'}
        assert encode(value) == '{"a":[1,1.5,true,null],"名前":"a\\"\\\\\\n\x7f🎵"}'.encode()

    def test_a_lone_surrogate_cannot_be_written(self) -> None:
        with pytest.raises(UnicodeEncodeError):
            encode("\ud800")


class TestErrors:
    """Invariant *errors contain no input*."""

    @pytest.mark.parametrize(
        "body",
        [
            b'{"a": "canary"',
            b'"canary\xff"',
            b'["canary", nan]',
            b'"canary\\ud800"',
            b"[" * 200_000,
            DEEP_TEXTS["arrays"],
        ],
        ids=["truncated", "no UTF-8", "no number", "surrogate", "deep and truncated", "deep"],
    )
    def test_no_error_has_a_context(self, body: bytes) -> None:
        with pytest.raises((JsonTextError, JsonDepthError)) as caught:
            decode(body)
        assert (caught.value.__context__, caught.value.__cause__) == (None, None)
        assert "canary" not in str(caught.value)
