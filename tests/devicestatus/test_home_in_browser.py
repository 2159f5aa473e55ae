"""The home page in a real browser: what it shows, when it reads, and what its policy lets in."""

import http.client
import json
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Self

import attrs
import pytest
from PIL import Image

from browser import FLAGS
from devicestatus.adapters.site import with_site
from devicestatus.answers import refusal
from purewire.effects import Effect, Exchange, drive
from purewire.http import answers
from purewire.http.messages import Request, Response
from purewire.instants import format_instant
from services import need

SECOND: Final = 1000  # ms
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

Json = dict[str, Any]
Script = Callable[[int], Response]


def at(offset: int) -> str:
    """Give the timestamp so many ms from now."""
    return format_instant(time.time_ns() // 1_000_000 + offset)


def online(**changes: object) -> Json:
    """Give an answer of `/api/now`, from a snapshot."""
    return {
        "schema_version": 1,
        "collected_at": at(-21 * SECOND),
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
        "updated_at": at(-20 * SECOND),
        "expires_at": at(1000 * SECOND),
        "a_member_of_a_later_version": {"is": "left alone"},
        **changes,
    }


def says(**changes: object) -> Script:
    """Answer online each time."""
    return lambda _round: reply(online(**changes))


def in_turn(*responses: Response) -> Script:
    """Answer with one after the other; the last stays."""
    return lambda round_: responses[min(round_, len(responses)) - 1]


def reply(value: object, status: int = 200) -> Response:
    return answers.answer("GET", status, answers.JSON, json.dumps(value).encode(), answers.NO_STORE)


UNAVAILABLE: Final = reply({"error": "service_unavailable"}, 503)
OFFLINE: Final = reply({"status": "offline"})
BROKEN_OFF: Final = Response(0, ())


class Deployment:
    """The site beside a scripted service, on a real socket, below a mount point."""

    def __init__(self, script: Script, *, mount: str = "", extra: bytes = b"") -> None:
        self.asked: list[str] = []
        self.icons_missing = False
        self.clock_ahead = 0  # seconds
        self._script = script
        self._serve = with_site(self._service)
        self._extra = extra
        self._mount = mount
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._requests())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{self._mount}/"

    @property
    def readings(self) -> int:
        return self.asked.count("/api/now")

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
        self.asked.append(path)
        if path == "/api/now":
            return self._script(self.readings)
        if path == "/api/icons" and not self.icons_missing:
            return reply(MANIFEST)
        if path.startswith("/api/icons/"):
            return answers.answer("GET", 200, answers.PNG, DOT)
        return refusal("GET", "not_found")

    def answer(self, method: str, target: str) -> Response:
        path = target.partition("?")[0].removeprefix(self._mount).encode()
        response = drive(self._serve(Request(method, path)), no_effect)
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

            def date_time_string(self, timestamp: float | None = None) -> str:
                now = time.time() if timestamp is None else timestamp
                return super().date_time_string(now + deployment.clock_ahead)

            def log_message(self, *_: object) -> None:
                """Stay quiet."""

        return Requests


def no_effect(effect: Effect) -> object:
    raise AssertionError(effect)


class Shown(HTMLParser):
    """A page as it stands: text by id, and what of it is hidden."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.attributes: dict[str, dict[str, str | None]] = {}
        self.hidden: set[str] = set()
        self.images: list[str | None] = []
        self.links: dict[str, str | None] = {}
        self.title = ""
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
        """Give the text of an element that is seen, else None."""
        return None if name in self.hidden else " ".join(self.texts[name].split())


@attrs.frozen
class Visit:
    """What came of opening a page: what it shows, and what the browser's console said."""

    shown: Shown
    console: list[str]


def chromium(url: str, *flags: str) -> tuple[str, list[str]]:
    """Run a browser once; give what it printed, and the lines of its console."""
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


def visit(deployment: Deployment, *flags: str, seconds: int = 5) -> Visit:
    """Open the home page and look at it after so many seconds of the browser's time."""
    budget = f"--virtual-time-budget={seconds * SECOND}"
    page, console = chromium(deployment.url, "--dump-dom", budget, "--lang=en-US", *flags)
    return Visit(Shown(page), console)


def look(script: Script, *, seconds: int = 5) -> Shown:
    """Open the home page of a deployment; nothing may go wrong in the browser meanwhile."""
    with Deployment(script) as deployment:
        result = visit(deployment, seconds=seconds)
    assert result.console == []
    return result.shown


class TestOnline:
    def test_a_snapshot_is_shown(self) -> None:
        shown = look(says())
        assert shown["state"] == "Online"
        assert shown["title"] == "Text Editor"
        assert shown.title == "Online · Device status"
        assert shown["track"] == "Gymnopédie No. 1"
        assert shown["artist"] == "Playing · Erik Satie"
        assert shown["percent"] == "81%"
        assert shown["power"] == "Not charging, on battery"
        assert shown.attributes["gauge-part"]["width"] == "81.4"
        assert (shown["load-1"], shown["load-5"], shown["load-15"]) == (
            "1.50",
            "0.25",
            "not reported",
        )
        assert shown["reason"] is shown["delay"] is shown["late"] is None

    def test_times_are_relative_and_local(self) -> None:
        updated = str(look(says())["updated"])
        day = r"[A-Z][a-z]{2} \d+, \d+, "
        assert re.fullmatch(rf"Updated [23][05] s ago \((?:{day})?\d+:\d\d:\d\d [AP]M\)", updated)

    @pytest.mark.parametrize("days", [-400, 400])
    def test_ages_go_by_the_clock_of_the_server(self, days: int) -> None:
        ahead = days * 86_400 * SECOND
        changes = {"updated_at": at(ahead - 20 * SECOND), "expires_at": at(ahead + 60 * SECOND)}
        with Deployment(says(**changes)) as deployment:
            deployment.clock_ahead = ahead // SECOND
            shown = visit(deployment).shown
        assert re.match(r"Updated 2[05] s ago \(", str(shown["updated"]))
        assert shown["late"] is None

    def test_apps_stand_with_their_icons_or_their_initials(self) -> None:
        shown = look(says(running_apps=["Editor Pro", "Terminal", "Music", "System", "ünknown"]))
        assert shown["apps"] == "Editor ProTerminalMMusicSSystemüünknown"
        assert shown.images == [
            "api/icons/text-editor.png",
            "api/icons/text-editor.png",
            "api/icons/second.png",
        ]

    def test_a_delayed_projection_says_so(self) -> None:
        playback = {
            "mode": "delayed",
            "delay_seconds": 420,
            "at": at(-420 * SECOND),
            "window_end": at(-60 * SECOND),
        }
        delay = str(look(says(playback=playback))["delay"])
        assert re.match(r"Shown with a delay of 7 min, as it was at .*\d:\d\d:\d\d", delay)

    def test_the_track_is_a_link_and_the_artwork_is_not_loaded(self) -> None:
        shown = look(says())
        assert shown.links["Gymnopédie No. 1"] == TRACK
        assert not [src for src in shown.images if src and "mzstatic" in src]

    @pytest.mark.parametrize("address", ["javascript:alert(1)", "http://music.apple.com/1", 7])
    def test_another_address_is_no_link(self, address: object) -> None:
        music = {"state": "paused", "track": "A", "artist": None, "track_url": address}
        shown = look(says(music=music))
        assert "A" not in shown.links
        assert (shown["track"], shown["artist"]) == ("A", "Paused · artist not reported")

    def test_a_private_app_is_named_as_such(self) -> None:
        shown = look(says(active_app="System"))
        assert shown["title"] == "System"
        assert shown["reason"] == "The name of the app is kept private."

    def test_nulls_are_not_reported(self) -> None:
        nothing: Json = {
            "active_app": None,
            "battery": {"percent": None, "charging": None, "power_source": "unknown"},
            "system": {"load_1m": None, "load_5m": None, "load_15m": None},
            "music": {"state": "unavailable", "track": None, "artist": None},
            "running_apps": None,
        }
        shown = look(says(**nothing))
        assert shown["state"] == "Online"
        assert shown["title"] == "App not reported"
        names = ("track", "percent", "load-none", "apps-none")
        assert [shown[name] for name in names] == ["Not reported"] * 4
        assert shown["artist"] is shown["power"] is shown["gauge"] is shown["loads"] is None

    def test_members_that_are_missing_or_strange_break_nothing(self) -> None:
        answer = {"status": "online", "music": 7, "active_app": {"name": "x"}, "running_apps": [1]}
        shown = look(in_turn(reply(answer)))
        assert shown["state"] == "Online"
        assert shown["title"] == "App not reported"
        assert shown["track"] == shown["percent"] == shown["load-none"] == "Not reported"
        assert shown["updated"] is None

    def test_no_running_apps_and_no_music_are_told_from_nothing_reported(self) -> None:
        music = {"state": "stopped", "track": "Left over", "artist": None}
        battery = {"percent": None, "charging": True, "power_source": "ac"}
        shown = look(says(running_apps=[], music=music, battery=battery))
        assert shown["apps-none"] == "None"
        assert shown["track"] == "Nothing is playing"
        assert (shown["percent"], shown["power"]) == (
            "Charge not reported",
            "Charging, on mains power",
        )

    def test_markup_in_an_answer_stays_text(self) -> None:
        music = {"state": "playing", "track": MARKUP, "artist": MARKUP}
        shown = look(says(active_app=MARKUP, running_apps=[MARKUP], music=music))
        assert shown["title"] == shown["track"] == MARKUP
        assert shown["artist"] == f"Playing · {MARKUP}"
        assert shown.images == []

    def test_a_reading_past_its_deadline_says_so(self) -> None:
        assert look(says(expires_at=at(60 * SECOND)), seconds=20)["late"] is None
        late = look(says(expires_at=at(60 * SECOND)), seconds=90)
        assert late["state"] == "Online"
        assert late["late"] is not None


class TestNotOnline:
    def test_offline_is_said(self) -> None:
        shown = look(in_turn(OFFLINE))
        assert shown["state"] == "Offline"
        assert shown["title"] == "The computer is not reporting"
        assert shown["cards"] is shown["updated"] is shown["tile"] is None

    @pytest.mark.parametrize(
        "answer",
        [
            UNAVAILABLE,
            BROKEN_OFF,
            reply({"status": "sleeping"}),
            reply(None),
            answers.answer("GET", 200, "text/html", b"<p>A captive portal"),
            Response(204, ()),
        ],
        ids=["503", "broken off", "unknown status", "null", "not JSON", "empty"],
    )
    def test_what_cannot_be_read_is_not_known_and_never_offline(self, answer: Response) -> None:
        with Deployment(in_turn(answer)) as deployment:
            shown = visit(deployment).shown
        assert shown["state"] == "Unreachable"
        assert shown["title"] == "Not known just now"
        assert shown["cards"] is None
        assert "ffline" not in shown.texts["main"]

    def test_the_last_reading_stays_when_the_next_fails(self) -> None:
        with Deployment(in_turn(reply(online()), UNAVAILABLE)) as deployment:
            shown = visit(deployment, seconds=130).shown
        assert shown["state"] == "Unreachable"
        assert shown["percent"] == "81%"
        assert shown["updated"] is not None
        assert shown["reason"] is not None
        assert shown["reason"].endswith("Below is the last reading.")

    def test_offline_after_online_leaves_nothing_of_it(self) -> None:
        shown = look(in_turn(reply(online()), OFFLINE), seconds=130)
        assert shown["state"] == "Offline"
        assert shown["cards"] is shown["updated"] is shown["delay"] is None

    def test_online_after_a_failure_is_shown(self) -> None:
        with Deployment(in_turn(UNAVAILABLE, reply(online()))) as deployment:
            shown = visit(deployment, seconds=130).shown
        assert shown["state"] == "Online"
        assert shown["reason"] is None


class TestReading:
    @pytest.mark.parametrize(("seconds", "readings"), [(5, 1), (110, 1), (130, 2), (250, 3)])
    def test_the_status_is_read_every_120_seconds(self, seconds: int, readings: int) -> None:
        with Deployment(says()) as deployment:
            visit(deployment, seconds=seconds)
        assert deployment.readings == readings

    def test_failures_are_retried_no_sooner(self) -> None:
        with Deployment(in_turn(UNAVAILABLE)) as deployment:
            visit(deployment, seconds=130)
        assert deployment.readings == 2

    def test_one_request_a_round_and_the_icons_once(self) -> None:
        with Deployment(says()) as deployment:
            visit(deployment, seconds=250)
        paths = [path for path in deployment.asked if path != "/favicon.ico"]
        assert sorted({*paths}) == [
            "/api/icons",
            "/api/icons/second.png",
            "/api/icons/text-editor.png",
            "/api/now",
        ]
        assert paths.count("/api/icons") == 1

    def test_without_icons_the_status_is_shown_all_the_same(self) -> None:
        with Deployment(says()) as deployment:
            deployment.icons_missing = True
            shown = visit(deployment, seconds=130).shown
        assert (shown["state"], shown["title"], shown["tile"]) == ("Online", "Text Editor", "T")
        assert shown.images == []
        assert deployment.asked.count("/api/icons") == 2

    def test_offline_asks_for_no_icons(self) -> None:
        with Deployment(in_turn(OFFLINE)) as deployment:
            visit(deployment)
        assert [path for path in deployment.asked if path != "/favicon.ico"] == ["/api/now"]

    def test_below_a_mount_point_everything_is_found(self) -> None:
        with Deployment(says(), mount="/deep/status") as deployment:
            result = visit(deployment)
        assert result.console == []
        assert result.shown["state"] == "Online"
        assert {"/api/now", "/api/icons"} <= {*deployment.asked}


class TestPolicyInTheBrowser:
    def test_a_script_that_was_not_built_in_does_not_run(self) -> None:
        extra = b"<script>document.getElementById('main').append('taken over')</script>"
        with Deployment(says(), extra=extra) as deployment:
            result = visit(deployment)
        assert [line for line in result.console if "Content Security Policy" in line]
        assert "taken over" not in result.shown.texts["main"]


class TestLook:
    @pytest.mark.parametrize(
        ("flags", "ground"),
        [((), (246, 245, 241)), (("--blink-settings=preferredColorScheme=0",), (18, 20, 23))],
        ids=["light", "dark"],
    )
    def test_the_page_follows_the_colour_scheme(
        self, tmp_path: Path, flags: tuple[str, ...], ground: tuple[int, int, int]
    ) -> None:
        path = tmp_path / "home.png"
        with Deployment(says()) as deployment:
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


class Session:
    """A browser that stays open, led over WebDriver."""

    def __init__(self, port: int, profile: str) -> None:
        self._port = port
        self._path = ""
        options = {"args": [*FLAGS, f"--user-data-dir={profile}"]}
        always = {"browserName": "chrome", "goog:chromeOptions": options}
        created = self.call("POST", "/session", {"capabilities": {"alwaysMatch": always}})
        self._path = f"/session/{created['sessionId']}"

    def call(self, method: str, path: str, body: Json | None = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, self._path + path, text)
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        assert not (isinstance(value, dict) and "error" in value), value
        return value

    def tell(self, command: str, **params: object) -> None:
        """Give the browser a command of its developer tools."""
        self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def ask(self, expression: str) -> Any:
        """Evaluate an expression in the page."""
        return self.call("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def until(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        ends = time.monotonic() + 30
        while not self.ask(expression):
            assert time.monotonic() < ends, expression
            time.sleep(0.02)

    def open(self, deployment: Deployment) -> None:
        self.call("POST", "/url", {"url": deployment.url})
        self.until("document.getElementById('state').textContent === 'Online'")

    def pass_time(self, seconds: int) -> None:
        """Let time pass for the page, at once."""
        self.ask("window.start = performance.now()")
        self.tell("Emulation.setVirtualTimePolicy", policy="advance", budget=seconds * SECOND)
        self.until(f"performance.now() - window.start >= {seconds * SECOND - 1}")


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for what the page asked for in a time that passed at once."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def session() -> Iterator[Session]:
    need("chromium", "chromium-browser", "google-chrome")
    program = need("chromedriver")
    with ExitStack() as stack:
        profile = stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))
        port = stack.enter_context(driver(program))
        session = Session(port, profile)
        stack.callback(session.call, "DELETE", "")
        yield session


@contextmanager
def driver(program: str) -> Iterator[int]:
    """Run the WebDriver server; gives its port."""
    with subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            started = (re.search(r"successfully on port (\d+)", line) for line in process.stdout)
            yield int(next(found for found in started if found)[1])
        finally:
            process.terminate()


class TestInView:
    def test_a_hidden_page_does_not_read_and_reads_at_once_when_seen_again(
        self, session: Session
    ) -> None:
        with Deployment(says()) as deployment:
            session.open(deployment)
            page = session.call("GET", "/window")
            other = session.call("POST", "/window/new", {"type": "tab"})["handle"]
            session.tell("Target.activateTarget", targetId=other)
            session.until("document.hidden")
            session.pass_time(600)
            assert deployment.readings == 1
            session.tell("Target.activateTarget", targetId=page)
            session.until("!document.hidden")
            session.pass_time(5)
            assert deployment.readings == 2

    def test_a_page_that_is_seen_again_soon_waits_for_its_round(self, session: Session) -> None:
        with Deployment(says()) as deployment:
            session.open(deployment)
            page = session.call("GET", "/window")
            other = session.call("POST", "/window/new", {"type": "tab"})["handle"]
            session.tell("Target.activateTarget", targetId=other)
            session.until("document.hidden")
            session.pass_time(60)
            session.tell("Target.activateTarget", targetId=page)
            session.until("!document.hidden")
            session.pass_time(50)
            assert deployment.readings == 1
            session.pass_time(15)
            assert deployment.readings == 2

    def test_a_reading_leaves_the_keyboard_where_it_was(self, session: Session) -> None:
        with Deployment(says()) as deployment:
            session.open(deployment)
            session.ask("document.querySelector('#track a').focus()")
            session.pass_time(125)
            wait_until(lambda: deployment.readings == 2)
            assert session.ask("document.activeElement.href") == TRACK


class TestWithoutScript:
    def test_the_badge_and_a_link_stand_in(self, session: Session) -> None:
        with Deployment(says()) as deployment:
            session.tell("Emulation.setScriptExecutionDisabled", value=True)
            session.call("POST", "/url", {"url": deployment.url})
            using = {"using": "css selector", "value": "noscript a"}
            link = session.call("POST", "/element", using)
            text = session.call("GET", f"/element/{next(iter(link.values()))}/text")
        assert text == "api/now"
        assert "/api/badge.svg" in deployment.asked
        assert deployment.readings == 0


class TestNarrow:
    @pytest.mark.parametrize("name", ["W" * 200, "日本語" * 60, "Two Words"])
    def test_the_longest_names_fit_a_phone(self, session: Session, name: str) -> None:
        music = {"state": "playing", "track": name * 2, "artist": name * 2}
        with Deployment(says(active_app=name, running_apps=[name], music=music)) as deployment:
            session.tell(
                "Emulation.setDeviceMetricsOverride",
                width=320,
                height=640,
                deviceScaleFactor=1,
                mobile=True,
            )
            session.open(deployment)
            assert session.ask("document.documentElement.scrollWidth") == 320
            session.call("POST", "/url", {"url": f"{deployment.url}api"})
            assert session.ask("document.documentElement.scrollWidth") == 320
