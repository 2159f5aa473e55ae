"""The envelope of JSON answers, and the headers of every kind of answer.

Source: health-data specification, "Resources and their fields" and "Errors"; rulings under
"Headers".

Invariant *always whole*: an answer of a resource has api_version, resource, generated_at, data and
meta, and profile_id where it is about one; an error has a code and its message.
Invariant *errors are not kept*: no cache stores one, and a message quotes nothing of the request.
"""

from typing import Any, Final

import attrs

from healthapi import limits
from healthapi.errors import MESSAGE_OF, STATUS_OF, ErrorCode
from purewire.http.assets import Asset
from purewire.http.messages import Request, Response
from purewire.http.responses import (
    JSON,
    NO_STORE,
    SVG,
    Headers,
    build_response,
    conditional_response,
    etag_of,
)
from purewire.json import codec

__all__ = [
    "API_VERSION",
    "CORS",
    "Content",
    "Prepared",
    "chart",
    "document",
    "enveloped",
    "refusal",
]

API_VERSION: Final = "v1"

CORS: Final[Headers] = (
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "If-None-Match"),
)
"""What a preflight is told."""


def _cache(max_age: int, stale: int) -> tuple[str, str]:
    return "Cache-Control", f"public, max-age={max_age}, stale-while-revalidate={stale}"


_DATA_CACHE: Final = _cache(limits.MAX_AGE_SECONDS, limits.STALE_SECONDS)
_DOCS_CACHE: Final = _cache(limits.MAX_AGE_DOCS_SECONDS, limits.STALE_DOCS_SECONDS)
_DATA: Final[Headers] = (_DATA_CACHE, ("Access-Control-Expose-Headers", "ETag"))
_DOCS: Final[Headers] = (_DOCS_CACHE, ("Access-Control-Expose-Headers", "ETag"))
_CHART: Final[Headers] = (
    _DATA_CACHE,
    ("Access-Control-Expose-Headers", "ETag, X-Chart-Metadata"),
    ("Content-Security-Policy", "default-src 'none'; style-src 'none'; sandbox"),
)


@attrs.frozen
class Content:
    """What a resource says: plain values under `data`, and about them under `meta`."""

    data: dict[str, Any]
    meta: dict[str, Any] = attrs.Factory(dict)


@attrs.frozen(eq=False, repr=False)
class Prepared:
    """A whole answer but for what the single request decides.

    Attributes:
        asset: the body and its tag.
        media_type: of the body.
        headers: what it carries beside.

    """

    asset: Asset
    media_type: str
    headers: Headers

    def respond(self, request: Request) -> Response:
        """Answer a GET or HEAD: 200, or 304 where the client has the body already."""
        return conditional_response(request, self.asset, self.media_type, self.headers)


def enveloped(
    resource: str, generated_at: str, profile_id: str | None, content: Content
) -> Prepared:
    """Prepare the answer of a resource; `profile_id` is None where it is not about one."""
    value = {"api_version": API_VERSION, "resource": resource, "generated_at": generated_at}
    if profile_id is not None:
        value["profile_id"] = profile_id
    body = codec.encode({**value, "data": content.data, "meta": content.meta})
    return _prepared(body, JSON, _DATA)


def document(body: bytes, media_type: str, headers: Headers = ()) -> Prepared:
    """Prepare the answer of a document about the service."""
    return _prepared(body, media_type, (*_DOCS, *headers))


def chart(svg: bytes, metadata: dict[str, Any]) -> Prepared:
    """Prepare the answer of a chart; `metadata` holds names of the vocabulary and numbers."""
    told = codec.encode(metadata).decode("ascii")
    return _prepared(svg, SVG, (*_CHART, ("X-Chart-Metadata", told)))


def refusal(method: str, code: ErrorCode, headers: Headers = ()) -> Response:
    """Give the error answer of a code."""
    error = {"code": code, "message": MESSAGE_OF[code]}
    body = codec.encode({"api_version": API_VERSION, "error": error})
    return build_response(method, STATUS_OF[code], JSON, body, (*NO_STORE, *headers))


def _prepared(body: bytes, media_type: str, headers: Headers) -> Prepared:
    return Prepared(Asset(body, etag_of(body)), media_type, headers)
