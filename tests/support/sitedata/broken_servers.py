"""Servers of the site-data file that each break a rule, made outside of the application.

`BROKEN` maps a name to the ids of the broken rules and a function that makes the server.
"""

import gzip
import json
import posixpath
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import attrs

from purewire.exchange.effects import Clock
from purewire.http.conditional import http_date
from sitedata.adapters import asgi
from support.purewire.middleware import (
    Asgi,
    Call,
    Request,
    Response,
    after,
    around,
    before,
    edit_json,
)
from support.sitedata.site_examples import PLAIN, PROBLEM, SNAPSHOT

PATH = "/data/site-data.json"
MANY = attrs.evolve(
    SNAPSHOT,
    problems=tuple(
        attrs.evolve(
            PROBLEM,
            path=path,
            **{
                member: getattr(PROBLEM, member).replace(PROBLEM.path, path)
                for member in ("github_url", "raw_url")
            },
        )
        for path in (f"AtCoder/abc/{number}.py" for number in range(40))
    ),
)
"""A snapshot that is large enough to be compressed."""
Build = Callable[[Clock], Asgi]


def healthy(clock: Clock) -> Asgi:
    """Return the application as it is."""
    return asgi.create_app(MANY, clock=clock)


@attrs.frozen
class Broken:
    """A broken server: the rules that it breaks, and how to make it."""

    rules: tuple[str, ...]
    build: Build = attrs.field(repr=False)


BROKEN: dict[str, Broken] = {}


def broken(name: str, *rules: str) -> Callable[[Build], Build]:
    """Add a server to the table."""

    def add(build: Build) -> Build:
        assert name not in BROKEN
        BROKEN[name] = Broken(rules, build)
        return build

    return add


def changed(name: str, rules: str, change: Callable[[Request, Response], Response]) -> None:
    """Add a server with other responses; the rules are separated by blanks."""
    broken(name, *rules.split())(lambda clock: after(healthy(clock), change))


def asked(name: str, rules: str, change: Callable[[Request], Request]) -> None:
    """Add a server that gets other requests."""
    broken(name, *rules.split())(lambda clock: before(healthy(clock), change))


def hosted(name: str, rules: str, edit: Callable[[Any], object]) -> None:
    """Add a server of an edited file, uncompressed."""

    def build(clock: Clock) -> Asgi:
        plain = before(healthy(clock), lambda request: without(request, "accept-encoding"))
        return edit_json(plain, lambda request: request.path == PATH, edit)

    broken(name, *rules.split())(build)


def as_bytes(name: str, rules: str, edit: Callable[[bytes], bytes]) -> None:
    """Add a server of other bytes."""

    def change(request: Request, response: Response) -> Response:
        is_file = request.path == PATH and response.status == 200 and response.body
        return response.with_body(edit(response.body)) if is_file else response

    def build(clock: Clock) -> Asgi:
        plain = before(healthy(clock), lambda request: without(request, "accept-encoding"))
        return after(plain, change)

    broken(name, *rules.split())(build)


def without(request: Request, name: str) -> Request:
    """Return a request without a header."""
    return attrs.evolve(request, headers=tuple(line for line in request.headers if line[0] != name))


def is_success(response: Response) -> bool:
    """Check for status 200."""
    return response.status == 200


# The file

as_bytes("a file cut off", "SD-FILE-01 SD-JSON-03", lambda body: body[: len(body) // 2])
as_bytes("two documents", "SD-FILE-01 SD-JSON-03", lambda body: body + body)
as_bytes("UTF-16", "SD-JSON-01", lambda body: body.decode().encode("utf-16"))
as_bytes(
    "NaN in the file", "SD-JSON-03", lambda body: body.replace(b'"atcoder":null', b'"atcoder":NaN')
)
as_bytes("a page in place of the file", "SD-FILE-01", lambda _: b"<!doctype html><p>Loading")
as_bytes("a list of problems", "SD-FILE-01", lambda _: json.dumps(PLAIN["problems"]).encode())
hosted("no sourceRef", "SD-SNAPSHOT-01", lambda value: value.pop("sourceRef"))
hosted("no branch", "SD-SNAPSHOT-03", lambda value: value["repository"].pop("branch"))
hosted(
    "generatedAt without milliseconds",
    "SD-SNAPSHOT-04",
    lambda value: value.update(generatedAt="2026-01-31T11:00:00Z"),
)
hosted(
    "generatedAt with an offset",
    "SD-SNAPSHOT-04",
    lambda value: value.update(generatedAt="2026-01-31T12:00:00.000+01:00"),
)
hosted(
    "generatedAt by a fast clock",
    "SD-SNAPSHOT-04",
    lambda value: value.update(generatedAt="2036-01-31T12:00:00.000Z"),
)
hosted("numbers as text", "SD-SNAPSHOT-06", lambda value: value.update(commitCount="3"))
hosted(
    "a day that does not exist",
    "SD-SNAPSHOT-08 SD-TIME-07",
    lambda value: value["contributions"].update({"2026-02-30": 1}),
)
hosted(
    "days as timestamps",
    "SD-SNAPSHOT-08",
    lambda value: value["contributions"].update({"2026-01-30T00:00:00Z": 1}),
)
hosted(
    "problems by path",
    "SD-SNAPSHOT-09",
    lambda value: value.update(problems={each["path"]: each for each in value["problems"]}),
)
hosted("no rawUrl", "SD-PROBLEM-01", lambda value: value["problems"][3].pop("rawUrl"))
hosted(
    "a time without an offset",
    "SD-TIME-01",
    lambda value: value["problems"][0].update(submittedAt="2026-01-31T12:00:00"),
)
hosted(
    "a time in the format of git",
    "SD-TIME-01 SD-PROBLEM-06",
    lambda value: value["problems"][0].update(submittedAt="2026-01-31 12:00:00 +0100"),
)
hosted(
    "an empty text for an unknown time",
    "SD-PROBLEM-06",
    lambda value: value["problems"][0].update(submittedAt=""),
)
hosted(
    "a day that does not exist as a time",
    "SD-TIME-03",
    lambda value: value["problems"][0].update(submittedAt="2026-02-30T12:00:00Z"),
)
hosted("ratings as a list", "SD-SNAPSHOT-10", lambda value: value.update(ratings=["atcoder"]))

# Publishing rules

hosted(
    "a path twice",
    "SD-PUBLISH-01",
    lambda value: value["problems"].append(dict(value["problems"][0])),
)
hosted(
    "an absolute path",
    "SD-PUBLISH-02",
    lambda value: value["problems"][0].update(path="/AtCoder/abc/a.py"),
)
hosted(
    "a path with backslashes and dots",
    "SD-PUBLISH-03",
    lambda value: value["problems"][0].update(path="AtCoder/./abc/../a.py"),
)
hosted(
    "a platform in lower case",
    "SD-PUBLISH-04",
    lambda value: value["problems"][0].update(platform="atcoder"),
)
hosted(
    "a URL without a scheme",
    "SD-PUBLISH-05",
    lambda value: value["problems"][0].update(problemUrl="//judge.example/abc/a"),
)
hosted(
    "a URL over plain HTTP",
    "SD-PUBLISH-05",
    lambda value: value["problems"][0].update(githubUrl="http://code.example/a.py"),
)
hosted(
    "days without contributions",
    "SD-PUBLISH-06",
    lambda value: value["contributions"].update({"2026-01-29": 0}),
)
hosted("a count of another branch", "SD-PUBLISH-07", lambda value: value.update(commitCount=99))

# HTTP

changed(
    "the media type of text",
    "SD-HTTP-02",
    lambda _, response: (
        response.with_headers(content_type="text/plain; charset=utf-8")
        if is_success(response)
        else response
    ),
)
changed(
    "no charset",
    "SD-HTTP-03",
    lambda _, response: (
        response.with_headers(content_type="application/json") if is_success(response) else response
    ),
)
changed(
    "a login for clients with credentials",
    "SD-HTTP-04",
    lambda request, response: (
        Response(401, (("www-authenticate", "Bearer"),), b"")
        if request.header("authorization")
        else response
    ),
)


def _page(request: Request, response: Response) -> Response:
    if not request.query.startswith(("page", "limit")) or not response.body:
        return response
    value = json.loads(response.body)
    value["problems"] = value["problems"][:1]
    return response.with_json(value)


changed("a page by parameters", "SD-HTTP-05", _page)
changed(
    "400 for unknown parameters",
    "SD-HTTP-05",
    lambda request, response: (
        Response(400, (), b"unknown parameter") if request.query else response
    ),
)
changed(
    "HEAD is refused",
    "SD-HTTP-06",
    lambda request, response: (
        Response(405, (("allow", "GET"),), b"") if request.method == "HEAD" else response
    ),
)
asked(
    "HEAD has a body",
    "SD-HTTP-06",
    lambda request: attrs.evolve(request, method="GET") if request.method == "HEAD" else request,
)
changed(
    "HEAD has the length of nothing",
    "SD-HTTP-06",
    lambda request, response: (
        response.with_headers(content_length="0") if request.method == "HEAD" else response
    ),
)
changed(
    "OPTIONS is 200",
    "SD-HTTP-07",
    lambda request, response: (
        attrs.evolve(response, status=200) if request.method == "OPTIONS" else response
    ),
)
changed(
    "no CORS",
    "SD-HTTP-08",
    lambda _, response: response.with_headers(access_control_allow_origin=None),
)
changed(
    "scripts cannot read the ETag",
    "SD-HTTP-08",
    lambda _, response: response.with_headers(access_control_expose_headers=None),
)
changed(
    "sniffing is allowed",
    "SD-HTTP-09",
    lambda _, response: response.with_headers(x_content_type_options=None),
)
asked(
    "paths in any case",
    "SD-HTTP-10",
    lambda request: attrs.evolve(request, path=request.path.lower()),
)
asked(
    "paths are decoded and normalized",
    "SD-HTTP-10",
    lambda request: attrs.evolve(request, path=posixpath.normpath(unquote(request.path))),
)


@broken("a page for every unknown path", "SD-HTTP-10")
def _application_page(clock: Clock) -> Asgi:
    page = Response(200, (("content-type", "text/html"),), b"<!doctype html>")
    return after(healthy(clock), lambda _, response: page if response.status == 404 else response)


asked(
    "POST as GET",
    "SD-HTTP-11",
    lambda request: attrs.evolve(request, method="GET") if request.method == "POST" else request,
)
changed("405 without Allow", "SD-HTTP-11", lambda _, response: response.with_headers(allow=None))
changed(
    "errors as pages",
    "SD-ERROR-01",
    lambda _, response: (
        response.with_body(b"<h1>404</h1>").with_headers(content_type="text/html")
        if response.status == 404
        else response
    ),
)
changed(
    "errors are cached",
    "SD-ERROR-03",
    lambda _, response: (
        response.with_headers(cache_control="public, max-age=600")
        if response.status == 404
        else response
    ),
)
changed(
    "errors quote the path",
    "SD-ERROR-04",
    lambda request, response: (
        response.with_body(
            json.dumps({"error": {"code": "not_found", "message": request.path}}).encode()
        )
        if response.status == 404
        else response
    ),
)
asked(
    "the method is checked before the path",
    "SD-ERROR-05",
    lambda request: attrs.evolve(request, path=PATH) if request.method == "POST" else request,
)

# Conditions and caching


def no_validators(response: Response) -> Response:
    """Return a response without validators."""
    return response.with_headers(etag=None, last_modified=None)


changed("no validator", "SD-CACHE-01", lambda _, response: no_validators(response))
asked(
    "conditions are ignored",
    "SD-CACHE-01",
    lambda request: without(without(request, "if-none-match"), "if-modified-since"),
)


@broken("tags compare as text", "SD-CACHE-02")
def _tags_as_text(clock: Clock) -> Asgi:
    async def handle(request: Request, call: Call) -> Response:
        condition = request.header("if-none-match")
        response = await call(without(request, "if-none-match"))
        if condition is not None and condition == response.header("etag"):
            return attrs.evolve(response, status=304, body=b"").with_headers(content_length=None)
        return response

    return around(healthy(clock), handle)


@broken("any tag is current", "SD-CACHE-02")
def _any_tag(clock: Clock) -> Asgi:
    def change(request: Request) -> Request:
        if request.header("if-none-match") is None:
            return request
        other = without(request, "if-none-match")
        return attrs.evolve(other, headers=(*other.headers, ("if-none-match", "*")))

    return before(healthy(clock), change)


@broken("If-Modified-Since comes first", "SD-CACHE-02")
def _date_first(clock: Clock) -> Asgi:
    def change(request: Request) -> Request:
        is_dated = request.header("if-modified-since") is not None
        return without(request, "if-none-match") if is_dated else request

    return before(healthy(clock), change)


changed(
    "any If-Modified-Since is current",
    "SD-CACHE-02",
    lambda request, response: (
        attrs.evolve(response, status=304, body=b"")
        if request.header("if-modified-since") and not request.header("if-none-match")
        else response
    ),
)


@broken("304 has a body", "SD-CACHE-01")
def _body_of_304(clock: Clock) -> Asgi:
    async def handle(request: Request, call: Call) -> Response:
        response = await call(request)
        if response.status != 304 or request.method == "HEAD":
            return response
        return attrs.evolve(await call(attrs.evolve(request, headers=())), status=304)

    return around(healthy(clock), handle)


changed(
    "304 without headers",
    "SD-CACHE-07",
    lambda _, response: (
        response.with_headers(etag=None, cache_control=None) if response.status == 304 else response
    ),
)
changed(
    "no Cache-Control",
    "SD-CACHE-03",
    lambda _, response: response.with_headers(cache_control=None),
)
changed(
    "ETags made weak by a proxy",
    "SD-CACHE-05",
    lambda _, response: (
        response.with_headers(etag=f"W/{response.header('etag')}")
        if response.header("etag")
        else response
    ),
)


@broken("ETags by the process", "SD-CACHE-05")
def _counted_tags(clock: Clock) -> Asgi:
    count = iter(range(10**6))

    def change(_: Request, response: Response) -> Response:
        has_tag = bool(response.header("etag"))
        return response.with_headers(etag=f'"{next(count) % 2}"') if has_tag else response

    return after(healthy(clock), change)


changed(
    "Last-Modified is the time of the deployment",
    "SD-CACHE-06",
    lambda _, response: (
        response.with_headers(last_modified=http_date(1_769_943_600_000))
        if response.header("last-modified")
        else response
    ),
)

# Codings


def _compress(request: Request, response: Response) -> Response:
    if "gzip" not in (request.header("accept-encoding") or "") or not response.body:
        return response
    coded = response.with_body(gzip.compress(response.body, mtime=0))
    return coded.with_headers(content_encoding="gzip", vary=None)


def gateway(name: str, rules: str, change: Callable[[Request, Response], Response]) -> None:
    """Add a server behind a gateway that compresses by itself."""

    def build(clock: Clock) -> Asgi:
        async def handle(request: Request, call: Call) -> Response:
            return change(request, await call(without(request, "accept-encoding")))

        return around(healthy(clock), handle)

    broken(name, *rules.split())(build)


gateway("compressed with the same ETag, without Vary", "SD-CACHE-05 SD-CACHE-08", _compress)
gateway(
    "always compressed",
    "SD-CODING-02",
    lambda request, response: _compress(
        attrs.evolve(request, headers=(("accept-encoding", "gzip"),)), response
    ),
)
gateway(
    "compressed twice",
    "SD-CODING-01",
    lambda request, response: _compress(request, _compress(request, response)),
)
changed(
    "406 where nothing is acceptable",
    "SD-CODING-04",
    lambda request, response: (
        Response(406, (), b"")
        if "identity;q=0" in (request.header("accept-encoding") or "")
        else response
    ),
)

# Time


def _cut_off(request: Request, response: Response) -> Response:
    if request.method != "GET" or not is_success(response):
        return response
    return attrs.evolve(response, body=response.body[:-100])


changed("the body is cut off", "SD-HTTP-01", _cut_off)


@broken("no response to HEAD", "SD-HTTP-01")
def _no_head(clock: Clock) -> Asgi:
    application = healthy(clock)

    async def silent(scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] != "HEAD":
            await application(scope, receive, send)

    return silent


@broken("minutes for a response", "SD-HTTP-01")
def _slow(clock: Clock) -> Asgi:
    def change(_: Request, response: Response) -> Response:
        clock.now += 90_000  # type: ignore[attr-defined]  # a virtual clock
        return response

    return after(healthy(clock), change)
