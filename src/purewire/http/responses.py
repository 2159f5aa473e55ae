"""What HTTP answers have in common: headers, bodies, preflights, and copies the client has already.

Invariant *one set of headers*: every answer allows any origin, forbids sniffing and sends no
referrer; what must not be stored says so to caches and to content networks alike.
Invariant *no body where none belongs*: HEAD, 204 and 304 have none.
Invariant *nothing unsendable*: a validator that is no legal header value is left out.
"""

from hashlib import blake2b
from typing import Final

from purewire.http.assets import Asset, Unmodified
from purewire.http.conditional import conditions_of, is_unmodified, parse_http_date, valid_etag
from purewire.http.messages import Request, Response

__all__ = [
    "COMMON",
    "JSON",
    "NO_STORE",
    "PNG",
    "SVG",
    "Headers",
    "answer",
    "etag_of",
    "preflight",
    "validated",
]

Headers = tuple[tuple[str, str], ...]

JSON: Final = "application/json; charset=utf-8"
SVG: Final = "image/svg+xml; charset=utf-8"
PNG: Final = "image/png"

COMMON: Final[Headers] = (
    ("Access-Control-Allow-Origin", "*"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
)
"""What every answer carries; `answer`, `preflight` and `validated` put it first."""
NO_STORE: Final[Headers] = (
    ("Cache-Control", "no-store, max-age=0"),
    ("CDN-Cache-Control", "no-store"),
    ("Cloudflare-CDN-Cache-Control", "no-store"),
)
"""For what is true only now."""

_DIGEST_BYTES: Final = 16


def answer(
    method: str, status: int, media_type: str, body: bytes, headers: Headers = ()
) -> Response:
    """Give an answer with a body; HEAD gets the same headers without the body."""
    about = (("Content-Type", media_type), ("Content-Length", str(len(body))))
    return Response(status, (*COMMON, *headers, *about), b"" if method == "HEAD" else body)


def preflight(headers: Headers) -> Response:
    """Give the answer to OPTIONS: 204, no body."""
    return Response(204, (*COMMON, *headers))


def validated(
    request: Request, found: bytes | Asset | Unmodified, media_type: str, headers: Headers = ()
) -> Response:
    """Give the answer to GET or HEAD of a resource that exists (RFC 9110 section 13).

    200 with the bytes, or 304 with the same headers but those of a body, where the client has them
    already.

    Args:
        request: what was asked, with its conditions.
        found: the body, which is then tagged by `etag_of`; or an asset with its own validators.
        media_type: of the body.
        headers: what else the answer carries, whether it is a 200 or a 304.

    """
    asset = Asset(found, etag_of(found)) if isinstance(found, bytes) else found
    lines = (*headers, *_validators(asset))
    conditions = conditions_of(request)
    if isinstance(asset, Unmodified) or is_unmodified(conditions, asset.etag, asset.last_modified):
        return Response(304, (*COMMON, *lines))
    return answer(request.method, 200, media_type, asset.body, lines)


def etag_of(body: bytes) -> str:
    """Give the strong entity tag of a body: a digest of its bytes, in quotes."""
    return f'"{blake2b(body, digest_size=_DIGEST_BYTES).hexdigest()}"'


def _validators(found: Asset | Unmodified) -> Headers:
    validators = []
    if found.etag is not None and valid_etag(found.etag):
        validators.append(("ETag", found.etag))
    if found.last_modified is not None and parse_http_date(found.last_modified) is not None:
        validators.append(("Last-Modified", found.last_modified))
    return tuple(validators)
