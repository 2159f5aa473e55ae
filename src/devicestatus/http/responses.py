"""Build the HTTP responses that are specific to this product: CORS headers, errors, icon files.

`purewire.http.messages` has what all products share.

Contract: DS-CORS-02 to 04, DS-CACHE-03, DS-ICON-09, DS-ICON-15, DS-ERROR-03.
"""

from typing import Final

from devicestatus import limits
from devicestatus.errors import STATUS_OF, ErrorCode
from devicestatus.responses import ErrorBody
from purewire.http.messages import (
    JSON,
    NO_STORE,
    Asset,
    Headers,
    Request,
    Response,
    Unmodified,
    build_response,
    conditional_response,
)
from purewire.json import codec
from purewire.structuring.to_builtins import to_builtins

STATUS_PREFLIGHT: Final[Headers] = (
    *NO_STORE,
    ("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
    ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
)
ICON_CORS: Final[Headers] = (
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
    ("Access-Control-Expose-Headers", "ETag, Last-Modified"),
)
_CHALLENGE: Final[Headers] = (("WWW-Authenticate", "Bearer"),)
_ICON_CACHE: Final[Headers] = (("Cache-Control", f"public, max-age={limits.ICON_MAX_AGE_SECONDS}"),)


def error_response(method: str, code: ErrorCode, headers: Headers = ()) -> Response:
    """Return the error response for a code."""
    if code == "unauthorized":
        headers = (*_CHALLENGE, *headers)
    body = codec.encode(to_builtins(ErrorBody(code)))
    return build_response(method, STATUS_OF[code], JSON, body, (*NO_STORE, *headers))


def file_response(request: Request, found: Asset | Unmodified, media_type: str) -> Response:
    """Return the response to GET or HEAD of an icon file that exists."""
    return conditional_response(request, found, media_type, (*_ICON_CACHE, *ICON_CORS))
