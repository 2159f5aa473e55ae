"""Invariants *one set of headers*, *no body where HTTP has none* and *legal headers*."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purewire.http.conditional import is_valid_etag
from purewire.http.messages import Asset, Request, Response, Unmodified
from purewire.http.responses import (
    COMMON,
    JSON,
    NO_STORE,
    PNG,
    Headers,
    build_response,
    conditional_response,
    etag_of,
    preflight_response,
)

BODY = b'{"a":1}'
MODIFIED = "Tue, 05 May 2026 12:00:00 GMT"
EARLIER = b"Tue, 05 May 2026 11:59:59 GMT"
CACHE: Headers = (("Cache-Control", "public, max-age=1"),)


def asking(method: str = "GET", **conditions: str) -> Request:
    lines = [
        (name.replace("_", "-").encode(), value.encode()) for name, value in conditions.items()
    ]
    return Request(method, b"/", tuple(lines))


class TestResponse:
    def test_has_the_common_headers_first_and_tells_of_its_body_last(self) -> None:
        assert build_response("GET", 200, JSON, b"{}", NO_STORE) == Response(
            200,
            (*COMMON, *NO_STORE, ("Content-Type", JSON), ("Content-Length", "2")),
            b"{}",
        )

    def test_head_gets_the_headers_of_the_body_alone(self) -> None:
        full = build_response("GET", 404, JSON, b"{}")
        assert build_response("HEAD", 404, JSON, b"{}") == Response(404, full.headers, b"")


class TestPreflight:
    def test_has_no_body_and_says_nothing_of_one(self) -> None:
        assert preflight_response(CACHE) == Response(204, (*COMMON, *CACHE))


class TestValidated:
    def test_a_body_is_sent_with_its_tag(self) -> None:
        sent = conditional_response(asking(), BODY, JSON, CACHE)
        tagged = (*CACHE, ("ETag", etag_of(BODY)))
        assert sent == build_response("GET", 200, JSON, BODY, tagged)

    def test_head_gets_the_tag_too(self) -> None:
        sent = conditional_response(asking("HEAD"), BODY, JSON)
        assert sent == Response(200, conditional_response(asking(), BODY, JSON).headers, b"")

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    @pytest.mark.parametrize("form", ["{}", "W/{}", '"x", {}', "*"])
    def test_a_client_that_has_the_body_gets_none(self, method: str, form: str) -> None:
        request = asking(method, if_none_match=form.format(etag_of(BODY)))
        assert conditional_response(request, BODY, JSON, CACHE) == Response(
            304, (*COMMON, *CACHE, ("ETag", etag_of(BODY)))
        )

    @pytest.mark.parametrize("known", ['"x"', "bare", '""'])
    def test_a_client_that_has_another_body_gets_this_one(self, known: str) -> None:
        assert conditional_response(asking(if_none_match=known), BODY, JSON).status == 200

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

    def test_what_the_source_reports_as_unmodified_is(self) -> None:
        found = Unmodified('"own"', MODIFIED)
        assert conditional_response(asking(), found, PNG, CACHE) == Response(
            304, (*COMMON, *CACHE, ("ETag", '"own"'), ("Last-Modified", MODIFIED))
        )

    def test_an_asset_without_validators_is_always_sent(self) -> None:
        assert conditional_response(
            asking(if_none_match='"x"'), Asset(b"png"), PNG
        ) == build_response("GET", 200, PNG, b"png")

    @pytest.mark.parametrize("etag", ["bare", '"a"\r\nX: y', '"a', '"\u2603"'])
    @pytest.mark.parametrize("modified", ["yesterday", f"{MODIFIED}\r\nX: y"])
    def test_a_validator_that_is_none_is_omitted(self, etag: str, modified: str) -> None:
        sent = conditional_response(asking(), Asset(b"png", etag, modified), PNG)
        assert sent == build_response("GET", 200, PNG, b"png")


class TestEtagOf:
    def test_is_a_digest_of_128_bits_in_quotes(self) -> None:
        assert etag_of(b"") == '"cae66941d9efbd404e4d88758ea67670"'

    @given(st.binary(), st.binary())
    def test_is_a_strong_tag_that_tells_bodies_apart(self, one: bytes, other: bytes) -> None:
        assert is_valid_etag(etag_of(one))
        assert (etag_of(one) == etag_of(other)) == (one == other)
