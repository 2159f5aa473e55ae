"""The HTTP service of one snapshot: its published bytes, route, order of checks, responses.

A request is handled as an exchange: effects are yielded, and the response is returned.

Invariant *valid only*: bytes that `sitedata.parse` refuses are never published.
Invariant *computed once*: coded bodies and digests are computed when the snapshot is published,
never by a request.
Invariant *one tag, one body*: each coded body has its own strong entity tag, the digest of exactly
these bytes (RFC 9110 section 8.8.3).
Invariant *no future Last-Modified*: at any time, Last-Modified is in an earlier second, because a
second change in the same second would be missed (RFC 9110 sections 8.8.2.1 and 8.8.2.2).
Invariant *order of checks*: those of the router, snapshot, conditions.
Invariant *the query is ignored*: the response does not depend on it.
Invariant *failure is not absence*: a snapshot that cannot be read is 503, never 404, never empty.
Invariant *errors are not cached*: an error response is `no-store`, and its message quotes nothing
of the request.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, Self

import attrs

from purewire.endpoints import Endpoint, Params, RequestError, Route, Router
from purewire.exchange import Exchange, ReadSource
from purewire.http.conditional import http_date
from purewire.http.content_coding import ContentCoding, choose_coding
from purewire.http.messages import (
    JSON,
    NO_STORE,
    Asset,
    Headers,
    Request,
    Response,
    build_response,
    conditional_response,
    etag_of,
)
from purewire.instants import SECOND_MS
from purewire.json import codec
from sitedata.limits import MAX_AGE_SECONDS, MAX_BYTES, STALE_SECONDS
from sitedata.reading.decoder import encode, parse
from sitedata.reading.models import Snapshot

PATH: Final = "/data/site-data.json"
"""Path of the file below the mount point."""

HttpErrorCode = Literal["not_found", "method_not_allowed", "service_unavailable"]
STATUS_OF: Final[dict[HttpErrorCode, int]] = {
    "not_found": 404,
    "method_not_allowed": 405,
    "service_unavailable": 503,
}
"""Error code to HTTP status."""
MESSAGE_OF: Final[dict[HttpErrorCode, str]] = {
    "not_found": "No such endpoint.",
    "method_not_allowed": "This file is read-only: use GET, HEAD or OPTIONS.",
    "service_unavailable": "No valid snapshot is available at the moment.",
}
"""Error code to the message in the body."""

ENDPOINT: Final = Endpoint(
    "site-data",
    "Site data",
    "The snapshot of a repository",
    "There are no query parameters: filter and sort the problems yourself.  A file has at most"
    f" {MAX_BYTES} bytes.",
    path=PATH,
    methods=("GET", "HEAD"),
    schema="site-data",
    error_codes=("service_unavailable",),
    is_conditional=True,
)
"""The only endpoint of the service."""
_PREFLIGHT: Final[Headers] = (
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
)
_EXPOSED: Final = ("Access-Control-Expose-Headers", "ETag, Last-Modified")
_VARY: Final = ("Vary", "Accept-Encoding")
_OK: Final = 200


@attrs.frozen(eq=False, repr=False)
class Published:
    """A snapshot that is ready to be sent; `publish` creates it.

    Attributes:
        generated_at: build time of the snapshot, ms since the epoch.
        asset: the body without coding, with its validators.
        encoded: name of a content coding to the coded body, the smallest first; only codings that
            make the body smaller.

    """

    generated_at: int
    asset: Asset
    encoded: Mapping[str, Asset]

    def as_of(self, now: int) -> Self:
        """Return it as it may be sent at a time, ms since the epoch."""
        if self.generated_at // SECOND_MS < now // SECOND_MS:
            return self
        encoded = {
            name: attrs.evolve(asset, last_modified=None) for name, asset in self.encoded.items()
        }
        asset = attrs.evolve(self.asset, last_modified=None)
        return attrs.evolve(self, asset=asset, encoded=encoded)


def publish(source: bytes | Snapshot, codings: Iterable[ContentCoding] = ()) -> Published:
    """Prepare a snapshot, or the bytes of a file, for serving in some content codings.

    Bytes are sent unchanged; raises SiteDataError if they are not a valid snapshot.  Of codings of
    equal sizes the first is preferred.
    """
    body = encode(source) if isinstance(source, Snapshot) else source
    snapshot = parse(body)
    last_modified = http_date(snapshot.generated_at)
    bodies = [("", body), *((coding.name, coding.compress(body)) for coding in codings)]
    assets = {name: Asset(coded, etag_of(coded), last_modified) for name, coded in bodies}
    smaller = [name for name, coded in bodies if len(coded) < len(body)]
    smaller.sort(key=lambda name: len(assets[name].body))
    encoded = {name: assets[name] for name in smaller}
    return Published(snapshot.generated_at, assets[""], encoded)


class Service:
    """The endpoint of one snapshot; calling it with a request returns an exchange.

    It uses one effect, `ReadSource(None)`: a `Published`, or None if there is no snapshot.

    Args:
        max_age_seconds: `max-age` of the file.
        stale_seconds: `stale-while-revalidate` of the file.

    Attributes:
        router: the handler of the endpoint.

    Raises:
        ValueError: a number of seconds is negative.

    """

    def __init__(
        self, *, max_age_seconds: int = MAX_AGE_SECONDS, stale_seconds: int = STALE_SECONDS
    ) -> None:
        if max_age_seconds < 0 or stale_seconds < 0:
            raise ValueError("max_age_seconds and stale_seconds must be 0 or more")
        self._cache_control: Final = (
            f"public, max-age={max_age_seconds:d}, stale-while-revalidate={stale_seconds:d}"
        )
        self.router: Final = Router([Route(ENDPOINT, self._respond, _PREFLIGHT)], error_response)

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        return self.router(request)

    def _respond(self, request: Request, _params: Params) -> Exchange:
        published: Published | None = yield from ReadSource(None)
        if published is None:
            raise RequestError("service_unavailable")
        return _file_response(request, published, self._cache_control)


def error_response(method: str, code: HttpErrorCode, headers: Headers = ()) -> Response:
    """Return the response for an error code, with further headers."""
    body = codec.encode({"error": {"code": code, "message": MESSAGE_OF[code]}})
    return build_response(method, STATUS_OF[code], JSON, body, (*NO_STORE, *headers))


def _file_response(request: Request, published: Published, cache_control: str) -> Response:
    coding = choose_coding(request.lines(b"accept-encoding"), published.encoded)
    asset = published.asset if coding is None else published.encoded[coding]
    vary = (_VARY,) if published.encoded else ()
    headers = ("Cache-Control", cache_control), _EXPOSED, *vary
    response = conditional_response(request, asset, JSON, headers)
    if coding is None or response.status != _OK:
        return response
    return attrs.evolve(response, headers=(*response.headers, ("Content-Encoding", coding)))
