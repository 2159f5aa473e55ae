"""Make the examples of the contract pages: requests, and what the services respond to them.

The services run without a network, and at fixed times.
"""

import json
from collections.abc import Iterator
from http import HTTPStatus
from itertools import groupby
from typing import Any, Final

import attrs

from devicestatus.endpoints import ENDPOINTS as DEVICE_ENDPOINTS
from devicestatus.schemas import EXAMPLES as DEVICE_EXAMPLES
from devicestatus.service import Service as DeviceService
from devicestatus.settings import Settings
from healthapi.endpoints import ENDPOINTS as HEALTH_ENDPOINTS
from healthapi.manual import example_profile
from healthapi.profile import Profile
from healthapi.service import Service as HealthService
from sitedata.schemas import FILE
from sitedata.schemas import schemas as site_schemas
from sitedata.service import ENDPOINT as SITE_ENDPOINT
from sitedata.service import Service as SiteService
from sitedata.service import publish
from status_contracts import exchange, json_text
from status_contracts.endpoints import Endpoint
from status_contracts.exchange import Handler
from status_contracts.instants import parse_utc
from status_contracts.messages import Asset, Request, Response
from status_contracts.pages.reference import pretty

TOKEN: Final = "0123456789abcdef" * 4
HOST: Final = "status.example.org"
_ICON: Final = b"\x89PNG\r\n\x1a\n"
_LEFT_OUT: Final = "…"
_SHORT: Final = 3
"""Items of a list, and members of an object, that are never left out."""
_MOST_MEMBERS: Final = 8
"""Members of an object within a body that are shown."""


@attrs.frozen
class Example:
    """A request and its response."""

    endpoint: Endpoint
    title: str
    request: Request
    body: bytes
    response: Response


@attrs.define
class _Deployment:
    """A service, and its effects over values in memory."""

    service: Handler
    source: Any = None
    now: int = 0
    body: bytes = b""
    stored: bytes | None = None

    def example(self, endpoint: Endpoint, title: str, request: Request) -> Example:
        response = exchange.drive(self.service(request), self.perform)
        return Example(endpoint, title, request, self.body, response)

    def perform(self, effect: exchange.Effect) -> object:
        match effect:
            case exchange.ReadBody():
                return exchange.Body(self.body, self.now)
            case exchange.ReadStore():
                return exchange.Stored(self.stored, self.now)
            case exchange.WriteStore(value=value):
                self.stored = value
            case exchange.ReadAsset(name=name):
                body, tag = _ICON, '"9b1c44"'
                if name.endswith(".json"):
                    body, tag = json_text.encode(DEVICE_EXAMPLES["IconManifest"][0]), '"5d2a8c"'
                return Asset(body, tag, "Fri, 30 Jan 2026 08:00:00 GMT")
            case exchange.ReadSource(name=name):
                is_list = isinstance(self.source, Profile) and name is None
                return (self.source.id,) if is_list else self.source
        return None


def device_examples() -> tuple[Example, ...]:
    """Return the examples of device status: a snapshot, later a window."""
    endpoints = {endpoint.name: endpoint for endpoint in DEVICE_ENDPOINTS}
    deployment = _Deployment(DeviceService(Settings(TOKEN), has_store=True, has_assets=True))
    snapshot, window = DEVICE_EXAMPLES["Snapshot"][0], DEVICE_EXAMPLES["Window"][0]
    media_type = (b"content-type", b"application/json")
    write = ((b"authorization", f"Bearer {TOKEN}".encode()), media_type)
    current = ((b"if-none-match", b'"5d2a8c"'),)
    reads = ("now", "timeline", "music", "activeApp", "runningApps", "device", "badge", "health")
    steps: tuple[tuple[str, str, str, str, Any, Any], ...] = (
        ("11:59:00", "now", "Without a record", "GET", (), None),
        ("12:00:01", "update", "A snapshot", "POST", write, snapshot),
        ("12:00:01", "update", "Without a token", "POST", write[1:], None),
        ("12:00:01", "update", "Preflight", "OPTIONS", (), None),
        *(("12:00:02", name, "Of the snapshot", "GET", (), None) for name in reads),
        ("12:00:02", "icons", "The manifest", "GET", (), None),
        ("12:00:02", "icons", "Unmodified", "GET", current, None),
        ("12:00:02", "icons", "Preflight", "OPTIONS", (), None),
        ("12:00:02", "icon", "The image", "GET", (), None),
        ("12:15:02", "batch", "A window", "POST", write, window),
        ("12:15:02", "now", "Of the window, the state of 12:08:02", "GET", (), None),
        ("12:15:02", "timeline", "Of the window", "GET", (), None),
        ("12:15:02", "music", "Of the window", "GET", (), None),
    )
    examples = []
    for time, name, title, method, headers, value in steps:
        deployment.now = parse_utc(f"2026-01-31T{time}Z")
        deployment.body = b"" if value is None else json_text.encode(value)
        request = Request(method, endpoints[name].example.encode(), headers)
        examples.append(deployment.example(endpoints[name], title, request))
    return tuple(examples)


def health_examples() -> tuple[Example, ...]:
    """Return an example of each endpoint of the health API that the example profile has."""
    deployment = _Deployment(HealthService(), example_profile())
    examples = []
    for endpoint in HEALTH_ENDPOINTS:
        if not (endpoint.schema or endpoint.keys):
            continue  # documents about the service
        path, _, query = endpoint.example.encode().partition(b"?")
        examples.append(deployment.example(endpoint, "", Request("GET", path, query=query)))
    missing = Request("GET", b"/api/public/v1/profiles/anna/metrics/weight_of_shoes")
    (metric,) = (endpoint for endpoint in HEALTH_ENDPOINTS if endpoint.name == "metric")
    path, tag = examples[0].request.path, dict(examples[0].response.headers)["ETag"].encode()
    current = Request("GET", path, ((b"if-none-match", tag),))
    return (
        *examples,
        deployment.example(metric, "An unknown key", missing),
        deployment.example(HEALTH_ENDPOINTS[0], "Unmodified", current),
    )


def site_examples() -> tuple[Example, ...]:
    """Return the examples of the file of site data."""
    (snapshot,) = site_schemas().documents[FILE]["examples"]
    published = publish(json_text.encode(snapshot))
    deployment = _Deployment(SiteService(), published)
    path = SITE_ENDPOINT.path.encode()
    current = ((b"if-none-match", str(published.asset.etag).encode()),)
    return (
        deployment.example(SITE_ENDPOINT, "The file", Request("GET", path)),
        deployment.example(SITE_ENDPOINT, "Unmodified", Request("GET", path, current)),
        deployment.example(SITE_ENDPOINT, "Another method", Request("POST", path)),
    )


EXAMPLES: Final = {
    "devicestatus": device_examples,
    "healthapi": health_examples,
    "sitedata": site_examples,
}
"""Product to its examples."""


def in_order(product: str) -> list[Example]:
    """Return the examples of a product in the order of its page: those of a path together."""
    examples = EXAMPLES[product]()
    names = list(dict.fromkeys(example.endpoint.name for example in examples))
    return sorted(examples, key=lambda example: names.index(example.endpoint.name))


def lines(product: str) -> Iterator[str]:
    """Yield the examples of a product as Markdown, a section for each path."""
    page = _Page()
    for _, group in groupby(in_order(product), lambda example: example.endpoint.name):
        examples = list(group)
        yield from (f"### {examples[0].endpoint.paths[0]}", "")
        for example in examples:
            yield from page.lines(example)


@attrs.define
class _Page:
    """What the page has shown, which is not repeated."""

    heads: dict[object, str] = attrs.field(factory=dict)
    objects: set[tuple[str, ...]] = attrs.field(factory=set)

    def lines(self, example: Example) -> Iterator[str]:
        """Yield one example, without a plain GET."""
        request = list(_request(example))
        yield from request
        if example.body:
            yield from self.json(example.body)
        response = example.response
        kind = response.status, *(name for name, _ in response.headers)
        title = f"{example.title}, the response" if example.title else "Response"
        if kind not in self.heads:
            name = f"{example.request.method} {example.endpoint.paths[0]}"
            self.heads[kind] = f": status {response.status}, headers as of `{name}`"
            if len(self.heads) == 1:
                self.heads[kind] = ""
            headers = (each for each in response.headers if each[0] != "Content-Length")
            status = f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}"
            head = [status, *(f"{name}: {value}" for name, value in headers)]
            yield from (f"{title}:", "", "```http", *head, "```", "")
        elif example.title or self.heads[kind]:
            yield from (f"{title}{self.heads[kind]}:", "")
        if dict(response.headers).get("Content-Type", "").startswith("application/json"):
            yield from self.json(response.body)

    def json(self, body: bytes) -> Iterator[str]:
        """Yield the members of a body that matter."""
        value = json.loads(body)
        members = {name: self.shortened(item) for name, item in value.items()}
        yield from ("```json", pretty(members), "```", "")

    def shortened(self, value: object) -> object:
        """Return a value without further items, and without objects that were shown before."""
        if isinstance(value, list) and len(value) > 1:
            count = 1 if isinstance(value[0], dict) else _SHORT
            rest = [_LEFT_OUT] if len(value) > count else []
            return [*(self.shortened(item) for item in value[:count]), *rest]
        if not isinstance(value, dict):
            return [self.shortened(item) for item in value] if isinstance(value, list) else value
        names = tuple(value)
        if names in self.objects and len(names) > _SHORT:
            return {names[0]: self.shortened(value[names[0]]), _LEFT_OUT: _LEFT_OUT}
        self.objects.add(names)
        shown = {name: self.shortened(value[name]) for name in names[:_MOST_MEMBERS]}
        return shown if len(shown) == len(names) else shown | {_LEFT_OUT: _LEFT_OUT}


def _request(example: Example) -> Iterator[str]:
    request = example.request
    target = b"?".join(filter(None, (request.path, request.query))).decode()
    if request.method == "GET" and not request.headers:
        if target != example.endpoint.paths[0]:
            yield from (f"`GET {target}`:", "")
        return
    fields = [f"{name.decode().title()}: {value.decode()}" for name, value in request.headers]
    yield from (f"{example.title or 'Example'}, the request:", "")
    head = f"{request.method} {target} HTTP/1.1"
    yield from ("```http", head, f"Host: {HOST}", *fields, "```", "")
