"""Simulate hours of a buffered agent: real sockets, and time that passes only while it waits.

    simulation = Simulation()
    with serve(simulation) as proxy:  # the service behind a proxy, by the simulated time
        agent = simulation.agent(proxy.url)
        simulation.at(minutes(5), lambda: simulation.sleep(hours(8)))
        simulation.run(agent, until=hours(24))
    proxy.uploads, simulation.events

The true time is the service's; the machine's clock may be off.  An upload takes no time unless
`time_passes_in_uploads` is set: then time passes while one is under way, as fast as the agent
samples.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from typing import Any
from uuid import uuid4

import attrs

from devicestatus.adapters.agent import BufferedAgent
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.upload_client import Destination, UploadReport
from devicestatus.agent.delivery import Decision
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import Recorder
from devicestatus.models import Battery, Music, Snapshot, System, Window
from devicestatus.parsing import parse_window
from devicestatus.settings import Settings
from status_contracts.conditional import http_date
from status_contracts.instants import MINUTE_MS, SECOND_MS, parse_utc
from support.devicestatus.examples import NOON
from support.servers.servers import ask, serve_asgi, serve_handler

TOKEN = "canary-" + "0123456789abcdef" * 3
RULES = PrivacyRules()
BOOT = 77_777_777
"""What the machine's steady clock reports in the beginning."""


def seconds(number: float) -> int:
    return round(number * SECOND_MS)


def minutes(number: float) -> int:
    return round(number * MINUTE_MS)


def hours(number: float) -> int:
    return minutes(60 * number)


class TimeOver(Exception):
    """The simulation's time is over."""


@attrs.define
class EventLog:
    """The events of an agent, and when they occurred."""

    simulation: "Simulation"
    decisions: list[tuple[int, Decision]] = attrs.field(factory=list)
    others: list[tuple[int, str, str]] = attrs.field(factory=list)

    def on_upload(self, report: UploadReport, wait_ms: int | None) -> None:
        assert wait_ms == report.decision.wait_ms
        self.decisions.append((self.simulation.elapsed, report.decision))

    def on_event(self, subject: str, text: str, exception: Exception | None = None) -> None:
        del exception
        self.others.append((self.simulation.elapsed, subject, text))

    def of(self, subject: str) -> list[tuple[int, str]]:
        """Return time and text of the other events of a kind."""
        return [(at, text) for at, kind, text in self.others if kind == subject]

    @property
    def actions(self) -> list[str]:
        return [decision.action for _, decision in self.decisions]


@attrs.define
class Machine:
    """The machine that the agent reads: an app that changes by the minute, by default.

    Attributes:
        simulation: the simulation of the machine.
        look: returns the snapshot at a time since the beginning.
        read_at: times of the readings.
        metrics_at: times of the readings of battery and load.

    """

    simulation: "Simulation"
    look: Callable[[int], Snapshot]
    read_at: list[int] = attrs.field(factory=list)
    metrics_at: list[int] = attrs.field(factory=list)

    def sample(self, collected_at: int, metrics: Snapshot | None) -> Snapshot:
        now = self.simulation.elapsed
        self.read_at.append(now)
        found = attrs.evolve(self.look(now), collected_at=collected_at)
        if metrics is None:
            self.metrics_at.append(now)
            return found
        return attrs.evolve(found, battery=metrics.battery, system=metrics.system)


def by_the_minute(elapsed: int) -> Snapshot:
    """Return a snapshot whose app changes every minute, and its charge with every reading."""
    return Snapshot(
        NOON,
        f"App {elapsed // MINUTE_MS}",
        Battery(elapsed // SECOND_MS % 100, False, "battery"),
        System(1, 1, 1),
        Music("stopped", None, None),
    )


@attrs.define
class Simulation:
    """The clocks, and the scheduled events."""

    elapsed: int = 0
    clock_off: int = 0
    slept: int = 0
    time_passes_in_uploads: bool = False
    until: int = 0
    machine: Machine = attrs.field(init=False)
    events: EventLog = attrs.field(init=False)
    proxy: "Proxy" = attrs.field(init=False)
    _schedule: list[tuple[int, Callable[[], object]]] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.machine = Machine(self, by_the_minute)
        self.events = EventLog(self)

    def now(self) -> int:
        """Return the true time."""
        return NOON + self.elapsed

    def wall(self) -> int:
        """Return the machine's wall clock."""
        return self.now() + self.clock_off

    def steady(self) -> int:
        """Return its steady clock, which counts sleep."""
        return BOOT + self.elapsed

    def awake(self) -> int:
        """Return its awake clock, which stands still in sleep."""
        return self.steady() - self.slept

    def at(self, elapsed: int, event: Callable[[], object]) -> None:
        """Schedule an event for the first pause that begins then or later."""
        self._schedule.append((elapsed, event))
        self._schedule.sort(key=lambda each: each[0])

    def sleep(self, ms: int) -> None:
        """Suspend the machine."""
        self.elapsed += ms
        self.slept += ms

    def step_clock(self, ms: int) -> None:
        """Set the machine's clock."""
        self.clock_off += ms

    async def pause(self, waited: float) -> None:
        """Let time pass; running tasks end first."""
        await asyncio.sleep(0)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others and not self.time_passes_in_uploads:
            await asyncio.wait(others)
        while self._schedule and self._schedule[0][0] <= self.elapsed:
            self._schedule.pop(0)[1]()
        self.elapsed += seconds(waited)
        if self.elapsed >= self.until:
            raise TimeOver

    def agent(self, **members: Any) -> BufferedAgent:
        """Return an agent of this machine, which uploads to the proxy."""
        rules = members.get("rules", RULES)
        filled: dict[str, Any] = {
            "sample": self.machine.sample,
            "recorder": Recorder(str(uuid4()), rules),
            "rules": rules,
            "destination": Destination.from_url(self.proxy.url, TOKEN, upload="window"),
            "listener": self.events,
            "clock": self.wall,
            "steady_clock": self.steady,
            "awake_clock": self.awake,
            "sleep": self.pause,
        }
        return BufferedAgent(**(filled | members))

    def run(self, agent: BufferedAgent | None = None, *, until: int) -> None:
        """Run an agent until then; it is stopped in its pause."""
        self.until = until
        with suppress(TimeOver):
            asyncio.run((agent or self.agent()).run())
            raise AssertionError("the agent stopped by itself")


@attrs.frozen
class Upload:
    """One upload at the proxy, and its status."""

    at: int
    body: bytes = attrs.field(repr=False)
    status: int

    def window(self) -> Window:
        """Return the window that was uploaded, whatever the time was at the service."""
        generated_at = parse_utc(json.loads(self.body)["generated_at"])
        return parse_window(self.body, received_at=generated_at)


class ProxyHandler(BaseHTTPRequestHandler):
    """A request at a proxy."""

    proxy: "Proxy"
    at: int
    body: bytes

    def do_POST(self) -> None:
        self.at = self.proxy.simulation.elapsed
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        with suppress(ConnectionError):  # the agent went away, as it may
            self.proxy.responder(self)

    def forward(self) -> None:
        """Forward the request to the service."""
        lines = [(name, value) for name, value in self.headers.items() if name != "Host"]
        found = ask(self.proxy.service, "POST", self.path, lines, self.body)
        self.answer(found.status, found.body)

    def answer(self, status: int, body: bytes) -> None:
        """Answer with the true time as the Date; it is noted first, so that nobody is faster."""
        self.proxy.uploads.append(Upload(self.at, self.body, status))
        self.send_response_only(status)
        self.send_header("Date", http_date(self.proxy.simulation.now()))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


Responder = Callable[[ProxyHandler], object]


@attrs.define(eq=False)
class Proxy:
    """A proxy between agent and service.

    Attributes:
        simulation: the simulation whose time is the Date of a response.
        service: URL of the service.
        url: URL of the proxy.
        responder: handles a request.
        uploads: the requests so far that were answered.

    """

    simulation: Simulation
    service: str
    url: str
    responder: Responder = ProxyHandler.forward
    uploads: list[Upload] = attrs.field(factory=list)

    def windows(self) -> list[Window]:
        """Return the windows that were accepted."""
        return [each.window() for each in self.uploads if each.status == 200]

    def get(self, path: str) -> Any:
        """Send a GET to the service."""
        return ask(self.service, "GET", path).json


@contextmanager
def serve(simulation: Simulation) -> Iterator[Simulation]:
    """Serve the real service by the simulation's time, and a proxy before it; yield both."""
    app = asgi_app(Settings(TOKEN), store=MemoryStore(), clock=simulation.now)
    with serve_asgi(app) as service:
        handler = type("Handler", (ProxyHandler,), {})
        with serve_handler(handler, waits=True) as url:
            handler.proxy = simulation.proxy = Proxy(simulation, service, url)  # type: ignore[attr-defined]  # made by name
            yield simulation


def answering(status: int, body: bytes = b"") -> Responder:
    """Return a handler that always responds in the same way."""
    return lambda request: request.answer(status, body)
