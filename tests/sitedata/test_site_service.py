"""What is PUBLISHED, and the service as an exchange: path, methods, conditions, errors."""

import json
from collections.abc import Iterable
from hashlib import blake2b

import pytest

from sitedata import SiteDataError, encode
from sitedata.service import PATH, Published, Service, publish
from status_contracts.conditional import is_valid_etag
from status_contracts.exchange import Effect, ReadSource, drive
from status_contracts.messages import Request, Response
from support.checks.answer_rules import header
from support.sitedata.site_versions import GENERATED_AT, LATER, body_of, snapshot_of

BODY = body_of(1)
PUBLISHED = publish(BODY)
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


@pytest.mark.rule("SD-HTTP-12")
class TestPublish:
    def test_bytes_are_sent_unchanged(self) -> None:
        spaced = BODY.replace(b',"', b', "')
        assert publish(spaced).asset.body == spaced

    def test_a_snapshot_is_encoded(self) -> None:
        assert publish(snapshot_of(3)).asset.body == encode(snapshot_of(3))

    @pytest.mark.parametrize("body", [b"", b"{", b"{}", b"null", BODY[:-3]])
    def test_an_invalid_snapshot_is_refused(self, body: bytes) -> None:
        """Invariant *valid only*."""
        with pytest.raises(SiteDataError):
            publish(body)

    def test_a_snapshot_that_cannot_be_encoded_is_refused_at_once(self) -> None:
        with pytest.raises(ValueError, match="year"):
            publish(snapshot_of(1, generated_at=10**18))


class TestValidators:
    def test_the_tag_is_strong_and_of_these_bytes(self) -> None:
        """Invariant *one tag, one body*."""
        asset = PUBLISHED.asset
        assert asset.etag == f'"{blake2b(BODY, digest_size=16).hexdigest()}"'
        assert is_valid_etag(asset.etag)
        assert publish(BODY).asset == asset
        assert publish(body_of(2)).asset.etag != asset.etag

    def test_last_modified_is_when_it_was_built(self) -> None:
        assert PUBLISHED.asset.last_modified == "Thu, 01 Jan 2026 00:00:00 GMT"

    @pytest.mark.parametrize("now", [GENERATED_AT - LATER, GENERATED_AT, GENERATED_AT + 999])
    def test_no_last_modified_in_the_same_second_or_later(self, now: int) -> None:
        """Invariant *no future Last-Modified*."""
        early = PUBLISHED.as_of(now).asset
        assert early.last_modified is None
        assert (early.etag, early.body) == (PUBLISHED.asset.etag, BODY)

    def test_from_the_next_second_on_last_modified_is_sent(self) -> None:
        assert PUBLISHED.as_of(GENERATED_AT + 1000) is PUBLISHED


@pytest.mark.rule("SD-CACHE-04")
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

    def test_a_snapshot_of_the_future_has_no_last_modified(self) -> None:
        early = publish(snapshot_of(1, generated_at=LATER)).as_of(LATER - 1)
        response = send(
            source=early, headers=[("If-Modified-Since", "Mon, 01 Jan 2029 00:00:00 GMT")]
        )
        assert response.status == 200
        assert header(response, "Last-Modified") is None


class TestConditions:
    def test_a_current_copy_is_not_sent_again(self) -> None:
        whole = send()
        tag = header(whole, "ETag")
        assert tag is not None
        for condition in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            response = send(headers=[("If-None-Match", condition)])
            assert response.status == 304
            dropped = {"Content-Type", "Content-Length"}
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


@pytest.mark.rule("SD-ERROR-02")
class TestErrors:
    def test_a_preflight_allows_conditional_requests(self) -> None:
        response = send("OPTIONS")
        assert response.status == 204
        assert header(response, "Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS"
        allowed = header(response, "Access-Control-Allow-Headers")
        assert allowed == "If-None-Match, If-Modified-Since"

    @pytest.mark.parametrize("source", [None, OSError("secret"), RuntimeError("secret")])
    def test_without_a_snapshot_503(self, source: Exception | None) -> None:
        """Invariant *failure is not absence*."""
        response = send(source=source, headers=[("If-None-Match", "*")])
        assert code(response) == (503, "service_unavailable")
        assert b"secret" not in response.body
