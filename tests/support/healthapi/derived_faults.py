"""Broken health-data servers derived from the endpoints, the bodies of a correct one, and vectors.

Each is the correct application behind one layer.  `KINDS` has the functions that yield them.
Not derived, because no response shows them: values of members for people, of members that only the
files and settings of a deployment tell, another maximum of points than the data have, and what
names the person, which an owner may publish.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from healthapi.conformance.values import PUBLISHED
from healthapi.http.endpoints import ENDPOINTS, ROOT, Endpoint
from healthapi.redaction import clean
from purewire.adapters.contract import read_vectors
from support.healthapi.broken_servers import healthy
from support.healthapi.health_client import short
from support.purewire.asgi_layers import App, Layer, Request, Response, caller, respond
from support.purewire.derived_servers import (
    Derived,
    Resource,
    after,
    before,
    edited_json,
    faults_of_json,
    servers_of,
)

_HEADERS = {"content-type": "HA-HTTP-19", "etag": "HA-CACHE-05"}
_OF_KIND = {
    "json": {"cache-control": "HA-CACHE-01"},
    "svg": {
        "cache-control": "HA-CACHE-01",
        "content-security-policy": "HA-CACHE-07",
        "x-chart-metadata": "HA-CHART-08",
    },
    "html": {"cache-control": "HA-CACHE-02"},
    "markdown": {"cache-control": "HA-CACHE-02"},
    "openapi": {"cache-control": "HA-CACHE-02"},
}
"""Kind of an endpoint to the rules of more headers."""
_INDEPENDENT = {
    "HA-SERVICE-08": (
        *(("Cookie", "session=1"), ("Accept-Language", "zh"), ("Cache-Control", "no-cache")),
        *(("Accept", "text/html"), ("Referer", "https://a.example/"), ("Pragma", "no-cache")),
    ),
    "HA-SERVICE-04": (("Authorization", "Bearer x"),),
    "HA-LINK-01": (("Host", "other.example"), ("X-Forwarded-Host", "other.example")),
}
_FREE = ("label", "detail", "hint", "description", "summary", "name", "href", "chart")
"""Members with texts for people, which the contract leaves free, and links."""
_OWN = (
    *("full_name", "country", "encoded_id", "height_cm", "weight_kg", "avatar", "timezone"),
    *("locale", "omissions", "latest_is_partial", "docs", "links", "sample_links", "generated_at"),
)
"""Members whose values only the files and settings of the deployment tell."""
_MOST_DIGITS = 10
_OF_MANY_POINTS = "the maximum is one less"


def paths_of(endpoint: Endpoint) -> list[str]:
    """Return the paths of an endpoint of the profile with data, one for each of its keys."""
    path = f"{ROOT}{endpoint.path}".replace("{profile_id}", short().id)
    if endpoint.key is None:
        return [path]
    return [
        path.replace(f"{{{endpoint.key.name}}}", key)
        for key in endpoint.key.choices or ("profile", "device_alarms")
    ]


def reads() -> Iterator[Derived]:
    """Yield the servers that break a rule of reading at one endpoint, endpoint by endpoint."""
    for endpoint in ENDPOINTS:
        yield from servers_of(
            Resource(
                paths_of(endpoint)[0],
                headers=_HEADERS | _OF_KIND[endpoint.kind],
                head="HA-HTTP-14",
                methods="HA-HTTP-16",
                preflight="HA-HTTP-15",
                cors="HA-CACHE-04",
                conditions="HA-CACHE-05",
                dates="HA-CACHE-06",
                independence=_INDEPENDENT,
            )
        )


def members() -> Iterator[Derived]:
    """Yield the servers that send one member wrong at one path."""
    app = healthy(lambda: 0)
    for endpoint in ENDPOINTS:
        for path in paths_of(endpoint) if endpoint.kind == "json" else ():
            body = _body(app, path)
            for fault, edit in faults_of_json(body, _is_free):
                if _is_open(fault, path):
                    continue
                layer = edited_json(_is_path(path), edit)
                yield Derived(fault, path, ("HA-ENVELOPE-13",), layer)


def _is_free(path: Sequence[str | int]) -> bool:
    last = str(path[-1])
    return last in _FREE or last.endswith("_label") or any(step in _OWN for step in path)


def _is_open(fault: str, path: str) -> bool:
    """Check whether a response does not tell: none is omitted, or the account has it so."""
    return "/omissions" in fault or (path.endswith("/snapshot") and "data/range" in fault)


def _body(app: App, path: str) -> Any:
    async def read() -> Any:
        return (await caller(app)(Request([], b"", "GET", path, ""))).json

    return asyncio.run(read())


def _is_path(path: str) -> Callable[[Request], bool]:
    return lambda request: request.path == path


def parameters() -> Iterator[Derived]:
    """Yield the servers that read one parameter of one path wrong."""
    for endpoint in ENDPOINTS:
        for path in paths_of(endpoint):
            for parameter in endpoint.parameters:
                rules = ("HA-QUERY-02",)
                for fault, change in _CHANGES.items():
                    layer = _reading(path, parameter.name, change)
                    yield Derived(f"{parameter.name}: {fault}", path, rules, layer)
                if parameter.bounds is not None:
                    low, high = parameter.bounds.minimum, parameter.bounds.maximum
                    default = parameter.bounds.default
                    for fault, layer in _of_bounds(path, parameter.name, low, high, default):
                        if (endpoint.kind, parameter.name, fault) == (
                            "svg",
                            "limit",
                            _OF_MANY_POINTS,
                        ):
                            continue
                        yield Derived(f"{parameter.name}: {fault}", path, rules, layer)


Values = list[tuple[str, str]]
_CHANGES: dict[str, Callable[[Values, str], Values]] = {
    "is ignored": lambda given, name: [pair for pair in given if pair[0] != name],
    "the last one counts": lambda given, _: given[::-1],
    "its name in any case": lambda given, _: [(key.lower(), value) for key, value in given],
}
"""Fault to the parameters that a correct application gets for it."""


def _reading(path: str, name: str, change: Callable[[Values, str], Values]) -> Layer:
    def asked(request: Request) -> Request:
        pairs = [each.partition("=") for each in request.query.split("&") if each]
        given = change([(key, value) for key, _, value in pairs], name)
        request.query = "&".join(f"{key}={value}" for key, value in given)
        return request

    return before(_is_path(path), asked)


def _of_bounds(
    path: str, name: str, low: int, high: int, default: int | None
) -> Iterator[tuple[str, Layer]]:
    """Yield layers that treat the range of an integer wrong."""

    def valued(change: Callable[[int], int | None]) -> Layer:
        def of_pairs(given: Values, name: str) -> Values:
            changed = []
            for key, text in given:
                is_number = key == name and text.removeprefix("-").isdigit()
                is_number = is_number and len(text) < _MOST_DIGITS
                number = change(int(text)) if is_number else 0
                if number is not None:
                    changed.append((key, str(number) if is_number else text))
            return changed

        return _reading(path, name, of_pairs)

    if default != low:
        yield "less than the minimum is the default", valued(lambda n: None if n < low else n)
    yield "more than the maximum is the default", valued(lambda n: None if n > high else n)
    yield "negative numbers lose their sign", valued(abs)
    yield _OF_MANY_POINTS, valued(lambda n: min(n, high - 1))
    yield "the minimum is one more", valued(lambda n: max(n, low + 1))

    def by_default(given: Values, name: str) -> Values:
        other = low + 1 if default is None or default == low else default - 1
        return given if any(key == name for key, _ in given) else [*given, (name, str(other))]

    yield "another default", _reading(path, name, by_default)

    def is_odd(request: Request) -> bool:
        texts = [each.partition("=")[2] for each in request.query.split("&") if f"{name}=" in each]
        return request.path == path and any(not text.isdigit() for text in texts)

    yield "400 for no integer", after(is_odd, lambda _, __: _refused())


def _refused() -> Response:
    response = respond(400, content_type="application/json", access_control_allow_origin="*")
    response.put_json({"api_version": "v1", "error": {"code": "bad_request", "message": "No."}})
    return response


def secrets() -> Iterator[Derived]:
    """Yield the servers that let one secret through: that of a vector, below the snapshot."""
    for case in read_vectors("healthapi", "redaction"):
        planted = case["input"].get("value")
        is_secret = planted != case["expected"].get("value") and case["input"].keys() == {"value"}
        if not is_secret or clean(planted, PUBLISHED) == planted:
            continue  # an owner may publish what names the person, in text too

        def edit(value: Any, planted: Any = planted) -> None:
            value["data"]["range"] = {**value["data"]["range"], "note": planted}

        layer = edited_json(_is_path(f"{ROOT}/profiles/{short().id}/snapshot"), edit)
        yield Derived(f"lets through {case['id']}", case["id"], tuple(case["rules"]), layer)


KINDS: dict[str, Callable[[], Iterator[Derived]]] = {
    "reads": reads,
    "members": members,
    "parameters": parameters,
    "secrets": secrets,
}
"""Kind of servers to the function that yields them; the score page counts them."""


def one_of_each() -> Iterator[Derived]:
    """Yield one server of each fault, whatever its member, parameter or case."""
    for kind, derive in KINDS.items():
        found: dict[str, list[Derived]] = {}
        for server in derive():
            found.setdefault(_general(kind, server.fault), []).append(server)
        for index, servers in enumerate(found.values()):
            yield servers[index % len(servers)]


def _general(kind: str, fault: str) -> str:
    """Return a fault without the name of the member, the parameter or the case."""
    if kind == "members":
        return "a member is missing" if fault.startswith("no ") else fault.partition(" ")[2]
    if kind == "parameters":
        return fault.partition(": ")[2]
    return "a secret of a vector is let through" if kind == "secrets" else fault
