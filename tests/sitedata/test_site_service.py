"""What is PUBLISHED, and the service as an exchange: path, methods, codings, conditions, errors."""

import gzip
import json
import zlib
from collections.abc import Iterable
from hashlib import blake2b

import pytest
import zstandard

from purewire.adapters.compression import CODINGS, GZIP, ZSTD
from purewire.exchange import Effect, ReadSource, drive
from purewire.http.conditional import is_valid_etag
from purewire.http.content_coding import ContentCoding, ContentCodingError
from purewire.http.messages import Request, Response
from sitedata import SiteDataError, encode
from sitedata.limits import MAX_BYTES
from sitedata.serving.service import PATH, Published, Service, publish
from support.checks.answer_rules import header
from support.sitedata.site_versions import GENERATED_AT, LATER, body_of, snapshot_of

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

    def test_every_coding_decodes_to_the_body(self) -> None:
        coded = PUBLISHED.encoded
        assert gzip.decompress(coded["gzip"].body) == BODY
        assert zstandard.decompress(coded["zstd"].body) == BODY

    def test_a_coding_that_saves_nothing_is_omitted(self) -> None:
        longer = ContentCoding("longer", lambda body: body + b"!", lambda body, most: body[:most])
        same = ContentCoding("same", lambda body: body, lambda body, most: body[:most])
        assert list(publish(BODY, [longer, GZIP, same]).encoded) == ["gzip"]

    def test_the_smallest_coding_is_first(self) -> None:
        halves = ContentCoding(
            "half", lambda body: body[: len(body) // 2], lambda body, most: body[:most]
        )
        tenth = ContentCoding(
            "tenth", lambda body: body[: len(body) // 10], lambda body, most: body[:most]
        )
        assert list(publish(BODY, [halves, tenth]).encoded) == ["tenth", "half"]


class TestValidators:
    def test_each_body_has_a_tag_of_its_own(self) -> None:
        """Invariant *one tag, one body*."""
        assets = [PUBLISHED.asset, *PUBLISHED.encoded.values()]
        for asset in assets:
            assert asset.etag == f'"{blake2b(asset.body, digest_size=16).hexdigest()}"'
            assert is_valid_etag(asset.etag)
        assert len({asset.etag for asset in assets}) == 3

    def test_the_same_bytes_have_the_same_tags(self) -> None:
        again = publish(BODY, CODINGS)
        assert (again.asset, again.encoded) == (PUBLISHED.asset, PUBLISHED.encoded)

    def test_last_modified_is_when_it_was_built(self) -> None:
        for asset in (PUBLISHED.asset, *PUBLISHED.encoded.values()):
            assert asset.last_modified == "Thu, 01 Jan 2026 00:00:00 GMT"

    @pytest.mark.parametrize("now", [GENERATED_AT - LATER, GENERATED_AT, GENERATED_AT + 999])
    def test_no_last_modified_in_the_same_second_or_later(self, now: int) -> None:
        """Invariant *no future Last-Modified*."""
        early = PUBLISHED.as_of(now)
        assert early.asset.last_modified is None
        assert all(asset.last_modified is None for asset in early.encoded.values())
        assert early.asset.etag == PUBLISHED.asset.etag
        assert list(early.encoded) == list(PUBLISHED.encoded)

    def test_from_the_next_second_on_last_modified_is_sent(self) -> None:
        assert PUBLISHED.as_of(GENERATED_AT + 1000) is PUBLISHED


class TestContentCodings:
    @pytest.mark.parametrize("coding", [GZIP, ZSTD], ids=lambda coding: coding.name)
    def test_compression_is_deterministic(self, coding: ContentCoding) -> None:
        assert coding.compress(BODY) == coding.compress(BODY)
        assert coding.decompress(coding.compress(BODY), len(BODY)) == BODY

    def test_gzip_has_no_time(self) -> None:
        assert GZIP.compress(BODY)[4:8] == bytes(4)

    @pytest.mark.parametrize("coding", [GZIP, ZSTD], ids=lambda coding: coding.name)
    def test_truncated_or_other_bytes_are_undecodable(self, coding: ContentCoding) -> None:
        whole = coding.compress(BODY)
        for truncated in (b"", b"{}", whole[:-1], whole[: len(whole) // 2], whole[:3]):
            with pytest.raises(ContentCodingError):
                coding.decompress(truncated, len(BODY))

    @pytest.mark.parametrize("coding", [GZIP, ZSTD], ids=lambda coding: coding.name)
    @pytest.mark.parametrize("more", [b"x", b"y" * 5000])
    def test_trailing_bytes_are_undecodable(self, coding: ContentCoding, more: bytes) -> None:
        with pytest.raises(ContentCodingError):
            coding.decompress(coding.compress(BODY) + more, len(BODY))

    @pytest.mark.parametrize("coding", [GZIP, ZSTD], ids=lambda coding: coding.name)
    def test_a_decompression_bomb_is_not_decoded(self, coding: ContentCoding) -> None:
        bomb = coding.compress(bytes(MAX_BYTES))
        assert len(bomb) < MAX_BYTES // 500
        assert 1000 < len(coding.decompress(bomb, 1000)) < MAX_BYTES

    def test_a_window_beyond_the_standard_is_undecodable(self) -> None:
        parameters = zstandard.ZstdCompressionParameters(window_log=27, write_content_size=False)
        packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
        frame = packer.compress(b"{}") + packer.flush()
        with pytest.raises(ContentCodingError):
            ZSTD.decompress(frame, 100)

    def test_many_members_are_refused_at_once(self) -> None:
        with pytest.raises(ContentCodingError):
            GZIP.decompress(zlib.compress(b"", 9, 31) * 100_000, 100)


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

    @pytest.mark.parametrize("query", ["?page=2", "?%00&="])
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

    @pytest.mark.parametrize("method", ["POST", "get", ""])
    def test_any_other_method_is_405(self, method: str) -> None:
        response = send(method, source=OSError())
        assert code(response) == (405, "method_not_allowed")
        assert header(response, "Allow") == "GET, HEAD, OPTIONS"

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
