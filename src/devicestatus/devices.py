"""Serve several devices as one handler: each at `/NAME/`, and an overview at `/`.

A device has its own token, settings and pages; its record has the key `NAME:now` of one store.

Invariant *a token writes one device*: the name in the path chooses the settings.
Invariant *bounded*: a device is mounted by its first request, and only those used last stay so.  A
device that is mounted again has lost nothing but decoded records; pages are built once for all.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from html import escape
from typing import Final

import attrs

from devicestatus import limits
from devicestatus.bodies import error_response
from devicestatus.durations import intervals, total_durations
from devicestatus.headline import UNREACHABLE, Headline, headline, looks_html, read_text, sign_html
from devicestatus.icon_files import IconFiles
from devicestatus.icons import IconIndex
from devicestatus.lane_values import app_label
from devicestatus.models import Window
from devicestatus.music_urls import CatalogHosts
from devicestatus.page import (
    ICON,
    PAGE_FILES,
    build_pages,
    fixed_route,
    page_routes,
    status_style,
    with_files,
)
from devicestatus.service import Service
from devicestatus.settings import Settings
from devicestatus.state import Online
from status_contracts.adapters.page_files import read_parts
from status_contracts.endpoints import Params, RequestError, Route, Router, page_route
from status_contracts.exchange import EffectFailed, Exchange
from status_contracts.instants import MINUTE_MS, SECOND_MS
from status_contracts.messages import Request, redirect_response
from status_contracts.pages.page import Page, build_page
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.primitives import plural
from status_contracts.svg.axis import Scale

__all__ = ["MOUNTED", "NAME_RULE", "Devices", "is_device_name"]

MOUNTED: Final = 256
"""Devices that stay mounted."""
OVERVIEW_DEVICES: Final = 100  # whose status the overview reads; of more it lists the names
# first parts of the paths of a single device, which an agent without a name would use
RESERVED: Final = frozenset({"api", "app-icons", "health", "now", "update"})
NAME_RULE: Final = (
    "1 to 63 lower-case letters, digits and hyphens between them, and none of "
    + ", ".join(sorted(RESERVED))
)
"""What a name must be: it is a part of URLs, and is shown."""

_NAME_FORM: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_RELATIVE: Final = re.compile(r"^(?!/|[a-z]+:)(?:\./)?")  # start of a URL without host and root
_COLUMNS: Final = 300  # of the apps of a window in a card
_NAMED: Final = 3  # of them
_BOX: Final = '<rect height="100%" width="{:g}%" x="{:g}%"/>'  # in a strip
_Looks = Mapping[str, tuple[str, str]]  # of an app, as `looks_html` returns them
_OVERVIEW: Final = Link("All devices", "../")
_LETTER, _NAME = "\ue000", "\ue000\ue001"
"""Marks of pages that stand for the name of a device, and for its first letter alone."""


def is_device_name(text: str) -> bool:
    """Check whether a text may name a device; `NAME_RULE` says what may."""
    return _NAME_FORM.fullmatch(text) is not None and text not in RESERVED


class Devices:
    """The handler of several devices; call it with a request to get its exchange.

    Args:
        devices: name to settings; read when a device is mounted, so that it may be a mapping that
            looks them up.
        has_store, has_assets, on_two_agents: as of `Service`, for each device.
        page: what all pages show of their owner; None for no pages and no overview.

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
        on_two_agents: Callable[[str], object] | None = None,
    ) -> None:
        for name in devices:
            if not is_device_name(name):
                raise ValueError(f"{name!r} is not the name of a device: {NAME_RULE}")
        self._devices = devices
        self._create = partial(
            Service, has_store=has_store, has_assets=has_assets, on_two_agents=on_two_agents
        )
        self._page = page
        self._icons = IconFiles(has_assets=has_assets)
        self._pages = cache(_build_pages)  # by catalog: most deployments have one
        self._device = lru_cache(MOUNTED)(self._mount)  # an unknown name is not kept
        overview = [] if page is None else [self._overview_route(page)]
        self._root = Router(overview, error_response)

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        name, slash, rest = request.path[1:].partition(b"/")
        try:
            _, router = self._device(name.decode("latin-1"))
        except KeyError:
            return (yield from self._root(request))
        return (yield from router(attrs.evolve(request, path=slash + rest)))

    def _mount(self, name: str) -> tuple[Service, Router]:
        settings = self._devices[name]
        service = self._create(settings, store_key=f"{name}:{limits.STORE_KEY}")
        if self._page is None:
            return service, with_files(service, ())
        shared = self._pages(self._page, settings.catalog)
        own = attrs.evolve(self._page, name=name)

        def page_of(path: str) -> Page:  # for each request, because of many devices
            body = shared[path].body.replace(_NAME.encode(), name.encode())
            body = body.replace(_LETTER.encode(), name[:1].upper().encode())
            return attrs.evolve(shared[path], body=body)

        # the links of the page need the slash
        to_page = fixed_route("", lambda _request: redirect_response(f"{name}/"))
        return service, with_files(service, (to_page, *page_routes(service, own, page_of)))

    def _overview_route(self, settings: PageSettings) -> Route:
        parts = read_parts(
            PAGE_FILES,
            "devices",
            ["devices.js"],
            title="Devices" if settings.name else "Device status",
            icon=ICON,
            skip_to="the devices",
            description="What several computers are doing now.",
            style=status_style(),
            here="./",
        )
        page = build_page(parts, settings)

        def respond(request: Request, _params: Params) -> Exchange:
            icons = yield from self._icons.index_or_empty()
            said, windows = dict[str, Headline](), dict[str, Window]()
            now, lives = 0, [limits.PAGE_INTERVAL_MS]
            for name in self._devices if len(self._devices) <= OVERVIEW_DEVICES else ():
                try:
                    read = yield from self._device(name)[0].read()
                    now = read.now
                    said[name] = headline(read.shown, now)
                    if isinstance(read.shown, Window):
                        windows[name] = read.shown
                    if isinstance(status := read.status, Online):
                        lives.append(status.deadline.at - now)
                except (EffectFailed, RequestError):
                    said[name] = UNREACHABLE
            states = Counter(of.state for of in said.values())
            summary = plural(len(self._devices), "device")
            summary = f"{states['online']} of {summary} online" if said else summary
            summary += f", {states['unknown']} unreachable" if states["unknown"] else ""
            names = sorted(said, key=lambda name: said[name].state == "offline") or self._devices
            apps = (total_durations(intervals(window, "active_app")) for window in windows.values())
            looks = looks_html(*apps, *([of.app] for of in said.values() if of.app))
            draw = partial(_strip_html, now=now, looks=looks, icons=icons)
            strips = {name: draw(name, said[name].app, window) for name, window in windows.items()}
            card = partial(_card, looks=looks, icons=icons)
            parts = (card(name, said.get(name), strips.get(name, "")) for name in names)
            wait = max(min(lives), limits.POLL_INTERVAL_SECONDS * SECOND_MS)
            contents = {"devices": "".join(parts), "summary": summary, "wait": str(wait)}
            contents |= {"first": next(iter(names), ""), "read": read_text(now) * (now > 0)}
            return page.filled(contents).respond_once(request)

        return page_route("/", respond)


def _build_pages(page: PageSettings, catalog: CatalogHosts) -> Mapping[str, Page]:
    """Build the pages of all devices, with marks for the name."""
    links = (attrs.evolve(link, url=_RELATIVE.sub("../", link.url)) for link in page.pages)
    pages = (_OVERVIEW, *(link for link in links if link.url != _OVERVIEW.url))
    own = attrs.evolve(page, name=_NAME, line=page.name or page.line, pages=pages)
    return build_pages(own, catalog)


def _strip_html(
    name: str, current: str | None, window: Window, now: int, looks: _Looks, icons: IconIndex
) -> str:
    """Draw apps and gaps of a window in a row, and the shown moment, after which apps are faded.

    Its key has the app in front, those that were longest in front, and the number of others.
    """
    apps = intervals(window, "active_app")
    totals, shapes, last = total_durations(apps), defaultdict[str, str](str), 0
    scale = Scale(window.window_start, window.window_end, 0, _COLUMNS)
    for held in apps:
        start, end = scale.places((held.start, held.end))
        if held.value is not None and start < end:
            shapes[held.value] += f"M{start} 0H{end}V1H{start}z"
            last = end
    head = scale.place(min(max(now - limits.PLAYBACK_DELAY_MS, scale.first), scale.last))
    paths = [f'<path {looks[app][0]} d="{shape}"/>' for app, shape in shapes.items()]
    paths += [f'<path opacity=".65" d="M{head} 0H{_COLUMNS}V1H{head}z"/>'] * (last > head)
    spans = (scale.columns(gap.start_at, gap.end_at, 2) for gap in window.gaps)
    gaps = "".join(_BOX.format(len(span) / 3, span.start / 3) for span in spans)
    mark = f'<g class="head">{_BOX.format(0, head / 3)}</g>' if 0 < head < _COLUMNS else ""
    key = [f"{max(1, round((scale.last - scale.first) / MINUTE_MS))}\u00a0min"]
    for app in sorted(totals, key=lambda app: app != current)[:_NAMED]:
        path, (color, sign) = icons.own_path(app, totals), looks[app]
        icon = f'<img src="{name}/{path[1:]}" alt="">' if path else sign
        key.append(f"{sign_html(color, icon)}<bdi>{escape(app_label(app))}</bdi>")
    more = f" +{plural(len(totals) - _NAMED, 'app')}" if len(totals) > _NAMED else ""
    view = f'viewBox="0 0 {_COLUMNS} 1" preserveAspectRatio="none"'
    drawn = f'<svg {view}>{"".join(paths)}</svg><g fill="url(#gap)">{gaps}</g>{mark}'
    empty = " data-empty" * any(held.value is None for held in apps)
    strip = f'<svg class="strip"{empty} aria-hidden="true">{drawn}</svg><p class="detail key">'
    return f"{strip}<span>{'</span><span>'.join(key)}{more}</span></p>" if totals else ""


def _card(name: str, said: Headline | None, strip: str, looks: _Looks, icons: IconIndex) -> str:
    """Return the card of a device; where its status was not read, its name."""
    link = f'<a href="{name}/">{name}</a>'
    if said is None:
        return f"<li>{link}</li>"
    texts = "".join(f'<p class="detail">{text}</p>' for text in said.details_html())
    title = f'<p class="value"><bdi>{escape(said.title)}</bdi></p>'
    return (
        f'<li class="card device" data-state="{said.state}"><h2>{link}</h2>'
        f'<p class="state">{said.label}</p><div class="headline">'
        f"{said.tile_html(icons, f'{name}/', looks)}{title}</div>{texts}{strip}</li>"
    )
