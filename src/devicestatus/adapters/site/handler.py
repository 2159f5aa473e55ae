"""Add the site to the service: the pages, and static icon files.

The pages are the home page, which plays windows back with `player.js`, a port of
`devicestatus.player.player`, and the API reference.  Beside them are the cards `/card.svg` and
`/card-dark.svg`.  Static files are `/app-icons/index.json` and `/app-icons/<id>.png`.  The files of
the asset source are served unchanged, including images that the manifest does not list.
Invariant *valid names only*: a name that no icon can have never reaches the asset source.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.resources import files
from typing import Final

import attrs

from devicestatus.adapters.site.api_page import build_api_page
from devicestatus.engine.state import shown_value
from devicestatus.http import views
from devicestatus.http.service import Service
from devicestatus.icons import MANIFEST_NAME
from devicestatus.rendering.card import card
from devicestatus.rendering.lane_values import MUSIC, OTHER
from devicestatus.responses import ICON_ID
from devicestatus.validation.music_urls import ITUNES, CatalogHosts
from purewire.adapters.pages.parts import read_parts
from purewire.endpoints import Endpoint, EndpointHandler, Parameter, Params, Route, Router
from purewire.exchange import Exchange
from purewire.http.messages import (
    NO_STORE,
    PNG,
    SVG,
    Request,
    Response,
    build_response,
    conditional_response,
)
from purewire.pages.page import SOCIAL_IMAGE, Page, build_page
from purewire.pages.settings import DEFAULT_PAGE, PageSettings
from purewire.svg.palette import APPS, Theme, text_on

_PAGES_FOLDER: Final = files("devicestatus.adapters.site")
_SCRIPTS: Final = (
    *("times.js", "player.js", "polling.js", "colors.js", "apps.js", "cards.js", "timeline.js"),
    *("headline.js", "home.js"),
)
ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<rect x="1" y="2" width="14" height="9" rx="1.5" fill="#1d57b0"/>'
    '<circle cx="8" cy="6.5" r="2" fill="#fff"/><path d="M5 13.5h6" stroke="#1d57b0"'
    ' stroke-width="1.5" stroke-linecap="round"/></svg>'
)
"""A screen with a dot, visible on light and dark tabs."""
_TITLE: Final = "Device status"
_DESCRIPTION: Final = "What one computer is doing now: foreground app, music, battery and load."
_COLORS: Final = {"--music": MUSIC}
"""The colour of music in the timeline picture, as a variable of the style."""
_COLOR_RULES: Final = "".join(
    f'[data-color="{index}"] {{ --color: {color}; --ink: {text_on(color)} }}\n'
    for index, color in [*enumerate(APPS), ("private", OTHER)]
)
_FILE: Final = Endpoint(
    "file",
    "Site",
    "A file of the icons",
    path="/app-icons/{name}",
    methods=("GET", "HEAD"),
    keys=(
        Parameter(
            "name",
            "Name of the file.",
            {"type": "string"},
            path_pattern=rf"{re.escape(MANIFEST_NAME)}|{ICON_ID}\.png",
        ),
    ),
    is_conditional=True,
)
_CARDS: Final[dict[str, Theme]] = {"/card.svg": "light", "/card-dark.svg": "dark"}
_CARD_POLICY: Final = "default-src 'none'; img-src data:; style-src 'none'; sandbox"


Pages = Mapping[str, Callable[[], Page]]
"""Path of a page to a function that returns it."""


def with_site(
    service: Service, page: PageSettings | None = DEFAULT_PAGE, *, catalog: CatalogHosts = ITUNES
) -> Router:
    """Return the handler of the service, of `/app-icons/*`, and of pages and cards for a page."""
    if page is None:
        return with_files(service, ())
    built = build_pages(page, catalog)
    pages: Pages = {path: partial(built.__getitem__, path) for path in built}
    return with_files(service, page_routes(service, page, pages))


def with_files(service: Service, routes: Iterable[Route]) -> Router:
    """Return the handler of the service, of `/app-icons/*` and of further routes."""
    file = Route(_FILE, service.icons.file, views.ICON_CORS, views.ICON_CORS)
    return service.router.with_routes([file, *routes])


def build_pages(page: PageSettings, catalog: CatalogHosts = ITUNES) -> dict[str, Page]:
    """Return the pages of a device by path."""
    return {"/": build_home(page, catalog), "/api": build_api_page(ICON, page)}


def page_routes(service: Service, page: PageSettings, pages: Pages) -> Iterator[Route]:
    """Yield the routes of pages, and of the cards of a device."""
    for path, get in pages.items():
        yield fixed_route(path, "text/html", partial(_respond, get))
    yield from picture_routes(page)
    yield from (_card(service, page, *item) for item in _CARDS.items())


def _respond(get: Callable[[], Page], request: Request) -> Response:
    return get().respond(request)


def page_route(path: str, build: EndpointHandler) -> Route:
    """Return the route of a page whose response an exchange builds."""
    return _read_route(path, "text/html", build)


def picture_routes(page: PageSettings) -> Iterator[Route]:
    """Yield the route of the picture of shared links, drawn in this call, if it is on."""
    if not page.social_image:
        return
    # resvg is an optional extra, so it is imported only where the picture is on
    module = import_module("purewire.adapters.pages.social_image")
    picture = module.draw_social_image(page, _TITLE, _DESCRIPTION)
    headers = (("Cache-Control", "public, max-age=3600"), *views.ICON_CORS)
    yield fixed_route(
        f"/{SOCIAL_IMAGE}",
        PNG,
        lambda request: conditional_response(request, picture, PNG, headers),
    )


def fixed_route(path: str, media_type: str, respond: Callable[[Request], Response]) -> Route:
    """Return the route of a response without effects."""

    def handle(request: Request, _params: Params) -> Exchange:
        yield from ()
        return respond(request)

    return _read_route(path, media_type, handle)


def _read_route(path: str, media_type: str, handle: EndpointHandler) -> Route:
    methods = ("GET", "HEAD")
    endpoint = Endpoint("page", "Site", "A page", path=path, methods=methods, media_type=media_type)
    return Route(endpoint, handle, views.ICON_CORS)


def _card(service: Service, page: PageSettings, path: str, theme: Theme) -> Route:
    def handle(request: Request, _params: Params) -> Exchange:
        found = yield from service.read()
        shown = shown_value(found.record, now=found.now, ttl_seconds=found.ttl_seconds)
        name, avatar = page.name or _TITLE, page.avatar_url
        svg = card(shown, at=found.now, name=name, avatar=avatar, theme=theme)
        headers = (*NO_STORE, ("Content-Security-Policy", _CARD_POLICY))
        return build_response(request.method, 200, SVG, svg, headers)

    return _read_route(path, "image/svg+xml", handle)


def build_home(settings: PageSettings, catalog: CatalogHosts = ITUNES) -> Page:
    """Build the home page; it loads artwork of the catalog only where the settings allow it."""
    has_artwork = settings.artwork and catalog.artwork_domain != ""
    parts = read_parts(
        _PAGES_FOLDER,
        "home.html",
        _TITLE,
        ICON,
        styles=("home.css",),
        scripts=_SCRIPTS,
        skip_to="the status",
        description=_DESCRIPTION,
        variables=_COLORS,
        marks={"<!--artwork-->": "yes" if has_artwork else "no"},
        image_origins=[f"https://*.{catalog.artwork_domain}"] if has_artwork else (),
    )
    return build_page(attrs.evolve(parts, style=parts.style + _COLOR_RULES), settings)
