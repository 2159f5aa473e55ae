"""Checks of how the file is served: methods, conditions, caching, codings, time, errors."""

from collections.abc import Generator
from typing import Any, Final

from purewire.conformance.checks import (
    Action,
    CheckFailed,
    NoReply,
    Reply,
    Steps,
    Unchecked,
    expect,
    expect_equal,
)
from purewire.conformance.reads import (
    expect_conditions,
    expect_gzip,
    expect_head,
    expect_methods,
    expect_modified_since,
    expect_preflight,
    expect_strong_tag,
    get,
    list_items,
    media_type,
)
from purewire.http.conditional import parse_http_date
from purewire.instants import SECOND_MS
from sitedata.conformance.deployment import SUITE, Deployment, read_snapshot
from sitedata.serving.service import PATH

_ALLOWED: Final = "GET, HEAD, OPTIONS"
_CONDITIONS: Final = ("if-none-match", "if-modified-since")
_KEPT: Final = ("etag", "last-modified", "cache-control", "expires")
_CANARY: Final = "canary7f3a"
_LONGEST_SECONDS: Final = 60
"""After this time a client gives up."""
_QUERIES: Final = (
    "page=1",
    "page=2&limit=1",
    "limit=0",
    "oj=AtCoder",
    "sort=asc",
    "sort=-submittedAt",
    "v=1769857200",
    "callback=show",
    "%ff",
)


# Time


@SUITE.check("time.complete", "SD-HTTP-01", "SD-SOURCE-04")
def _complete(deployment: Deployment) -> Steps:
    """GET, HEAD, OPTIONS and a conditional GET have complete responses within 60 seconds."""
    for method, *lines in (
        ("GET",),
        ("HEAD",),
        ("OPTIONS",),
        ("GET", ("If-None-Match", '"no-such-tag"')),
        ("GET", ("Accept-Encoding", "gzip")),
    ):
        what = f"{method} {deployment.path}"
        try:
            reply = yield from get(deployment.path, *lines, method=method)
        except NoReply as missing:
            raise CheckFailed(f"a complete response to {what}", str(missing)) from missing
        seconds = (reply.received_at - reply.sent_at) / SECOND_MS
        expect(seconds <= _LONGEST_SECONDS, f"{what} within {_LONGEST_SECONDS} s", seconds)
        length = reply.header("content-length")
        if method == "GET" and reply.status == 200 and length is not None:
            expect_equal(
                f"bytes of {what}", len(reply.body), int(length) if length.isdigit() else -1
            )


@SUITE.check("time.one-version", "SD-SOURCE-04", "SD-CACHE-05")
def _one_version(deployment: Deployment) -> Steps:
    """Responses with one ETag have the same bytes, and other bytes have another ETag."""
    seen: dict[str, bytes] = {}
    for _ in range(4):
        reply = yield from get(deployment.path)
        tag = reply.header("etag")
        if tag is None:
            raise Unchecked("the response has no ETag")
        earlier = seen.setdefault(tag, reply.body)
        expect(earlier == reply.body, f"the same bytes for {tag}", reply.body)
    by_body = {body: tag for tag, body in seen.items()}
    expect(len(by_body) == len(seen), "one ETag for the same bytes", sorted(seen))


# Requests


@SUITE.check("http.public", "SD-HTTP-04")
def _public(deployment: Deployment) -> Steps:
    """Credentials, cookies and forwarded headers change nothing."""
    plain = yield from get(deployment.path)
    for line in (
        ("Authorization", "Bearer wrong"),
        ("Cookie", "session=1"),
        ("X-Forwarded-Host", "other.example"),
        ("Accept-Language", "zh"),
    ):
        reply = yield from get(deployment.path, line)
        expect_equal(f"status with {line[0]}", reply.status, 200)
        expect(reply.body == plain.body, f"the same body with {line[0]}", reply.body)


@SUITE.check("http.query", "SD-HTTP-05", "SD-FILE-04")
def _query(deployment: Deployment) -> Steps:
    """`page`, `limit`, `oj`, `sort` and other parameters change nothing."""
    plain = yield from get(deployment.path)
    for query in _QUERIES:
        reply = yield from get(f"{deployment.path}?{query}")
        expect_equal(f"status for ?{query}", reply.status, 200)
        expect(reply.body == plain.body, f"the same file for ?{query}", reply.body)
        expect_equal(f"ETag for ?{query}", reply.header("etag"), plain.header("etag"))


@SUITE.check("http.head", "SD-HTTP-06")
def _head(deployment: Deployment) -> Steps:
    """HEAD has the status and headers of GET and no body."""
    yield from expect_head(deployment.path, ("content-type", *_KEPT))
    full = yield from get(deployment.path)
    head = yield from get(deployment.path, method="HEAD")
    length = head.header("content-length")
    expect(length in {None, str(len(full.body))}, f"Content-Length {len(full.body)}", length)


@SUITE.check("http.options", "SD-HTTP-07")
def _options(deployment: Deployment) -> Steps:
    """OPTIONS is 204, and allows GET, HEAD and OPTIONS with the conditional headers."""
    lines = (
        ("Origin", "https://page.example"),
        ("Access-Control-Request-Method", "GET"),
        ("Access-Control-Request-Headers", "if-none-match"),
    )
    reply = yield from get(deployment.path, *lines, method="OPTIONS")
    expect_preflight(reply, _ALLOWED)
    headers = list_items(reply.header("access-control-allow-headers"))
    expect({*_CONDITIONS} <= {*headers}, "the conditional headers", headers)


@SUITE.check("http.methods", "SD-HTTP-11")
def _methods(deployment: Deployment) -> Steps:
    """Other methods are 405, and Allow lists GET, HEAD and OPTIONS."""
    yield from expect_methods(deployment.path, ("POST", "PUT", "DELETE", "PATCH"), _ALLOWED)


@SUITE.check("http.cors", "SD-HTTP-08")
def _cors(deployment: Deployment) -> Steps:
    """Scripts of any origin may read the body, its ETag and its Last-Modified."""
    for origin in ("https://page.example", "null"):
        reply = yield from get(deployment.path, ("Origin", origin))
        allowed = reply.header("access-control-allow-origin")
        expect_equal("Access-Control-Allow-Origin", allowed, "*")
        exposed = {*list_items(reply.header("access-control-expose-headers"))}
        expect(exposed & {"etag", "*"}, "ETag in Access-Control-Expose-Headers", exposed)
        if reply.header("last-modified") is not None:
            # Last-Modified may be read without being listed (Fetch Standard), ETag may not.
            expect_equal("status", reply.status, 200)


@SUITE.check("http.security-headers", "SD-HTTP-09")
def _security_headers(deployment: Deployment) -> Steps:
    """The response forbids sniffing and sends no referrer."""
    reply = yield from get(deployment.path)
    expect_equal("X-Content-Type-Options", reply.header("x-content-type-options"), "nosniff")
    expect_equal("Referrer-Policy", reply.header("referrer-policy"), "no-referrer")


_OTHER_PATHS: Final = (
    f"{PATH}/",
    PATH.upper(),
    PATH.replace("/site", "//site"),
    "/data/%73ite-data.json",
    "/data/nothing-here.json",
    "/data/",
    "/data/site-data",
    "/data/../data/site-data.json",
)


@SUITE.check("http.paths", "SD-HTTP-10")
def _paths(deployment: Deployment) -> Steps:
    """Paths compare byte for byte; another path is 404."""
    deployment.require_own_path()
    for path in _OTHER_PATHS:
        reply = yield from get(path)
        expect_equal(f"status of {path}", reply.status, 404)


# Errors


def _not_found(deployment: Deployment) -> Generator[Action, Any, Reply]:
    """Return the response to a path that does not exist."""
    deployment.require_own_path()
    reply = yield from get(f"/data/{_CANARY}.json?{_CANARY}", ("X-Trace", _CANARY))
    if reply.status != 404:
        raise Unchecked(f"an unknown path has status {reply.status}", inconclusive=True)
    return reply


@SUITE.check("errors.body", "SD-ERROR-01")
def _error_body(deployment: Deployment) -> Steps:
    """An error is JSON with a code and a message, and nothing else."""
    reply = yield from _not_found(deployment)
    expect_equal("media type", media_type(reply), "application/json")
    error = reply.object().get("error")
    is_error = isinstance(error, dict) and error.keys() == {"code", "message"}
    expect(
        is_error and reply.object().keys() == {"error"}, "an error of code and message", reply.body
    )
    expect_equal("code", reply.object()["error"]["code"], "not_found")


@SUITE.check("errors.not-cached", "SD-ERROR-03")
def _errors_are_not_cached(deployment: Deployment) -> Steps:
    """Errors are not stored and not compressed."""
    reply = yield from _not_found(deployment)
    directives = list_items(reply.header("cache-control"))
    expect("no-store" in directives, "no-store", directives)
    coding = reply.header("content-encoding")
    expect(coding is None, "no Content-Encoding", coding)


@SUITE.check("errors.quote-nothing", "SD-ERROR-04")
def _errors_quote_nothing(deployment: Deployment) -> Steps:
    """An error quotes nothing of the request."""
    reply = yield from _not_found(deployment)
    expect(_CANARY.encode() not in reply.body, "a body without text of the request", reply.body)


@SUITE.check("errors.order", "SD-ERROR-05")
def _order(deployment: Deployment) -> Steps:
    """Path, OPTIONS, method and conditions are checked in this order."""
    deployment.require_own_path()
    for method in ("POST", "OPTIONS"):
        reply = yield from get("/data/nothing-here.json", method=method)
        expect_equal(f"status of {method} of an unknown path", reply.status, 404)
    condition = ("If-None-Match", "*")
    reply = yield from get(deployment.path, condition, method="DELETE")
    expect_equal("status of DELETE with If-None-Match: *", reply.status, 405)
    reply = yield from get("/data/nothing-here.json", condition)
    expect_equal("status of an unknown path with If-None-Match: *", reply.status, 404)


# Conditions and caching


def _tag(deployment: Deployment) -> Generator[Action, Any, str]:
    tag = (yield from get(deployment.path)).header("etag")
    if tag is None:
        raise Unchecked("the response has no ETag: see the check cache.validator")
    return tag


def _modified(deployment: Deployment) -> Generator[Action, Any, str]:
    modified = (yield from get(deployment.path)).header("last-modified")
    if modified is None:
        raise Unchecked("the response has no Last-Modified")
    return modified


@SUITE.check("cache.validator", "SD-CACHE-01")
def _validator(deployment: Deployment) -> Steps:
    """The response has a legal ETag or Last-Modified, and a condition on it yields 304."""
    reply = yield from get(deployment.path)
    tag, modified = reply.header("etag"), reply.header("last-modified")
    expect(tag or modified, "an ETag or a Last-Modified", None)
    if modified is not None:
        is_date = parse_http_date(modified) is not None
        expect(is_date, "a date of HTTP as Last-Modified", modified)
    if tag is not None:
        expect(tag.removeprefix("W/")[:1] == tag[-1:] == '"', "a quoted ETag", tag)
    line = ("If-Modified-Since", modified or "") if tag is None else ("If-None-Match", tag)
    unmodified = yield from get(deployment.path, line)
    expect_equal(f"status with {line[0]}: {line[1]}", unmodified.status, 304)
    expect(not unmodified.body, "no body", unmodified.body)


@SUITE.check("cache.if-none-match", "SD-CACHE-01", "SD-CACHE-02")
def _if_none_match(deployment: Deployment) -> Steps:
    """If-None-Match is a list or `*`, and compares weakly; another tag yields the file."""
    tag = yield from _tag(deployment)
    yield from expect_conditions(deployment.path, tag, ())


@SUITE.check("cache.if-modified-since", "SD-CACHE-01", "SD-CACHE-02")
def _if_modified_since(deployment: Deployment) -> Steps:
    """If-Modified-Since with Last-Modified is 304, and is ignored beside If-None-Match."""
    modified = yield from _modified(deployment)
    yield from expect_modified_since(deployment.path, modified)


@SUITE.check("cache.unmodified-headers", "SD-CACHE-07")
def _unmodified_headers(deployment: Deployment) -> Steps:
    """304 has the validators and caching headers of the 200."""
    full = yield from get(deployment.path)
    tag = yield from _tag(deployment)
    reply = yield from get(deployment.path, ("If-None-Match", tag))
    for name in ("etag", "last-modified", "cache-control", "expires", "vary"):
        expect_equal(f"{name} of 304", reply.header(name), full.header(name))


@SUITE.check("cache.control", "SD-CACHE-03")
def _cache_control(deployment: Deployment) -> Steps:
    """The response says in its headers for how long it is fresh."""
    reply = yield from get(deployment.path)
    lines = {name: reply.header(name) for name in ("cache-control", "expires")}
    expect(any(lines.values()), "Cache-Control or Expires", lines)
    control = list_items(lines["cache-control"])
    has_rule = any(item.startswith(("max-age=", "s-maxage=", "no-")) for item in control)
    expect(has_rule or lines["expires"], "max-age, no-cache or no-store", lines)


@SUITE.check("cache.strong-tag", "SD-CACHE-05")
def _strong_tag(deployment: Deployment) -> Steps:
    """The ETag is strong."""
    yield from expect_strong_tag(deployment.path)


@SUITE.check("cache.last-modified", "SD-CACHE-06")
def _last_modified(deployment: Deployment) -> Steps:
    """Last-Modified is `generatedAt` in whole seconds, and not in the future."""
    reply, snapshot = yield from read_snapshot(deployment)
    modified = yield from _modified(deployment)
    seconds = snapshot.generated_at // SECOND_MS
    found = parse_http_date(modified)
    expect(found == seconds * SECOND_MS, "the time of generatedAt", modified)
    date = parse_http_date(reply.header("date") or "")
    is_past = date is None or found is None or found <= date
    expect(is_past, "a time up to that of Date", modified)


@SUITE.check("coding.plain", "SD-CODING-02", "SD-CODING-04")
def _plain(deployment: Deployment) -> Steps:
    """The body is plain unless a coding is listed with a weight above 0; nothing is 406."""
    plain = yield from get(deployment.path)
    for value in ("", "gzip;q=0", "*;q=0", "identity;q=0, gzip;q=0", "unknown", "identity"):
        reply = yield from get(deployment.path, ("Accept-Encoding", value))
        expect_equal(f"status with Accept-Encoding: {value}", reply.status, 200)
        coding = reply.header("content-encoding")
        expect(coding is None, f"no Content-Encoding with Accept-Encoding: {value}", coding)
        expect(reply.body == plain.body, f"the file with Accept-Encoding: {value}", reply.body)


@SUITE.check("coding.gzip", "SD-CODING-01", "SD-CACHE-05", "SD-CACHE-08")
def _gzip(deployment: Deployment) -> Steps:
    """With gzip the file is what decoding yields; it has another ETag, and Vary."""
    yield from expect_gzip(deployment.path)


@SUITE.check("coding.conditional", "SD-CACHE-01", "SD-CODING-01")
def _coded_conditions(deployment: Deployment) -> Steps:
    """A condition on the ETag of the coded body yields 304 for a client that accepts the coding."""
    accept = ("Accept-Encoding", "gzip")
    coded = yield from get(deployment.path, accept)
    tag = coded.header("etag")
    if coded.header("content-encoding") is None or tag is None:
        raise Unchecked("the file is not compressed, or has no ETag")
    reply = yield from get(deployment.path, accept, ("If-None-Match", tag))
    expect_equal(f"status with {tag}", reply.status, 304)
    expect(not reply.body, "no body", reply.body)
