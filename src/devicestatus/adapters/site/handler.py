"""Combine the site and the service in one handler: the pages, static icon files, all else.

The pages are the home page, which plays windows back with `player.js`, a port of
`devicestatus.player.player`, and the API reference.  Static files are `/app-icons/index.json` and
`/app-icons/<id>.png`.  The files of the asset source are served unchanged, including images that
the manifest does not list.
Invariant *valid names only*: a name that no icon can have never reaches the asset source.
Invariant *pass through*: a request for a path outside the site reaches the given handler unchanged.
Invariant *same order of checks*: as in the service, the path is checked first (404), then OPTIONS
(204), then the method (405).
"""

import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Final

import attrs

from devicestatus.http import responses
from devicestatus.icons import MANIFEST_NAME
from devicestatus.models.icon_manifest import ICON_ID
from devicestatus.rendering import palette
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from purewire.adapters.pages.page import Page, PageParts, build_page
from purewire.adapters.pages.settings import DEFAULT_PAGE, PageSettings
from purewire.exchange.effects import EffectFailed, Exchange, Handler, read_asset
from purewire.http.conditional import conditions_of
from purewire.http.messages import Request
from purewire.http.responses import JSON, NO_STORE, PNG, Headers, preflight_response
from purewire.http.routes import MethodNotAllowed, PatternRoute, Route, RouteTable

_PAGES_FOLDER: Final = files("devicestatus.adapters.site")
_SCRIPTS: Final = (
    *("player.js", "polling.js", "colors.js", "apps.js", "cards.js", "timeline.js"),
    *("headline.js", "home.js"),
)
_ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<rect x="1" y="2" width="14" height="9" rx="1.5" fill="#1d57b0"/>'
    '<circle cx="8" cy="6.5" r="2" fill="#fff"/><path d="M5 13.5h6" stroke="#1d57b0"'
    ' stroke-width="1.5" stroke-linecap="round"/></svg>'
)
"""A screen with a dot, visible on light and dark tabs."""
_COLORS: Final = {
    **{f"--app-{index}": color for index, color in enumerate(palette.APPS)},
    "--app-private": palette.OTHER,
    "--music": palette.MUSIC,
}
"""The colours of the timeline picture, as variables of the style."""
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


def build_home(settings: PageSettings, catalog: CatalogHosts = ITUNES) -> Page:
    """Build the home page.

    Args:
        settings: what the owner chose.
        catalog: the hosts of artwork, which is loaded only where the settings allow it.

    """
    has_artwork = settings.artwork and catalog.artwork_domain != ""
    parts = PageParts(
        _PAGES_FOLDER / "home.html",
        "Device status",
        _ICON,
        styles=(_PAGES_FOLDER / "home.css",),
        scripts=[_PAGES_FOLDER / name for name in _SCRIPTS],
        variables=_COLORS,
        marks={"<!--artwork-->": "yes" if has_artwork else "no"},
        image_origins=[f"https://*.{catalog.artwork_domain}"] if has_artwork else (),
    )
    return build_page(parts, settings)


def build_api(settings: PageSettings) -> Page:
    """Build the API reference; it has no script of its own."""
    parts = PageParts(
        _PAGES_FOLDER / "api.html", "API reference", _ICON, (_PAGES_FOLDER / "api.css",)
    )
    return build_page(parts, settings)
