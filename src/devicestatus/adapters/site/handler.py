"""Combine the site and the service in one handler: the pages, static icon files, all else.

Static files are `/app-icons/index.json` and `/app-icons/<id>.png`.  The files of the asset source
are served unchanged, including images that the manifest does not list.
Source: device-status specification, "Icons", rule 3, and the design decisions on icon paths.

Invariant *valid names only*: a name that no icon can have never reaches the asset source.
Invariant *pass through*: a request for a path outside the site reaches the given handler unchanged.
Invariant *same order of checks*: as in the service, the path is checked first (404), then OPTIONS
(204), then the method (405).
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

import attrs

from devicestatus.adapters.site.pages import build_api, build_home
from devicestatus.http import responses
from devicestatus.icons import MANIFEST_NAME
from devicestatus.models.icon_manifest import ICON_ID
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from purewire.adapters.pages.page import Page
from purewire.adapters.pages.settings import DEFAULT_PAGE, PageSettings
from purewire.exchange.effects import EffectFailed, Exchange, Handler, read_asset
from purewire.http.conditional import conditions_of
from purewire.http.messages import Request
from purewire.http.responses import JSON, NO_STORE, PNG, Headers, preflight_response
from purewire.http.routes import MethodNotAllowed, PatternRoute, Route, RouteTable

__all__ = ["with_site"]


_FOLDER: Final = b"/app-icons/"
_FILE: Final = re.compile(
    _FOLDER + rf"(?P<name>{re.escape(MANIFEST_NAME)}|{ICON_ID}\.png)".encode("ascii")
)
"""Paths of static files."""


@attrs.frozen
class _Endpoint:
    """The response to a path of the site, and the headers of its preflight and its errors."""

    respond: Callable[[Request, Mapping[str, str]], Exchange]
    preflight: Headers
    error_headers: Headers = ()


def with_site(
    handler: Handler, page: PageSettings | None = DEFAULT_PAGE, *, catalog: CatalogHosts = ITUNES
) -> Handler:
    """Add the home page `/`, the API reference `/api` and `/app-icons/*` to a handler.

    Args:
        handler: handles all other paths; usually the service.
        page: what the pages show of their owner; with None there are only the files.
        catalog: the hosts from which the home page may load artwork, if `page` allows that.

    Returns:
        A handler for all paths.  It requests `ReadAsset` effects with the names `index.json` and
        `<id>.png`.  The pages are read from the package in this call, once.

    """
    file = _Endpoint(_serve_file, responses.ICON_CORS, responses.ICON_CORS)
    pages = {} if page is None else {b"/": build_home(page, catalog), b"/api": build_api(page)}
    routes = RouteTable(
        {path: _page(built) for path, built in pages.items()},
        (PatternRoute(_FILE, Route("GET, HEAD, OPTIONS", file)),),
    )

    def serve(request: Request) -> Exchange:
        match = routes.resolve(request.method, request.path)
        if match is None:
            if request.path.startswith(_FOLDER):
                return responses.error_response(request.method, "not_found")
            return (yield from handler(request))
        endpoint = match.route.target
        if isinstance(match, MethodNotAllowed):
            headers = (("Allow", match.route.allow), *endpoint.error_headers)
            return responses.error_response(request.method, "method_not_allowed", headers)
        if request.method == "OPTIONS":
            return preflight_response(endpoint.preflight)
        return (yield from endpoint.respond(request, match.params))

    return serve


def _page(page: Page) -> Route[_Endpoint]:
    return Route(
        "GET, OPTIONS",
        _Endpoint(
            lambda request, _params: page.respond(request),
            (*NO_STORE, *responses.STATUS_CORS),
        ),
    )


def _serve_file(request: Request, params: Mapping[str, str]) -> Exchange:
    name = params["name"]
    try:
        found = yield from read_asset(name, conditions_of(request))
    except EffectFailed:
        return responses.error_response(request.method, "service_unavailable", responses.ICON_CORS)
    if found is None:
        return responses.error_response(request.method, "not_found", responses.ICON_CORS)
    return responses.file_response(request, found, JSON if name == MANIFEST_NAME else PNG)
