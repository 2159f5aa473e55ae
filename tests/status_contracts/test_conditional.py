"""Invariants *tags before dates* and *doubt sends the bytes*."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from status_contracts.conditional import http_date, is_unmodified, is_valid_etag, parse_http_date
from status_contracts.messages import Request
from support.checks.costs import assert_linear

MODIFIED = "Tue, 03 Feb 2026 04:05:06 GMT"
TAG = '"abc"'
EARLIEST_MS = -62_135_596_800_000  # 0001-01-01
LATEST_MS = 253_402_300_799_999  # 9999-12-31

instants = st.datetimes(timezones=st.just(UTC)).map(lambda at: at.replace(microsecond=0))
tag_texts = st.text(st.characters(min_codepoint=0x21, max_codepoint=0xFF), max_size=12)


def lists(field: str, etag: str | None = TAG) -> bool:
    return is_unmodified(field, None, etag, MODIFIED)


def since(field: str, last_modified: str | None = MODIFIED) -> bool:
    return is_unmodified(None, field, TAG, last_modified)


class TestJoined:
    @pytest.mark.parametrize(
        ("lines", "value"),
        [
            ((), None),
            ((b"",), ""),
            ((b'"a"', b'"b"'), '"a", "b"'),
            ((b'"\x80\xff"',), '"\x80\xff"'),
        ],
    )
    def test_lines_are_joined_by_a_comma(self, lines: tuple[bytes, ...], value: str | None) -> None:
        headers = [(b"x", b"y"), *((b"if-none-match", line) for line in lines)]
        assert Request("GET", b"/", tuple(headers)).joined(b"if-none-match") == value

    def test_an_empty_list_and_two_dates_match_nothing(self) -> None:
        assert not is_unmodified("", MODIFIED, TAG, MODIFIED)
        assert not since(f"{MODIFIED}, {MODIFIED}")


class TestIfNoneMatch:
    @pytest.mark.parametrize(
        ("field", "matches"),
        [
            (" \t" + TAG + " ", True),
            (',,"abc",,', True),
            ('junk, "abc"', True),
            ('"unclosed, "abc"', True),
            ('*, "abc"', True),
            *((field, False) for field in ("", ",", '"abc', 'w/"abc"', 'x"abc"', '"abc"x', "**")),
            *((field, False) for field in ('"abc" "x"', '"abc"\n', '*, "x"', '"a,"abc')),
        ],
    )
    def test_a_listed_tag_matches_and_nothing_else_does(self, field: str, matches: bool) -> None:
        assert lists(field) == matches

    @pytest.mark.parametrize("etag", ["abc", '"a b"', '"a"b"', "", "W/abc", '"abc"\r\nX: y'])
    def test_a_resource_with_a_broken_tag_has_none(self, etag: str) -> None:
        assert not lists(etag, etag)
        assert not lists(TAG, etag)

    @example(["abc"], "abc", "", "W/")
    @given(st.lists(tag_texts), tag_texts, st.sampled_from(["", "W/"]), st.sampled_from(["", "W/"]))
    def test_a_list_of_tags_matches_when_one_is_the_resources(
        self, texts: list[str], own: str, sent: str, kept: str
    ) -> None:
        texts, own = [text.replace('"', "") for text in texts], own.replace('"', "")
        clean = {text for text in texts if "\x7f" not in text}
        field = ", ".join(f'{sent}"{text}"' for text in texts)
        assert lists(field, f'{kept}"{own}"') == (own in clean and is_valid_etag(f'"{own}"'))

    @pytest.mark.parametrize("member", ['"x",', '"', '"a,b"c,'])
    def test_cost_is_linear_in_the_members(self, member: str) -> None:
        assert_linear(lists, lambda n: member * n + "x", 15_000)


class TestIfModifiedSince:
    @pytest.mark.parametrize("last_modified", [None, "", "yesterday"])
    def test_a_resource_without_a_readable_date_is_sent(self, last_modified: str | None) -> None:
        assert not since(MODIFIED, last_modified)


class TestValidEtag:
    @pytest.mark.parametrize(
        ("text", "is_one"),
        [
            *((text, True) for text in ('""', '"a"', 'W/"a"', '"a,b"', '"\x80\xff"', '"\'!~"')),
            *((text, False) for text in ("", "a", '"', '"a', 'w/"a"', 'W"a"', '"a b"', '"a"b"')),
            *((text, False) for text in ('"\x7f"', '"a"\n', '"\n"', '"Ā"')),
        ],
    )
    def test_tags_and_other_text(self, text: str, is_one: bool) -> None:
        assert is_valid_etag(text) == is_one


class TestHttpDate:
    @pytest.mark.parametrize(
        ("ms", "text"),
        [
            (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"),  # of the standard
            (EARLIEST_MS, "Mon, 01 Jan 0001 00:00:00 GMT"),
            (LATEST_MS, "Fri, 31 Dec 9999 23:59:59 GMT"),
            *((ms, "Thu, 01 Jan 1970 00:00:00 GMT") for ms in (0, 999)),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ],
    )
    def test_parts_of_a_second_are_cut_before_the_epoch_too(self, ms: int, text: str) -> None:
        assert http_date(ms) == text

    @given(st.integers(EARLIEST_MS, LATEST_MS))
    def test_is_read_back_as_the_whole_second(self, ms: int) -> None:
        assert parse_http_date(http_date(ms)) == ms // 1000 * 1000


class TestParseHttpDate:
    @given(instants)
    def test_what_asctime_writes(self, at: datetime) -> None:
        text = time.asctime((*at.timetuple()[:8], 0))
        ms = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
        if at.year >= 1000:  # asctime writes earlier years with fewer than four digits
            assert parse_http_date(text) == ms

    @given(st.datetimes(datetime(1969, 1, 1), datetime(2068, 12, 31)))  # noqa: DTZ001 - a civil time
    def test_two_digit_years_are_those_of_the_last_and_this_century(self, at: datetime) -> None:
        at = at.replace(microsecond=0, tzinfo=UTC)
        text = f"{at:%A}, {at:%d}-{at:%b}-{at:%y} {at:%H:%M:%S} GMT"
        ms = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
        assert parse_http_date(text) == ms

    def test_a_leap_day_needs_a_leap_year(self) -> None:
        assert parse_http_date("Thu, 29 Feb 2024 00:00:00 GMT") == 1_709_164_800_000
        assert parse_http_date("Sat, 29 Feb 2025 00:00:00 GMT") is None
        assert parse_http_date("Tuesday, 29-Feb-00 00:00:00 GMT") == 951_782_400_000

    @pytest.mark.parametrize(
        "text",
        [
            *("", "Tue, 3 Feb 2026 04:05:06 GMT", "Tue, 00 Feb 2026 04:05:06 GMT"),
            *("Tue, 31 Feb 2026 04:05:06 GMT", "Tue, 03 Feb 0000 04:05:06 GMT"),
            *("Tue, 03 Feb 2026 24:00:00 GMT", "Tue, 03 Feb 2026 04:60:00 GMT"),
            *("Tue, 03 Feb 2026 04:05:60 GMT", "Sat, 31 Dec 2016 23:59:60 GMT"),
            *("Wed, 03 Feb 2026 04:05:06 GMT", "Wednesday, 03-Feb-26 04:05:06 GMT"),
            *("Tue, 03 Feb 2026 04:05:06 UTC", "Tue, 03 Feb 2026 04:05:06"),
            *("Tue, 03 Feb 2026 04:05:06 GMT\n", "Tuesday, 03-Feb-2026 04:05:06 GMT"),
            *("Tuesday, 31-Feb-26 04:05:06 GMT", "Tue Feb 3 04:05:06 2026"),
            "Tue, ٠٣ Feb 2026 04:05:06 GMT",
            "Tue, 03 Feb " + "2" * 5000 + " 04:05:06 GMT",
        ],
    )
    def test_other_text_is_no_date(self, text: str) -> None:
        assert parse_http_date(text) is None


class TestAnyText:
    @given(st.text(max_size=40), st.text(max_size=40), st.none() | st.text(max_size=10))
    def test_gets_a_verdict(self, tags: str, date: str, etag: str | None) -> None:
        is_unmodified(tags, None, etag, MODIFIED)
        is_unmodified(None, date, etag, date)
        is_unmodified(None, MODIFIED, etag, date)

    @pytest.mark.parametrize("call", [since, parse_http_date, is_valid_etag])
    def test_long_text_costs_linear_time(self, call: Callable[[str], object]) -> None:
        assert_linear(call, lambda n: "Tue, 03 Feb " + " " * n, 100_000)
        assert_linear(call, lambda n: '"' + "x" * n, 100_000)
