"""Serve several devices as one handler: each at `/NAME/`, and an overview at `/`.

A device has its own token, settings and pages; its record has the key `NAME:now` of one store.

Invariant *a token writes one device*: the name in the path chooses the settings.
Invariant *bounded*: a device is mounted by its first request, and only those used last stay so.  A
device that is mounted again has lost nothing but decoded records; pages are built once for all.
"""

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from functools import cache, lru_cache, partial
from html import escape
from importlib.resources import files
from typing import Any, Final

import attrs

from devicestatus import limits
from devicestatus.bodies import error_response
from devicestatus.lane_values import NO_APP, app_label, song_name
from devicestatus.music_urls import CatalogHosts
from devicestatus.page import (
    ICON,
    Pages,
    build_pages,
    fixed_route,
    page_routes,
    with_files,
)
from devicestatus.service import Service
from devicestatus.settings import Settings
from devicestatus.state import Offline, Online
from status_contracts.adapters.page_files import read_parts
from status_contracts.endpoints import Params, RequestError, Route, Router, page_route
from status_contracts.exchange import Effect, EffectFailed, Exchange
from status_contracts.instants import format_instant
from status_contracts.messages import Request, Response, redirect_response
from status_contracts.pages.blocks import Notice, notice_html
from status_contracts.pages.page import Page, build_page
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.svg.labels import format_number

__all__ = ["MOUNTED", "NAME_RULE", "Devices", "check_names", "is_device_name"]

MOUNTED: Final = 256
"""Devices that stay mounted by default."""
OVERVIEW_DEVICES: Final = 100
"""Devices whose status the overview reads; of more it lists the names."""
RESERVED: Final = frozenset({"api", "app-icons", "health", "now", "update"})
"""First parts of the paths of a single device, which an agent without a name would use."""
NAME_RULE: Final = (
    "1 to 63 lower-case letters, digits and hyphens between them, and none of "
    + ", ".join(sorted(RESERVED))
)
"""What a name must be: it is a part of URLs, and is shown."""

_NAME_FORM: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_OVERVIEW: Final = Link("All devices", "../")
_LETTER, _NAME = "\ue000", "\ue000\ue001"
"""Marks of pages that stand for the name of a device, and for its first letter alone."""
_NONE: Final = Notice(
    "empty",
    "There are no devices yet",
    "Start the service with --device NAME=TOKENFILE for each.",
)
_FAILED: Final = ("unread", "Unreachable", "The status cannot be read at the moment.")


def is_device_name(text: str) -> bool:
    """Check whether a text may name a device; `NAME_RULE` says what may."""
    return _NAME_FORM.fullmatch(text) is not None and text not in RESERVED


def check_names(names: Iterable[str]) -> None:
    """Raise ValueError for a name that is not allowed."""
    for name in names:
        if not is_device_name(name):
            raise ValueError(f"{name!r} is not the name of a device: {NAME_RULE}")


class Devices:
    """The handler of several devices; call it with a request to get its exchange.

    Args:
        devices: name to settings; read when a device is mounted, so that it may be a mapping that
            looks them up.
        has_store: whether a store is bound.
        has_assets: whether icon assets are bound.
        page: what all pages show of their owner; None for no pages and no overview.
        mounted: how many devices stay mounted.
        on_two_agents: as of `Service`, for each device.

    Raises:
        ValueError: a name is not allowed.

    """

    def __init__(
        self,
        devices: Mapping[str, Settings],
        *,
        has_store: bool,
        has_assets: bool,
        page: PageSettings | None,
        mounted: int = MOUNTED,
        on_two_agents: Callable[[str], object] | None = None,
    ) -> None:
        check_names(devices)
        self._devices = devices
        self._create = partial(
            Service, has_store=has_store, has_assets=has_assets, on_two_agents=on_two_agents
        )
        self._page = page
        self._pages = cache(_build_pages)  # by catalog: most deployments have one
        self._device = lru_cache(mounted)(self._mount)  # an unknown name is not kept
        overview = [] if page is None else [self._overview_route(page)]
        self._root = Router(overview, error_response)

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        name, slash, rest = request.path[1:].decode("latin-1").partition("/")
        try:
            _, router = self._device(name)
        except KeyError:
            return (yield from self._root(request))
        path = f"{slash}{rest}".encode("latin-1")
        return (yield from router(attrs.evolve(request, path=path)))

    def _mount(self, name: str) -> tuple[Service, Router]:
        settings = self._devices[name]
        service = self._create(settings, store_key=f"{name}:{limits.STORE_KEY}")
        if self._page is None:
            return service, with_files(service, ())
        shared = self._pages(self._page, settings.catalog)
        pages: Pages = {path: partial(_respond, page, name) for path, page in shared.items()}
        own = attrs.evolve(self._page, name=name)
        # the links of the page need the slash
        to_page = fixed_route("", lambda _request: redirect_response(f"{name}/"))
        return service, with_files(service, (to_page, *page_routes(service, own, pages)))

    def _overview_route(self, settings: PageSettings) -> Route:
        parts = read_parts(
            files("devicestatus") / "page_files",
            "devices",
            ["devices.js"],
            title="Devices",
            icon=ICON,
            skip_to="the devices",
            description="What several computers are doing now.",
        )
        page = build_page(parts, settings)

        def respond(request: Request, _params: Params) -> Exchange:
            cards = ""
            is_read = len(self._devices) <= OVERVIEW_DEVICES
            for name in self._devices:
                cards += _card(name, *(yield from self._state(name)) if is_read else ())
            notice = notice_html(None if cards else _NONE)
            return page.filled({"devices": cards, "notice": notice}).respond(request)

        return page_route("/", respond)

    def _state(self, name: str) -> Generator[Effect, Any, tuple[str, str, str]]:
        """Return the state, the text and the details of a device."""
        try:
            status = (yield from self._device(name)[0].read()).status
        except (EffectFailed, RequestError):
            return _FAILED
        if isinstance(status, Offline):
            return "offline", "Offline", "No current report."
        return "online", *_online(status)


def _build_pages(page: PageSettings, catalog: CatalogHosts) -> Mapping[str, Page]:
    """Build the pages of all devices, with marks for the name."""
    own = attrs.evolve(page, name=_NAME, line=page.name or page.line, pages=(_OVERVIEW,))
    return build_pages(own, catalog)


def _online(state: Online) -> tuple[str, str]:
    """Return the foreground app, and HTML of the music, the battery and the time of the report."""
    app, music = state.snapshot.active_app, state.snapshot.music
    percent = state.snapshot.battery.percent
    battery = "" if percent is None else f", battery {format_number(percent)}\u00a0%"
    reported = format_instant(state.updated_at)
    time = f'<time datetime="{reported}">{reported[11:16]} UTC</time>'
    playing = ""
    if music.state == "playing" and music.track:
        playing = f"<bdi>♫ {escape(song_name(music.track, music.artist))}</bdi><br>"
    return NO_APP if app is None else app_label(app), f"{playing}Online{battery}, reported {time}."


def _card(name: str, state: str = "", text: str = "", details: str = "") -> str:
    link = f'<a href="{name}/">{name}</a>'
    if not state:
        return f'<li class="card"><h2>{link}</h2></li>'
    return (
        f'<li class="card device" data-state="{state}"><h2>{link}</h2>'
        f'<p class="value"><bdi>{escape(text)}</bdi></p><p class="detail">{details}</p></li>'
    )


def _respond(page: Page, name: str, request: Request) -> Response:
    body = page.body.replace(_NAME.encode(), name.encode())
    body = body.replace(_LETTER.encode(), name[:1].upper().encode())
    return attrs.evolve(page, body=body).respond(request)
