"""What HTTP answers have in common: headers, errors, preflights, static files.

Source: device-status specification, "General HTTP rules", "Preflight", "Icons" and "Errors";
rulings under "HTTP".

Invariant *one set of headers*: every answer allows any origin, forbids sniffing and sends no
referrer; what must not be stored says so to caches and to content networks alike.
Invariant *no body where none belongs*: HEAD, 204 and 304 have none.
Invariant *nothing unsendable*: a validator that is no legal header value is left out.
"""

from typing import Final

from devicestatus import limits
from devicestatus.bodies import ErrorBody
from devicestatus.errors import STATUS_OF, ErrorCode
from purewire import jsontext
from purewire.effects import Asset, Unmodified
from purewire.http.conditional import conditions_of, is_unmodified, parse_http_date, valid_etag
from purewire.http.messages import Request, Response
from purewire.plain import to_plain

__all__ = [
    "COMMON",
    "ICON_CORS",
    "JSON",
    "NO_STORE",
    "PNG",
    "STATUS_CORS",
    "SVG",
    "Headers",
    "answer",
    "file_answer",
    "preflight",
    "refusal",
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
NO_STORE: Final[Headers] = (
    ("Cache-Control", "no-store, max-age=0"),
    ("CDN-Cache-Control", "no-store"),
    ("Cloudflare-CDN-Cache-Control", "no-store"),
)
STATUS_CORS: Final[Headers] = (
    ("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
    ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
)
ICON_CORS: Final[Headers] = (
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
    ("Access-Control-Expose-Headers", "ETag, Last-Modified"),
)
_ICON_CACHE: Final[Headers] = (("Cache-Control", f"public, max-age={limits.ICON_MAX_AGE_SECONDS}"),)


def answer(
    method: str, status: int, media_type: str, body: bytes, headers: Headers = ()
) -> Response:
    """Give an answer with a body; HEAD gets the same headers without the body."""
    about = (("Content-Type", media_type), ("Content-Length", str(len(body))))
    return Response(status, (*COMMON, *headers, *about), b"" if method == "HEAD" else body)


def refusal(method: str, code: ErrorCode, headers: Headers = ()) -> Response:
    """Give the error answer of a code."""
    body = jsontext.encode(to_plain(ErrorBody(code)))
    return answer(method, STATUS_OF[code], JSON, body, (*NO_STORE, *headers))


def preflight(headers: Headers) -> Response:
    """Give the answer to OPTIONS: 204, no body."""
    return Response(204, (*COMMON, *headers))


def file_answer(request: Request, found: Asset | Unmodified, media_type: str) -> Response:
    """Give the answer to GET or HEAD of an icon file that exists (RFC 9110 conditions).

    200 with the bytes, or 304 with the same caching headers where the client has them already.
    """
    headers = (*_ICON_CACHE, *ICON_CORS, *_validators(found))
    conditions = conditions_of(request)
    if isinstance(found, Unmodified) or is_unmodified(conditions, found.etag, found.last_modified):
        return Response(304, (*COMMON, *headers))
    return answer(request.method, 200, media_type, found.body, headers)


def _validators(found: Asset | Unmodified) -> Headers:
    validators = []
    if found.etag is not None and valid_etag(found.etag):
        validators.append(("ETag", found.etag))
    if found.last_modified is not None and parse_http_date(found.last_modified) is not None:
        validators.append(("Last-Modified", found.last_modified))
    return tuple(validators)
