"""Requests and responses as values: all invariants of `status_contracts.messages`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.conditional import is_valid_etag
from status_contracts.messages import (
    COMMON,
    JSON,
    NO_STORE,
    PNG,
    Asset,
    Headers,
    Request,
    Response,
    build_response,
    conditional_response,
    encoded_headers,
    etag_of,
    is_identity,
    is_length_allowed,
    media_type,
)
from support.checks.costs import assert_linear

LIMIT = 16_384
lines = st.lists(st.binary(max_size=40), max_size=3).map(tuple)
BODY = b'{"a":1}'
MODIFIED = "Tue, 05 May 2026 12:00:00 GMT"
EARLIER = b"Tue, 05 May 2026 11:59:59 GMT"
CACHE: Headers = (("Cache-Control", "public, max-age=1"),)


def asking(method: str = "GET", **conditions: str) -> Request:
    lines = [
        (name.replace("_", "-").encode(), value.encode()) for name, value in conditions.items()
    ]
    return Request(method, b"/", tuple(lines))


def test_the_common_headers_are_three() -> None:
    assert dict(COMMON) == {
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }


def test_what_no_cache_may_store_says_so_to_content_networks_too() -> None:
    assert dict(NO_STORE) == {
        "Cache-Control": "no-store, max-age=0",
        "CDN-Cache-Control": "no-store",
        "Cloudflare-CDN-Cache-Control": "no-store",
    }


class TestRequest:
    def test_its_repr_names_headers_and_tells_no_values(self) -> None:
        shown = repr(Request("GET", b"/", ((b"authorization", b"Bearer hunter2"),)))
        assert "authorization" in shown
        assert "hunter2" not in shown


class TestMediaType:
    @pytest.mark.parametrize(
        ("line", "is_json"),
        [
            (b"application/json", True),
            (b"Application/JSON", True),
            (b"application/json; charset=utf-8", True),
            (b"application/json ; charset=utf-8", True),
            (b'application/json; q="a;b"', True),
            (b"", False),
            (b"application/jsonp", False),
            (b"application/json, application/json", False),
            (b"application /json", False),
            (b"; application/json", False),
            (b"application/json\xa0", False),
        ],
    )
    def test_case_and_parameters_alone_do_not_matter(self, line: bytes, is_json: bool) -> None:
        assert (media_type((line,)) == b"application/json") == is_json

    @pytest.mark.parametrize("number", [0, 2])
    def test_one_line_is_a_media_type_and_no_other_number(self, number: int) -> None:
        assert media_type((b"application/json",) * number) is None


class TestIdentity:
    @pytest.mark.parametrize(
        ("sent", "is_left"),
        [
            ((), True),
            ((b"",), True),
            ((b"identity",), True),
            ((b"identity, IDENTITY",), True),
            ((b" , ,",), True),
            ((b"", b"identity"), True),
            ((b"gzip",), False),
            ((b"identity, gzip",), False),
            ((b"identity", b"br"), False),
            ((b"identity;q=1",), False),
            ((b"identit\xc3\xbd",), False),
            ((b"*",), False),
        ],
    )
    def test_identity_and_nothing_leave_the_body_as_it_is_and_no_other_coding_does(
        self, sent: tuple[bytes, ...], is_left: bool
    ) -> None:
        assert is_identity(sent) == is_left


class TestContentLength:
    @pytest.mark.parametrize(
        "line", [b"", b"-1", b"+1", b"1_0", b" 1", b"1, 1", b"\xb2", "१".encode(), b"1\n"]
    )
    def test_anything_but_ascii_digits_is_rejected(self, line: bytes) -> None:
        assert not is_length_allowed((line,), LIMIT)

    @pytest.mark.parametrize("sent", [(b"12", b"13"), (b"12", b"12", b"1"), (b"12", b"x")])
    def test_lines_that_differ_are_rejected(self, sent: tuple[bytes, ...]) -> None:
        assert not is_length_allowed(sent, LIMIT)
        assert is_length_allowed(sent[:1] * 2, LIMIT)
        assert is_length_allowed((), LIMIT)

    @given(st.integers(0, 10**30), st.integers(0, 10**12), st.integers(0, 5))
    def test_is_the_comparison_of_the_numbers(self, number: int, limit: int, zeros: int) -> None:
        line = b"0" * zeros + str(number).encode()
        assert is_length_allowed((line,), limit) == (number <= limit)

    def test_cost_is_linear_in_the_digits(self) -> None:
        assert_linear(lambda line: is_length_allowed((line,), LIMIT), lambda n: b"9" * n, 500_000)


class TestAnyBytes:
    @given(lines)
    def test_no_header_raises(self, sent: tuple[bytes, ...]) -> None:
        media_type(sent)
        is_identity(sent)
        is_length_allowed(sent, LIMIT)


class TestResponse:
    def test_has_the_common_headers_first_and_tells_of_its_body_last(self) -> None:
        assert build_response("GET", 200, JSON, b"{}", NO_STORE) == Response(
            200, (*COMMON, *NO_STORE, ("Content-Type", JSON), ("Content-Length", "2")), b"{}"
        )

    def test_head_gets_the_headers_of_the_body_alone(self) -> None:
        full = build_response("GET", 404, JSON, b"{}")
        assert build_response("HEAD", 404, JSON, b"{}") == Response(404, full.headers, b"")


class TestValidated:
    def test_a_body_is_sent_with_its_tag(self) -> None:
        sent = conditional_response(asking(), BODY, JSON, CACHE)
        tagged = (*CACHE, ("ETag", etag_of(BODY)))
        assert sent == build_response("GET", 200, JSON, BODY, tagged)

    def test_head_gets_the_tag_too(self) -> None:
        sent = conditional_response(asking("HEAD"), BODY, JSON)
        assert sent == Response(200, conditional_response(asking(), BODY, JSON).headers, b"")

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_a_client_that_has_the_body_gets_none(self, method: str) -> None:
        request = asking(method, if_none_match=etag_of(BODY))
        assert conditional_response(request, BODY, JSON, CACHE) == Response(
            304, (*COMMON, *CACHE, ("ETag", etag_of(BODY)))
        )

    def test_an_asset_keeps_its_own_validators(self) -> None:
        asset = Asset(b"png", '"own"', MODIFIED)
        lines = (*CACHE, ("ETag", '"own"'), ("Last-Modified", MODIFIED))
        assert conditional_response(asking(), asset, PNG, CACHE) == build_response(
            "GET", 200, PNG, b"png", lines
        )
        unmodified = Response(304, (*COMMON, *lines))
        assert conditional_response(asking(if_none_match='"own"'), asset, PNG, CACHE) == unmodified
        assert (
            conditional_response(asking(if_modified_since=MODIFIED), asset, PNG, CACHE)
            == unmodified
        )
        since = asking(if_modified_since=EARLIER.decode())
        assert conditional_response(since, asset, PNG).status == 200

    @pytest.mark.parametrize("etag", [None, "bare", '"a"\r\nX: y', '"a', '"\u2603"'])
    @pytest.mark.parametrize("modified", [None, "yesterday", f"{MODIFIED}\r\nX: y"])
    def test_a_validator_that_is_none_is_omitted_and_the_asset_always_sent(
        self, etag: str | None, modified: str | None
    ) -> None:
        sent = conditional_response(asking(if_none_match='"x"'), Asset(b"png", etag, modified), PNG)
        assert sent == build_response("GET", 200, PNG, b"png")


class TestEncodedHeaders:
    def test_names_are_lower_case(self) -> None:
        assert encoded_headers(Response(200, (("ETag", '"é"'),), b"")) == [(b"etag", b'"\xe9"')]


class TestEtagOf:
    def test_is_a_digest_of_128_bits_in_quotes(self) -> None:
        assert etag_of(b"") == '"cae66941d9efbd404e4d88758ea67670"'

    @given(st.binary(), st.binary())
    def test_is_a_strong_tag_that_tells_bodies_apart(self, one: bytes, other: bytes) -> None:
        assert is_valid_etag(etag_of(one))
        assert (etag_of(one) == etag_of(other)) == (one == other)
