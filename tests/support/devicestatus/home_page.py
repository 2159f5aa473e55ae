"""A home page over HTTP with a scripted or a real service, and what a browser shows of it."""

import json
import time
from collections.abc import Callable
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler
from typing import Any, Final, Self
from urllib.parse import unquote

import attrs

from devicestatus.bodies import error_response
from devicestatus.deadlines import window_deadline
from devicestatus.headline import UNREACHABLE
from devicestatus.icons import IconIndex
from devicestatus.page import build_home, build_pages, fixed_route, respond_home, with_site
from devicestatus.responses import WindowStatus
from status_contracts import messages
from status_contracts.endpoints import Endpoint, Parameter, Route, Router
from status_contracts.exchange import Effect, Exchange, Handler, drive
from status_contracts.instants import format_instant
from status_contracts.messages import Request, Response
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.primitives import ABSENT
from support.devicestatus.examples import event, gap, plain, snapshot, window
from support.devicestatus.fake_server import FakeServer
from support.servers.servers import serve_handler

SECOND: Final = 1000  # ms
HOUR: Final = 3600 * SECOND
DELAY: Final = "shown 7 minutes late"
OWNER: Final = PageSettings(
    "Ada Example",
    "Builds small tools",
    links=(Link("Code", "https://git.example.org/ada"),),
    pages=(Link("Now", "./"), Link("Health", "health/")),
)
HEADLESS: Final[dict[str, Any]] = {
    "active_app": None,
    "battery": {"percent": None, "charging": None, "power_source": "unknown"},
    "system": {"load_1m": 0.4, "load_5m": 0.75, "load_15m": 0.5},
    "music": {"state": "unavailable", "track": None, "artist": None},
    "running_apps": ABSENT,
}
MARKUP: Final = "<img src=x onerror=alert(1)>"
TRACK: Final = "https://music.apple.com/us/album/gymnopedie/1"
VOID: Final = {"img", "meta", "link", "br", "hr", "input"}
MANIFEST: Final = {
    "version": 1,
    "icons": [
        {"id": "text-editor", "app": "Text Editor", "aliases": ["ｅｄｉｔｏｒ  pro"]},
        {"id": "second", "app": "text editor", "aliases": ["Terminal"]},
        {"id": "../system", "app": "Music", "aliases": ["x"]},
        {"id": "system", "app": "System", "aliases": ["Settings"]},
    ],
}
DOT: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360f8cfc0000003010100f70341430000000049454e44ae426082"
)

OTHER_SESSION: Final = "9b2d7c1e-0000-4000-8000-000000000001"
# Keys, as WebDriver names them.
TAB, ESCAPE, SPACE, END, HOME = "\ue004", "\ue00c", " ", "\ue010", "\ue011"
LEFT, RIGHT = "\ue012", "\ue014"

Json = dict[str, Any]
Script = Callable[[int], Response]


def at(offset: int) -> str:
    """Return the timestamp so many ms from now."""
    return format_instant(time.time_ns() // 1_000_000 + offset)


def online(*, ahead: int = 0, **changes: object) -> Json:
    """Return a response of `/api/timeline` from a snapshot; its clock is so many ms ahead."""
    answer: Json = {
        "schema_version": 1,
        "collected_at": at(ahead - 21 * SECOND),
        "active_app": "Text Editor",
        "running_apps": ["Text Editor", "Terminal", "Ünknown"],
        "battery": {"percent": 81.4, "charging": False, "power_source": "battery"},
        "system": {"load_1m": 1.5, "load_5m": 0.25, "load_15m": None},
        "music": {
            "state": "playing",
            "track": "Gymnopédie No. 1",
            "artist": "Erik Satie",
            "artwork_url": "https://is1-ssl.mzstatic.com/image/1.jpg",
            "track_url": TRACK,
        },
        "status": "online",
        "mode": "snapshot",
        "server_time": at(ahead),
        "updated_at": at(ahead - 20 * SECOND),
        "expires_at": at(ahead + 1000 * SECOND),
        "a_member_of_a_later_version": {"is": "left alone"},
        **changes,
    }
    return {name: value for name, value in answer.items() if value is not ABSENT}


def reports(*, ahead: int = 0, **changes: object) -> Script:
    """Return a service that always responds with online."""
    return lambda _round: reply(online(ahead=ahead, **changes))


def in_turn(*responses: Response) -> Script:
    """Return a service with responses in order; the last one repeats."""
    return lambda round_: responses[min(round_, len(responses)) - 1]


def reply(value: object, status: int = 200) -> Response:
    return messages.build_response(
        "GET", status, messages.JSON, json.dumps(value).encode(), messages.NO_STORE
    )


def playing(**members: Any) -> Response:
    """Answer with a window of 15 min that has played for 3 min."""
    now = time.time_ns() // 1_000_000
    start = now - 600 * SECOND
    filled = {"window_start": start, "window_end": start + 600 * SECOND} | members
    base = filled.get("baseline", snapshot())
    shifted = {
        "events": tuple(
            attrs.evolve(each, at=start + each.at) for each in filled.get("events", ())
        ),
        "gaps": tuple(
            attrs.evolve(each, start_at=start + each.start_at, end_at=start + each.end_at)
            for each in filled.get("gaps", ())
        ),
        "baseline": attrs.evolve(base, collected_at=filled["window_start"]),
    }
    data = window(**(filled | shifted))
    answer = WindowStatus(
        server_time=now, updated_at=now, expires_at=window_deadline(data.window_end), window=data
    )
    return reply(plain(answer))


def busy_window() -> Response:
    """Return a window with apps, music, and a gap."""
    gaps = (gap(200 * SECOND, 300 * SECOND, "sleep"),)
    events = (event(1, 100 * SECOND, active_app="Mail"), event(2, 170 * SECOND))
    return playing(events=events, gaps=gaps)


def starting(minutes: int = 1) -> Response:
    """Return a window of some minutes; a short one is not played yet."""
    now = time.time_ns() // 1_000_000
    return playing(window_start=now - minutes * 60 * SECOND, window_end=now)


UNAVAILABLE: Final = reply({"error": "service_unavailable"}, 503)
OFFLINE: Final = reply({"status": "offline"})
BROKEN_OFF: Final = Response(0, ())


class Deployment:
    """The site with a scripted service, on a real socket, below a mount point."""

    def __init__(
        self, script: Script, *, mount: str = "", page: PageSettings | None = None
    ) -> None:
        self.requests: list[str] = []
        self.icons_missing = False
        self._script = script
        self._page = build_home(page or PageSettings())
        self._serve = self._site(page or PageSettings())
        self._mount = mount
        self._serving = serve_handler(self._requests())

    @property
    def readings(self) -> int:
        """How often the status was read: with the page, and by its script."""
        return self.requests.count("/") + self.requests.count("/api/timeline")

    def __enter__(self) -> Self:
        self.url = f"{self._serving.__enter__()}{self._mount}/"
        return self

    def __exit__(self, *_: object) -> None:
        self._serving.__exit__(None, None, None)

    def _site(self, page: PageSettings) -> Handler:
        """Return the page, and the handler of all other paths."""
        path = Parameter("path", "Any path.", {}, path_pattern=".*")
        endpoint = Endpoint("any", "Any", "Any", path="{path}", keys=(path,))
        route = Route(endpoint, lambda request, _params: self._service(request), ())
        reference = build_pages(page)["/api"]
        routes = [fixed_route("/", self._home), fixed_route("/api", reference.respond), route]
        return Router(routes, error_response)

    def _home(self, request: Request) -> Response:
        self.requests.append("/")
        answer = self._script(self.readings).body
        return respond_home(request, self._page, answer or b"null", UNREACHABLE, IconIndex())

    def _service(self, request: Request) -> Exchange:
        yield from ()
        path = request.path.decode()
        self.requests.append(path)
        if path == "/api/timeline":
            return self._script(self.readings)
        if path == "/api/icons" and not self.icons_missing:
            return reply(MANIFEST)
        if path.startswith("/api/icons/"):
            return messages.build_response("GET", 200, messages.PNG, DOT)
        return error_response("GET", "not_found")

    def perform(self, effect: Effect) -> object:
        raise AssertionError(effect)

    def answer(self, method: str, target: str) -> Response:
        path = target.partition("?")[0].removeprefix(self._mount).encode()
        response: Response = drive(self._serve(Request(method, path)), self.perform)
        return response

    def _requests(self) -> type[BaseHTTPRequestHandler]:
        deployment = self

        class Requests(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                response = deployment.answer(self.command, self.path)
                if response.status == BROKEN_OFF.status:
                    return
                self.send_response(response.status)
                for name, value in response.headers:
                    if name != "Content-Length":
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(response.body)

        return Requests


class LiveDeployment(Deployment):
    """The site with a real service, whose clock and store the test controls."""

    def __init__(self, world: FakeServer) -> None:
        self._world = world
        self.unreachable = False
        self.clock: Callable[[], int] | None = None
        """Server time; the clock of the page stands still while a response is pending."""
        super().__init__(in_turn(OFFLINE))

    def _site(self, page: PageSettings) -> Handler:
        site = with_site(self._world.service, page)

        def handle(request: Request) -> Exchange:
            self.requests.append(request.path.decode())
            if self.unreachable:
                return BROKEN_OFF
            if self.clock is not None and request.path == b"/api/timeline":
                self._world.now = self.clock()
            return (yield from site(request))

        return handle

    def perform(self, effect: Effect) -> object:
        return self._world.perform(effect)


class Shown(HTMLParser):
    """The content of a page: text by id, and hidden elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.attributes: dict[str, dict[str, str | None]] = {}
        self.hidden: set[str] = set()
        self.images: list[str | None] = []
        self.links: dict[str, str | None] = {}
        self.gaps: list[str] = []
        self.title = ""
        self.icon = ""
        self._open: list[tuple[str, str | None, bool, str | None]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        name, hidden = found.get("id"), "hidden" in found or any(item[2] for item in self._open)
        if name is not None:
            self.texts[name] = ""
            self.attributes[name] = found
            self.hidden |= {name} if hidden else set()
        if gap_reason := found.get("data-gap"):
            self.gaps.append(gap_reason)
        if tag == "link" and found.get("rel") == "icon":
            self.icon = unquote(str(found.get("href")).removeprefix("data:image/svg+xml,"))
        if tag == "img" and not any(item[0] == "noscript" for item in self._open):
            self.images.append(found.get("src"))
        if tag not in VOID:
            self._open.append((tag, name, hidden, found.get("href")))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for tag, name, _, href in self._open:
            if tag == "title":
                self.title += data
            if name is not None:
                self.texts[name] += data
            if href is not None:
                self.links[data] = href

    def __getitem__(self, name: str) -> str | None:
        """Return the text of a visible element, else None."""
        return None if name in self.hidden else " ".join(self.texts[name].split())


@attrs.frozen
class Visit:
    """The result of opening a page: its content and the console of the browser."""

    shown: Shown
    console: list[str]


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for the requests of the page after its clock was advanced."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
