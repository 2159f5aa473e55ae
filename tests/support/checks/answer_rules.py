"""The rules that every answer of the three products obeys, and the one place where they are held.

`install` puts the check around every handler of this process: whatever a service or a site answers,
in whichever test, is checked, and what breaks a rule is raised and kept in `BROKEN`.  `check_wire`
checks what comes back over a gateway or a socket; of answers that are not of these products
(frameworks, servers, other handlers) it checks the framing alone.

Invariant *documented pairs*: a refusal has one of the codes of its product, and that code's status.
Invariant *one set of headers*: any origin may read; nothing is sniffed, no referrer sent, no cookie
set; what must not be stored says so to caches and to content networks alike.
Invariant *no body where none belongs*: HEAD, 204 and 304 have none; all others say how long theirs
is.
Invariant *strict bodies*: JSON is strict and has the members of its model or published schema, SVG
is well formed and has nothing active.
Invariant *no token*: neither a header nor a body has it.
"""

import importlib
import json
from collections.abc import Callable, Generator, Mapping
from functools import cache, lru_cache, wraps
from typing import Any, Final, NoReturn

import attrs
from jsonschema import Draft202012Validator

import devicestatus.http.service
import healthapi.http.service
import sitedata.serving.service
from devicestatus import errors as device_errors
from devicestatus.icons import check_manifest
from devicestatus.responses import (
    ActiveAppStatus,
    DeviceStatus,
    Health,
    MusicStatus,
    OfflineStatus,
    OnlineStatus,
    RunningAppsStatus,
    SnapshotTimelineStatus,
    UpdateResult,
    WindowStatus,
)
from healthapi import errors as health_errors
from healthapi.http import openapi
from healthapi.http.endpoints import ENDPOINTS, ROOT
from sitedata import parse
from sitedata.serving import service as site_service
from status_contracts.adapters.application_base import encoded_headers
from status_contracts.exchange import Exchange, Handler
from status_contracts.http.conditional import is_valid_etag, parse_http_date
from status_contracts.http.messages import COMMON, JSON, NO_STORE, PNG, SVG, Request, Response
from status_contracts.structuring.validator import Validator
from support.checks import canary
from support.checks.xml_reading import read_xml

__all__ = [
    "BROKEN",
    "DATA_CACHE",
    "DEVICE",
    "DOCS_CACHE",
    "HEALTH",
    "SITE",
    "Product",
    "check",
    "check_wire",
    "header",
    "install",
    "strict",
    "validators",
    "watched",
]

HTML: Final = "text/html; charset=utf-8"
MARKDOWN: Final = "text/markdown; charset=utf-8"
NO_STORE_VALUE: Final = dict(NO_STORE)["Cache-Control"]
ICON_CACHE: Final = "public, max-age=3600"
DATA_CACHE: Final = "public, max-age=300, stale-while-revalidate=600"
DOCS_CACHE: Final = "public, max-age=600, stale-while-revalidate=1200"
IMAGE_POLICY: Final = "default-src 'none'; style-src 'none'; sandbox"
READ_ONLY: Final = "GET, HEAD, OPTIONS"

BROKEN: Final[list[str]] = []
"""The rules broken since the list was cleared, also if the server turned them into a 500."""


@attrs.frozen
class Product:
    """The rules of one product.

    Attributes:
        status_of: error code to status.
        code_of: gives the code of an error's body, and checks what else is in it.
        preflights: what a preflight may allow.
        allows: what the `Allow` of a refusal may be.
        success: checks a 200 or 304.

    """

    status_of: Mapping[Any, int]
    code_of: Callable[[Any], str]
    preflights: frozenset[str]
    allows: frozenset[str]
    success: Callable[[Request, Response], None]


# All answers


def check(product: Product, request: Request, response: Response) -> None:
    """Hold an answer of a product against the rules."""
    _check_headers(response)
    _check_framing(request.method, response)
    if response.status >= 400:
        _check_error(product, request, response)
    elif response.status == 204:
        assert request.method == "OPTIONS"
        assert header(response, "Access-Control-Allow-Methods") in product.preflights
        assert header(response, "Content-Type") is None
    else:
        assert response.status in {200, 304}, response.status
        product.success(request, response)


def header(response: Response, name: str) -> str | None:
    """Return the one value of a response header, None where it is not there."""
    found = [value for key, value in response.headers if key.lower() == name.lower()]
    assert len(found) <= 1, f"{name} stands {len(found)} times"
    return found[0] if found else None


def _check_headers(response: Response) -> None:
    values = {name.lower(): value for name, value in response.headers}
    assert len(values) == len(response.headers), "a header stands twice"
    for name, value in COMMON:
        assert values.get(name.lower()) == value, name
    for name in ("set-cookie", "access-control-allow-credentials", "location"):
        assert name not in values, name
    encoded_headers(response)  # raises for what may not be sent
    stores = values.get("cache-control") == NO_STORE_VALUE
    for name, value in NO_STORE[1:]:
        assert values.get(name.lower()) == (value if stores else None), name
    assert ("allow" in values) == (response.status == 405)
    challenge = "Bearer" if response.status == 401 else None
    assert values.get("www-authenticate") == challenge
    etag, date = values.get("etag"), values.get("last-modified")
    assert etag is None or (is_valid_etag(etag) and response.status in {200, 304})
    assert date is None or parse_http_date(date) is not None
    assert not canary.shows(*values.values()), "a header has the token"


def _check_framing(method: str, response: Response) -> None:
    length = header(response, "Content-Length")
    if response.status in {204, 304}:
        assert length is None
    if method == "HEAD" or response.status in {204, 304}:
        assert response.body == b"", "there is a body where none belongs"
    else:
        assert length == str(len(response.body))
    assert not canary.shows(response.body.decode("latin-1")), "a body has the token"


def _check_error(product: Product, request: Request, response: Response) -> None:
    assert response.status in set(product.status_of.values()), response.status
    assert header(response, "Cache-Control") == NO_STORE_VALUE
    assert header(response, "Content-Type") == JSON
    assert header(response, "Content-Encoding") is None
    allow = header(response, "Allow")
    assert allow is None or allow in product.allows
    if request.method != "HEAD":
        code = product.code_of(strict(response.body))
        assert product.status_of[code] == response.status, code


# Bodies


def strict(body: bytes) -> Any:
    """Read JSON that has no NaN, no Infinity and no member twice."""

    def refuse(name: str) -> NoReturn:
        raise AssertionError(f"{name} is no JSON")

    def whole(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs), "a member stands twice"
        return dict(pairs)

    return json.loads(body.decode(), parse_constant=refuse, object_pairs_hook=whole)


@lru_cache(256)
def _check_svg(body: bytes) -> None:
    elements = read_xml(body)
    assert elements[0].name == "svg"
    assert not {element.name for element in elements} & {"script", "foreignObject", "a", "image"}
    for element in elements:
        for name in element.attributes:
            assert not name.startswith("on"), name
            assert name.rpartition(":")[2] not in {"href", "src", "style"}, name


# Device status

_DEVICE_MODELS: Final[Mapping[bytes, tuple[type[attrs.AttrsInstance], ...]]] = {
    b"/api/now": (OnlineStatus, OfflineStatus),
    b"/now": (OnlineStatus, OfflineStatus),
    b"/api/timeline": (WindowStatus, SnapshotTimelineStatus, OfflineStatus),
    b"/api/music": (MusicStatus, OfflineStatus),
    b"/api/apps/active": (ActiveAppStatus, OfflineStatus),
    b"/api/apps/running": (RunningAppsStatus, OfflineStatus),
    b"/api/device": (DeviceStatus, OfflineStatus),
    b"/api/health": (Health,),
    b"/health": (Health,),
    b"/api/update": (UpdateResult,),
    b"/update": (UpdateResult,),
    b"/api/batch": (UpdateResult,),
}


@cache
def _reader(model: type[attrs.AttrsInstance]) -> Validator[Any]:
    return Validator(model, cap=1)


@lru_cache(256)
def _check_device_json(path: bytes, body: bytes) -> None:
    if path == b"/app-icons/index.json":  # a file as it is
        return
    value = strict(body)
    if path == b"/api/icons":
        assert check_manifest(value) == ()
    elif value.get("status") == "offline":
        assert body == b'{"status":"offline"}'
        assert OfflineStatus in _DEVICE_MODELS[path]
    else:
        findings = (_reader(model).validate(value)[1] for model in _DEVICE_MODELS[path])
        assert () in findings, (path, value)


def _device_code(value: Any) -> str:
    assert list(value) == ["error"]
    return str(value["error"])


def _device_success(request: Request, response: Response) -> None:
    kind, caching = header(response, "Content-Type"), header(response, "Cache-Control")
    writes = request.path in {b"/api/update", b"/update", b"/api/batch"}
    is_file = request.path.startswith((b"/api/icons", b"/app-icons/"))
    is_page = request.path in {b"/", b"/api", b"/health/", b"/practice/"}
    read = {"GET", "HEAD"} if is_file or is_page else {"GET"}
    assert request.method in ({"POST"} if writes else read)
    if is_file:
        assert caching == ICON_CACHE
        assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"
    else:
        assert response.status == 200 or (is_page and response.status == 304)
        assert caching == ("no-cache" if is_page else NO_STORE_VALUE)
        assert (header(response, "ETag") is not None) == is_page
    if response.status == 304:
        assert kind is None
        return
    assert kind in ({JSON, PNG} if is_file else {JSON, SVG, HTML})
    policy = header(response, "Content-Security-Policy")
    assert (policy is not None) == (kind in {SVG, HTML})
    if kind == SVG:
        assert policy == IMAGE_POLICY
        _check_svg(response.body)
    elif kind == JSON and request.method != "HEAD":
        _check_device_json(request.path, response.body)


DEVICE: Final = Product(
    device_errors.STATUS_OF,
    _device_code,
    frozenset({"GET, POST, OPTIONS", READ_ONLY}),
    frozenset({"GET, OPTIONS", "POST, OPTIONS", READ_ONLY}),
    _device_success,
)


# Health data


def _health_code(value: Any) -> str:
    assert list(value) == ["api_version", "error"]
    assert value["api_version"] == "v1"
    return _told_code(value["error"], health_errors.MESSAGE_OF)


def _told_code(error: Any, message_of: Mapping[Any, str]) -> str:
    assert list(error) == ["code", "message"]
    assert error["message"] == message_of[error["code"]]
    return str(error["code"])


@cache
def validators() -> dict[str, Any]:
    """Return the published schema of each resource, ready to validate."""
    document = openapi.document(None)
    found = {}
    for endpoint in ENDPOINTS:
        answers = document["paths"][f"{ROOT}{endpoint.path}"]["get"]["responses"]["200"]["content"]
        schema = {**next(iter(answers.values()))["schema"], "components": document["components"]}
        found[endpoint.name] = Draft202012Validator(schema)
    return found


def _health_success(request: Request, response: Response) -> None:
    assert request.method in {"GET", "HEAD"}
    assert header(response, "Vary") is None
    assert all(f"{name}{value}".isascii() for name, value in response.headers)
    etag = header(response, "ETag")
    assert etag is not None
    assert not etag.startswith("W/")
    exposed = header(response, "Access-Control-Expose-Headers") or ""
    assert exposed.split(", ")[0] == "ETag"
    metadata = header(response, "X-Chart-Metadata")
    assert ("X-Chart-Metadata" in exposed) == (metadata is not None)
    kind, caching = header(response, "Content-Type"), header(response, "Cache-Control")
    if response.status == 304:
        assert kind is None
        assert caching in {DATA_CACHE, DOCS_CACHE}
    elif kind == SVG:
        assert caching == DATA_CACHE
        assert header(response, "Content-Security-Policy") == IMAGE_POLICY
        _check_chart(request, response, metadata)
    elif kind != JSON:
        assert kind in {HTML, MARKDOWN}
        assert caching == DOCS_CACHE
    elif request.method == "GET":
        assert caching == _check_health_json(response.body)


def _check_chart(request: Request, response: Response, metadata: str | None) -> None:
    assert metadata is not None
    expected = ["count", "available_metrics", "chart", "granularity", "theme", "width", "height"]
    assert list(strict(metadata.encode("ascii"))) == expected
    if request.method == "GET":
        _check_svg(response.body)


@lru_cache(256)
def _check_health_json(body: bytes) -> str:
    """Check a body, and give how it may be cached."""
    value = strict(body)
    if "openapi" in value:
        return DOCS_CACHE
    of_profile = ["profile_id"] if "profile_id" in value else []
    names = ["api_version", "resource", "generated_at", *of_profile, "data", "meta"]
    assert list(value) == names
    endpoint = next(one for one in ENDPOINTS if one.name == value["resource"])
    assert endpoint.of_profile == bool(of_profile)
    validators()[endpoint.name].validate(value)
    counted = value["meta"].get("count")
    lists = [member for member in value["data"].values() if isinstance(member, list)]
    assert counted is None or counted in {len(items) for items in lists}
    return DATA_CACHE


HEALTH: Final = Product(
    health_errors.STATUS_OF,
    _health_code,
    frozenset({READ_ONLY}),
    frozenset({READ_ONLY}),
    _health_success,
)


# Site data


def _site_code(value: Any) -> str:
    assert list(value) == ["error"]
    return _told_code(value["error"], site_service.MESSAGE_OF)


def _site_success(request: Request, response: Response) -> None:
    assert request.method in {"GET", "HEAD"}
    assert header(response, "ETag") is not None
    assert (header(response, "Cache-Control") or "").startswith("public, max-age=")
    assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"
    assert header(response, "Vary") is None
    assert header(response, "Content-Encoding") is None
    assert header(response, "Content-Type") == (None if response.status == 304 else JSON)
    if response.status == 200 and request.method == "GET":
        _check_snapshot(response.body)


@lru_cache(256)
def _check_snapshot(body: bytes) -> None:
    parse(body)


SITE: Final = Product(
    site_service.STATUS_OF,
    _site_code,
    frozenset({READ_ONLY}),
    frozenset({READ_ONLY}),
    _site_success,
)


# Where the rules are held

Call = Callable[[Any, Request], Exchange]


def watched(call: Call, product: Product) -> Call:
    """Return a handler's call whose answers are checked."""

    @wraps(call)
    def serve(self: Any, request: Request) -> Generator[Any, Any, Response]:
        response = yield from call(self, request)
        try:
            check(product, request, response)
        except AssertionError as fault:
            BROKEN.append(f"{request.method} {request.path!r} {response.status}: {fault}")
            raise
        return response

    return serve


@cache
def install() -> None:
    """Have every answer of the products checked that this process gives from now on."""
    for service, product, package, api in (
        (devicestatus.http.service.Service, DEVICE, "devicestatus", "/"),
        (healthapi.http.service.Service, HEALTH, "healthapi", ROOT),
        (sitedata.serving.service.Service, SITE, "sitedata", sitedata.serving.service.PATH),
    ):
        setattr(service, "__call__", watched(service.__call__, product))  # noqa: B010 - a method
        binding: Any = importlib.import_module(f"{package}.adapters.binding")
        binding.with_site = _watched_site(binding.with_site, product, api.encode())


def _watched_site(
    with_site: Callable[..., Handler], product: Product, api: bytes
) -> Callable[..., Handler]:
    """Return `with_site` of a product, the answers of whose API are checked."""

    def build(*arguments: Any, **options: Any) -> Handler:
        whole = with_site(*arguments, **options)
        site = watched(lambda _, request: whole(request), product)
        return lambda request: (
            site(None, request) if request.path.startswith(api) else whole(request)
        )

    return build


def check_wire(method: str, target: bytes, response: Response) -> None:
    """Hold what came back over a gateway or a socket against the rules."""
    if method == "HEAD" or response.status in {204, 304}:
        assert response.body == b"", "there is a body where none belongs"
    names = {name.lower(): value for name, value in response.headers}
    if all(names.get(name.lower()) == value for name, value in COMMON):
        ours = tuple(line for line in response.headers if line[0].lower() not in _OF_SERVERS)
        path = target.partition(b"?")[0]
        product, known = _product_of(path, response)
        if product is not None:
            check(product, Request(method, known), attrs.evolve(response, headers=ours))


_OF_SERVERS: Final = {"date", "server", "via", "connection", "keep-alive", "transfer-encoding"}


def _product_of(path: bytes, response: Response) -> tuple[Product | None, bytes]:
    """Return the product that an answer is of, and the path below its mount point."""
    if response.status >= 400:
        return _product_of_error(response.body), path
    for product, place in _PLACES:
        at = path.find(place)
        if at >= 0:
            return product, path[at:]
    return None, path


def _product_of_error(body: bytes) -> Product | None:
    if not body.startswith(b"{"):
        return None
    value = strict(body)
    if "api_version" in value:
        return HEALTH
    return SITE if isinstance(value.get("error"), dict) else DEVICE


_PLACES: Final = (
    (HEALTH, ROOT.encode()),
    (SITE, sitedata.serving.service.PATH.encode()),
    *((DEVICE, path) for path in (*_DEVICE_MODELS, b"/api/badge.svg", b"/badge.svg")),
    (DEVICE, b"/api/icons"),
    (DEVICE, b"/app-icons/"),
)
"""The product of a response that is not an error, by its path."""
