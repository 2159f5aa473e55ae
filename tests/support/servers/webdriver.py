"""Headless Chromium that stays open, controlled over WebDriver; `browser` is that of all tests."""

import http.client
import json
import re
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from support.servers.services import need

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""As root, without a screen, without external lookups."""
_STARTS = 5
_NO_NETWORK: Final = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


class Session:
    """A session of a browser; created by `open_session`."""

    def __init__(self, port: int, profile: str, flags: tuple[str, ...] = ()) -> None:
        self._port = port
        self._path = ""
        own = (f"--user-data-dir={profile}", "--start-fullscreen")  # no tabs are drawn
        options = {"args": [*FLAGS, *own, *flags]}
        always = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        created = self.call("POST", "/session", {"capabilities": {"alwaysMatch": always}})
        self._path = f"/session/{created['sessionId']}"

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            text = None if body is None else json.dumps(body)
            connection.request(method, self._path + path, text)
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        assert not (isinstance(value, dict) and "error" in value), value
        return value

    def report(self, command: str, **params: object) -> Any:
        """Send a command of the developer tools to the browser; return its result."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def ask(self, expression: str) -> Any:
        """Evaluate an expression in the page, also where its policy allows no `eval`."""
        return self.call("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def until(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        ends = time.monotonic() + 30
        while not self.ask(expression):
            assert time.monotonic() < ends, expression
            time.sleep(0.02)

    def open(self, url: str) -> None:
        self.call("POST", "/url", {"url": url})

    def resize(self, width: int, height: int) -> None:
        """Show the page as a phone of this size, in CSS pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.report("Emulation.setDeviceMetricsOverride", mobile=True, **size)

    def set_media(self, **features: str) -> None:
        """Set media features, e.g. `**{"prefers-color-scheme": "dark"}`; the others are reset."""
        pairs = [{"name": name, "value": value} for name, value in features.items()]
        self.report("Emulation.setEmulatedMedia", features=pairs)

    def pass_time(self, ms: int) -> None:
        """Advance the clock of the page at once."""
        self.ask("window.start = performance.now()")
        policy = "pauseIfNetworkFetchesPending"
        self.report("Emulation.setVirtualTimePolicy", policy=policy, budget=ms)
        self.until(f"performance.now() - window.start >= {ms - 1}")

    def pass_time_until(self, ms: int) -> None:
        """Advance the clock of the page at once until so long after it began to load."""
        self.pass_time(max(0, ms - int(self.ask("performance.now()"))))

    def print_pdf(self, width: float, height: float) -> bytes:
        """Print the page on paper of this size, in inches, as its own style says; return the PDF.

        Backgrounds are left out as browsers do by default, so that what is on the paper is what
        the page demands (`print-color-adjust`).
        """
        printed = self.report(
            "Page.printToPDF",
            paperWidth=width,
            paperHeight=height,
            printBackground=False,
            preferCSSPageSize=False,
        )
        return b64decode(printed["data"])

    def console(self) -> list[str]:
        """Return the lines of the console since the last call."""
        return [each["message"] for each in self.call("POST", "/se/log", {"type": "browser"})]

    @contextmanager
    def tab(self) -> Iterator[None]:
        """Use a new tab in a block; what was set for it, as its clock, ends with it."""
        first = self.call("GET", "/window")
        self.console()
        self._show(self.call("POST", "/window/new", {"type": "tab"})["handle"])
        try:
            yield
        finally:
            for handle in self.call("GET", "/window/handles"):
                if handle != first:
                    self.call("POST", "/window", {"handle": handle})
                    self.call("DELETE", "/window")
            self._show(first)

    def _show(self, handle: str) -> None:
        self.call("POST", "/window", {"handle": handle})
        self.report("Target.activateTarget", targetId=handle)


@pytest.fixture(scope="session")
def browser() -> Iterator[Session]:
    """Return one browser for the whole process; who uses it opens tabs, and closes them."""
    with open_session("--lang=en-US", _NO_NETWORK) as session:
        yield session


@pytest.fixture
def session(browser: Session) -> Iterator[Session]:
    """Return the browser with a tab of its own."""
    with browser.tab():
        yield browser


@contextmanager
def open_session(*flags: str) -> Iterator[Session]:
    """Open a browser; skip the test where there is none, or fail where it is required.

    Args:
        flags: further options of the browser.

    """
    need("chromium", "chromium-browser", "google-chrome")
    program = need("chromedriver")
    with ExitStack() as stack:
        profile = stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))
        port = stack.enter_context(_driver(program))
        session = Session(port, profile, flags)
        stack.callback(session.call, "DELETE", "")
        yield session


@contextmanager
def _driver(program: str) -> Iterator[int]:
    """Run the WebDriver server; return its port.

    It chooses a port for IPv4 and ends if another process has the same of IPv6: then again.
    """
    for _ in range(_STARTS):
        with subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                lines = (re.search(r"successfully on port (\d+)", line) for line in process.stdout)
                started = next((found for found in lines if found), None)
                if started is not None:
                    yield int(started[1])
                    return
            finally:
                process.terminate()
    raise AssertionError(f"{program} does not start")
