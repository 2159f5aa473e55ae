"""Invariant *no header raises*: any bytes get a verdict, in linear time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purewire.http.headers import (
    is_identity,
    is_length_allowed,
    is_sendable,
    media_type,
    parse_bounded_number,
)
from support.checks.costs import assert_linear

LIMIT = 16_384
lines = st.lists(st.binary(max_size=40), max_size=3).map(tuple)


class TestMediaType:
    @pytest.mark.parametrize(
        "line",
        [
            b"application/json",
            b"Application/JSON",
            b"application/json; charset=utf-8",
            b"application/json;charset=utf-8",
            b"application/json ; charset=utf-8",
            b'application/json; q="a;b"',
            b"application/json;",
        ],
    )
    def test_case_and_parameters_do_not_matter(self, line: bytes) -> None:
        assert media_type((line,)) == b"application/json"

    @pytest.mark.parametrize(
        "line",
        [
            b"",
            b"application/jsonp",
            b"application/json, application/json",
            b"text/json",
            b"application /json",
            b"; application/json",
            b"application/json\x00",
            b"application/json\xa0",
        ],
    )
    def test_anything_else_is_something_else(self, line: bytes) -> None:
        assert media_type((line,)) != b"application/json"

    def test_no_line_is_no_media_type(self) -> None:
        assert media_type(()) is None

    def test_more_than_one_line_is_no_media_type(self) -> None:
        assert media_type((b"application/json", b"application/json")) is None


class TestIdentity:
    @pytest.mark.parametrize(
        "sent",
        [
            (),
            (b"",),
            (b"identity",),
            (b"Identity",),
            (b"identity, IDENTITY",),
            (b"identity,",),
            (b" , ,",),
            (b"identity", b"identity"),
            (b"", b"identity"),
        ],
    )
    def test_identity_and_nothing_leave_the_body_as_it_is(self, sent: tuple[bytes, ...]) -> None:
        assert is_identity(sent)

    @pytest.mark.parametrize(
        "sent",
        [
            (b"gzip",),
            (b"identity, gzip",),
            (b"identity", b"br"),
            (b"identity;q=1",),
            (b"identit\xc3\xbd",),
            (b"*",),
        ],
    )
    def test_any_other_coding_does_not(self, sent: tuple[bytes, ...]) -> None:
        assert not is_identity(sent)


class TestContentLength:
    @pytest.mark.parametrize(
        "sent",
        [
            (),
            (b"0",),
            (b"16384",),
            (b"0016384",),
            (b"0" * 5000,),
            (b"0" * 5000 + b"1",),
            (b"12", b"12"),
        ],
    )
    def test_up_to_the_limit_is_allowed(self, sent: tuple[bytes, ...]) -> None:
        assert is_length_allowed(sent, LIMIT)

    @pytest.mark.parametrize(
        "sent", [(b"16385",), (b"99999",), (b"9" * 5000,), (b"9" * 5000, b"9" * 5000)]
    )
    def test_over_the_limit_is_rejected(self, sent: tuple[bytes, ...]) -> None:
        assert not is_length_allowed(sent, LIMIT)

    @pytest.mark.parametrize(
        "line",
        [
            b"",
            b"-1",
            b"+1",
            b"1_0",
            b"1.0",
            b"1e2",
            b"0x10",
            b" 1",
            b"1 ",
            b"1, 1",
            b"1,1",
            b"\xb2",
            "१".encode(),
            b"1\n",
            b"1\x00",
            b"ten",
        ],
    )
    def test_anything_but_ascii_digits_is_rejected(self, line: bytes) -> None:
        assert not is_length_allowed((line,), LIMIT)

    @pytest.mark.parametrize("sent", [(b"12", b"13"), (b"12", b"12", b"1"), (b"12", b"x")])
    def test_lines_that_differ_are_rejected(self, sent: tuple[bytes, ...]) -> None:
        assert not is_length_allowed(sent, LIMIT)

    @given(st.integers(0, 10**30), st.integers(0, 10**12), st.integers(0, 5))
    def test_is_the_comparison_of_the_numbers(self, number: int, limit: int, zeros: int) -> None:
        line = b"0" * zeros + str(number).encode()
        assert is_length_allowed((line,), limit) == (number <= limit)

    def test_cost_is_linear_in_the_digits(self) -> None:
        assert_linear(lambda line: is_length_allowed((line,), LIMIT), lambda n: b"9" * n, 500_000)


class TestBoundedNumber:
    @given(st.integers(0, 10**30), st.integers(0, 10**12))
    def test_is_the_number_or_one_past_the_limit(self, number: int, limit: int) -> None:
        assert parse_bounded_number(str(number).encode(), limit) == min(number, limit + 1)


class TestSendable:
    @pytest.mark.parametrize(
        "value", ["", "a", '"abc"', 'W/"a b"', "no-store, max-age=0", '"\x80\xff"', "Bearer", "ü"]
    )
    def test_visible_latin_1_text_is(self, value: str) -> None:
        assert is_sendable(value)

    @pytest.mark.parametrize(
        "value",
        [
            '"a"\r\nX: y',
            "a\rb",
            "a\nb",
            "a\n",
            "a\x00b",
            "a\tb",
            "\x7f",
            "\x1b[31m",
            " a",
            "a ",
            " ",
            "a\u2028b",
            "♫",
            "\ud800",
        ],
    )
    def test_controls_other_alphabets_and_outer_space_are_not(self, value: str) -> None:
        assert not is_sendable(value)

    def test_cost_is_linear(self) -> None:
        assert_linear(is_sendable, lambda n: "a " * n, 100_000)


class TestAnyBytes:
    @given(lines)
    def test_no_header_raises(self, sent: tuple[bytes, ...]) -> None:
        media_type(sent)
        is_identity(sent)
        is_length_allowed(sent, LIMIT)
