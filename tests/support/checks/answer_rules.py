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
Invariant *strict bodies*: JSON is strict and valid by its published schema, SVG is well formed and
has nothing active.
Invariant *no token*: neither a header nor a body has it.
"""

import importlib
import json
from collections.abc import Callable, Generator, Mapping
from functools import cache, wraps
from typing import Any, Final, NoReturn

import attrs
from jsonschema_rs import Draft202012Validator

import devicestatus.errors
import healthapi.errors
import sitedata.service
from status_contracts.conditional import is_valid_etag, parse_http_date
from status_contracts.exchange import Exchange, Handler
from status_contracts.messages import (
    COMMON,
    JSON,
    NO_STORE,
    PNG,
    SVG,
    Request,
    Response,
    encoded_headers,
)
from support.checks import canary
from support.checks.xml_reading import read_xml
from support.schemas.validators import schema_set

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
CHART_METADATA: Final = [
    *("count", "available_metrics", "chart", "granularity", "theme", "width", "height")
]

BROKEN: Final[list[str]] = []
"""The rules broken since the list was cleared, also if the server turned them into a 500."""
_OBEYING: Final[set[int]] = set()
"""The hashes of the answers that obeyed all rules."""


@attrs.frozen
class Product:
    """The rules of one product.

    Attributes:
        name: its package, with whose schemas its JSON is valid.
        api: where the paths of its API begin.
        status_of: error code to status.
        allowed: what a preflight, or the `Allow` of a refusal, may say.
        success: checks a 200 or 304.

    """

    name: str
    api: bytes
    status_of: Mapping[Any, int]
    allowed: frozenset[str]
    success: Callable[[Request, Response], None]


# All answers


def check(product: Product, request: Request, response: Response) -> None:
    """Hold an answer of a product against the rules; one that obeyed them is not checked again."""
    answer = hash((product.name, request.method, request.path, response))
    if answer in _OBEYING:
        return
    _check_headers(response)
    _check_framing(request.method, response)
    if response.status >= 400:
        _check_error(product, request, response)
    elif response.status == 204:
        assert request.method == "OPTIONS"
        assert header(response, "Access-Control-Allow-Methods") in product.allowed
        assert header(response, "Content-Type") is None
    else:
        assert response.status in {200, 304}, response.status
        product.success(request, response)
    _OBEYING.add(answer)


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
    assert allow is None or allow in product.allowed
    if request.method != "HEAD":
        told = check_json(product.name, "error", response.body)["error"]
        code = told if isinstance(told, str) else told["code"]
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


@cache
def _validator(product: str, document: str) -> Draft202012Validator:
    return Draft202012Validator(schema_set(product).documents[document])


def check_json(product: str, document: str, body: bytes) -> Any:
    """Return the value of a body that is valid by a published schema."""
    value = strict(body)
    fault = next(iter(_validator(product, document).iter_errors(value)), None)
    assert fault is None, f"{document}: {fault}"
    return value


def _check_svg(body: bytes) -> None:
    elements = read_xml(body)
    assert elements[0].name == "svg"
    assert not {element.name for element in elements} & {"script", "foreignObject", "a", "image"}
    for element in elements:
        for name in element.attributes:
            assert not name.startswith("on"), name
            assert name.rpartition(":")[2] not in {"href", "src", "style"}, name


# Device status

_DOCUMENTS: Final = {
    b"/api/now": "now",
    b"/now": "now",
    b"/api/timeline": "timeline",
    b"/api/music": "music",
    b"/api/apps/active": "active-app",
    b"/api/apps/running": "running-apps",
    b"/api/device": "device",
    b"/api/health": "health",
    b"/health": "health",
    b"/api/update": "update-result",
    b"/update": "update-result",
    b"/api/batch": "update-result",
    b"/api/icons": "icon-manifest",
}
"""The schema of each path whose responses are JSON; of another one it is a file as it is."""


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
        is_kept = is_page and request.path != b"/"
        assert caching == ("no-cache" if is_kept else NO_STORE_VALUE)
        assert (header(response, "ETag") is not None) == is_kept
    if response.status == 304:
        assert kind is None
        return
    assert kind in ({JSON, PNG} if is_file else {JSON, SVG, HTML})
    policy = header(response, "Content-Security-Policy")
    assert (policy is not None) == (kind in {SVG, HTML})
    if kind == SVG:
        assert policy == IMAGE_POLICY
        _check_svg(response.body)
    elif kind == JSON and request.method != "HEAD" and request.path in _DOCUMENTS:
        value = check_json("devicestatus", _DOCUMENTS[request.path], response.body)
        if value.get("status") == "offline":
            assert response.body == b'{"status":"offline"}'


DEVICE: Final = Product(
    "devicestatus",
    b"/",
    devicestatus.errors.STATUS_OF,
    frozenset({"GET, POST, OPTIONS", "GET, OPTIONS", "POST, OPTIONS", READ_ONLY}),
    _device_success,
)


# Health data


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
        assert list(strict((metadata or "{}").encode("ascii"))) == CHART_METADATA
        if request.method == "GET":
            _check_svg(response.body)
    elif kind != JSON:
        assert kind in {HTML, MARKDOWN}
        assert caching == DOCS_CACHE
    elif request.method == "GET":
        assert caching == _check_health_json(response.body)


def _check_health_json(body: bytes) -> str:
    """Check a body, and give how it may be cached."""
    value = strict(body)
    if "openapi" in value:
        return DOCS_CACHE
    check_json("healthapi", value["resource"], body)
    counted = value["meta"].get("count")
    lists = [member for member in value["data"].values() if isinstance(member, list)]
    assert counted is None or counted in {len(items) for items in lists}
    return DATA_CACHE


HEALTH: Final = Product(
    "healthapi",
    b"/api/public/v1",
    healthapi.errors.STATUS_OF,
    frozenset({READ_ONLY}),
    _health_success,
)


# Site data


def _site_success(request: Request, response: Response) -> None:
    assert request.method in {"GET", "HEAD"}
    assert header(response, "ETag") is not None
    assert (header(response, "Cache-Control") or "").startswith("public, max-age=")
    assert header(response, "Access-Control-Expose-Headers") == "ETag, Last-Modified"
    assert header(response, "Vary") is None
    assert header(response, "Content-Encoding") is None
    assert header(response, "Content-Type") == (None if response.status == 304 else JSON)
    if response.status == 200 and request.method == "GET":
        check_json("sitedata", "site-data", response.body)


SITE: Final = Product(
    "sitedata",
    b"/data/site-data.json",
    sitedata.service.STATUS_OF,
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
    for product in (DEVICE, HEALTH, SITE):
        service: Any = importlib.import_module(f"{product.name}.service").Service
        service.__call__ = watched(service.__call__, product)
        adapter: Any = importlib.import_module(f"{product.name}.adapters.application")
        adapter.with_site = _watched_site(adapter.with_site, product)


def _watched_site(with_site: Callable[..., Handler], product: Product) -> Callable[..., Handler]:
    """Return `with_site` of a product, the answers of whose API are checked."""

    def build(*arguments: Any, **options: Any) -> Handler:
        whole = with_site(*arguments, **options)
        site = watched(lambda _, request: whole(request), product)
        return lambda request: (
            site(None, request) if request.path.startswith(product.api) else whole(request)
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
    *((product, product.api) for product in (HEALTH, SITE)),
    *((DEVICE, path) for path in (*_DOCUMENTS, b"/api/badge.svg", b"/badge.svg", b"/app-icons/")),
)
"""The product of a response that is not an error, by its path."""
