"""Build HTTP responses: common headers, bodies, preflights, and 304 for conditional requests.

Invariant *one set of headers*: every response allows any origin, forbids sniffing and sends no
referrer; a response that must not be stored has headers for caches and for content networks.
Invariant *no body where HTTP has none*: responses to HEAD, and 204 and 304, have no body.
Invariant *legal headers*: a validator that is not a legal header value is omitted.
"""

from typing import Final

from purewire.http.conditional import conditions_of, is_unmodified, is_valid_etag, parse_http_date
from purewire.http.messages import Asset, Request, Response, Unmodified

Headers = tuple[tuple[str, str], ...]

JSON: Final = "application/json; charset=utf-8"
SVG: Final = "image/svg+xml; charset=utf-8"
PNG: Final = "image/png"

COMMON: Final[Headers] = (
    ("Access-Control-Allow-Origin", "*"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
)
"""The headers of every response; the functions of this module put them first."""
NO_STORE: Final[Headers] = (
    ("Cache-Control", "no-store, max-age=0"),
    ("CDN-Cache-Control", "no-store"),
    ("Cloudflare-CDN-Cache-Control", "no-store"),
)
"""The headers of responses that no cache may store."""

_DIGEST_BYTES: Final = 16


def build_response(
    method: str, status: int, media_type: str, body: bytes, headers: Headers = ()
) -> Response:
    """Return a response with a body; for HEAD, the same headers without the body."""
    content = (("Content-Type", media_type), ("Content-Length", str(len(body))))
    return Response(status, (*COMMON, *headers, *content), b"" if method == "HEAD" else body)


def preflight_response(headers: Headers) -> Response:
    """Return the response to OPTIONS: 204, no body."""
    return Response(204, (*COMMON, *headers))


def redirect_response(location: str, headers: Headers = ()) -> Response:
    """Return a permanent redirect to a URL, which may be relative to that of the request."""
    return Response(308, (*COMMON, *headers, ("Location", location), ("Content-Length", "0")))


def conditional_response(
    request: Request, found: bytes | Asset | Unmodified, media_type: str, headers: Headers = ()
) -> Response:
    """Return the response to GET or HEAD of a resource that exists (RFC 9110 section 13).

    It is 200 with the bytes, or 304 without them if the copy of the client is current.  The ETag of
    bytes is `etag_of` them; an asset has its own validators.
    """
    asset = Asset(found, etag_of(found)) if isinstance(found, bytes) else found
    lines = (*headers, *_validators(asset))
    conditions = conditions_of(request)
    if isinstance(asset, Unmodified) or is_unmodified(conditions, asset.etag, asset.last_modified):
        return Response(304, (*COMMON, *lines))
    return build_response(request.method, 200, media_type, asset.body, lines)


def etag_of(body: bytes) -> str:
    """Return the strong entity tag of a body: a digest of its bytes, in quotes."""
    from hashlib import blake2b  # noqa: PLC0415 - loads OpenSSL, which takes long

    return f'"{blake2b(body, digest_size=_DIGEST_BYTES).hexdigest()}"'


def _validators(found: Asset | Unmodified) -> Headers:
    validators = []
    if found.etag is not None and is_valid_etag(found.etag):
        validators.append(("ETag", found.etag))
    if found.last_modified is not None and parse_http_date(found.last_modified) is not None:
        validators.append(("Last-Modified", found.last_modified))
    return tuple(validators)
