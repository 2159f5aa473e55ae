"""The HTTP service of one snapshot: its published bytes, route, order of checks, responses.

A request is handled as an exchange: effects are yielded, and the response is returned.

Invariant *valid only*: bytes that `sitedata.parse` refuses are never published.
Invariant *computed once*: the digest is computed when the snapshot is published, never by a
request.
Invariant *one tag, one body*: the body has a strong entity tag, the digest of exactly these bytes
(RFC 9110 section 8.8.3).
Invariant *no future Last-Modified*: at any time, Last-Modified is in an earlier second, because a
second change in the same second would be missed (RFC 9110 sections 8.8.2.1 and 8.8.2.2).
Invariant *order of checks*: those of the router, snapshot, conditions.
Invariant *the query is ignored*: the response does not depend on it.
Invariant *failure is not absence*: a snapshot that cannot be read is 503, never 404, never empty.
Invariant *errors are not cached*: an error response is `no-store`, and its message quotes nothing
of the request.
"""

from typing import Final, Literal, Self

import attrs

from sitedata.limits import MAX_AGE_SECONDS, MAX_BYTES, STALE_SECONDS
from sitedata.models import Snapshot
from sitedata.parsing import encode, parse
from status_contracts import json_text
from status_contracts.conditional import http_date
from status_contracts.endpoints import FILE_PREFLIGHT, Endpoint, Params, RequestError, Route, Router
from status_contracts.exchange import Exchange, ReadSource
from status_contracts.instants import SECOND_MS
from status_contracts.messages import (
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
_HEADERS: Final[Headers] = (
    ("Cache-Control", f"public, max-age={MAX_AGE_SECONDS}, stale-while-revalidate={STALE_SECONDS}"),
    ("Access-Control-Expose-Headers", "ETag, Last-Modified"),
)


@attrs.frozen(eq=False, repr=False)
class Published:
    """A snapshot that is ready to be sent; `publish` creates it.

    Attributes:
        generated_at: build time of the snapshot, ms since the epoch.
        asset: the body with its validators.

    """

    generated_at: int
    asset: Asset

    def as_of(self, now: int) -> Self:
        """Return it as it may be sent at a time, ms since the epoch."""
        if self.generated_at // SECOND_MS < now // SECOND_MS:
            return self
        return attrs.evolve(self, asset=attrs.evolve(self.asset, last_modified=None))


def publish(source: bytes | Snapshot) -> Published:
    """Prepare a snapshot, or the bytes of a file, for serving.

    Bytes are sent unchanged; raises SiteDataError if they are not a valid snapshot.
    """
    body = encode(source) if isinstance(source, Snapshot) else source
    generated_at = parse(body).generated_at
    return Published(generated_at, Asset(body, etag_of(body), http_date(generated_at)))


class Service:
    """The endpoint of one snapshot; calling it with a request returns an exchange.

    It uses one effect, `ReadSource(None)`: a `Published`, or None if there is no snapshot.

    Attributes:
        router: the handler of the endpoint.

    """

    def __init__(self) -> None:
        self.router: Final = Router([Route(ENDPOINT, _respond, FILE_PREFLIGHT)], error_response)

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        return self.router(request)


def _respond(request: Request, _params: Params) -> Exchange:
    published: Published | None = yield from ReadSource(None)
    if published is None:
        raise RequestError("service_unavailable")
    return conditional_response(request, published.asset, JSON, _HEADERS)


def error_response(method: str, code: HttpErrorCode, headers: Headers = ()) -> Response:
    """Return the response for an error code, with further headers."""
    body = json_text.encode({"error": {"code": code, "message": MESSAGE_OF[code]}})
    return build_response(method, STATUS_OF[code], JSON, body, (*NO_STORE, *headers))
