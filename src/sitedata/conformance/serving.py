"""Checks of how the file is served: methods, conditions, caching, time, errors."""

import re
from collections.abc import Generator
from typing import Any, Final
from urllib.parse import quote

from purewire.conformance.checks import (
    Action,
    CheckFailed,
    NoReply,
    Reply,
    Steps,
    Unchecked,
    dependent_on,
    expect,
    expect_body,
    expect_equal,
    expect_header,
    expect_status,
    testing,
)
from purewire.conformance.reads import (
    WITHOUT_EFFECT,
    expect_conditions,
    expect_cors,
    expect_methods,
    expect_modified_since,
    expect_no_body,
    expect_preflight,
    expect_strong_tag,
    get,
    list_items,
    media_type,
)
from purewire.http.conditional import http_date, is_valid_etag, parse_http_date
from purewire.instants import DAY_MS, SECOND_MS
from sitedata.conformance.deployment import SUITE, Deployment, read_snapshot
from sitedata.serving.service import PATH

_ALLOWED: Final = "GET, HEAD, OPTIONS"
_CONDITIONS: Final = ("if-none-match", "if-modified-since")
_KEPT: Final = ("etag", "last-modified", "cache-control", "vary")
"""Headers that HEAD and 304 have as 200 has them; `Expires` may follow the time of the request."""
_OF_HEAD: Final = (
    *("content-type", "content-encoding", "access-control-allow-origin"),
    *("access-control-expose-headers", "x-content-type-options", "referrer-policy"),
)
_CANARY: Final = "canary7f3a"
_CANARY_LINES: Final = (("X-Trace", _CANARY), ("Referer", f"https://{_CANARY}.example/"))
_ORIGIN: Final = ("Origin", "https://page.example")
_GZIP: Final = ("Accept-Encoding", "gzip")
_ANY_TAG: Final = ("If-None-Match", "*")
_UNKNOWN: Final = "/data/nothing-here.json"
_FRESHNESS: Final = re.compile(r"(?:max-age|s-maxage)=\"?[0-9]+\"?|no-cache(?:=.*)?|no-store")
_LONGEST_SECONDS: Final = 60
"""After this time a client gives up."""
_QUERIES: Final = (
    *("", "page=1", "page=2", "page=2&limit=1", "limit=0", "limit=1", "limit=-1", "limit=x"),
    *("per_page=1", "offset=1", "oj=none", "platform=none", "sort=asc", "sort=desc"),
    *("sort=path", "sort=-submittedAt", "order=desc", "fields=problems", "format=xml"),
    *("pretty=1", "v=1769857200", "callback=show", "_method=DELETE", "token=x", "%ff"),
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


def _expect_same(reply: Reply, plain: Reply) -> None:
    """Expect the same file as in another response."""
    expect_status(reply, 200)
    if reply.body != plain.body:
        with dependent_on("file.json"):
            value = plain.json()
        expect_body(reply, value)
        raise CheckFailed("the same bytes", f"other bytes of the same value, {len(reply.body)}")
    for name in ("content-type", "etag", "last-modified"):
        expect_header(reply, name, plain.header(name))


@SUITE.check("http.public", "SD-HTTP-04", "SD-FILE-04")
def _public(deployment: Deployment) -> Steps:
    """Credentials, cookies, preferences and forwarded headers change nothing."""
    plain = yield from get(deployment.path)
    for line in WITHOUT_EFFECT:
        reply = yield from get(deployment.path, line)
        with testing("" if line[0] in {"Authorization", "Cookie"} else "SD-FILE-04"):
            _expect_same(reply, plain)


@SUITE.check("http.query", "SD-HTTP-05")
def _query(deployment: Deployment) -> Steps:
    """`page`, `limit`, `oj`, `sort` and other parameters change nothing."""
    plain, snapshot = yield from read_snapshot(deployment)
    filters = [
        f"{name}={quote(text, safe='')}"
        for problem in snapshot.problems[:1]
        for name, text in (
            ("oj", problem.platform),
            ("language", problem.language),
            ("q", problem.title),
        )
    ]
    for query in (*_QUERIES, *filters):
        _expect_same((yield from get(f"{deployment.path}?{query}")), plain)
    for tag in plain.lines("etag"):
        reply = yield from get(f"{deployment.path}?page=2", ("If-None-Match", tag))
        expect_status(reply, 304)


@SUITE.check("http.head", "SD-HTTP-06")
def _head(deployment: Deployment) -> Steps:
    """HEAD has the status and headers of GET and no body."""
    full = yield from get(deployment.path, _ORIGIN)
    for line in (_ORIGIN, _GZIP):
        head = yield from get(deployment.path, _ORIGIN, line, method="HEAD")
        if head.header("content-encoding") is not None:  # a host may code GET alone
            full = yield from get(deployment.path, _ORIGIN, line)
        expect_status(head, full.status)
        expect_no_body(head)
        for name in (*_KEPT, *_OF_HEAD):
            expect_header(head, name, full.header(name))
        expect_header(head, "content-length", None, str(len(full.body)))


@SUITE.check("http.options", "SD-HTTP-07")
def _options(deployment: Deployment) -> Steps:
    """OPTIONS is 204, and allows GET, HEAD and OPTIONS with the conditional headers."""
    asked = (
        ("Access-Control-Request-Method", "GET"),
        ("Access-Control-Request-Headers", "if-none-match"),
    )
    for lines in ((), (_ORIGIN, *asked), (_ORIGIN, *asked, _ANY_TAG)):
        reply = yield from get(deployment.path, *lines, method="OPTIONS")
        expect_preflight(reply, _ALLOWED)
        expect_header(reply, "access-control-allow-origin", "*", rule="SD-HTTP-08")
        headers = list_items(reply.header("access-control-allow-headers"))
        expect({*_CONDITIONS} <= {*headers}, "the conditional headers", headers)


@SUITE.check("http.methods", "SD-HTTP-11")
def _methods(deployment: Deployment) -> Steps:
    """Other methods are 405, and Allow lists GET, HEAD and OPTIONS."""
    methods = ("POST", "PUT", "DELETE", "PATCH", "PROPFIND")
    yield from expect_methods(deployment.path, methods, _ALLOWED)
    for line in (("X-HTTP-Method-Override", "GET"), ("X-HTTP-Method", "GET")):
        expect_status((yield from get(deployment.path, line, method="POST")), 405)
    expect_status((yield from get(f"{deployment.path}?_method=GET", method="POST")), 405)


@SUITE.check("http.cors", "SD-HTTP-08")
def _cors(deployment: Deployment) -> Steps:
    """Scripts of any origin may read the body, its ETag and its Last-Modified."""
    yield from expect_cors(deployment.path, ("GET", "HEAD", "OPTIONS"))
    for lines in ((("Origin", "null"),), (_ORIGIN, _GZIP), (_ORIGIN, _ANY_TAG)):
        for method in ("GET", "HEAD"):
            reply = yield from get(deployment.path, *lines, method=method)
            expect_header(reply, "access-control-allow-origin", "*")
            exposed = {*list_items(reply.header("access-control-expose-headers"))}
            # Last-Modified may be read without being listed (Fetch Standard), ETag may not.
            expect(exposed & {"etag", "*"}, "ETag in Access-Control-Expose-Headers", exposed)


@SUITE.check("http.security-headers", "SD-HTTP-09")
def _security_headers(deployment: Deployment) -> Steps:
    """Responses, errors among them, forbid sniffing and send no referrer."""
    for method, path, *lines in (
        *(("GET", deployment.path), ("HEAD", deployment.path), ("GET", deployment.path, _GZIP)),
        *(("GET", deployment.path, _ANY_TAG), ("OPTIONS", deployment.path)),
        *(("DELETE", deployment.path), ("GET", _UNKNOWN)),
    ):
        reply = yield from get(path, *lines, method=method)
        expect_header(reply, "x-content-type-options", "nosniff")
        expect_header(reply, "referrer-policy", "no-referrer")


_OTHER_PATHS: Final = (
    *(f"{PATH}{end}" for end in ("/", "//", "x", ".html", "/x", ";v=1", "%20", "%3Fpage=1")),
    *(
        PATH.replace("/site", f"{between}site")
        for between in ("//", "/./", "/x/../", "%2F", "/%2E/")
    ),
    *(PATH.upper(), PATH.title(), PATH.replace("data/", "Data/"), PATH.replace(".json", ".JSON")),
    *(PATH.replace("s", "%73"), PATH.replace("-", "%2D"), PATH.replace("-", "_")),
    *("/data/", "/data", "/data/site-data", f"/x{PATH}", _UNKNOWN),
)


@SUITE.check("http.paths", "SD-HTTP-10")
def _paths(deployment: Deployment) -> Steps:
    """Paths compare byte for byte; another path is 404."""
    deployment.require_own_path()
    for path in _OTHER_PATHS:
        for method in ("GET", "HEAD"):
            expect_status((yield from get(path, method=method)), 404)


# Errors


def _errors(
    deployment: Deployment, *lines: tuple[str, str]
) -> Generator[Action, Any, list[tuple[str, Reply]]]:
    """Return the error responses with their codes: of unknown paths and of other methods."""
    asked = [("method_not_allowed", 405, method, deployment.path) for method in ("DELETE", "POST")]
    if deployment.path == PATH:
        asked += [("not_found", 404, "GET", f"/data/{_CANARY}.json")]
        asked += [("not_found", 404, "POST", _UNKNOWN)]
    replies = []
    for code, status, method, path in asked:
        reply = yield from get(f"{path}?{_CANARY}", *_CANARY_LINES, *lines, method=method)
        if reply.status == status:
            replies.append((code, reply))
    if not replies:
        raise Unchecked("unknown paths and other methods are no errors", inconclusive=True)
    return replies


@SUITE.check("errors.body", "SD-ERROR-01")
def _error_body(deployment: Deployment) -> Steps:
    """An error is JSON with a code and a message, and nothing else."""
    for code, reply in (yield from _errors(deployment)):
        expect_equal("media type of an error", media_type(reply), "application/json")
        error = reply.object().get("error")
        is_error = isinstance(error, dict) and error.keys() == {"code", "message"}
        is_error = is_error and reply.object().keys() == {"error"}
        expect(is_error, "an error of code and message", reply.body)
        expect_equal("code", reply.object()["error"]["code"], code)
        message = reply.object()["error"]["message"]
        expect(isinstance(message, str) and message, "a text as message", message)


@SUITE.check("errors.not-cached", "SD-ERROR-03")
def _errors_are_not_cached(deployment: Deployment) -> Steps:
    """Errors are not stored and not compressed."""
    for _, reply in (yield from _errors(deployment, _GZIP)):
        directives = list_items(reply.header("cache-control"))
        expect({"no-store", "max-age=0"} <= {*directives}, "no-store, max-age=0", directives)
        expect_header(reply, "content-encoding", None)


@SUITE.check("errors.quote-nothing", "SD-ERROR-04")
def _errors_quote_nothing(deployment: Deployment) -> Steps:
    """An error quotes nothing of the request."""
    for _, reply in (yield from _errors(deployment)):
        texts = [_CANARY, *([deployment.path] if reply.status == 405 else [])]
        quotes = any(text.encode() in reply.body for text in texts)
        expect(not quotes, "a body without text of the request", reply.body)


@SUITE.check("errors.order", "SD-ERROR-05")
def _order(deployment: Deployment) -> Steps:
    """Path, OPTIONS, method and conditions are checked in this order."""
    for method in ("DELETE", "OPTIONS"):
        plain = yield from get(deployment.path, method=method)
        reply = yield from get(deployment.path, _ANY_TAG, method=method)
        expect_status(reply, plain.status)
    deployment.require_own_path()
    for method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS"):
        for lines in ((), (_ANY_TAG,), (_ORIGIN,)):
            expect_status((yield from get(_UNKNOWN, *lines, method=method)), 404)


# Conditions and caching


def _tag(deployment: Deployment) -> Generator[Action, Any, str]:
    tag = (yield from get(deployment.path)).header("etag")
    if tag is None:
        raise Unchecked("the response has no ETag: see the check cache.validator")
    return tag


def _modified(deployment: Deployment) -> Generator[Action, Any, tuple[Reply, int]]:
    """Return the response and its Last-Modified, ms since the epoch."""
    reply = yield from get(deployment.path)
    modified = parse_http_date(reply.header("last-modified") or "")
    if modified is None:
        raise Unchecked("there is no date as Last-Modified")
    return reply, modified


@SUITE.check("cache.validator", "SD-CACHE-01")
def _validator(deployment: Deployment) -> Steps:
    """The response has a legal ETag or Last-Modified, and a condition on it yields 304."""
    reply = yield from get(deployment.path)
    tag, modified = reply.header("etag"), reply.header("last-modified")
    expect(tag or modified, "an ETag or a Last-Modified", None)
    if modified is not None:
        instant = parse_http_date(modified)
        is_date = instant is not None and http_date(instant) == modified
        expect(is_date, "a date of HTTP as Last-Modified", modified)
    if tag is not None:
        expect(is_valid_etag(tag), "a legal ETag", tag)
    line = ("If-Modified-Since", modified or "") if tag is None else ("If-None-Match", tag)
    unmodified = yield from get(deployment.path, line)
    expect_status(unmodified, 304)
    expect_no_body(unmodified)


@SUITE.check("cache.if-none-match", "SD-CACHE-02")
def _if_none_match(deployment: Deployment) -> Steps:
    """If-None-Match is a list or `*`, and compares weakly; another tag yields the file."""
    tag = yield from _tag(deployment)
    yield from expect_conditions(deployment.path, tag, ())
    plain = yield from get(deployment.path)
    opaque = tag.removeprefix("W/")
    for value in (f'"x", {opaque} , "y"', f",{opaque},"):
        expect_status((yield from get(deployment.path, ("If-None-Match", value))), 304)
    others = ("", '""', opaque[:-2] + '"', f'"x{opaque[1:]}', f'"{opaque[1:-1]},"', '"*"')
    for value in (*others, *({opaque.swapcase()} - {opaque})):
        _expect_same((yield from get(deployment.path, ("If-None-Match", value))), plain)


@SUITE.check("cache.if-modified-since", "SD-CACHE-02", "SD-CACHE-01")
def _if_modified_since(deployment: Deployment) -> Steps:
    """If-Modified-Since with Last-Modified is 304, and is ignored beside If-None-Match."""
    plain, modified = yield from _modified(deployment)
    yield from expect_modified_since(deployment.path, http_date(modified))
    since = ("If-Modified-Since", http_date(modified))
    expect_status((yield from get(deployment.path, since, method="HEAD")), 304, rule="SD-CACHE-01")
    earlier = [
        ("If-Modified-Since", http_date(modified - days * DAY_MS - seconds * SECOND_MS))
        for days, seconds in ((0, 1), (0, 60), (0, 3600), (1, 0), (31, 0), (366, 0))
    ]
    for line in earlier:
        _expect_same((yield from get(deployment.path, line)), plain)
    for tag in plain.lines("etag"):
        reply = yield from get(deployment.path, ("If-None-Match", tag), earlier[-1])
        expect_status(reply, 304)


@SUITE.check("cache.unmodified-headers", "SD-CACHE-07")
def _unmodified_headers(deployment: Deployment) -> Steps:
    """304 has the validators and caching headers of the 200."""
    for lines in ((), (_GZIP,)):
        full = yield from get(deployment.path, *lines)
        tag = full.header("etag")
        if tag is None:
            raise Unchecked("the response has no ETag")
        for condition in (("If-None-Match", tag), _ANY_TAG):
            for method in ("GET", "HEAD"):
                reply = yield from get(deployment.path, *lines, condition, method=method)
                expect_status(reply, 304, rule="SD-CACHE-01")
                for name in _KEPT:
                    expect_header(reply, name, full.header(name))
                has_expires = reply.header("expires") is not None
                expect_equal("Expires of 304", has_expires, full.header("expires") is not None)


@SUITE.check("cache.control", "SD-CACHE-03")
def _cache_control(deployment: Deployment) -> Steps:
    """The response says in its headers for how long it is fresh."""
    reply = yield from get(deployment.path)
    control = list_items(reply.header("cache-control"))
    has_rule = any(_FRESHNESS.fullmatch(item) for item in control)
    lines = {name: reply.header(name) for name in ("cache-control", "expires")}
    expect(has_rule or lines["expires"], "max-age, no-cache, no-store or Expires", lines)


@SUITE.check("cache.strong-tag", "SD-CACHE-05")
def _strong_tag(deployment: Deployment) -> Steps:
    """The ETag is strong."""
    yield from expect_strong_tag(deployment.path)


@SUITE.check("cache.last-modified", "SD-CACHE-06")
def _last_modified(deployment: Deployment) -> Steps:
    """Last-Modified is `generatedAt` in whole seconds, and not in the future."""
    _, snapshot = yield from read_snapshot(deployment)
    reply, modified = yield from _modified(deployment)
    built = snapshot.generated_at // SECOND_MS * SECOND_MS
    expect_header(reply, "last-modified", http_date(built))
    date = parse_http_date(reply.header("date") or "")
    is_past = date is None or modified <= date
    expect(is_past, "a time up to that of Date", reply.header("last-modified"))
