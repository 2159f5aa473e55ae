"""The headers and the error bodies of the service's answers.

Source: site-data specification, "Endpoints"; rulings under "HTTP".  What all answers have in common
is in `purewire.http.responses`.

Invariant *errors are not kept*: no cache stores one, and a message quotes nothing of the request.
"""

from typing import Final, Literal

import attrs

from purewire.http.messages import Request, Response
from purewire.http.responses import JSON, NO_STORE, Headers, build_response, conditional_response
from purewire.json import codec
from sitedata.serving.negotiation import choose
from sitedata.serving.published import Published

__all__ = ["CORS", "MESSAGE_OF", "STATUS_OF", "RefusalCode", "file_answer", "refusal"]

RefusalCode = Literal["not_found", "method_not_allowed", "service_unavailable"]

STATUS_OF: Final[dict[RefusalCode, int]] = {
    "not_found": 404,
    "method_not_allowed": 405,
    "service_unavailable": 503,
}
"""Error code to HTTP status."""
MESSAGE_OF: Final[dict[RefusalCode, str]] = {
    "not_found": "There is nothing at this path.",
    "method_not_allowed": "This file is only read: GET, HEAD or OPTIONS.",
    "service_unavailable": "There is no valid snapshot at the moment.",
}
"""Error code to the message of the answer."""

CORS: Final[Headers] = (
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
)
"""What a preflight is told."""
_EXPOSED: Final = ("Access-Control-Expose-Headers", "ETag, Last-Modified")
_OK: Final = 200
_VARY: Final = ("Vary", "Accept-Encoding")


def refusal(method: str, code: RefusalCode, headers: Headers = ()) -> Response:
    """Give the error answer of a code."""
    body = codec.encode({"error": {"code": code, "message": MESSAGE_OF[code]}})
    return build_response(method, STATUS_OF[code], JSON, body, (*NO_STORE, *headers))


def file_answer(request: Request, published: Published, caching: str) -> Response:
    """Give the answer to GET or HEAD of the file; `caching` is the value of Cache-Control."""
    coding = choose(request.lines(b"accept-encoding"), published.coded)
    asset = published.asset if coding is None else published.coded[coding]
    varying = (_VARY,) if published.coded else ()
    headers = ("Cache-Control", caching), _EXPOSED, *varying
    response = conditional_response(request, asset, JSON, headers)
    if coding is None or response.status != _OK:
        return response
    return attrs.evolve(response, headers=(*response.headers, ("Content-Encoding", coding)))
