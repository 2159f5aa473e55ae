"""The home page in a real browser: content, polling, playback and content security policy."""

import json
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol, Self
from urllib.parse import unquote

import attrs
import pytest
from PIL import Image

from devicestatus.adapters.site import with_site
from devicestatus.engine.deadlines import window_deadline
from devicestatus.http.responses import error_response
from devicestatus.models.responses import WindowStatus
from devicestatus.models.snapshot import Music, System
from purewire.absent import ABSENT
from purewire.exchange.effects import Effect, Exchange, ReadStore, drive
from purewire.http import responses as responses_module
from purewire.http.messages import Asset, Request, Response
from purewire.instants import format_instant
from purewire.pages.settings import Link, PageSettings
from support.devicestatus.examples import BATTERY, NOON, event, gap, plain, snapshot, window
from support.devicestatus.fake_server import FakeServer
from support.servers.any_path import service_of
from support.servers.axe import accessibility_problems
from support.servers.browser import FLAGS
from support.servers.services import need
from support.servers.webdriver import Session, open_session

SECOND: Final = 1000  # ms
HOUR: Final = 3600 * SECOND
THEMES: Final = Path(__file__).parents[2] / "examples" / "themes"
NO_NETWORK: Final = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
DELAY: Final = "Shown seven minutes late, so that every upload can arrive."
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
    return responses_module.build_response(
        "GET", status, responses_module.JSON, json.dumps(value).encode(), responses_module.NO_STORE
    )


UNAVAILABLE: Final = reply({"error": "service_unavailable"}, 503)
OFFLINE: Final = reply({"status": "offline"})
BROKEN_OFF: Final = Response(0, ())


class Deployment:
    """The site with a scripted service, on a real socket, below a mount point."""

    def __init__(
        self,
        script: Script,
        *,
        mount: str = "",
        extra: bytes = b"",
        page: PageSettings | None = None,
    ) -> None:
        self.requests: list[str] = []
        self.icons_missing = False
        self._script = script
        self._serve = with_site(service_of(self._service, error_response), page or PageSettings())
        self._extra = extra
        self._mount = mount
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._requests())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{self._mount}/"

    @property
    def readings(self) -> int:
        return self.requests.count("/api/timeline")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _service(self, request: Request) -> Exchange:
        yield from ()
        path = request.path.decode()
        self.requests.append(path)
        if path == "/api/timeline":
            return self._script(self.readings)
        if path == "/api/icons" and not self.icons_missing:
            return reply(MANIFEST)
        if path.startswith("/api/icons/"):
            return responses_module.build_response("GET", 200, responses_module.PNG, DOT)
        return error_response("GET", "not_found")

    def perform(self, effect: Effect) -> object:
        raise AssertionError(effect)

    def answer(self, method: str, target: str) -> Response:
        path = target.partition("?")[0].removeprefix(self._mount).encode()
        response = drive(self._serve(Request(method, path)), self.perform)
        return attrs.evolve(response, body=response.body + self._extra)

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

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        return Requests


class LiveDeployment(Deployment):
    """The site with a real service, whose clock and store the test controls."""

    def __init__(self, world: FakeServer) -> None:
        super().__init__(in_turn(OFFLINE))
        self._world = world
        self.unreachable = False
        self.clock: Callable[[], int] | None = None
        """Server time; the clock of the page stands still while a response is pending."""

    def _service(self, request: Request) -> Exchange:
        self.requests.append(request.path.decode())
        if self.unreachable:
            return BROKEN_OFF
        if self.clock is not None and request.path == b"/api/timeline":
            self._world.now = self.clock()
        return (yield from self._world.service(request))

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


def chromium(url: str, *flags: str) -> tuple[str, list[str]]:
    """Run a browser once; return its output and the lines of its console."""
    program = need("chromium", "chromium-browser", "google-chrome")
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        done = subprocess.run(
            [
                program,
                *FLAGS,
                f"--user-data-dir={profile}",
                "--enable-logging=stderr",
                "--v=0",
                *flags,
                url,
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
    return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line]


class Look(Protocol):
    """Open the home page of a service; errors in the browser fail the test."""

    def __call__(self, script: Script, *, seconds: int = 5) -> Shown: ...


class OpenHome(Protocol):
    """Open the home page and return its content after this many seconds of browser time."""

    def __call__(self, deployment: Deployment, *, seconds: int = 5) -> Visit: ...


@pytest.fixture(scope="module")
def browser() -> Iterator[Session]:
    """Return a browser for the whole module; each test opens tabs of its own."""
    with open_session("--lang=en-US", NO_NETWORK) as session:
        yield session


@pytest.fixture
def visit(browser: Session) -> OpenHome:
    def visit(deployment: Deployment, *, seconds: int = 5) -> Visit:
        with browser.tab():
            browser.open(deployment.url)
            browser.pass_time_until(seconds * SECOND)
            page: str = browser.ask("document.documentElement.outerHTML")
            return Visit(Shown(page), browser.console())

    return visit


@pytest.fixture
def look(visit: OpenHome) -> Look:
    def look(script: Script, *, seconds: int = 5) -> Shown:
        with Deployment(script) as deployment:
            result = visit(deployment, seconds=seconds)
        assert result.console == []
        return result.shown

    return look


@pytest.fixture
def session(browser: Session) -> Iterator[Session]:
    """Return the browser with a tab of its own."""
    with browser.tab():
        yield browser


class TestOnline:
    def test_a_snapshot_is_shown(self, look: Look) -> None:
        shown = look(reports())
        assert shown["state"] == "Online"
        assert shown["title"] == "Text Editor"
        assert shown.title == "Text Editor · Device status"
        assert shown["track"] == "Gymnopédie No. 1"
        assert shown["artist"] == "Erik Satie · Playing"
        assert shown["percent"] == "81 %"
        assert shown["power"] == "Not charging, on battery"
        assert (shown["load-value"], shown["load-detail"]) == ("1.50", "0.25 over 5 min")
        assert shown["missing"] is shown["delay"] is shown["lost"] is shown["unread"] is None

    def test_the_owner_stands_in_the_header_and_in_the_title(self, visit: OpenHome) -> None:
        links = (Link("Code", "https://git.example.org/ada"),)
        owner = PageSettings("Ada Example", "Builds <small> tools", links=links)
        with Deployment(reports(), page=owner) as deployment:
            shown = visit(deployment).shown
        assert shown.title == "Text Editor · Ada Example"
        assert shown.texts["owner"] == "AAda ExampleBuilds <small> toolsCode"
        assert shown.links["Code"] == "https://git.example.org/ada"

    def test_times_are_relative(self, look: Look) -> None:
        shown = look(reports())
        assert re.fullmatch(r"Updated [23][05] seconds ago\.", str(shown["updated"]))
        assert re.fullmatch(r"[23][05] seconds ago", str(shown["detail"]))

    @pytest.mark.parametrize("days", [-400, 400])
    def test_ages_go_by_the_clock_of_the_server(self, look: Look, days: int) -> None:
        shown = look(reports(ahead=days * 86_400 * SECOND))
        assert re.fullmatch(r"Updated 2[05] seconds ago\.", str(shown["updated"]))
        assert shown["state"] == "Online"

    def test_apps_stand_with_their_icons_or_their_initials(self, look: Look) -> None:
        shown = look(reports(running_apps=["Editor Pro", "Terminal", "Music", "System", "ünknown"]))
        assert shown["apps"] == "Editor ProTerminalMMusic•Private appüünknown"
        assert shown.images == [
            "api/icons/text-editor.png",
            "api/icons/text-editor.png",
            "api/icons/second.png",
        ]

    def test_the_track_is_a_link_and_the_artwork_is_not_loaded(self, look: Look) -> None:
        shown = look(reports())
        assert shown.links["Gymnopédie No. 1"] == TRACK
        assert not [src for src in shown.images if src and "mzstatic" in src]

    @pytest.mark.parametrize("address", ["javascript:alert(1)", "http://music.apple.com/1", ""])
    def test_another_address_is_no_link(self, look: Look, address: str) -> None:
        music = {"state": "paused", "track": "A", "artist": None, "track_url": address}
        shown = look(reports(music=music))
        assert "A" not in shown.links
        assert (shown["track"], shown["artist"]) == ("A", "Paused")

    def test_a_private_app_is_named_as_such(self, look: Look) -> None:
        shown = look(reports(active_app="System"))
        assert (shown["title"], shown["tile"]) == ("Private app", "•")
        assert shown.title == "Private app · Device status"

    def test_what_is_not_reported_takes_no_room_and_is_named_in_one_line(self, look: Look) -> None:
        shown = look(reports(**HEADLESS))
        assert (shown["state"], shown["title"]) == ("Online", "This computer is on")
        assert shown.title == "Online · Device status"
        assert (shown["load-value"], shown["load-detail"]) == (
            "0.40",
            "0.75 and 0.50 over 5 and 15 min",
        )
        assert shown["tile"] is shown["music"] is shown["battery"] is shown["running"] is None
        line = "Not reported: the foreground app, music, battery, and open apps."
        assert shown["missing"] == line

    def test_a_device_that_reports_nothing_has_no_cards(self, look: Look) -> None:
        loads = {"load_1m": None, "load_5m": None, "load_15m": None}
        shown = look(reports(**(HEADLESS | {"system": loads})))
        assert shown["load"] is None
        assert "load" in str(shown["missing"])

    def test_no_open_apps_and_no_music_are_distinguished_from_nothing_reported(
        self, look: Look
    ) -> None:
        music = {"state": "stopped", "track": "Left over", "artist": None}
        battery = {"percent": None, "charging": True, "power_source": "ac"}
        shown = look(reports(running_apps=[], music=music, battery=battery))
        assert shown["apps-name"] == "No open apps"
        assert shown["music"] is shown["missing"] is shown["power"] is None
        assert (shown["battery-name"], shown["percent"]) == ("Power", "Charging, on mains power")

    def test_markup_in_an_answer_stays_text(self, look: Look) -> None:
        music = {"state": "playing", "track": MARKUP, "artist": MARKUP}
        shown = look(reports(active_app=MARKUP, running_apps=[MARKUP], music=music))
        assert shown["title"] == shown["track"] == MARKUP
        assert shown["artist"] == f"{MARKUP} · Playing"
        assert shown.images == []

    def test_a_snapshot_past_its_deadline_stays_with_its_age(self, look: Look) -> None:
        late = look(reports(expires_at=at(30 * SECOND)), seconds=50)
        assert (late["state"], late["title"], late["detail"]) == (
            "Online",
            "Text Editor",
            "1 minute ago",
        )
        assert (late["artist"], late["percent"]) == ("Erik Satie · Playing", "81 %")


class TestTab:
    def test_the_icon_changes_with_the_state(self, look: Look, visit: OpenHome) -> None:
        icons = [look(script).icon for script in (reports(), in_turn(OFFLINE))]
        with Deployment(in_turn(UNAVAILABLE)) as deployment:
            icons.append(visit(deployment).shown.icon)
        icons.append(look(in_turn(playing(gaps=(gap(0, 600 * SECOND),)))).icon)
        assert len(set(icons)) == 4
        for icon in icons:
            assert re.fullmatch(r'<svg xmlns="http://www.w3.org/2000/svg" [^>]+>.+</svg>', icon)


class TestArtwork:
    ARTWORK = "https://is1-ssl.mzstatic.com/image/1.jpg"

    def test_it_is_loaded_where_the_owner_allows_it(self, visit: OpenHome) -> None:
        with Deployment(reports(), page=PageSettings(artwork=True)) as deployment:
            result = visit(deployment)
        # There is no network, so the artwork fails to load, and its place is taken.
        assert not [line for line in result.console if "Content Security Policy" in line]
        assert result.shown.images == ["api/icons/text-editor.png"] * 2 + ["api/icons/second.png"]

    def test_the_image_has_a_text_and_is_loaded_without_a_referrer(self, session: Session) -> None:
        source = (
            "new MutationObserver(() => {"
            " window.artwork ??= document.querySelector('.artwork')?.cloneNode()"
            " }).observe(document, {childList: true, subtree: true})"
        )
        session.report("Page.addScriptToEvaluateOnNewDocument", source=source)
        with Deployment(reports(), page=PageSettings(artwork=True)) as deployment:
            open_page(session, deployment)
            session.until("window.artwork !== undefined")
            shown = session.ask(
                "(image => [image.src, image.alt, image.referrerPolicy, image.loading])"
                "(window.artwork)"
            )
        assert shown == [self.ARTWORK, "Artwork of Gymnopédie No. 1", "no-referrer", "lazy"]

    def test_other_hosts_are_blocked(self, visit: OpenHome) -> None:
        music = {"state": "playing", "track": "A", "artist": "B", "track_url": TRACK}
        elsewhere = music | {"artwork_url": "https://art.example.org/1.jpg"}
        with Deployment(reports(music=elsewhere), page=PageSettings(artwork=True)) as deployment:
            result = visit(deployment)
        assert [line for line in result.console if "Content Security Policy" in line]


class TestNotOnline:
    def test_offline_is_announced(self, look: Look) -> None:
        shown = look(in_turn(OFFLINE))
        assert shown["state"] == "Offline"
        assert shown["title"] == "Not reporting"
        assert shown.title == "Offline · Device status"
        assert shown["cards"] is shown["updated"] is shown["tile"] is shown["missing"] is None

    @pytest.mark.parametrize(
        "answer",
        [
            UNAVAILABLE,
            BROKEN_OFF,
            reply({"status": "sleeping"}),
            reply({"status": "online", "music": 7, "active_app": {"name": "x"}}),
            reply(online(running_apps=[1])),
            reply(online(server_time="yesterday")),
            reply({"status": "offline"}, 500),
            reply(None),
            responses_module.build_response("GET", 200, "text/html", b"<p>A captive portal"),
            Response(204, ()),
        ],
        ids=[
            *("503", "broken off", "unknown status", "members missing", "strange member"),
            *("no instant", "offline with an error's status", "null", "not JSON", "empty"),
        ],
    )
    def test_what_cannot_be_read_is_not_known_and_never_offline(
        self, visit: OpenHome, answer: Response
    ) -> None:
        with Deployment(in_turn(answer)) as deployment:
            shown = visit(deployment).shown
        assert shown["state"] == "Unreachable"
        assert shown["title"] == "The status is unknown"
        assert shown["cards"] is None
        assert "ffline" not in shown.texts["main"]

    @pytest.mark.parametrize("failing", [UNAVAILABLE, BROKEN_OFF], ids=["503", "broken off"])
    def test_the_last_reading_stays_until_the_next_two_fail_and_then_all_of_it_is_past(
        self, visit: OpenHome, failing: Response
    ) -> None:
        with Deployment(in_turn(reply(online()), failing)) as deployment:
            once = visit(deployment, seconds=130).shown
        assert (once["state"], once["detail"]) == ("Online", "2 minutes ago")
        assert once["artist"] == "Erik Satie · Playing"
        with Deployment(in_turn(reply(online()), failing)) as deployment:
            twice = visit(deployment, seconds=250).shown
        assert twice["state"] == "Unreachable"
        assert re.search(
            r" Last seen 4 minutes ago \(.*\), in Text Editor\. What follows is from then\.$",
            str(twice["detail"]),
        )
        assert (twice["artist"], twice["percent"]) == ("Erik Satie · Was playing", "81 %")
        assert (twice["power"], twice["apps-name"]) == (
            "Was not charging, on battery",
            "Open apps then: 3",
        )

    def test_offline_after_online_leaves_nothing_of_it(self, look: Look) -> None:
        shown = look(in_turn(reply(online()), OFFLINE), seconds=130)
        assert shown["state"] == "Offline"
        assert shown["cards"] is shown["updated"] is shown["delay"] is shown["timeline"] is None
        assert re.search(r" Last seen 2 minutes ago \(.*\)\.$", str(shown["detail"]))

    def test_a_failure_after_offline_is_not_known(self, visit: OpenHome) -> None:
        with Deployment(in_turn(OFFLINE, UNAVAILABLE)) as deployment:
            shown = visit(deployment, seconds=250).shown
        assert shown["state"] == "Unreachable"
        assert "ffline" not in shown.texts["main"]

    def test_online_after_a_failure_is_shown(self, visit: OpenHome) -> None:
        with Deployment(in_turn(UNAVAILABLE, reply(online()))) as deployment:
            shown = visit(deployment, seconds=130).shown
        assert (shown["state"], shown["title"]) == ("Online", "Text Editor")


def playing(**members: Any) -> Response:
    """Answer with a window of 15 min that has played for 3 min."""
    now = time.time_ns() // 1_000_000
    start = now - 600 * SECOND
    filled = {"window_start": start, "window_end": start + 600 * SECOND} | members
    shifted = {
        name: tuple(attrs.evolve(each, at=start + each.at) for each in filled[name])
        for name in ("events",)
        if name in filled
    }
    shifted |= {
        "gaps": tuple(
            attrs.evolve(each, start_at=start + each.start_at, end_at=start + each.end_at)
            for each in filled.get("gaps", ())
        )
    }
    data = window(**(filled | shifted))
    answer = WindowStatus(
        server_time=now,
        updated_at=now,
        expires_at=window_deadline(data.window_end),
        window=data,
    )
    return reply(plain(answer))


class TestTimeline:
    def test_a_window_is_played_420_seconds_behind(self, look: Look) -> None:
        events = (event(1, 170 * SECOND, active_app="Mail"), event(2, 300 * SECOND))
        shown = look(in_turn(playing(events=events)))
        assert (shown["state"], shown["title"], shown["percent"]) == ("Online", "Mail", "82 %")
        assert shown["delay"] == DELAY
        assert shown["lost"] is shown["unread"] is shown["segment"] is None
        assert re.fullmatch(r"shown now \d+:\d\d", str(shown["flag"]))
        assert str(shown.attributes["slider"]["aria-valuetext"]).endswith(
            ": Mail; playing Song by Band, 2 of 3"
        )

    @pytest.mark.parametrize(
        ("events", "expected"),
        [
            ((), "for at least 3 minutes"),
            ((event(1, 50 * SECOND, active_app="Mail"),), "for 2 minutes"),
            ((event(1, 50 * SECOND, active_app="Mail"), event(2, 170 * SECOND)), "for 10 seconds"),
            ((event(1, 170 * SECOND, battery=BATTERY),), "for at least 3 minutes"),
        ],
    )
    def test_since_when_the_app_is_in_front(self, look: Look, events: Any, expected: str) -> None:
        assert look(in_turn(playing(events=events)), seconds=3)["detail"] == expected

    def test_a_gap_before_the_app_leaves_open_since_when(self, look: Look) -> None:
        gaps = (gap(20 * SECOND, 60 * SECOND, "sleep"),)
        shown = look(in_turn(playing(gaps=gaps)), seconds=3)
        assert shown["detail"] == "for at least 2 minutes"

    def test_the_legend_has_the_time_of_each_app_and_of_each_gap(self, look: Look) -> None:
        names = [*(f"App {n}" for n in range(10)), "Editor"]
        events = tuple(
            event(n, n * 50 * SECOND, active_app=name) for n, name in enumerate(names, 1)
        )
        gaps = (gap(560 * SECOND, 600 * SECOND, "sleep"),)
        legend = str(look(in_turn(playing(events=events, gaps=gaps)))["legend"])
        assert legend.startswith("EEditor 60 s".replace("60 s", "1 min"))
        assert legend.endswith("3 other apps 2 min 30 sasleep 40 s")

    def test_a_headless_computer_has_the_curve_of_its_load(self, look: Look) -> None:
        start = time.time_ns() // 1_000_000 - 600 * SECOND
        base = snapshot(collected_at=start, active_app=None, music=Music("unavailable", None, None))
        events = tuple(
            event(n, n * 30 * SECOND, system=System(n / 10, None, None)) for n in range(1, 20)
        )
        shown = look(in_turn(playing(events=events, baseline=base, window_start=start)))
        assert shown["title"] == "This computer is on"
        assert shown["legend"] == "Load average, up to 1.90"
        assert shown["lane-app"] is shown["lane-music"] is None
        assert str(shown.attributes["load-path"]["d"]).count("M") == 20

    def test_the_text_of_the_slider_has_the_segment_and_its_index(self, look: Look) -> None:
        events = (event(1, 100 * SECOND), event(2, 100 * SECOND, battery=BATTERY))
        slider = look(in_turn(playing(events=events))).attributes["slider"]
        assert slider["max"] == "600"
        assert re.fullmatch(
            r"\d\d:\d\d:\d\d to \d\d:\d\d:\d\d: App 1; playing Song by Band, 2 of 2",
            str(slider["aria-valuetext"]),
        )

    def test_gaps_are_hatched_by_their_reasons_and_named(self, look: Look) -> None:
        reasons: tuple[Any, ...] = ("sleep", "restart", "collection", "overflow", "clock")
        gaps = tuple(
            gap(n * 50 * SECOND, (n * 50 + 20) * SECOND, reason)
            for n, reason in enumerate(reasons, 4)
        )
        shown = look(in_turn(playing(gaps=gaps)))
        assert shown.gaps == [*reasons] * 2
        assert str(shown["legend"]).endswith(
            "asleep 20 srestarting 20 snot readable 20 stoo many changes 20 sclock changed 20 s"
        )

    def test_markup_in_a_window_stays_text(self, look: Look) -> None:
        music = Music("paused", MARKUP, MARKUP)
        events = (event(1, 1, active_app=MARKUP, music=music),)
        shown = look(in_turn(playing(events=events)))
        assert shown["title"] == shown["track"] == MARKUP
        valuetext = str(shown.attributes["slider"]["aria-valuetext"])
        assert f": {MARKUP}; paused {MARKUP} by {MARKUP}, " in valuetext
        assert shown.images == []

    def test_a_snapshot_has_no_time_line(self, look: Look) -> None:
        shown = look(reports())
        assert shown["timeline"] is shown["delay"] is None

    def test_thousands_of_changes_are_drawn(self, look: Look) -> None:
        events = tuple(event(n, n * 290) for n in range(1, 2049))
        shown = look(in_turn(playing(events=events)))
        assert shown["state"] == "Online"
        assert str(shown.attributes["slider"]["aria-valuetext"]).endswith("of 2049")


class TestPolling:
    @pytest.mark.parametrize(("seconds", "readings"), [(5, 1), (115, 1), (125, 2), (245, 3)])
    def test_the_time_line_is_read_every_120_seconds(
        self, visit: OpenHome, seconds: int, readings: int
    ) -> None:
        with Deployment(reports()) as deployment:
            visit(deployment, seconds=seconds)
        assert deployment.readings == readings

    @pytest.mark.parametrize(
        ("lasts", "seconds", "readings"),
        [(90, 85, 1), (90, 97, 2), (20, 55, 1), (20, 65, 2), (20, 125, 3)],
    )
    def test_what_runs_out_earlier_is_read_again_then(
        self, visit: OpenHome, lasts: int, seconds: int, readings: int
    ) -> None:
        """It is requested when it expires, and 60 s after the last request at the earliest."""
        expiring = reply(online(expires_at=at(lasts * SECOND)))
        with Deployment(in_turn(expiring)) as deployment:
            visit(deployment, seconds=seconds)
        assert deployment.readings == readings

    def test_failures_are_retried_no_sooner(self, visit: OpenHome) -> None:
        with Deployment(in_turn(UNAVAILABLE)) as deployment:
            visit(deployment, seconds=115)
            assert deployment.readings == 1
            visit(deployment, seconds=125)
        assert deployment.readings == 3

    def test_the_icon_is_in_the_page_and_is_not_requested(self, visit: OpenHome) -> None:
        with Deployment(reports()) as deployment:
            result = visit(deployment)
        assert result.console == []
        assert "/favicon.ico" not in deployment.requests

    def test_one_request_a_round_and_the_icons_once(self, visit: OpenHome) -> None:
        with Deployment(reports()) as deployment:
            visit(deployment, seconds=125)
        paths = deployment.requests
        assert sorted({*paths}) == [
            "/api/icons",
            "/api/icons/second.png",
            "/api/icons/text-editor.png",
            "/api/timeline",
        ]
        assert paths.count("/api/icons") == 1

    def test_without_icons_the_status_is_shown_all_the_same(self, visit: OpenHome) -> None:
        with Deployment(reports()) as deployment:
            deployment.icons_missing = True
            shown = visit(deployment, seconds=130).shown
        assert (shown["state"], shown["title"], shown["tile"]) == ("Online", "Text Editor", "T")
        assert shown.images == []
        assert deployment.requests.count("/api/icons") == 2

    def test_offline_asks_for_no_icons(self, visit: OpenHome) -> None:
        with Deployment(in_turn(OFFLINE)) as deployment:
            visit(deployment)
        assert deployment.requests == ["/api/timeline"]

    def test_below_a_mount_point_everything_is_found(self, visit: OpenHome) -> None:
        with Deployment(reports(), mount="/deep/status") as deployment:
            result = visit(deployment)
        assert result.console == []
        assert result.shown["state"] == "Online"
        assert {"/api/timeline", "/api/icons"} <= {*deployment.requests}


class TestPolicyInTheBrowser:
    def test_a_script_that_was_not_built_in_does_not_run(self, visit: OpenHome) -> None:
        extra = b"<script>document.getElementById('main').append('taken over')</script>"
        with Deployment(reports(), extra=extra) as deployment:
            result = visit(deployment)
        assert [line for line in result.console if "Content Security Policy" in line]
        assert "taken over" not in result.shown.texts["main"]


class TestLook:
    @pytest.mark.parametrize(
        ("flags", "ground"),
        [((), (246, 246, 242)), (("--blink-settings=preferredColorScheme=0",), (13, 16, 20))],
        ids=["light", "dark"],
    )
    def test_the_page_follows_the_colour_scheme(
        self, tmp_path: Path, flags: tuple[str, ...], ground: tuple[int, int, int]
    ) -> None:
        path = tmp_path / "home.png"
        with Deployment(reports()) as deployment:
            _, console = chromium(
                deployment.url,
                "--window-size=390,844",
                "--virtual-time-budget=5000",
                f"--screenshot={path}",
                *flags,
            )
        assert console == []
        with Image.open(path) as picture:
            assert picture.convert("RGB").getpixel((4, 4)) == ground


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for the requests of the page after its clock was advanced."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def open_page(session: Session, deployment: Deployment) -> None:
    session.open(deployment.url)
    session.until("document.getElementById('state').textContent === 'Online'")


class TestInView:
    def test_a_hidden_page_does_not_read_and_reads_at_once_when_seen_again(
        self, session: Session
    ) -> None:
        with Deployment(reports()) as deployment:
            open_page(session, deployment)
            page = session.call("GET", "/window")
            other = session.call("POST", "/window/new", {"type": "tab"})["handle"]
            session.report("Target.activateTarget", targetId=other)
            session.until("document.hidden")
            session.pass_time(600 * SECOND)
            assert deployment.readings == 1
            session.report("Target.activateTarget", targetId=page)
            session.until("!document.hidden")
            session.pass_time(5 * SECOND)
            assert deployment.readings == 2

    def test_a_page_that_is_seen_again_soon_waits_for_its_round(self, session: Session) -> None:
        with Deployment(reports()) as deployment:
            open_page(session, deployment)
            page = session.call("GET", "/window")
            other = session.call("POST", "/window/new", {"type": "tab"})["handle"]
            session.report("Target.activateTarget", targetId=other)
            session.until("document.hidden")
            session.pass_time(20 * SECOND)
            session.report("Target.activateTarget", targetId=page)
            session.until("!document.hidden")
            session.pass_time(85 * SECOND)
            assert deployment.readings == 1
            session.pass_time(20 * SECOND)
            wait_until(lambda: deployment.readings == 2)

    def test_a_reading_leaves_the_keyboard_where_it_was(self, session: Session) -> None:
        with Deployment(reports()) as deployment:
            open_page(session, deployment)
            session.ask("document.querySelector('#track a').focus()")
            session.pass_time(125 * SECOND)
            wait_until(lambda: deployment.readings == 2)
            assert session.ask("document.activeElement.href") == TRACK


class Stage:
    """A home page with a real service; the test advances the clocks of both."""

    def __init__(self, session: Session, deployment: LiveDeployment, world: FakeServer) -> None:
        self._session = session
        self._deployment = deployment
        self._world = world
        self._batches = 0
        self.ask = session.ask
        session.report("Emulation.setTimezoneOverride", timezoneId="UTC")
        session.open(deployment.url)
        # The viewer's clock is hours behind the server's, and nothing depends on it.
        initially = (NOON - 5 * HOUR) / SECOND
        session.report(
            "Emulation.setVirtualTimePolicy",
            policy="advance",
            budget=1,
            initialVirtualTime=initially,
        )
        session.until("document.getElementById('state').textContent !== 'Loading'")
        self._behind = NOON - int(session.ask("performance.now()"))
        deployment.clock = lambda: self.now

    @property
    def now(self) -> int:
        """Server time."""
        return self._behind + int(self._session.ask("performance.now()"))

    def play(self, seconds: int) -> None:
        """Advance the clocks of page and service together."""
        self._session.pass_time(seconds * SECOND)

    def play_to_reading(self) -> None:
        """Advance the clocks until the page has just requested again."""
        before = self._deployment.readings
        while self._deployment.readings == before:
            self.play(1)

    def send(self, **members: Any) -> None:
        """Send the next batch of the device, which ends now."""
        self._batches += 1
        self._world.now = self.now
        start = members.pop("window_start", max(NOON, self.now - 900 * SECOND))
        data = window(
            batch_seq=self._batches,
            window_start=start,
            window_end=self.now,
            **({"baseline": snapshot(collected_at=start)} | members),
        )
        assert self._world.post("/api/batch", plain(data)).status == 200

    def push(self) -> None:
        """Send a snapshot of the device."""
        self._world.now = self.now
        assert (
            self._world.post("/api/update", plain(snapshot(collected_at=self._world.now))).status
            == 200
        )

    def sleep(self, seconds: int) -> None:
        """Advance the wall clock of the page, but not its steady clock."""
        self._behind += seconds * SECOND
        real = "Date.now.bind(Date)"
        self.ask(f"(real => {{ Date.now = () => real() + {seconds * SECOND} }})({real})")

    def hear(self) -> None:
        """Start to record announcements to screen readers."""
        self.ask(
            "(region => { window.announced = []; new MutationObserver(() => {"
            " window.announced.push(region.textContent) }).observe(region, {childList: true}) })"
            "(document.getElementById('announcement'))"
        )

    def announced(self) -> list[str]:
        """Return the recorded announcements."""
        found: list[str] = self.ask("window.announced")
        return found

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        moves = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        actions = [{"type": "key", "id": "keyboard", "actions": moves}]
        self._session.call("POST", "/actions", {"actions": actions})

    @property
    def valuetext(self) -> object:
        """The text of the slider for screen readers."""
        return self.ask("document.getElementById('slider').getAttribute('aria-valuetext')")

    def requests_overlap(self) -> bool:
        """Check whether a request started before the previous one ended."""
        entries = (
            "performance.getEntriesByType('resource').filter(e => e.name.endsWith('timeline'))"
        )
        spans = self.ask(f"{entries}.map(e => [e.startTime, e.responseEnd])")
        assert len(spans) > 5
        return any(later[0] < earlier[1] for earlier, later in pairwise(spans))

    def restart(self) -> None:
        """Start a new session, with a new batch count."""
        self._batches = 0

    def shown(self, name: str) -> str | None:
        """Return the text of a visible element, else None."""
        text = self.ask(
            f"(found => found.closest('[hidden]') ? null : found.textContent)"
            f"(document.getElementById('{name}'))"
        )
        return None if text is None else " ".join(text.split())


@pytest.fixture
def world() -> FakeServer:
    icons = Asset(json.dumps(MANIFEST).encode())
    return FakeServer(files={"index.json": icons, "text-editor.png": Asset(DOT)})


@pytest.fixture
def live(world: FakeServer) -> Iterator[LiveDeployment]:
    with LiveDeployment(world) as deployment:
        yield deployment


@pytest.fixture
def stage(session: Session, live: LiveDeployment, world: FakeServer) -> Stage:
    return Stage(session, live, world)


class TestBetweenReadings:
    """A page never declares a status over on its own."""

    def seen_while_pushing(self, stage: Stage, seconds: int) -> set[tuple[str | None, str | None]]:
        """Return state and music of every third second; the device pushes every 30 s."""
        seen = set()
        for passed in range(0, seconds, 3):
            if passed % 30 == 0:
                stage.push()
            stage.play(3)
            seen.add((stage.shown("state"), stage.shown("artist")))
        return seen

    def test_a_record_of_60_s_that_is_renewed_every_30_s_is_online_without_a_break(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        self.seen_while_pushing(stage, 123)  # until the reading after the first, which was offline
        readings = live.readings
        assert self.seen_while_pushing(stage, 600) == {("Online", "Band · Playing")}
        assert 9 <= live.readings - readings <= 10
        assert stage.requests_overlap() is False

        stage.play(125)  # the device pushes no more
        assert (stage.shown("state"), stage.shown("music")) == ("Offline", None)

    def test_failing_once_changes_nothing_and_failing_twice_puts_all_in_the_past(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        stage.play(100)
        stage.push()
        stage.play_to_reading()
        stage.play(1)
        live.unreachable = True
        stage.play_to_reading()
        stage.play(1)
        assert (stage.shown("state"), stage.shown("artist")) == ("Online", "Band · Playing")
        assert stage.shown("detail") == "1 minute ago"
        stage.play_to_reading()
        stage.play(1)
        assert (stage.shown("state"), stage.shown("artist")) == (
            "Unreachable",
            "Band · Was playing",
        )
        assert stage.shown("title") == "The status is unknown"
        bars = "document.querySelector('#music .bars').getBoundingClientRect().width"
        assert stage.ask(bars) == 0
        live.unreachable = False
        stage.push()
        stage.play_to_reading()
        stage.play(1)
        assert (stage.shown("state"), stage.shown("artist")) == ("Online", "Band · Playing")
        assert stage.ask(bars) > 0


class TestPlayback:
    """The page with a real service, with simulated time."""

    def test_warm_up_play_gap_outage_buffering_and_resume(
        self, stage: Stage, live: LiveDeployment, world: FakeServer
    ) -> None:
        assert (stage.shown("state"), stage.shown("timeline")) == ("Offline", None)

        stage.play(290)
        stage.send(events=(event(1, NOON + 240 * SECOND, active_app="Mail"),))
        stage.play(75)
        assert stage.shown("state") == "Starting"
        assert re.fullmatch(r"Starts in (4|5)\d s", str(stage.shown("title")))
        assert stage.shown("cards") is None

        stage.play(60)
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "Editor")
        assert stage.shown("delay") == DELAY
        assert str(stage.shown("flag")).startswith("shown now 12:0")

        stage.play(590 - 425)
        holes = (gap(NOON + 400 * SECOND, NOON + 430 * SECOND, "restart"),)
        mail = event(1, NOON + 240 * SECOND, active_app="Mail")
        stage.send(events=(mail, event(2, NOON + 450 * SECOND)), gaps=holes)
        stage.play(75)
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "Mail")

        stage.play(830 - 665)
        assert stage.shown("title") == "The recorder was restarting"
        assert (stage.shown("state"), stage.shown("cards")) == ("No record", None)
        assert re.search(r"It continues in (19|2\d) s", str(stage.shown("detail")))

        world.fail = {ReadStore}
        stage.play(900 - 830)
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "App 2")
        assert str(stage.shown("unread")).startswith("The service cannot read the status.")

        live.unreachable = True
        stage.play(1030 - 900)
        assert (stage.shown("state"), stage.shown("title")) == (
            "Unreachable",
            "The status is unknown",
        )
        assert "ffline" not in stage.ask("document.getElementById('main').textContent")
        assert "Last seen" in str(stage.shown("detail"))
        assert stage.ask("document.getElementById('main').className") == "stale"

        live.unreachable = False
        world.fail = set()
        stage.play(65)
        assert (stage.shown("state"), stage.shown("title")) == (
            "Paused",
            "Waiting for the next report",
        )
        assert stage.shown("artist") == "Band · Was playing"
        assert str(stage.shown("flag")).startswith("shown until 12:0")

        stage.send(events=(event(3, NOON + 600 * SECOND, active_app="Terminal"),))
        stage.play(65)
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "Terminal")
        assert re.match(r"Shown 9 min( \d+ s)? late: after an inter", str(stage.shown("delay")))
        assert stage.shown("lost") is None
        assert stage.requests_overlap() is False

    def test_a_long_outage_loses_and_is_reported_until_a_new_session_and_offline(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        stage.play(600)
        stage.send()
        stage.play(130)
        live.unreachable = True
        stage.play(1500)
        stage.play_to_reading()
        live.unreachable = False
        stage.hear()
        stage.send()
        stage.play_to_reading()
        stage.play(2)
        lost = str(stage.shown("lost"))
        assert re.match(r"Not played: 12:1\d:\d\d to 12:2\d:\d\d \(1\d min", lost)

        # This window is read sooner after it was made, so playback is too far behind for it.
        stage.play(110)
        stage.send()
        stage.play_to_reading()
        stage.play(2)
        grown = str(stage.shown("lost"))
        between = r"between 12:1\d:\d\d and 12:2\d:\d\d\. "
        assert re.match(rf"Not played: 1\d min( \d+ s)? {between}", grown)
        assert sum("Not played: " in message for message in stage.announced()) == 1

        stage.restart()
        stage.send(session_id=OTHER_SESSION, window_start=stage.now - 10 * SECOND)
        stage.play(130)
        assert (stage.shown("state"), stage.shown("lost")) == ("Starting", None)

        stage.play(575)
        assert (stage.shown("state"), stage.shown("timeline")) == ("Offline", None)
        assert re.search(r" Last seen 1[01] minutes ago \(", str(stage.shown("detail")))
        assert stage.requests_overlap() is False

    def test_what_changes_is_announced_once_and_seconds_are_not(self, stage: Stage) -> None:
        stage.play(300)
        stage.hear()
        stage.send(events=(event(1, NOON + 60 * SECOND), event(2, NOON + 61 * SECOND)))
        stage.play(110)
        assert stage.announced() == ["Starting. Playback starts at 12:07."]
        stage.play(160)
        assert stage.announced()[1:] == [
            "Online. Foreground app: Editor.",
            "Online. Foreground app: App 1.",
            "Online. Foreground app: App 2.",
        ]

    def test_a_notice_is_announced_once_while_apps_change(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        stage.play(300)
        stage.send(events=tuple(event(n, NOON + n * 20 * SECOND) for n in range(1, 15)))
        stage.play(140)
        stage.hear()
        live.unreachable = True
        stage.play(120)
        announced = stage.announced()
        assert len([message for message in announced if "cannot be reached" in message]) == 1
        assert len(announced) >= 5

    def test_an_app_that_changes_often_is_announced_now_and_then(self, stage: Stage) -> None:
        stage.play(300)
        stage.send(events=tuple(event(n, NOON + n * 2 * SECOND) for n in range(1, 150)))
        stage.play(125)
        stage.hear()
        stage.play(60)
        assert 2 <= len(stage.announced()) <= 5

    def test_the_time_line_is_explored_by_keyboard(self, stage: Stage) -> None:
        stage.play(300)
        holes = (gap(NOON + 30 * SECOND, NOON + 60 * SECOND, "sleep"),)
        stage.send(events=(event(1, NOON + 100 * SECOND),), gaps=holes)
        stage.play(130)
        stage.ask("document.getElementById('slider').focus()")
        assert stage.shown("segment") is None
        stage.press(RIGHT)
        assert stage.shown("segment-text") == "No record: the computer was asleep"
        assert stage.shown("segment-times") == "12:00:30 to 12:01:00 (30 s)"
        stage.press(LEFT)
        assert stage.shown("segment-times") == "12:00:00 to 12:00:30 (30 s), shown now"
        stage.press(RIGHT, RIGHT, RIGHT, RIGHT)
        assert str(stage.valuetext).endswith(": App 1; playing Song by Band, 4 of 4")
        stage.play(3)
        assert stage.shown("segment-text") == "App 1; playing Song by Band"
        stage.press(HOME)
        assert str(stage.valuetext).endswith("1 of 4")
        stage.press(END, LEFT, ESCAPE)
        assert stage.shown("segment") is None
        stage.press(LEFT, TAB, SPACE)
        assert stage.shown("segment") is None
        assert stage.ask("document.activeElement.id") == "slider"

    def test_the_list_has_every_segment_as_text(self, stage: Stage) -> None:
        stage.play(300)
        holes = (gap(NOON + 30 * SECOND, NOON + 60 * SECOND, "overflow"),)
        stage.send(events=(event(1, NOON + 100 * SECOND, active_app=None),), gaps=holes)
        stage.play(70)
        stage.ask("document.querySelector('#segment-list summary').click()")
        stage.play(85)
        found = stage.ask("[...document.querySelectorAll('#segments li')].map(i => i.textContent)")
        assert found == [
            "12:00:00 to 12:00:30 Editor; playing Song by Band",
            "12:00:30 to 12:01:00 No record: too much happened to be kept",
            "12:01:00 to 12:01:40 Editor; playing Song by Band",
            "12:01:40 to 12:05:00 App not reported; playing Song by Band",
        ]
        current = "document.querySelector('#segments [aria-current=true]').textContent"
        assert stage.ask(current) == found[1]

    def test_a_wall_clock_that_is_set_ahead_moves_nothing_for_long(
        self, stage: Stage, live: LiveDeployment
    ) -> None:
        stage.play(300)
        stage.send()
        stage.play(150)
        readings = live.readings
        stage.ask("(real => { Date.now = () => real() + 3600e3 })(Date.now.bind(Date))")
        stage.play(3)
        assert live.readings == readings + 1
        assert (stage.shown("state"), stage.shown("title")) == ("Online", "Editor")
        assert stage.shown("delay") == DELAY

    def test_a_sleep_that_only_the_wall_clock_counts_is_counted(self, stage: Stage) -> None:
        stage.play(300)
        stage.send(events=(event(1, NOON + 100 * SECOND),))
        stage.play(150)
        assert stage.shown("title") == "Editor"
        stage.sleep(120)
        stage.play(3)
        assert stage.shown("title") == "App 1"
        assert stage.shown("delay") == DELAY

    def test_since_when_counts_on_over_several_uploads(self, stage: Stage) -> None:
        since = NOON + 100 * SECOND
        mail = event(1, since, active_app="Mail")
        stage.play(300)
        stage.send(events=(mail,))
        for _ in range(4):
            stage.play(300)
            start = stage.now - 900 * SECOND
            if start <= since:
                stage.send(events=(mail,))
            else:
                stage.send(baseline=snapshot(collected_at=start, active_app="Mail"))
        stage.play(120)
        minutes = (stage.now - 420 * SECOND - since) // (60 * SECOND)
        assert minutes > 15  # longer than a window
        assert (stage.shown("title"), stage.shown("detail")) == ("Mail", f"for {minutes} minutes")

    def test_the_time_line_fits_a_phone(self, stage: Stage, session: Session) -> None:
        session.resize(320, 640)
        stage.play(300)
        music = Music("playing", "W" * 500, "W" * 500)
        stage.send(events=(event(1, NOON, active_app="W" * 200, music=music),))
        stage.play(150)
        stage.ask("document.querySelector('#segment-list summary').click()")
        stage.play(1)
        assert stage.shown("title") == "W" * 200
        assert stage.ask("document.documentElement.scrollWidth") == 320
        assert stage.ask("document.getElementById('slider').getBoundingClientRect().height") >= 44
        for width in (390, 1100, 1920):
            session.resize(width, 640)
            assert stage.ask("document.documentElement.scrollWidth") == width


class TestNavigation:
    @pytest.mark.parametrize("path", ["", "api"])
    def test_the_current_page_is_marked_by_its_url_whatever_its_label(
        self, session: Session, path: str
    ) -> None:
        pages = (
            Link("Jetzt", "/deep/status/?x#y"),
            Link("Now", "/"),
            Link("Schnittstelle", "api"),
            Link("Device status", "https://status.example/deep/status/"),
        )
        marked = ["Schnittstelle"] if path == "api" else ["Jetzt"]
        with Deployment(reports(), mount="/deep/status", page=PageSettings(pages=pages)) as at_url:
            session.open(f"{at_url.url}{path}")
            found = "[...document.querySelectorAll('[aria-current=page]')].map(e => e.textContent)"
            assert session.ask(found) == marked
            assert session.console() == []


class TestFrames:
    @pytest.mark.parametrize("allowed", [True, False])
    def test_only_a_site_of_the_settings_shows_the_page_in_a_frame(
        self, session: Session, tmp_path: Path, allowed: bool
    ) -> None:
        serve = partial(SimpleHTTPRequestHandler, directory=tmp_path)
        with ThreadingHTTPServer(("127.0.0.1", 0), serve) as blog:
            threading.Thread(target=blog.serve_forever, args=(0.05,)).start()
            origin = f"http://127.0.0.1:{blog.server_port}"
            page = PageSettings(frame_ancestors=(origin,) if allowed else ())
            with Deployment(reports(), page=page) as deployment:
                frame = f'<iframe src="{deployment.url}" title="Status"></iframe>'
                (tmp_path / "index.html").write_text(f"<!DOCTYPE html>{frame}", "utf-8")
                session.open(f"{origin}/")
                session.call("POST", "/frame", {"id": 0})
                if allowed:
                    session.until("document.getElementById('state')?.textContent === 'Online'")
                else:
                    assert session.ask("document.getElementById('state')") is None
                    assert deployment.readings == 0
                session.call("POST", "/frame", {"id": None})
            blog.shutdown()


class TestWithoutScript:
    def test_the_badge_and_a_link_stand_in(self, session: Session) -> None:
        with Deployment(reports()) as deployment:
            session.report("Emulation.setScriptExecutionDisabled", value=True)
            session.open(deployment.url)
            using = {"using": "css selector", "value": "noscript a"}
            link = session.call("POST", "/element", using)
            text = session.call("GET", f"/element/{next(iter(link.values()))}/text")
        assert text == "api/now"
        assert "/api/badge.svg" in deployment.requests
        assert deployment.readings == 0


OWNER: Final = PageSettings(
    "Ada Example",
    "Builds small tools",
    links=(Link("Code", "https://git.example.org/ada"),),
    pages=(Link("Now", "./"), Link("Health", "health/")),
)


def busy_window() -> Response:
    """Return a window with apps, music, and a gap."""
    gaps = (gap(200 * SECOND, 300 * SECOND, "sleep"),)
    events = (event(1, 100 * SECOND, active_app="Mail"), event(2, 170 * SECOND))
    return playing(events=events, gaps=gaps)


class TestAccessibility:
    @pytest.mark.parametrize("theme", ["", "paper", "terminal"])
    def test_axe_finds_nothing_in_a_busy_page(self, session: Session, theme: str) -> None:
        css = (THEMES / f"{theme}.css").read_text("utf-8") if theme else ""
        owner = attrs.evolve(OWNER, theme=css)
        with Deployment(in_turn(busy_window()), page=owner) as deployment:
            open_page(session, deployment)
            session.ask("document.querySelector('summary').click()")
            session.ask("document.getElementById('slider').dispatchEvent(new Event('input'))")
            session.until("document.getElementById('segments').children.length === 5")
            assert accessibility_problems(session) == []
            session.open(f"{deployment.url}api")
            assert accessibility_problems(session) == []

    @pytest.mark.parametrize(
        ("script", "state"),
        [
            (reports(**HEADLESS), "Online"),
            (in_turn(OFFLINE), "Offline"),
            (in_turn(UNAVAILABLE), "Unreachable"),
        ],
        ids=["headless", "offline", "unreachable"],
    )
    def test_axe_finds_nothing_in_a_short_page(
        self, session: Session, script: Script, state: str
    ) -> None:
        with Deployment(script) as deployment:
            session.open(deployment.url)
            session.until(f"document.getElementById('state').textContent === '{state}'")
            assert accessibility_problems(session) == []

    def test_nothing_moves(self, session: Session) -> None:
        with Deployment(in_turn(busy_window())) as deployment:
            open_page(session, deployment)
            assert session.ask("document.getAnimations().length") == 0

    @pytest.mark.parametrize("feature", ["forced-colors: active", "prefers-contrast: more"])
    def test_who_asks_for_contrast_gets_it_in_every_theme(
        self, session: Session, feature: str
    ) -> None:
        name, value = feature.split(": ")
        owner = attrs.evolve(OWNER, theme=(THEMES / "paper.css").read_text("utf-8"))
        with Deployment(in_turn(busy_window()), page=owner) as deployment:
            open_page(session, deployment)
            color = "getComputedStyle(document.querySelector('{}')).color"
            muted, text = color.format(".owner-line"), color.format("h1")
            assert session.ask(f"{muted} === {text}") is False
            session.set_media(**{name: value})
            assert session.ask(f"{muted} === {text}") is True

    def test_axe_finds_a_problem_in_each_size_and_scheme(self, session: Session) -> None:
        with Deployment(reports()) as deployment:
            open_page(session, deployment)
            session.ask("document.querySelector('h1').replaceWith(document.createElement('img'))")
            found = [each for each in accessibility_problems(session) if "image-alt" in each]
            assert len(found) == 4


class TestNarrow:
    @pytest.mark.parametrize("name", ["W" * 200, "日本語" * 60, "Two Words"])
    def test_the_longest_names_fit_a_phone(self, session: Session, name: str) -> None:
        music = {"state": "playing", "track": name * 2, "artist": name * 2}
        with Deployment(reports(active_app=name, running_apps=[name], music=music)) as deployment:
            session.resize(320, 640)
            open_page(session, deployment)
            assert session.ask("document.documentElement.scrollWidth") == 320
            session.open(f"{deployment.url}api")
            assert session.ask("document.documentElement.scrollWidth") == 320
