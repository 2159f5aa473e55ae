"""Build responses: the envelope of JSON bodies, and the headers of every kind of response.

Invariant *complete*: the response of a resource has api_version, resource, generated_at, data and
meta, and profile_id if it belongs to a profile; an error has a code and its message.
Invariant *errors are not cached*: no cache stores an error, and its message never quotes the
request.

Contract: HA-HTTP-15, HA-HTTP-19, HA-HTTP-21, HA-ENVELOPE-01, HA-ENVELOPE-02, HA-ENVELOPE-04,
HA-ENVELOPE-08, HA-ENVELOPE-11, HA-CACHE-01 to 07.
"""

from typing import Any, Final

import attrs

from healthapi import limits
from healthapi.errors import MESSAGE_OF, STATUS_OF, ErrorCode
from purewire.http.messages import (
    JSON,
    NO_STORE,
    SVG,
    Asset,
    Headers,
    Request,
    Response,
    build_response,
    conditional_response,
    etag_of,
)
from purewire.json import codec

API_VERSION: Final = "v1"

CORS: Final[Headers] = (
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "If-None-Match"),
)
"""Headers of the response to a preflight."""


def _headers(max_age: int, stale: int, exposed: str = "ETag") -> Headers:
    return (
        ("Cache-Control", f"public, max-age={max_age}, stale-while-revalidate={stale}"),
        ("Access-Control-Expose-Headers", exposed),
    )


_DATA: Final = _headers(limits.MAX_AGE_SECONDS, limits.STALE_SECONDS)
_DOCS: Final = _headers(limits.MAX_AGE_DOCS_SECONDS, limits.STALE_DOCS_SECONDS)
_CHART: Final[Headers] = (
    *_headers(limits.MAX_AGE_SECONDS, limits.STALE_SECONDS, "ETag, X-Chart-Metadata"),
    ("Content-Security-Policy", "default-src 'none'; style-src 'none'; sandbox"),
)


@attrs.frozen
class Content:
    """The content of a resource: `data`, and `meta` about it, as plain values."""

    data: dict[str, Any]
    meta: dict[str, Any] = attrs.Factory(dict)


@attrs.frozen(eq=False, repr=False)
class Prepared:
    """A response without the parts that depend on the single request."""

    asset: Asset
    media_type: str
    headers: Headers

    def respond(self, request: Request) -> Response:
        """Return the response to a GET or HEAD: 200, or 304 if the client has the current body."""
        return conditional_response(request, self.asset, self.media_type, self.headers)


def build_envelope(
    resource: str, generated_at: str, profile_id: str | None, content: Content
) -> Prepared:
    """Prepare the response of a resource; `profile_id` is None if it belongs to no profile."""
    value = {"api_version": API_VERSION, "resource": resource, "generated_at": generated_at}
    if profile_id is not None:
        value["profile_id"] = profile_id
    body = codec.encode({**value, "data": content.data, "meta": content.meta})
    return _prepared(body, JSON, _DATA)


def build_document(body: bytes, media_type: str, headers: Headers = ()) -> Prepared:
    """Prepare the response of a document about the service."""
    return _prepared(body, media_type, (*_DOCS, *headers))


def build_chart(svg: bytes, metadata: dict[str, Any]) -> Prepared:
    """Prepare the response of a chart; `metadata` contains known keys and numbers only."""
    encoded = codec.encode(metadata).decode("ascii")
    return _prepared(svg, SVG, (*_CHART, ("X-Chart-Metadata", encoded)))


def error_response(method: str, code: ErrorCode, headers: Headers = ()) -> Response:
    """Return the error response of a code."""
    error = {"code": code, "message": MESSAGE_OF[code]}
    body = codec.encode({"api_version": API_VERSION, "error": error})
    return build_response(method, STATUS_OF[code], JSON, body, (*NO_STORE, *headers))


def _prepared(body: bytes, media_type: str, headers: Headers) -> Prepared:
    return Prepared(Asset(body, etag_of(body)), media_type, headers)
