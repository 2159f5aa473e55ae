"""Faults of authentication, of reading bodies, and of what bodies are accepted."""

import gzip
import json
import re
from typing import Any

from purewire.instants import format_instant, parse_utc
from support.devicestatus.broken_servers.base import (
    TOKEN,
    WRITES,
    Plain,
    accepts,
    accepts_at,
    accepts_text,
    begin,
    error,
    invalid,
    is_authorized,
    on_request,
    on_response,
    refuses,
    refuses_at,
)
from support.purewire.asgi_layers import Request, Response, respond

begin("Authentication")


def _grant(request: Request) -> None:
    request.put("authorization", f"Bearer {TOKEN}")


def _is_write(request: Request) -> bool:
    return request.method == "POST" and request.path in WRITES


@on_request("no-authentication", "DS-TOKEN-01", "DS-TOKEN-05")
def _no_authentication(request: Request) -> None:
    """Writes need no token."""
    _grant(request)


@on_request("any-token", "DS-TOKEN-02")
def _any_token(request: Request) -> None:
    """Any Bearer token is accepted."""
    if (request.header("authorization") or "").startswith("Bearer x"):
        _grant(request)


@on_request("token-prefix", "DS-TOKEN-02", "DS-TOKEN-03")
def _token_prefix(request: Request) -> None:
    """Only as many characters of the token are compared as the request has."""
    given = (request.header("authorization") or "").removeprefix("Bearer ")
    if len(given) > 8 and TOKEN.startswith(given):
        _grant(request)


@on_request("token-extended", "DS-TOKEN-02", "DS-TOKEN-03")
def _token_extended(request: Request) -> None:
    """Characters after the token are ignored."""
    if (request.header("authorization") or "").startswith(f"Bearer {TOKEN}"):
        request.headers = [
            (name, f"Bearer {TOKEN}" if name == "authorization" else value)
            for name, value in request.headers
        ]


@on_request("token-without-case", "DS-TOKEN-03", "DS-TOKEN-02")
def _token_without_case(request: Request) -> None:
    """The case of the token is ignored."""
    given = request.header("authorization") or ""
    if given.startswith("Bearer ") and given.lower() == f"bearer {TOKEN.lower()}":
        _grant(request)


@on_request("scheme-without-case", "DS-TOKEN-02")
def _scheme_without_case(request: Request) -> None:
    """The scheme is compared without case."""
    given = request.header("authorization") or ""
    lines = [value for name, value in request.headers if name == "authorization"]
    if len(lines) == 1 and given.lower() == f"bearer {TOKEN}" and given.endswith(TOKEN):
        _grant(request)


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


@on_response("challenge-with-realm", "DS-TOKEN-05")
def _realm(_: Request, response: Response) -> None:
    """The challenge names a realm."""
    if response.status == 401:
        response.put("www-authenticate", 'Bearer realm="status"')


begin("The head and the size of bodies")


@on_request("any-media-type", "DS-BODY-04")
def _any_media_type(request: Request) -> None:
    """The media type is not checked."""
    if _is_write(request):
        request.put("content-type", "application/json")


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


@on_request("no-size-limit", "DS-BODY-01", "DS-BODY-02", "DS-BODY-03")
def _no_limit(request: Request) -> None:
    """There is no size limit."""
    if _is_write(request) and len(request.body) > 16_384:
        request.body = request.body.rstrip()
        if request.header("content-length"):
            request.put("content-length", str(len(request.body)))


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


@on_request("chunked-refused", "DS-BODY-03")
def _length_required(request: Request) -> Response | None:
    """A body without Content-Length is 411."""
    if _is_write(request) and request.header("content-length") is None and request.body:
        return respond(411, access_control_allow_origin="*")
    return None


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


@on_request("crash-on-type", "DS-TEXT-04", "DS-ERROR-05", "DS-JSON-04")
def _crash_on_type(request: Request) -> Response | None:
    """A body that is no object is 500."""
    value = request.json
    if is_authorized(request) and value is not None and not isinstance(value, dict):
        return respond(500, b"Internal Server Error", access_control_allow_origin="*")
    return None


@on_response("leaked-internals", "DS-ERROR-03", "DS-ERROR-01")
def _leaked(request: Request, response: Response) -> None:
    """invalid_json shows the text that could not be read."""
    if response.json == {"error": "invalid_json"}:
        response.put_json({"error": "invalid_json", "near": request.body[:20].decode("latin-1")})


begin("JSON text")


@on_request("mark-refused", "DS-JSON-02")
def _mark_refused(request: Request) -> Response | None:
    """A byte order mark is invalid_json."""
    return error(400, "invalid_json") if request.body[:3] == b"\xef\xbb\xbf" else None


@on_request("marks-dropped", "DS-JSON-02")
def _marks_dropped(request: Request) -> None:
    """All byte order marks are dropped."""
    while request.body.startswith(b"\xef\xbb\xbf"):
        request.body = request.body.removeprefix(b"\xef\xbb\xbf")
        if request.header("content-length"):
            request.put("content-length", str(len(request.body)))


@on_request("first-member-counts", "DS-JSON-08")
def _first_member(request: Request) -> None:
    """Of members with the same name the first one counts."""

    def first(pairs: list[tuple[str, Any]]) -> Plain:
        return dict(reversed(pairs))

    if _has_repeated_member(request):
        request.put_json(json.loads(request.body, object_pairs_hook=first))


def _has_repeated_member(request: Request) -> bool:
    names = (b'"active_app"', b'"schema_version"')
    return request.path == "/api/update" and any(request.body.count(name) > 1 for name in names)


@on_request("repeated-member-refused", "DS-JSON-08")
def _repeated_refused(request: Request) -> Response | None:
    """Members with the same name are refused."""
    return error(400, "invalid_json") if _has_repeated_member(request) else None


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


@accepts_text("empty-body-as-object", "DS-JSON-03")
def _empty_body(body: bytes) -> bytes:
    """An empty body counts as an empty object."""
    return body.strip() or b"{}"


@accepts_text("deep-text-not-scanned", "DS-JSON-05")
def _broken_depth(body: bytes) -> bytes:
    """Text that is too deep for the parser is invalid_payload, also if it is broken."""
    return b"[]" if body.count(b"[") > 1000 else body


begin("Members and types")


@accepts("running-apps-cut", "DS-APP-04")
def _running_cut(body: Plain) -> None:
    """More than 64 running apps are cut off."""
    body["running_apps"] = body["running_apps"][:64]


@refuses("32-bit-integers", "DS-WINDOW-05", "DS-WINDOW-06", "DS-EVENT-01")
def _small_integers(body: Plain) -> bool:
    """Integers have 32 bits."""
    return int(body.get("batch_seq", 0)) > 2**31


@accepts("infinite-load", "DS-JSON-12", "DS-JSON-04", "DS-DEVICE-04")
def _infinite(body: Plain) -> None:
    """A number beyond every double is the largest load."""
    body["system"]["load_1m"] = min(body["system"]["load_1m"], 100_000)


begin("Music")


@accepts("blank-without-mark", "DS-MUSIC-06")
def _blank_without_mark(body: Plain) -> None:
    """U+FEFF is not blank, as in Python's strip."""
    for name in ("track", "artist"):
        text = body["music"][name]
        if text and text.strip() and not text.replace("\ufeff", "").strip():
            body["music"][name] = "x"


@refuses("blank-with-next-line", "DS-MUSIC-06")
def _blank_with_next_line(body: Plain) -> bool:
    """U+0085 is blank, as in Python's strip."""
    music = body.get("music", {})
    return bool(music.get("artwork_url")) and not str(music.get("artist")).strip()


@refuses("null-track-while-playing", "DS-MUSIC-07")
def _track_required(body: Plain) -> bool:
    """`playing` needs a track."""
    music = body.get("music", {})
    return music.get("state") == "playing" and music.get("track") is None


@accepts("host-by-suffix", "DS-URL-08")
def _host_by_suffix(body: Plain) -> None:
    """The host of an artwork URL is compared by its end, without a dot."""
    artwork = body["music"]["artwork_url"]
    host = re.compile("^https://x?mzstatic.com/")
    body["music"]["artwork_url"] = host.sub("https://is1.mzstatic.com/", artwork)


@accepts("host-by-prefix", "DS-URL-08")
def _host_by_prefix(body: Plain) -> None:
    """The domain may stand anywhere in the host of an artwork URL."""
    if "mzstatic.com.example" in body["music"]["artwork_url"]:
        body["music"]["artwork_url"] = "https://is1.mzstatic.com/"


@refuses("port-443-refused", "DS-URL-07")
def _no_port(body: Plain) -> bool:
    """URLs may have no port at all."""
    return re.search(r":\d+/", str(body.get("music", {}).get("artwork_url"))) is not None


@accepts("hosts-with-dots", "DS-URL-10")
def _hosts_with_dots(body: Plain) -> None:
    """A trailing dot and empty labels of a host are ignored."""
    url = body["music"]["artwork_url"].replace("..", ".").replace("com./", "com/")
    body["music"]["artwork_url"] = url


begin("Times")


@refuses("fraction-required", "DS-TIME-02")
def _fraction_required(body: Plain) -> bool:
    """`collected_at` needs three fractional digits."""
    return len(str(body.get("collected_at", "x" * 24))) != 24


@accepts_at("no-skew-into-the-past", "DS-SNAPSHOT-05")
def _any_past(body: Plain, now: int) -> None:
    """`collected_at` may be any past time."""
    if parse_utc(body["collected_at"]) < now:
        body["collected_at"] = format_instant(now)


@refuses_at("no-future", "DS-SNAPSHOT-05")
def _no_future(body: Plain, now: int) -> bool:
    """`collected_at` may not be in the future."""
    return body["schema_version"] == 1 and parse_utc(body["collected_at"]) > now


@refuses_at("skew-exclusive", "DS-SNAPSHOT-05", "DS-TIME-08")
def _skew_exclusive(body: Plain, now: int) -> bool:
    """`collected_at` may differ from the receive time by less than 120 s."""
    return body["schema_version"] == 1 and abs(parse_utc(body["collected_at"]) - now) == 120_000


@accepts_at("skew-in-seconds", "DS-SNAPSHOT-05", "DS-TIME-08")
def _skew_in_seconds(body: Plain, now: int) -> None:
    """`collected_at` may differ by 120 s after fractions are cut off."""
    if abs(parse_utc(body["collected_at"]) - now) <= 120_999:
        body["collected_at"] = format_instant(now)
