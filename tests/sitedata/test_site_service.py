"""The service as an exchange: one path, three methods, codings, conditions, errors."""

import gzip
import json
from collections.abc import Iterable

import pytest

from purewire.adapters.compression import CODINGS
from purewire.exchange import Effect, ReadSource, drive
from purewire.http.messages import Request, Response
from sitedata.serving.published import Published, publish
from sitedata.serving.service import PATH, Service
from support.checks.answer_rules import header
from support.sitedata.site_versions import LATER, body_of, snapshot_of

BODY = body_of(1)
PUBLISHED = publish(BODY, CODINGS)
SERVICE = Service()


def send(
    method: str = "GET",
    target: str = PATH,
    headers: Iterable[tuple[str, str]] = (),
    *,
    source: Published | Exception | None = PUBLISHED,
    service: Service = SERVICE,
) -> Response:
    """Send a request."""
    path, _, query = target.encode("latin-1").partition(b"?")
    lines = tuple((name.lower().encode(), value.encode("latin-1")) for name, value in headers)

    def perform(effect: Effect) -> object:
        assert effect == ReadSource(None)
        if isinstance(source, Exception):
            raise source
        return source

    return drive(service(Request(method, path, lines, query)), perform)


def code(response: Response) -> tuple[int, str]:
    return response.status, json.loads(response.body)["error"]["code"]


class TestGet:
    def test_the_file_is_sent_unchanged(self) -> None:
        response = send()
        assert response.status == 200
        assert response.body == BODY
        assert header(response, "Content-Type") == "application/json; charset=utf-8"
        assert header(response, "Content-Encoding") is None
        assert header(response, "Cache-Control") == (
            "public, max-age=300, stale-while-revalidate=600"
        )
        assert header(response, "Last-Modified") == "Thu, 01 Jan 2026 00:00:00 GMT"
        assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"
        assert header(response, "Vary") == "Accept-Encoding"

    @pytest.mark.parametrize(
        "query", ["?", "?page=2", "?limit=1&sort=asc", "?oj=cses", "?%00&=", "?x=" + "y" * 9000]
    )
    def test_the_query_is_ignored(self, query: str) -> None:
        """Invariant *the query is ignored*."""
        assert send(target=PATH + query) == send()

    def test_without_codings_there_is_no_vary(self) -> None:
        response = send(headers=[("Accept-Encoding", "gzip")], source=publish(BODY))
        assert response.body == BODY
        assert header(response, "Vary") is None

    def test_a_snapshot_of_the_future_has_no_last_modified(self) -> None:
        early = publish(snapshot_of(1, generated_at=LATER)).as_of(LATER - 1)
        response = send(
            source=early, headers=[("If-Modified-Since", "Mon, 01 Jan 2029 00:00:00 GMT")]
        )
        assert response.status == 200
        assert header(response, "Last-Modified") is None

    def test_cache_lifetimes_are_configurable(self) -> None:
        response = send(service=Service(max_age_seconds=0, stale_seconds=7))
        assert header(response, "Cache-Control") == "public, max-age=0, stale-while-revalidate=7"

    @pytest.mark.parametrize("name", ["max_age_seconds", "stale_seconds"])
    def test_negative_times_are_refused(self, name: str) -> None:
        with pytest.raises(ValueError, match="0 or more"):
            Service(**{name: -1})


class TestCodings:
    @pytest.mark.parametrize("coding", ["gzip", "zstd"])
    def test_a_client_gets_what_it_accepts(self, coding: str) -> None:
        response = send(headers=[("Accept-Encoding", coding)])
        assert response.body == PUBLISHED.encoded[coding].body
        assert header(response, "Content-Encoding") == coding
        assert header(response, "ETag") == PUBLISHED.encoded[coding].etag

    def test_lines_are_one_list(self) -> None:
        response = send(headers=[("Accept-Encoding", "br"), ("Accept-Encoding", "gzip;q=0.5")])
        assert gzip.decompress(response.body) == BODY


class TestConditions:
    @pytest.mark.parametrize("coding", ["identity", "gzip", "zstd"])
    def test_a_current_copy_is_not_sent_again(self, coding: str) -> None:
        accepts = ("Accept-Encoding", coding)
        whole = send(headers=[accepts])
        tag = header(whole, "ETag")
        assert tag is not None
        for condition in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            response = send(headers=[accepts, ("If-None-Match", condition)])
            assert response.status == 304
            dropped = {"Content-Type", "Content-Length", "Content-Encoding"}
            assert response.headers == tuple(
                (name, value) for name, value in whole.headers if name not in dropped
            )

    @pytest.mark.parametrize(
        ("since", "status"),
        [
            ("Thu, 01 Jan 2026 00:00:00 GMT", 304),
            ("Thu, 01 Jan 2026 00:00:01 GMT", 304),
            ("Wed, 31 Dec 2025 23:59:59 GMT", 200),
            ("yesterday", 200),
        ],
    )
    def test_dates_compare_with_the_build_time(self, since: str, status: int) -> None:
        assert send(headers=[("If-Modified-Since", since)]).status == status


class TestErrors:
    @pytest.mark.parametrize("path", ["/", "", f"{PATH}/", PATH.upper()])
    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_any_other_path_is_404(self, path: str, method: str) -> None:
        assert code(send(method, path, source=OSError())) == (404, "not_found")

    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "get", "", "TRACE"])
    def test_any_other_method_is_405(self, method: str) -> None:
        response = send(method, source=OSError())
        assert code(response) == (405, "method_not_allowed")
        assert header(response, "Allow") == "GET, HEAD, OPTIONS"

    @pytest.mark.parametrize("source", [None, OSError("secret"), RuntimeError("secret")])
    def test_without_a_snapshot_503(self, source: Exception | None) -> None:
        """Invariant *failure is not absence*."""
        response = send(source=source, headers=[("If-None-Match", "*")])
        assert code(response) == (503, "service_unavailable")
        assert b"secret" not in response.body
