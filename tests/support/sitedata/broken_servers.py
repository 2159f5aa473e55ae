"""Servers of the site-data file that each break a rule, derived from a correct one.

`EDITED` has other files: wrong values of the models' constraints, text that is not JSON, broken
publishing rules, members that do not agree.  `READS` treats requests wrong, derived from what the
file is as a resource.  `BY_HAND` has what no table of either kind describes.
"""

import gzip
import posixpath
import tomllib
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import attrs

from purewire.adapters.conformance import VirtualClock
from purewire.exchange import Clock
from purewire.http.conditional import http_date
from purewire.instants import SECOND_MS, parse_millisecond
from purewire.structuring.cases import DROPPED, Case
from purewire.structuring.to_builtins import to_builtins
from purewire.testing.json_texts import NOT_JSON
from sitedata.adapters import asgi
from sitedata.reading.models import Snapshot
from sitedata.serving.service import publish
from sitedata.testing.strategies import CASES
from support.purewire.asgi_layers import App, Call, Layer, Request, Response, layered, respond
from support.purewire.derived_servers import (
    Change,
    Matches,
    Resource,
    after,
    before,
    dropping,
    edited,
    edited_json,
    putting,
    servers_of,
)
from support.sitedata.site_examples import PROBLEM, SNAPSHOT

PATH: Final = "/data/site-data.json"
_URLS: Final = ("problemUrl", "githubUrl", "rawUrl")


def _problem(path: str, time: str) -> Any:
    urls = {
        name: getattr(PROBLEM, name).replace(PROBLEM.path, path)
        for name in ("github_url", "raw_url")
    }
    return attrs.evolve(PROBLEM, path=path, submitted_at=time, **urls)


MANY: Final = attrs.evolve(
    SNAPSHOT,
    problems=tuple(
        _problem(f"AtCoder/abc/{number}.py", f"2026-01-{number % 30 + 1:02}T12:00:00+01:00")
        for number in range(40)
    ),
)
"""A snapshot that is large enough to be compressed."""
_PUBLISHED: Final = publish(MANY)
_PLAIN: Final[dict[str, Any]] = to_builtins(MANY)
_GROUPS: Final = {"FILE", "JSON", "SNAPSHOT", "PROBLEM", "TIME"}
_CONTRACT: Final = tomllib.loads(
    Path(__file__, "../../../../src/sitedata/contract/rules.toml").resolve().read_text("utf-8")
)["rules"]


@attrs.frozen
class Broken:
    """A server that breaks a rule.

    Attributes:
        fault: the fault, as a phrase.
        rules: ids of the rules that it breaks; a check names one of them.
        layer: makes it of a correct server.
        seconds: how long a response takes.

    """

    fault: str
    rules: tuple[str, ...]
    layer: Layer = attrs.field(repr=False)
    seconds: int = 0

    def build(self, clock: VirtualClock) -> App:
        """Return the application."""

        async def late(request: Request, call: Call) -> Response:
            clock.now += self.seconds * SECOND_MS
            return await call(request)

        return layered(healthy(clock), late, self.layer)


def healthy(clock: Clock) -> App:
    """Return the application as it is, without pages, which no check reads."""
    return asgi.create_app(_PUBLISHED, clock=clock, page=None)


def is_file(request: Request) -> bool:
    """Match requests of the file."""
    return request.path == PATH


# Other files


def _file(change: Callable[[Any], Any]) -> Layer:
    """Return the layer that replaces the snapshot; Last-Modified follows `generatedAt`."""

    def of_body(_: Request, response: Response) -> None:
        value = change(response.json)
        response.put_json(value)
        try:
            instant = parse_millisecond(value["generatedAt"])
        except (KeyError, TypeError, ValueError):
            return
        response.put("last-modified", http_date(instant))

    return edited(is_file, of_body)


def _bytes(change: Callable[[bytes], bytes]) -> Layer:
    def of_body(_: Request, response: Response) -> None:
        response.body = change(response.body)

    return edited(is_file, of_body)


def _with(**members: Any) -> Layer:
    """Return the layer with other members of the snapshot."""
    return _file(lambda value: value | members)


def _placed(case: Case) -> Layer:
    return _file(lambda value: CASES.place(Snapshot, value, case))


def _sent(text: bytes) -> Layer:
    return _bytes(lambda _: text)


def _encoded(encoding: str) -> Layer:
    """Return the layer that sends another encoding of a file that is not ASCII."""

    def change(body: bytes) -> bytes:
        return body.decode().replace("Two", "\u4e8c").encode(encoding)

    return _bytes(change)


def _rules_of(case: Case) -> tuple[str, ...]:
    """Return the rules of the contract about a wrong value: they list its finding, and name its
    member or no member."""
    if not case.path:
        return "SD-FILE-01", "SD-SNAPSHOT-02"
    about = {f"`{step}`" for step in case.path}
    members = {f"`{name}`" for name in (*_PLAIN, *_PLAIN["repository"], *_PLAIN["problems"][0])}
    texts = {
        key: rule["text"]
        for key, rule in _CONTRACT.items()
        if case.rule in rule.get("findings", ()) and key.split("-")[1] in _GROUPS
    }
    return tuple(
        key
        for key, text in texts.items()
        if any(name in text for name in about) or not any(name in text for name in members)
    )


def _wrong_values() -> Iterator[Broken]:
    for case in CASES.of(Snapshot):
        if case.rule and case.has_text:
            place = "/".join(map(str, case.path)) or "the file"
            value = "absent" if case.value is DROPPED else f"{case.value!r:.40}"
            yield Broken(f"{place}, {case.rule}: {value}", _rules_of(case), _placed(case))


def _not_json() -> Iterator[Broken]:
    rules = "SD-JSON-01", "SD-JSON-03", "SD-JSON-05", "SD-JSON-09", "SD-FILE-01"
    for text in (*NOT_JSON, b"<!doctype html><p>Loading"):
        yield Broken(f"not JSON: {text[:20]!r}, {len(text)} bytes", rules, _sent(text))
    whole = _bytes(lambda body: body + body), _bytes(lambda body: body[: len(body) // 2])
    yield Broken("two documents", ("SD-JSON-03",), whole[0])
    yield Broken("the first half of the file", ("SD-JSON-03",), whole[1])
    for encoding in ("utf-16", "utf-32-be", "shift_jis"):
        yield Broken(encoding, ("SD-JSON-01",), _encoded(encoding))


def _of_problem(index: int, **members: str) -> Layer:
    def change(value: Any) -> Any:
        value["problems"][index].update(members)
        return value

    return _file(change)


def _of_path(path: str) -> Layer:
    """Return the layer with another path of a problem, in its URLs too."""

    def change(value: Any) -> Any:
        problem = value["problems"][3]
        for name in ("githubUrl", "rawUrl"):
            problem[name] = problem[name].replace(problem["path"], path)
        problem["path"] = path
        return value

    return _file(change)


_WRONG_URLS: Final = {
    "SD-PUBLISH-05": (
        *("", "judge.example/a", "/abc/a", "//judge.example/a", "http://judge.example/a"),
        *("ftp://judge.example/a", "javascript:alert(1)", "https:judge.example/a", "https://"),
        *("https:///", "https://[::1/a", "https://a.example:99999/", " https://a.example/"),
    ),
    "SD-LINK-07": (
        *("https://a.example/a b", "https://a.example/a\n", "https://a.example/\t", "{url}\\a"),
        *("{url}%", "{url}%zz", '{url}"', "{url}<", "{url}{{name}}", "{url}\x00", "{url}\x7f"),
    ),
    "SD-LINK-09": ("https://user@a.example/", "https://user:secret@a.example/a"),
}
"""Rule to URLs that break it; `{url}` is the right one."""


def _publishing() -> Iterator[Broken]:
    for rule, paths in {
        "SD-PUBLISH-02": ("", "/AtCoder/abc/3.py", "//3.py"),
        "SD-PUBLISH-03": (
            *("AtCoder//3.py", "AtCoder/./3.py", "AtCoder/../3.py", "AtCoder/3.py/"),
            *("AtCoder/abc/..", "AtCoder/abc/.", "./3.py", "../3.py", "."),
        ),
        "SD-PUBLISH-04": ("atcoder/abc/3.py", "Atcoder/3.py", "3.py", " AtCoder/3.py"),
    }.items():
        for path in paths:
            yield Broken(f"the path {path!r}", (rule,), _of_path(path))
    for platform in ("", "atcoder", "AtCoder ", "AtCoder/abc", "\uff21tCoder"):
        layer = _of_problem(3, platform=platform)
        yield Broken(f"the platform {platform!r}", ("SD-PUBLISH-04",), layer)
    for rule, urls in _WRONG_URLS.items():
        for url, member in zip(urls, cycle(_URLS)):
            text = url.format(url=_PLAIN["problems"][3][member])
            yield Broken(f"{member} {url!r}", (rule,), _of_problem(3, **{member: text}))
    for times in (2, 3):
        layer = _with(problems=_PLAIN["problems"] * times)
        yield Broken(f"each path {times} times", ("SD-PUBLISH-01",), layer)
    yield Broken("the last path is the first", ("SD-PUBLISH-01",), _last_is_first())
    for days in ({"2026-01-29": 0}, {"2026-01-29": 0.0}, {"0001-01-01": 0}):
        layer = _with(contributions=_PLAIN["contributions"] | days)
        yield Broken(f"contributions {days}", ("SD-PUBLISH-06",), layer)
    for count in (0, 2, 4, 99, 10**20):
        yield Broken(f"commitCount {count}", ("SD-PUBLISH-07",), _with(commitCount=count))


def _last_is_first() -> Layer:
    def change(value: Any) -> Any:
        value["problems"][-1] = dict(value["problems"][0])
        return value

    return _file(change)


def _all_problems(**members: Callable[[Any], str]) -> Layer:
    def change(value: Any) -> Any:
        for problem in value["problems"]:
            problem.update({name: of(problem) for name, of in members.items()})
        return value

    return _file(change)


def _agreement() -> Iterator[Broken]:
    for title in ("A", "z", "\u00e9", "7", "1068"):
        yield Broken(f"the title {title!r}", ("SD-PROBLEM-08",), _of_problem(3, title=title))
    for name in ("commits", "recentCommits", "latest_commits"):
        yield Broken(f"the member {name}", ("SD-FILE-06",), _with(**{name: [{"sha": "c0ffee"}]}))
    for time in ("2036-01-31T12:00:00.000Z", "9999-12-31T23:59:59.999Z"):
        yield Broken(f"built at {time}", ("SD-SNAPSHOT-04",), _with(generatedAt=time))
    rules = "SD-SNAPSHOT-04", "SD-PROBLEM-06"
    yield Broken(
        "built before all of its commits",
        rules,
        _with(generatedAt="2016-01-31T12:00:00.000Z"),
    )
    yield Broken(
        "submitted when it is read",
        rules,
        _all_problems(submittedAt=lambda _: "2026-09-21T14:13:20Z"),
    )
    yield Broken(
        "submitted in another century",
        rules,
        _all_problems(submittedAt=lambda problem: f"21{problem['submittedAt'][2:]}"),
    )
    right = _PLAIN["problems"][3]
    for member in ("githubUrl", "rawUrl"):
        url = right[member]
        for fault, text in {
            "of the last file": _PLAIN["problems"][-1][member],
            "at another reference": url.replace("main", "old"),
            "of another repository": url.replace("practice", "other"),
            "on another host": url.replace(".example", ".test"),
            "without the path": url.removesuffix(right["path"]),
            "encoded twice": url.replace("AtCoder", "%2541tCoder"),
            "cut off by a fragment": url.replace("/abc/", "#/abc/"),
            "in lower case": url.lower(),
            "with more after it": f"{url}.txt",
        }.items():
            layer = _of_problem(3, **{member: text})
            yield Broken(f"{member} {fault}", ("SD-PROBLEM-05",), layer)
    github = "https://github.com/someone/practice/blob/main/"
    raw = "https://raw.githubusercontent.com/someone/practice/main/"
    yield Broken(
        "rawUrl is the web view",
        ("SD-PROBLEM-05",),
        _all_problems(rawUrl=lambda problem: github + problem["path"]),
    )
    yield Broken(
        "githubUrl is the raw file",
        ("SD-PROBLEM-05",),
        _all_problems(githubUrl=lambda problem: raw + problem["path"]),
    )


EDITED: Final = (*_wrong_values(), *_not_json(), *_publishing(), *_agreement())

# Requests treated wrong

_RESOURCE: Final = Resource(
    PATH,
    headers={
        "content-type": "SD-HTTP-02 SD-HTTP-03",
        "etag": "SD-CACHE-01 SD-CACHE-05",
        "access-control-expose-headers": "SD-HTTP-08",
        "x-content-type-options": "SD-HTTP-09",
        "referrer-policy": "SD-HTTP-09",
    },
    head="SD-HTTP-06 SD-HTTP-01",
    methods="SD-HTTP-11",
    preflight="SD-HTTP-07",
    cors="SD-HTTP-08",
    conditions="SD-CACHE-01 SD-CACHE-02 SD-CACHE-07",
    dates="SD-CACHE-02",
    independence={
        "SD-HTTP-04": (("Authorization", "Bearer x"), ("Cookie", "session=1")),
        "SD-FILE-04": (
            *(("Accept", "text/html"), ("Accept-Language", "zh"), ("Accept-Charset", "utf-16")),
            *(("Cache-Control", "no-cache"), ("Pragma", "no-cache"), ("User-Agent", "curl/8")),
            *(("Referer", "https://a.example/"), ("X-Forwarded-Host", "a.example")),
            ("X-HTTP-Method-Override", "DELETE"),
        ),
    },
)
ALLOWED: Final = {
    "HEAD without Content-Length": "a server need not compute it (RFC 9110, section 9.3.2)",
    "no CORS of DELETE": "scripts may read the file; an error is not the file",
}
"""Derived faults that the contract allows, with the reason."""
READS: Final = tuple(
    Broken(each.fault, each.rules, each.layer)
    for each in servers_of(_RESOURCE)
    if each.fault not in ALLOWED
)

# By hand: what a table of neither members nor headers describes


def anything(_: Request) -> bool:
    """Match every request."""
    return True


def _of_status(change: Callable[[Request, Response], object], *statuses: int) -> Layer:
    """Return the layer that changes responses of some statuses in place."""

    def of_response(request: Request, response: Response) -> None:
        if response.status in statuses:
            change(request, response)

    return after(anything, of_response)


def _with_error(**members: object) -> Change:
    """Return the change of the members of an error; a blank one is removed."""

    def change(_: Request, response: Response) -> None:
        error = {**response.json["error"], **members}
        response.put_json({"error": {key: value for key, value in error.items() if value != ""}})

    return change


def _quoting(part: Callable[[Request], str | None]) -> Change:
    return lambda request, response: _with_error(message=f"no {part(request)}")(request, response)


def _coded(_: Request, response: Response) -> None:
    response.body = gzip.compress(response.body, mtime=0)
    response.put("content-encoding", "gzip")
    response.put("content-length", str(len(response.body)))


def _of_form(form: Callable[[Any], object]) -> Change:
    return lambda _, response: response.put_json(form(response.json))


_ERRORS: Final[dict[str, dict[str, Change]]] = {
    "SD-ERROR-01": {
        "as a page": putting("content-type", "text/html"),
        "as another form": _of_form(lambda _: {"detail": "Not Found"}),
        "as text": _of_form(lambda _: "Not found"),
        "with a member beside it": _of_form(lambda value: {**value, "status": 404}),
        "with another code": _with_error(code="error"),
        "with a status as code": _with_error(code=404),
        "without a message": _with_error(message=""),
        "with a null message": _with_error(message=None),
        "with a stack trace": _with_error(trace="..."),
    },
    "SD-ERROR-03": {
        "without Cache-Control": dropping("cache-control"),
        "that are cached": putting("cache-control", "public, max-age=600"),
        "that are revalidated": putting("cache-control", "no-cache"),
        "that are coded": _coded,
    },
    "SD-ERROR-04": {
        "that quote the path": _quoting(lambda request: request.path),
        "that quote the query": _quoting(lambda request: request.query),
        "that quote a header": _quoting(lambda request: request.header("referer")),
    },
    "SD-HTTP-09": {
        "without nosniff": dropping("x-content-type-options"),
        "that send the referrer": dropping("referrer-policy"),
    },
}
"""Rule to faults of errors, which are no resource."""
_PARAMETERS: Final = ("page", "limit", "oj", "sort", "q", "fields", "language", "pretty")
"""Parameters that the contract names, or that hosts have; no endpoint has one."""


def _normal(path: str) -> str:
    return posixpath.normpath(path.replace("//", "/"))


_ROUTERS: Final[dict[str, Callable[[str], str]]] = {
    "compares in any case": str.lower,
    "decodes": unquote,
    "decodes and normalizes": lambda path: _normal(unquote(path)),
    "merges slashes": lambda path: path.replace("//", "/"),
    "resolves dots": lambda path: _normal(path) if "." in path else path,
    "drops a trailing slash": lambda path: path.rstrip("/"),
    "drops parameters": lambda path: path.partition(";")[0],
    "adds the extension": lambda path: path if path.endswith(".json") else f"{path}.json",
    "compares the end": lambda path: PATH if path.endswith(PATH) else path,
    "compares the start": lambda path: PATH if path.startswith(PATH) else path,
    "takes underscores as hyphens": lambda path: path.replace("_", "-"),
    "trims blanks": lambda path: unquote(path).strip(),
}
"""Fault of a router to the path that it sees; the table of endpoints has one path only."""


def _seeing(seen: Callable[[str], str]) -> Callable[[Request], Request]:
    return lambda request: request.copy(path=seen(request.path))


def _without(name: str) -> Callable[[Request], Request]:
    def change(request: Request) -> Request:
        request.drop(name)
        return request

    return change


def _has_method(method: str) -> Matches:
    return lambda request: request.method == method


def _has_parameter(text: str) -> Matches:
    return lambda request: is_file(request) and f"{text}=" in request.query


def _instead(replacement: Response) -> Change:
    return lambda _, response: replacement if response.status == 404 else None


def _first_problem(value: Any) -> None:
    value["problems"] = value["problems"][:1]


async def _conditions_first(request: Request, call: Call) -> Response:
    response = await call(request)
    is_late = request.header("if-none-match") == "*" and request.method not in {"GET", "HEAD"}
    return respond(412) if is_late else response


def _of_requests() -> Iterator[Broken]:
    for rule, faults in _ERRORS.items():
        for fault, change in faults.items():
            for status in (404, 405):
                yield Broken(f"{status} {fault}", (rule,), _of_status(change, status))
    for name in _PARAMETERS:
        has = _has_parameter(name)
        page, refused = edited_json(has, _first_problem), after(has, lambda *_: respond(400))
        yield Broken(f"{name} selects problems", ("SD-HTTP-05",), page)
        yield Broken(f"{name} is refused", ("SD-HTTP-05",), refused)
    turned = edited_json(_has_parameter("sort"), lambda value: value["problems"].reverse())
    yield Broken("sort reverses problems", ("SD-HTTP-05",), turned)
    layer = before(_has_parameter("page"), _without("if-none-match"))
    yield Broken("conditions are ignored with a query", ("SD-HTTP-05",), layer)
    for fault, seen in _ROUTERS.items():
        yield Broken(f"the router {fault}", ("SD-HTTP-10",), before(anything, _seeing(seen)))
    page_of_all = respond(200, b"<!doctype html>", content_type="text/html")
    rules = "SD-HTTP-10", "SD-ERROR-05"
    for fault, response in (("a page", page_of_all), ("a redirect", respond(301, location=PATH))):
        layer = after(anything, _instead(response))
        yield Broken(f"{fault} for every unknown path", rules, layer)
    for method in ("POST", "DELETE", "OPTIONS"):
        layer = before(_has_method(method), _seeing(lambda _: PATH))
        yield Broken(f"{method} is checked before the path", ("SD-ERROR-05",), layer)
    yield Broken("conditions before the method", ("SD-ERROR-05",), _conditions_first)
    layer = before(
        _has_method("POST"),
        lambda request: request.copy(method=request.header("x-http-method-override") or "POST"),
    )
    yield Broken("a header overrides POST", ("SD-HTTP-11",), layer)


def _by_turns(change: Change) -> Layer:
    """Return the layer of two processes, the second of which is different."""
    numbers = iter(range(10**6))

    def of_second(request: Request, response: Response) -> None:
        if response.header("etag") is not None and next(numbers) % 2:
            change(request, response)

    return after(is_file, of_second)


def _dated(text: str) -> Layer:
    return edited(is_file, putting("last-modified", text))


def _both(request: Request, response: Response) -> Response | None:
    since, tag = request.header("if-modified-since"), request.header("if-none-match")
    is_older = since is not None and since != response.header("last-modified")
    return respond(200) if response.status == 304 and tag and is_older else None


def _other_version(_: Request, response: Response) -> None:
    response.body = response.body.replace(b"Two Sums", b"Two sums")


_CACHING: Final[dict[str, tuple[str, Layer]]] = {
    "no Cache-Control": ("SD-CACHE-03", _of_status(dropping("cache-control"), 200)),
    "max-age=soon": ("SD-CACHE-03", _of_status(putting("cache-control", "max-age=soon"), 200)),
    "Cache-Control: public": ("SD-CACHE-03", _of_status(putting("cache-control", "public"), 200)),
    "an ETag of each process": ("SD-CACHE-05 SD-SOURCE-04", _by_turns(putting("etag", '"two"'))),
    "two versions by turns": ("SD-SOURCE-04 SD-CACHE-05", _by_turns(_other_version)),
    "If-Modified-Since before If-None-Match": (
        "SD-CACHE-02",
        before(
            lambda request: request.header("if-modified-since") is not None,
            _without("if-none-match"),
        ),
    ),
    "both conditions must hold": ("SD-CACHE-02", after(is_file, _both)),
    "no If-Modified-Since": (
        "SD-CACHE-02 SD-CACHE-01",
        before(is_file, _without("if-modified-since")),
    ),
    "Last-Modified of the deployment": ("SD-CACHE-06", _dated(http_date(1_769_943_600_000))),
    "Last-Modified is no date": ("SD-CACHE-01", _dated("2026-01-31T11:00:00Z")),
    "Last-Modified on another weekday": ("SD-CACHE-01", _dated("Mon, 31 Jan 2026 11:00:00 GMT")),
    "304 without Last-Modified": ("SD-CACHE-07", _of_status(dropping("last-modified"), 304)),
    "304 with another age": (
        "SD-CACHE-07",
        _of_status(putting("cache-control", "max-age=1"), 304),
    ),
    "no validators": (
        "SD-CACHE-01",
        after(is_file, lambda _, response: response.drop("etag", "last-modified")),
    ),
}
"""Fault of validators and dates to its rules; the derived ones compare tags wrong."""


def _cut_off(request: Request, response: Response) -> None:
    if request.method == "GET":
        response.body = response.body[:-100]


async def _silent(request: Request, call: Call) -> Response:
    if request.method == "HEAD":
        raise ConnectionError
    return await call(request)


_WHOLE: Final[dict[str, tuple[str, Layer]]] = {
    "the body is cut off": ("SD-HTTP-01 SD-SOURCE-04", _of_status(_cut_off, 200)),
    "the status is 203": (
        "SD-HTTP-01",
        _of_status(lambda _, response: setattr(response, "status", 203), 200),
    ),
    "charset=iso-8859-1": (
        "SD-HTTP-03",
        _of_status(putting("content-type", "application/json; charset=iso-8859-1"), 200),
    ),
    "no response to HEAD": ("SD-HTTP-01", _silent),
}
"""Fault of the transfer to its rules."""
_UNCHANGED: Final = after(is_file, lambda *_: None)
BY_HAND: Final = (
    *_of_requests(),
    *(
        Broken(fault, tuple(rules.split()), layer)
        for faults in (_CACHING, _WHOLE)
        for fault, (rules, layer) in faults.items()
    ),
    Broken("90 seconds for a response", ("SD-HTTP-01",), _UNCHANGED, 90),
)
SERVERS: Final = (*EDITED, *READS, *BY_HAND)
"""All of them; no two have the same fault."""
UNBROKEN: Final = Broken("nothing", (), _UNCHANGED)
