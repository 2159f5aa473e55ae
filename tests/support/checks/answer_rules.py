"""The rules that every answer of the three products obeys, and the one place where they are held.

`install` puts the check around every handler of this process: whatever a service or a site answers,
in whichever test, is checked, and what breaks a rule is raised and kept in `BROKEN`.

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
from devicestatus.endpoints import ENDPOINTS
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

HTML: Final = "text/html; charset=utf-8"
MARKDOWN: Final = "text/markdown; charset=utf-8"
NO_STORE_VALUE: Final = dict(NO_STORE)["Cache-Control"]
IMAGE_POLICY: Final = "default-src 'none'; style-src 'none'; sandbox"

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
        document: name of the schema of a JSON body; empty or None for one that has none.

    """

    name: str
    api: bytes
    status_of: Mapping[Any, int]
    document: Callable[[Request, Any], str | None]


_SCHEMAS: Final = {
    path.encode(): endpoint.schema for endpoint in ENDPOINTS for path in endpoint.paths
}
DEVICE: Final = Product(
    "devicestatus",
    b"/",
    devicestatus.errors.STATUS_OF,
    lambda request, _: _SCHEMAS.get(request.path),
)
HEALTH: Final = Product(
    "healthapi",
    b"/api/public/v1",
    healthapi.errors.STATUS_OF,
    lambda _, value: value.get("resource"),
)
SITE: Final = Product(
    "sitedata", b"/data/site-data.json", sitedata.service.STATUS_OF, lambda *_: "site-data"
)


def check(product: Product, request: Request, response: Response) -> None:
    """Hold an answer of a product against the rules; one that obeyed them is not checked again."""
    answer = hash((product.name, request.method, request.path, response))
    if answer in _OBEYING:
        return
    _check_headers(response)
    check_framing(request.method, response)
    has_length = header(response, "Content-Length") is not None
    assert has_length == (response.status not in {204, 304}) or request.method == "HEAD"
    if response.status >= 400:
        _check_error(product, request, response)
    elif response.status == 204:
        assert request.method == "OPTIONS"
        assert "OPTIONS" in (header(response, "Access-Control-Allow-Methods") or "")
        assert header(response, "Content-Type") is None
    else:
        assert response.status in {200, 304}, response.status
        _check_success(product, request, response)
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


def check_framing(method: str, response: Response) -> None:
    """Check the body and its length, and that nothing shows the token."""
    if method == "HEAD" or response.status in {204, 304}:
        assert response.body == b"", "there is a body where none belongs"
    else:
        assert header(response, "Content-Length") in {None, str(len(response.body))}
    shown = [response.body.decode("latin-1"), *(value for _, value in response.headers)]
    assert not canary.shows(*shown), "the answer has the token"


def _check_error(product: Product, request: Request, response: Response) -> None:
    assert response.status in set(product.status_of.values()), response.status
    assert header(response, "Cache-Control") == NO_STORE_VALUE
    assert header(response, "Content-Type") == JSON
    if request.method != "HEAD":
        told = _check_json(product.name, "error", response.body)["error"]
        code = told if isinstance(told, str) else told["code"]
        assert product.status_of[code] == response.status, code


def _check_success(product: Product, request: Request, response: Response) -> None:
    kind, caching = header(response, "Content-Type"), header(response, "Cache-Control")
    is_kept = caching != NO_STORE_VALUE
    assert caching in {NO_STORE_VALUE, "no-cache"} or (caching or "").startswith("public, max-age=")
    assert product is DEVICE or (is_kept and header(response, "ETag") is not None)
    assert header(response, "Vary") is None
    if response.status == 304:
        assert (is_kept, kind) == (True, None)
        return
    assert kind in {JSON, SVG, HTML, PNG, MARKDOWN}
    policy = header(response, "Content-Security-Policy") or ""
    assert ("default-src 'none'" in policy) == (kind in {SVG, HTML})
    if request.method != "HEAD" and kind == SVG:
        assert policy == IMAGE_POLICY
        _check_svg(response.body)
    elif request.method != "HEAD" and kind == JSON:
        document = product.document(request, strict(response.body))
        if document:
            _check_json(product.name, document, response.body)


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


def _check_json(product: str, document: str, body: bytes) -> Any:
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
