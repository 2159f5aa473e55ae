"""Requests and responses are values."""

import attrs
import pytest

from purewire.http.messages import Request, Response


class TestRequest:
    def test_lines_of_one_name_are_given_in_order(self) -> None:
        request = Request("GET", b"/", ((b"a", b"1"), (b"b", b"2"), (b"a", b"3")))
        assert request.lines(b"a") == (b"1", b"3")

    def test_a_header_that_was_not_sent_has_no_lines(self) -> None:
        assert Request("GET", b"/").lines(b"a") == ()

    def test_the_query_is_empty_unless_given(self) -> None:
        assert Request("GET", b"/").query == b""

    def test_its_repr_names_headers_and_tells_no_values(self) -> None:
        shown = repr(Request("GET", b"/", ((b"authorization", b"Bearer hunter2"),)))
        assert "authorization" in shown
        assert "hunter2" not in shown

    def test_cannot_be_changed(self) -> None:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            Request("GET", b"/").method = "POST"  # type: ignore[misc]

    def test_equal_requests_are_equal(self) -> None:
        assert Request("GET", b"/", ((b"a", b"1"),)) == Request("GET", b"/", ((b"a", b"1"),))


class TestResponse:
    def test_has_no_body_unless_given_one(self) -> None:
        assert Response(204, ()).body == b""
