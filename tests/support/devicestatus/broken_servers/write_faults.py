"""Faults of authentication, of reading bodies, and of what bodies are accepted."""

import gzip
import json
import re

from support.devicestatus.broken_servers.base import (
    TOKEN,
    WRITES,
    accepts_text,
    begin,
    error,
    invalid,
    is_authorized,
    on_request,
    on_response,
)
from support.purewire.asgi_layers import Request, Response, respond

begin("Authentication")


def _grant(request: Request) -> None:
    request.put("authorization", f"Bearer {TOKEN}")


def _is_write(request: Request) -> bool:
    return request.method == "POST" and request.path in WRITES


@on_request("other-schemes", "DS-TOKEN-02")
def _other_schemes(request: Request) -> None:
    """The token is accepted without a scheme."""
    if request.header("authorization") == TOKEN:
        _grant(request)


@on_request("first-authorization", "DS-TOKEN-04")
def _last_authorization(request: Request) -> None:
    """Of two Authorization lines the last one counts."""
    lines = [value for name, value in request.headers if name == "authorization"]
    if lines:
        request.put("authorization", lines[-1])


@on_response("403-for-401", "DS-TOKEN-05", "DS-ERROR-02")
def _forbidden(_: Request, response: Response) -> None:
    """A wrong token is 403."""
    if response.status == 401:
        response.status = 403


begin("The head and the size of bodies")


@on_request("exact-media-type", "DS-BODY-04")
def _exact_media_type(request: Request) -> Response | None:
    """The media type is compared as text: parameters and case count."""
    is_other = request.header("content-type") != "application/json"
    if _is_write(request) and is_authorized(request) and is_other:
        return error(415, "unsupported_media_type")
    return None


@on_request("media-type-contains-json", "DS-BODY-04")
def _contains_json(request: Request) -> None:
    """Every media type that contains `json` is accepted."""
    if "json" in (request.header("content-type") or ""):
        request.put("content-type", "application/json")


@on_request("decompressing", "DS-BODY-07")
def _decompressing(request: Request) -> None:
    """Middleware decompresses bodies, and ignores other codings."""
    if request.header("content-encoding") == "gzip" and request.body[:2] == b"\x1f\x8b":
        request.body = gzip.decompress(request.body)
        request.put("content-length", str(len(request.body)))
    request.drop("content-encoding")


@on_request("identity-refused", "DS-BODY-07")
def _identity_refused(request: Request) -> Response | None:
    """Any Content-Encoding is 415, identity too."""
    if request.header("content-encoding") and is_authorized(request):
        return error(415, "unsupported_media_type")
    return None


@on_request("size-exclusive", "DS-BODY-01", "DS-BODY-02")
def _size_exclusive(request: Request) -> Response | None:
    """A body of exactly the limit is 413."""
    if _is_write(request) and len(request.body) in {16_384, 524_288}:
        return error(413, "payload_too_large")
    return None


@on_request("one-size-limit", "DS-BODY-02")
def _one_limit(request: Request) -> Response | None:
    """Windows have the size limit of snapshots."""
    if request.path == "/api/batch" and len(request.body) > 16_384 and is_authorized(request):
        return error(413, "payload_too_large")
    return None


@on_request("declared-size-only", "DS-BODY-03")
def _declared_size(request: Request) -> None:
    """Only the declared length is limited, not that of chunked bodies."""
    if request.header("transfer-encoding"):
        request.body = request.body.rstrip()


@on_request("size-in-characters", "DS-BODY-03", "DS-BODY-01")
def _size_in_characters(request: Request) -> None:
    """The size limit counts characters."""
    value = request.json if request.path == "/api/update" else None
    is_between = len(request.body) > 16_384 >= len(request.body.decode("utf-8", "replace"))
    if is_between and isinstance(value, dict):
        value["running_apps"] = value["running_apps"][:8]
        request.put_json(value)


@on_response("400-for-413", "DS-ERROR-02")
def _size_400(_: Request, response: Response) -> Response | None:
    """A body that is too large is 400."""
    return invalid() if response.status == 413 else None


@on_response("html-413", "DS-ERROR-01")
def _proxy_413(_: Request, response: Response) -> None:
    """413 is the HTML page of the proxy."""
    if response.status == 413:
        response.body = b"<html><title>413 Request Entity Too Large</title></html>"
        response.put("content-type", "text/html")


begin("Errors")


@on_response("422-of-framework", "DS-ERROR-05", "DS-ERROR-02", "DS-ERROR-01")
def _framework_422(_: Request, response: Response) -> None:
    """Faults of a body are 422 with a list of details."""
    if response.json == {"error": "invalid_payload"}:
        response.status = 422
        response.put_json({"detail": [{"loc": ["body"], "msg": "Field required"}]})


@on_response("errors-with-message", "DS-ERROR-01")
def _errors_with_message(_: Request, response: Response) -> None:
    """Errors have a message beside the code."""
    if response.status >= 400 and response.body and isinstance(response.json, dict):
        response.put_json(response.json | {"message": "the request was not accepted"})


@on_response("nested-errors", "DS-ERROR-01")
def _nested_errors(_: Request, response: Response) -> None:
    """Errors are objects with code and status."""
    if response.status >= 400 and response.body and isinstance(response.json, dict):
        response.put_json({"error": {"code": response.json["error"], "status": response.status}})


@on_response("one-400", "DS-JSON-03", "DS-ERROR-02")
def _one_400(_: Request, response: Response) -> Response | None:
    """Text that is not JSON is invalid_payload."""
    return invalid() if response.json == {"error": "invalid_json"} else None


@on_response("other-400", "DS-JSON-04", "DS-ERROR-05")
def _other_400(_: Request, response: Response) -> Response | None:
    """A value that breaks a rule is invalid_json."""
    is_payload = response.json == {"error": "invalid_payload"}
    return error(400, "invalid_json") if is_payload else None


@on_request("crash-on-depth", "DS-JSON-05", "DS-ERROR-03")
def _crash_on_depth(request: Request) -> Response | None:
    """Deeply nested text is 500 with a traceback."""
    if request.body.count(b"[") > 1000 and is_authorized(request):
        return respond(
            500,
            b"Traceback (most recent call last):\nRecursionError: maximum recursion depth exceeded",
            content_type="text/plain; charset=utf-8",
        )
    return None


@on_request("crash-on-surrogate", "DS-JSON-07", "DS-ERROR-03")
def _crash_on_surrogate(request: Request) -> Response | None:
    """An escaped lone surrogate is 500."""
    return respond(500, b"Internal Server Error") if rb"\ud800" in request.body else None


@on_response("leaked-internals", "DS-ERROR-03", "DS-ERROR-01")
def _leaked(request: Request, response: Response) -> None:
    """invalid_json shows the text that could not be read."""
    if response.json == {"error": "invalid_json"}:
        response.put_json({"error": "invalid_json", "near": request.body[:20].decode("latin-1")})


begin("JSON text")


@on_request("marks-dropped", "DS-JSON-02")
def _marks_dropped(request: Request) -> None:
    """All byte order marks are dropped."""
    while request.body.startswith(b"\xef\xbb\xbf"):
        request.body = request.body.removeprefix(b"\xef\xbb\xbf")
        if request.header("content-length"):
            request.put("content-length", str(len(request.body)))


@accepts_text("nan-accepted", "DS-JSON-03")
def _nan(body: bytes) -> bytes:
    """NaN and Infinity are numbers, as in Python's json."""
    return re.sub(rb"NaN|-?Infinity", b"0", body)


@accepts_text("any-unicode-encoding", "DS-JSON-01")
def _utf_16(body: bytes) -> bytes:
    """The encoding is guessed, as in Python's json.loads."""
    return body.decode("utf-16").encode() if body[:2] in {b"\xff\xfe", b"\xfe\xff"} else body


@accepts_text("encoding-errors-replaced", "DS-JSON-01")
def _replaced(body: bytes) -> bytes:
    """Bytes that are not UTF-8 are replaced."""
    return body.decode("utf-8", "replace").encode()


@accepts_text("trailing-text-ignored", "DS-JSON-03")
def _trailing(body: bytes) -> bytes:
    """Text after the value is ignored."""
    try:
        value, _ = json.JSONDecoder().raw_decode(body.decode())
    except (ValueError, RecursionError):
        return body
    return json.dumps(value).encode()


@accepts_text("json5", "DS-JSON-03")
def _json5(body: bytes) -> bytes:
    """The parser accepts trailing commas and single quotes."""
    return re.sub(rb",\s*([]}])", rb"\1", body.replace(b"'", b'"'))


@accepts_text("raw-controls", "DS-JSON-03")
def _raw_controls(body: bytes) -> bytes:
    """The parser accepts raw control characters in strings."""
    return re.sub(rb"[\x00-\x1f]", b" ", body)
