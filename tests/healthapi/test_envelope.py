"""The envelope and the headers, apart from any resource."""

import json

import pytest

from healthapi.errors import MESSAGE_OF, STATUS_OF, ErrorCode
from healthapi.http import envelope
from healthapi.http.envelope import Content
from purewire.http.messages import Request
from support.healthapi.health_client import DOCS_CACHE, check_response, header

GET = Request("GET", b"/")


class TestEnveloped:
    def test_members_are_in_the_order_of_the_specification(self) -> None:
        prepared = envelope.build_envelope("x", "2026-01-31T12:00:00", "anna", Content({"a": 1}))
        assert list(json.loads(prepared.asset.body).items()) == list(
            {
                "api_version": "v1",
                "resource": "x",
                "generated_at": "2026-01-31T12:00:00",
                "profile_id": "anna",
                "data": {"a": 1},
                "meta": {},
            }.items()
        )

    def test_without_a_profile_the_member_is_absent(self) -> None:
        prepared = envelope.build_envelope(
            "x", "2026-01-31T12:00:00", None, Content({}, {"count": 0})
        )
        assert "profile_id" not in json.loads(prepared.asset.body)
        assert json.loads(prepared.asset.body)["meta"] == {"count": 0}


class TestDocument:
    def test_it_may_be_kept_for_ten_minutes(self) -> None:
        response = envelope.build_document(b"text", "text/plain", (("X-A", "b"),)).respond(GET)
        assert header(response, "Cache-Control") == DOCS_CACHE
        assert header(response, "X-A") == "b"
        assert response.body == b"text"


class TestChart:
    def test_metadata_travel_in_ascii(self) -> None:
        response = envelope.build_chart(b"<svg/>", {"count": 3, "chart": "series"}).respond(GET)
        assert header(response, "X-Chart-Metadata") == '{"count":3,"chart":"series"}'
        assert header(response, "Access-Control-Expose-Headers") == "ETag, X-Chart-Metadata"

    def test_metadata_beyond_ascii_are_a_bug(self) -> None:
        with pytest.raises(UnicodeDecodeError):
            envelope.build_chart(b"<svg/>", {"theme": "\u2028"})


class TestErrorResponses:
    @pytest.mark.parametrize("code", STATUS_OF)
    def test_each_code_has_its_status_and_message(self, code: ErrorCode) -> None:
        allow = (("Allow", "GET, HEAD, OPTIONS"),) if code == "method_not_allowed" else ()
        response = envelope.error_response("GET", code, allow)
        check_response(GET, response)
        assert response.status == STATUS_OF[code]
        body = json.loads(response.body)
        assert body == {
            "api_version": "v1",
            "error": {"code": code, "message": MESSAGE_OF[code]},
        }

    def test_head_gets_no_body(self) -> None:
        get, head = (envelope.error_response(method, "not_found") for method in ("GET", "HEAD"))
        assert head.headers == get.headers
        assert head.body == b""
