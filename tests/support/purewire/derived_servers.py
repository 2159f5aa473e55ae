"""Servers that each break one rule of reading over HTTP, derived from the resources of a product.

`servers_of(resource)` yields faults as layers around a correct application: each header that is
absent or has another value, each method, condition and header of a request that is treated wrong.
`edited` changes the content of a resource: HEAD, conditional and coded requests follow the edit, so
that no second difference gives it away.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from purewire.http.conditional import parse_http_date
from support.purewire.asgi_layers import Call, Layer, Request, Response

Matches = Callable[[Request], bool]
Change = Callable[[Request, Response], Response | None]
"""Changes a response in place, or returns another one."""

OTHER_METHODS: Final = ("POST", "PUT", "PATCH", "DELETE")
_CONDITIONS: Final = ("if-none-match", "if-modified-since")
_OF_CONTENT: Final = ("content-type", "content-length", "content-encoding")


@attrs.frozen
class Resource:
    """A resource that is read, and the rules that its responses obey; no rules, no faults.

    Attributes:
        path: its path, with its query if it needs one.
        headers: header of its success, in lower case, to rules, separated by blanks.
        head: rules about HEAD.
        methods: rules about methods that are refused.
        preflight: rules about OPTIONS.
        cors: rules about other origins.
        conditions: rules about If-None-Match.
        dates: rules about If-Modified-Since beside those of If-None-Match.
        independence: rule to the header lines of requests that change nothing.

    """

    path: str
    headers: Mapping[str, str] = attrs.field(factory=dict)
    head: str = ""
    methods: str = ""
    preflight: str = ""
    cors: str = ""
    conditions: str = ""
    dates: str = ""
    independence: Mapping[str, tuple[tuple[str, str], ...]] = attrs.field(factory=dict)

    def is_target(self, request: Request) -> bool:
        """Return whether the path of a request is that of the resource, whatever its query."""
        return request.path == self.path.partition("?")[0]


@attrs.frozen
class Derived:
    """A server that breaks one rule at one resource.

    Attributes:
        fault: the fault, as a phrase; with the path it names the server.
        path: where it is.
        rules: the rules that it breaks.
        layer: the layer that makes it of a correct application.

    """

    fault: str
    path: str
    rules: tuple[str, ...]
    layer: Layer = attrs.field(repr=False)


def after(matches: Matches, change: Change) -> Layer:
    """Return the layer that changes responses to some requests."""

    async def around(request: Request, call: Call) -> Response:
        response = await call(request)
        return (change(request, response) or response) if matches(request) else response

    return around


def before(matches: Matches, change: Callable[[Request], Request]) -> Layer:
    """Return the layer that passes other requests on."""

    async def around(request: Request, call: Call) -> Response:
        return await call(change(request.copy()) if matches(request) else request)

    return around


def dropping(name: str) -> Change:
    """Return the change that removes a header."""
    return lambda _, response: response.drop(name)


def putting(name: str, value: str) -> Change:
    """Return the change that sets a header."""
    return lambda _, response: response.put(name, value)


def edited(matches: Matches, change: Change) -> Layer:
    """Return the layer that changes successes of GET, and what follows from them.

    The length and the entity tag are those of the edited body, HEAD has the edited headers, a
    condition is held against the new tag, and the body is sent without a coding.
    """

    async def around(request: Request, call: Call) -> Response:
        if request.method not in {"GET", "HEAD"} or not matches(request):
            return await call(request)
        plain = request.copy(method="GET")
        plain.drop(*_CONDITIONS, "accept-encoding")
        response = await call(plain)
        if response.status != 200:
            return await call(request)
        unchanged = Response([*response.headers], response.body, response.status)
        response = change(request, response) or response
        if response == unchanged:
            return await call(request)
        return _of_content(request, response, unchanged)

    return around


def edited_json(matches: Matches, change: Callable[[Any], object]) -> Layer:
    """Return the layer that changes JSON bodies of successes in place; see `edited`."""

    def of_body(_: Request, response: Response) -> None:
        value = response.json
        if value is not None:
            change(value)
            if value != response.json or [*_names(value)] != [*_names(response.json)]:
                response.put_json(value)

    return edited(matches, of_body)


def _names(value: Any) -> Iterator[str]:
    """Yield the names of members in their order, at any depth."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from _names(member)
    elif isinstance(value, list):
        for member in value:
            yield from _names(member)


def _of_content(request: Request, response: Response, unchanged: Response) -> Response:
    """Return the response to HEAD, or to a condition, that follows from an edited success."""
    if response.body != unchanged.body:
        response.put("content-length", str(len(response.body)))
        if response.header("etag") == unchanged.header("etag") is not None:
            digest = hashlib.sha256(response.body).hexdigest()[:32]
            response.put("etag", f'"{digest}"')
    if _is_current(request, response):
        response.status, response.body = 304, b""
        response.drop(*_OF_CONTENT)
    if request.method == "HEAD":
        response.body = b""
    return response


def _is_current(request: Request, response: Response) -> bool:
    tags = [value for name, value in request.headers if name.lower() == "if-none-match"]
    if tags:
        return _holds(", ".join(tags), response.header("etag") or "")
    dates = request.header("if-modified-since") or "", response.header("last-modified") or ""
    since, modified = map(parse_http_date, dates)
    return since is not None and modified is not None and modified <= since


def _holds(condition: str, tag: str) -> bool:
    tags = re.findall(r'"[^"]*"', condition)
    return condition.strip() == "*" or tag.removeprefix("W/") in tags


def servers_of(resource: Resource) -> Iterator[Derived]:
    """Yield the servers that each break one rule at a resource."""
    for rules, faults in (
        (resource.head, _faults_of_head(resource)),
        (resource.methods, _faults_of_methods(resource)),
        (resource.preflight, _faults_of_preflight(resource)),
        (resource.cors, _faults_of_cors(resource)),
        (resource.conditions, _faults_of_conditions(resource)),
        (resource.dates, _faults_of_dates(resource)),
    ):
        if rules:
            for fault, layer in faults:
                yield Derived(fault, resource.path, tuple(rules.split()), layer)
    for name, rules in resource.headers.items():
        for fault, change in _faults_of_header(name):
            layer = edited(resource.is_target, change)
            yield Derived(fault, resource.path, tuple(rules.split()), layer)
    for rules, lines in resource.independence.items():
        for fault, layer in _dependences(resource, lines):
            yield Derived(fault, resource.path, tuple(rules.split()), layer)


Faults = Iterator[tuple[str, Layer]]


def _faults_of_header(name: str) -> Iterator[tuple[str, Change]]:
    """Yield changes of a header: without it, with each part left out, with each number moved."""
    title = name.title()
    yield f"no {title}", dropping(name)
    if name == "content-type":
        for other in ("text/plain; charset=utf-8", "application/octet-stream"):
            yield f"{title}: {other}", putting(name, other)
    if name == "etag":
        yield f"a weak {title}", _changing(name, lambda tag: f"W/{tag}")
        yield f"{title} without quotes", _changing(name, lambda tag: tag.strip('"'))
    if name in {"cache-control", "content-security-policy"}:
        separator = "; " if name == "content-security-policy" else ", "
        for index in range(3):
            yield f"{title} without part {index + 1}", _lessened(name, separator, index)
        for index in range(2 * (name == "cache-control")):
            yield f"{title} with another number {index + 1}", _changing(name, _moved(index))


def _changing(name: str, change: Callable[[str], str]) -> Change:
    def of_header(_: Request, response: Response) -> None:
        value = response.header(name)
        if value is not None and change(value) != value:
            response.put(name, change(value))

    return of_header


def _lessened(name: str, separator: str, index: int) -> Change:
    """Return the change of a header that leaves out one of its parts."""

    def of_text(text: str) -> str:
        parts = text.split(separator)
        return separator.join([*parts[:index], *parts[index + 1 :]])

    return _changing(name, of_text)


def _moved(index: int) -> Callable[[str], str]:
    def move(text: str) -> str:
        found = [*re.finditer(r"\d+", text)][index : index + 1]
        for one in found:
            text = f"{text[: one.start()]}{int(one[0]) + 1}{text[one.end() :]}"
        return text

    return move


def _is(resource: Resource, *methods: str) -> Matches:
    return lambda request: resource.is_target(request) and request.method in methods


def _with_status(status: int) -> Change:
    def change(request: Request, response: Response) -> None:
        response.status = status
        if request.method == "HEAD":
            response.body = b""

    return change


def _faults_of_head(resource: Resource) -> Faults:
    is_head = _is(resource, "HEAD")
    for status in (204, 404, 405):
        yield f"HEAD is {status}", after(is_head, _with_status(status))
    yield "HEAD has a body", before(is_head, lambda request: request.copy(method="GET"))
    names = ("content-type", "content-length", "cache-control", "etag", "content-security-policy")
    for name in names:
        if name in resource.headers or name == "content-length":
            yield f"HEAD without {name.title()}", after(is_head, dropping(name))
    yield "HEAD has the length of nothing", after(is_head, putting("content-length", "0"))


def _faults_of_methods(resource: Resource) -> Faults:
    for method in OTHER_METHODS:
        matches = _is(resource, method)
        yield f"{method} reads", before(matches, lambda request: request.copy(method="GET"))
        for status in (200, 404, 501):
            yield f"{method} is {status}", after(matches, _with_status(status))
    refused = _is(resource, *OTHER_METHODS)
    yield "405 without Allow", after(refused, dropping("allow"))
    for index in range(2):
        yield f"Allow without part {index + 1}", after(refused, _lessened("allow", ", ", index))
    yield "Allow with POST", after(refused, _changing("allow", lambda text: f"{text}, POST"))


def _faults_of_preflight(resource: Resource) -> Faults:
    is_options = _is(resource, "OPTIONS")
    methods = "access-control-allow-methods"
    for status in (200, 404, 405):
        yield f"OPTIONS is {status}", after(is_options, _with_status(status))

    def with_text(_: Request, response: Response) -> None:
        response.body = b"OK"

    yield "OPTIONS has a body", after(is_options, with_text)
    yield "OPTIONS names no methods", after(is_options, dropping(methods))
    more = _changing(methods, lambda text: f"{text}, DELETE")
    yield "OPTIONS names one method more", after(is_options, more)
    yield "OPTIONS names one method less", after(is_options, _lessened(methods, ", ", 0))


def _faults_of_cors(resource: Resource) -> Faults:
    origin = "access-control-allow-origin"
    without = dropping(origin)
    for method in ("GET", "HEAD", "OPTIONS", "DELETE"):
        yield f"no CORS of {method}", after(_is(resource, method), without)
    yield (
        "no CORS of 304",
        after(
            lambda request: (
                resource.is_target(request) and request.header("if-none-match") is not None
            ),
            without,
        ),
    )
    yield (
        "CORS only with Origin",
        after(
            lambda request: resource.is_target(request) and request.header("origin") is None,
            without,
        ),
    )

    def reflect(request: Request, response: Response) -> None:
        response.put(origin, request.header("origin") or "*")

    yield "the origin is reflected", after(resource.is_target, reflect)
    yield (
        "credentials are allowed",
        after(
            resource.is_target,
            lambda _, response: response.put("access-control-allow-credentials", "true"),
        ),
    )


_COMPARISONS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "conditions are ignored": lambda _, __: False,
    "any condition holds": lambda _, __: True,
    "tags compare as text": lambda condition, tag: condition == tag,
    "tags compare without quotes": lambda condition, tag: (
        _holds(condition, tag) or tag.strip('"') in condition
    ),
    "`*` is no condition": lambda condition, tag: condition != "*" and _holds(condition, tag),
    "weak tags do not match": lambda condition, tag: (
        condition == "*" or tag in re.split(r"\s*,\s*", condition)
    ),
    "only the first tag counts": lambda condition, tag: _holds(condition.split(",")[0], tag),
    "only the last tag counts": lambda condition, tag: _holds(condition.split(",")[-1], tag),
}
"""Fault to the comparison of If-None-Match with the tag of a response."""


def _compared(resource: Resource, compare: Callable[[str, str], bool], methods: str) -> Layer:
    async def around(request: Request, call: Call) -> Response:
        condition = request.header("if-none-match")
        if condition is None or not _is(resource, *methods.split())(request):
            return await call(request)
        response = await call(_unconditional(request.copy()))
        tag = response.header("etag")
        if response.status == 200 and tag is not None and compare(condition, tag):
            response.status, response.body = 304, b""
            response.drop(*_OF_CONTENT)
        return response

    return around


def _faults_of_conditions(resource: Resource) -> Faults:
    for fault, compare in _COMPARISONS.items():
        yield fault, _compared(resource, compare, "GET HEAD")
    for method in ("GET", "HEAD"):
        yield f"conditions of {method} are ignored", _compared(resource, lambda *_: False, method)

    async def body_of_304(request: Request, call: Call) -> Response:
        response = await call(request)
        if response.status != 304 or not _is(resource, "GET")(request):
            return response
        whole = await call(_unconditional(request.copy()))
        whole.status = 304
        return whole

    yield "304 has a body", body_of_304
    for name in ("etag", "cache-control"):

        def without(_: Request, response: Response, name: str = name) -> None:
            if response.status == 304:
                response.drop(name)

        yield f"304 without {name.title()}", after(resource.is_target, without)


def _unconditional(request: Request) -> Request:
    request.drop("if-none-match")
    return request


def _faults_of_dates(resource: Resource) -> Faults:
    async def any_date(request: Request, call: Call) -> Response:
        response = await call(request)
        is_asked = request.header("if-modified-since") is not None and response.status == 200
        if is_asked and resource.is_target(request):
            return Response(
                [line for line in response.headers if line[0] not in _OF_CONTENT], b"", 304
            )
        return response

    yield "304 for any If-Modified-Since", any_date


def _dependences(resource: Resource, lines: tuple[tuple[str, str], ...]) -> Faults:
    """Yield servers that treat requests with a header in another way."""
    for name, value in lines:

        def has_line(request: Request, name: str = name, value: str = value) -> bool:
            found = request.header(name.lower())
            is_given = found == value if name == "Host" else found is not None
            return is_given and resource.is_target(request)

        if name != "Host":  # a server of several hosts may not know this one
            yield f"400 with {name}: {value}", after(has_line, _with_status(400))
        yield f"another body with {name}: {value}", edited(has_line, _with_blank)


def _with_blank(_: Request, response: Response) -> None:
    response.body += b" "


def faults_of_json(
    value: Any, is_free: Callable[[Sequence[str | int]], bool] = lambda _: False
) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Yield edits of a JSON value that each break one member, named by its place.

    Each place is edited once, whatever the number of elements of the arrays around it: the last
    element is taken, as the end of a list is where implementations differ.  Each member is left
    out, and its value replaced by a neighbour; free ones, by their paths, are only left out.
    """
    seen: set[str] = set()
    for path in _places(value, ()):
        place = "/".join("*" if isinstance(step, int) else step for step in path)
        if place in seen or not path:
            continue
        seen.add(place)
        if isinstance(path[-1], str):
            yield f"no {place}", _at(path, None, is_removal=True)
        for fault, other in _neighbours(_value_at(value, path)):
            if not is_free(path):
                yield f"{place} {fault}", _at(path, other)


def _places(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all members, those of last elements first."""
    yield path
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _places(member, (*path, name))
    elif isinstance(value, list):
        for index in reversed(range(len(value))):
            yield from _places(value[index], (*path, index))


def _neighbours(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield values that differ a little, each with what was done."""
    if isinstance(value, bool):
        yield "negated", not value
    elif isinstance(value, int):
        yield "off by one", value + 1
        yield "as text", str(value)
    elif isinstance(value, float):
        yield "off by a tenth", round(value + 0.1, 3)
    elif isinstance(value, str):
        day = re.match(r"\d{4}-\d{2}-(\d{2})", value)
        moved = f"{value[:8]}{int(day[1]) % 28 + 1:02}{value[10:]}" if day else f"{value}x"
        yield "with another day" if day else "with a letter more", moved
        yield "as null", None
    elif value is None:
        yield "as 0", 0
    elif isinstance(value, list) and value:
        yield "without its last", value[:-1]
        if value[::-1] != value:
            yield "reversed", value[::-1]
    elif isinstance(value, dict):
        yield "with a member more", {**value, "extra_member": 1}


def _value_at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _at(
    path: tuple[str | int, ...], other: Any, *, is_removal: bool = False
) -> Callable[[Any], None]:
    def edit(value: Any) -> None:
        parent = _value_at(value, path[:-1])
        if is_removal:
            del parent[path[-1]]
        else:
            parent[path[-1]] = other

    return edit
