"""The site of the service: home page, API reference, pictures and static icon files.

The home page plays windows back with `player.js`, a port of `devicestatus.player`.
Invariant *valid names only*: a name that no icon can have never reaches the asset source.
Invariant *first answer included*: the home page has the body that `/api/timeline` would have, from
one read of the store; its script starts from it, and a failed read is a part of the page, not 503.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

import attrs

from devicestatus import bodies, limits
from devicestatus.card import card
from devicestatus.endpoints import ENDPOINTS, ICONS, READING, WRITING
from devicestatus.errors import STATUS_OF
from devicestatus.headline import LATE, UNREACHABLE, Headline, headline, read_text
from devicestatus.icons import MANIFEST_NAME, IconIndex
from devicestatus.lane_values import MUSIC, OTHER
from devicestatus.models import Window
from devicestatus.music_urls import ITUNES, CatalogHosts
from devicestatus.responses import ICON_ID
from devicestatus.schemas import CONTRACT_VERSION, DOCUMENTS, EXAMPLES, MEANINGS, schemas
from devicestatus.service import Service
from devicestatus.timeline import WIDTHS, lanes
from status_contracts import messages
from status_contracts.adapters.page_files import read_parts, reference_files
from status_contracts.endpoints import (
    Endpoint,
    Parameter,
    Params,
    RequestError,
    Route,
    Router,
    page_route,
)
from status_contracts.exchange import EffectFailed, Exchange
from status_contracts.messages import IMAGE_POLICY, NO_STORE, SVG, Request, Response, build_response
from status_contracts.pages.page import Page, build_page
from status_contracts.pages.reference import Reference, paragraphs
from status_contracts.pages.settings import DEFAULT_PAGE, DOCUMENTATION, Link, PageSettings
from status_contracts.svg.palette import APPS, Theme, text_on

_SCRIPTS: Final = (
    *("times.js", "player.js", "polling.js", "colors.js", "apps.js", "cards.js", "timeline.js"),
    *("headline.js", "home.js"),
)
ICON: Final = (  # a screen with a dot, visible on light and dark tabs
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<rect x="1" y="2" width="14" height="9" rx="1.5" fill="#1d57b0"/>'
    '<circle cx="8" cy="6.5" r="2" fill="#fff"/><path d="M5 13.5h6" stroke="#1d57b0"'
    ' stroke-width="1.5" stroke-linecap="round"/></svg>'
)
_TITLE: Final = "Device status"
_COLOR_RULES: Final = f":root {{ --music: {MUSIC} }}\n" + "".join(
    f'[data-color="{index}"] {{ --color: {color}; --ink: {text_on(color)} }}\n'
    for index, color in [*enumerate(APPS), ("other", OTHER)]
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
PAGE_FILES: Final = files("devicestatus") / "page_files"
_CARDS: Final[dict[str, Theme]] = {"/card.svg": "light", "/card-dark.svg": "dark"}
_TIMELINES: Final[dict[str, Theme]] = {"/timeline.svg": "light", "/timeline-dark.svg": "dark"}

_openapi: Final = cache(lambda: schemas().text("openapi").encode())
_INTRODUCTION: Final = f"""
    This service publishes what one computer is doing: the foreground app, the apps that run,
    battery, load average and music.  One agent on that computer writes; everybody may read, from
    any origin, without a key, cookies or rate limits.

    Poll [GET /api/now](#now) and show its content; the [status page](./) shows the same.  Programs
    have an [OpenAPI description](openapi.json); all rules are in the
    [contract]({DOCUMENTATION}/contract/device-status.html).
"""
_RULES: Final = f"""
    Paths are exact.  A path with a trailing slash, another case or a percent-encoded letter is
    unknown: 404.  Query parameters are ignored.

    A method that a path does not support gets 405, with the supported methods in `Allow`; `HEAD` is
    for icons only.  `OPTIONS` works on every path: 204 without a body and without a token.

    Responses have `Cache-Control: no-store, max-age=0`, and the same for content delivery networks.
    Icons may be cached: `Cache-Control: public, max-age={limits.ICON_MAX_AGE_SECONDS}`.  A response
    may be slightly older than the last write: the store is eventually consistent.

    Offline is not an error: the response has status 200 and exactly `{{"status":"offline"}}`.  When
    the service cannot read the status, it responds with 503: the status is unknown, not offline.
    An error has only a code, never data of the request: `{{"error":"not_found"}}`.

    Expect null for unknown values, absent members, and members that a later version adds.  Times
    are UTC: `2026-03-14T09:26:50.000Z`.
"""
_GROUPS: Final = {
    READING: f"""
        Each request reads the store once and writes nothing.  A client that needs more than one
        part of the status calls `/api/now`: parallel calls to the parts are not merged and may see
        different states.

        The computer reports in one of two ways.  With snapshots, a response contains the latest
        one.  With windows, the computer sends the last {limits.WINDOW_SECONDS // 60} minutes every
        {limits.UPLOAD_INTERVAL_SECONDS // 60} minutes, and responses contain the state
        {limits.PLAYBACK_DELAY_SECONDS} seconds ago, so that it changes without jumps; such
        responses have a `playback` member.
    """,
    ICONS: """
        A fixed list that belongs to the deployment; it does not depend on whether the computer is
        online.  The images have their own licenses.  Both paths take `If-None-Match` and
        `If-Modified-Since`, and `ETag` and `Last-Modified` are readable from other origins.
    """,
    WRITING: f"""
        For the agent on the computer.  A request has `Authorization: Bearer` and the ingest token,
        {limits.TOKEN_LENGTH_MIN} to {limits.TOKEN_LENGTH_MAX} characters without white space.  Keep
        it out of web pages, URLs and repositories.  Bodies are uncompressed UTF-8 JSON.

        The response 200 is sent after the store has the complete record.  Retry after 503 or no
        response, with present content; after another error the same request fails again.
        `devicestatus validate body.json` lists every problem of a body.

        The fraction of a time has up to three digits or none in a snapshot, exactly three in a
        window.  Lengths count Unicode code points.  Text must not contain ASCII control characters.
        An unlisted member is an error at every level.
    """,
}


def with_site(
    service: Service, page: PageSettings | None = DEFAULT_PAGE, *, catalog: CatalogHosts = ITUNES
) -> Router:
    """Return the handler of the service, of `/app-icons/*`, and of pages and cards for a page."""
    if page is None:
        return with_files(service, ())
    return with_files(service, page_routes(service, page, build_pages(page, catalog).__getitem__))


def with_files(service: Service, routes: Iterable[Route]) -> Router:
    """Return the handler of the service, of `/app-icons/*` and of further routes."""
    file = Route(_FILE, service.icons.file, bodies.ICON_CORS, bodies.ICON_CORS)
    return service.router.with_routes([file, *routes])


def build_pages(page: PageSettings, catalog: CatalogHosts = ITUNES) -> dict[str, Page]:
    """Return the pages of a device by path."""
    footer = f'Contract version {CONTRACT_VERSION}. <a href="./">Status page</a>'
    linked = attrs.evolve(page, pages=page.pages or (Link("Status page", "./"),))
    return {
        "/": build_home(page, catalog),
        "/api": _reference().page(ICON, footer, linked, *reference_files()),
    }


def page_routes(
    service: Service, settings: PageSettings, page_of: Callable[[str], Page]
) -> Iterator[Route]:
    """Yield the routes of the pages of a device, which `page_of` returns by path, and its cards."""

    def home(request: Request, _params: Params) -> Exchange:
        try:
            read = yield from service.read()
        except (EffectFailed, RequestError):
            answer, said = bodies.error_response("GET", "service_unavailable").body, UNREACHABLE
            read_at = ""
        else:
            answer = bodies.timeline_json(read.record, now=read.now, ttl_seconds=read.ttl_seconds)
            said, read_at = headline(read.shown, read.now), read_text(read.now)
        icons = yield from service.icons.index_or_empty()
        return respond_home(request, page_of("/"), answer, said, icons, read_at)

    yield page_route("/", home)
    yield fixed_route("/api", lambda request: page_of("/api").respond(request))
    respond = messages.conditional_response
    yield fixed_route("/openapi.json", lambda request: respond(request, _openapi(), messages.JSON))
    for path, theme in (_CARDS | _TIMELINES).items():
        yield _picture(service, settings.name or _TITLE, path, theme)


def respond_home(
    request: Request, page: Page, answer: bytes, said: Headline, icons: IconIndex, read_at: str = ""
) -> Response:
    """Return the page with a body of `/api/timeline`, what it means, and a picture of a window."""
    contents = {
        "answer": answer.decode().replace("<", "\\u003c"),  # in JSON, only texts have it
        "state": said.state,
        "label": said.label,
        "title": escape(said.title),
        "detail": "<br>".join(said.details_html()),
        "tile": said.tile_html(icons),
        "read": read_at,
        "picture": "" if said.state == "paused" or LATE in said.when else " hidden",
    }
    return page.filled(contents).respond_once(request)


def fixed_route(path: str, respond: Callable[[Request], Response]) -> Route:
    """Return the route of a response without effects."""

    def handle(request: Request, _params: Params) -> Exchange:
        yield from ()
        return respond(request)

    return page_route(path, handle)


def _picture(service: Service, name: str, path: str, theme: Theme) -> Route:
    """Return the route of a card or of a narrow timeline; without a window that is a card too."""

    def handle(request: Request, _params: Params) -> Exchange:
        read = yield from service.read()
        if isinstance(read.shown, Window) and path in _TIMELINES:
            at = read.now - limits.PLAYBACK_DELAY_MS
            svg = lanes(read.shown, at=at, title=name, width=WIDTHS[0], theme=theme)
        else:
            svg = card(read.shown, at=read.now, name=name, theme=theme)
        return build_response(request.method, 200, SVG, svg, (*NO_STORE, IMAGE_POLICY))

    return page_route(path, handle)


def status_style() -> str:
    """Return the style of headlines and of the colours of apps."""
    return _COLOR_RULES + (PAGE_FILES / "status.css").read_text("utf-8")


def build_home(settings: PageSettings, catalog: CatalogHosts = ITUNES) -> Page:
    """Build the home page; it loads artwork of the catalog only where the settings allow it."""
    has_artwork = settings.artwork and catalog.artwork_domain != ""
    parts = read_parts(
        PAGE_FILES,
        "home",
        _SCRIPTS,
        title=_TITLE,
        icon=ICON,
        skip_to="the status",
        description="What one computer is doing now: foreground app, music, battery and load.",
        style=status_style(),
        here="./",
        marks={"<!--artwork-->": "yes" if has_artwork else "no"},
        image_origins=[f"https://*.{catalog.artwork_domain}"] if has_artwork else (),
    )
    return build_page(parts, settings)


@cache
def _reference() -> Reference:
    documents = schemas().documents
    examples = {
        name: {
            documents[name]["$defs"][model.__name__]["title"].lower()
            if len(models) > 1
            else "": EXAMPLES[model.__name__][0]
            for model in models
        }
        for name, models in DOCUMENTS.items()
    }
    of_now = (*EXAMPLES["OnlineStatus"], *EXAMPLES["OfflineStatus"])
    examples["now"] = dict(zip(examples["timeline"], of_now, strict=True))  # the same kinds
    return Reference(
        title="Device status API",
        introduction=paragraphs(_INTRODUCTION),
        endpoints=ENDPOINTS,
        examples=examples,
        path="/api",
        schemas={name: {"": schema} for name, schema in documents.items()},
        rules=_RULES,
        groups=_GROUPS,
        errors=tuple((f"`{code}`", str(STATUS_OF[code]), text) for code, text in MEANINGS.items()),
    )
