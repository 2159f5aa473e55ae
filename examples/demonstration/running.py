"""The demonstration: server and agent in one process, until stopped or for one whole round.

Invariant *nothing is left*: the store lies in a private folder that is removed at the end, and the
token is made for the run and never shown.
"""

import asyncio
import socket
from argparse import Namespace
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, Final, NoReturn

import attrs

from demonstration.device_round import small_window, whole_round
from demonstration.past import record_past
from demonstration.probes import (
    Answer,
    Probe,
    Round,
    answer_to,
    fault_of,
    go_round,
    row,
)
from devicestatus.adapters.agent import Agent
from devicestatus.adapters.asgi import create_app
from devicestatus.adapters.buffered_agent import BufferedAgent, new_recorder
from devicestatus.adapters.capture.readings import Capture
from devicestatus.adapters.commands.agent import AgentLog
from devicestatus.adapters.commands.serve import PAGES, resolve_assets_folder
from devicestatus.adapters.commands.stores import open_store
from devicestatus.adapters.upload_client import Destination
from devicestatus.agent.delivery import PUSH_INTERVAL_MS, Decision
from devicestatus.models.snapshot import Snapshot
from devicestatus.settings import Settings
from purewire.absent import ABSENT
from purewire.adapters.asgi import App
from purewire.adapters.clocks import steady_clock, system_clock
from purewire.adapters.commands.exit_codes import CANNOT, OK, REFUSED, Failed
from purewire.adapters.commands.serving import base_url, listen, listen_on_first, serving
from purewire.adapters.commands.signals import run_until_stopped
from purewire.adapters.commands.terminal import echo, is_interactive, rewrite_line
from purewire.instants import SECOND_MS

__all__ = ["Demonstration", "Guest", "StatusLine", "run"]

_HOST: Final = "127.0.0.1"
_PORTS: Final = range(8000, 8100)
_TOKEN_BYTES: Final = 32


@attrs.frozen
class Guest:
    """Other services on the server of the demonstration.

    Attributes:
        beside: makes the application of all, of that of the status.
        places: what there is of them to look at, and what it is.
        asking: begins the round of their endpoints.

    """

    beside: Callable[[App], App]
    places: Mapping[str, str]
    asking: Callable[[], Round]


def run(arguments: Namespace, guest: Guest | None = None) -> int:
    """Run the demonstration."""
    return run_until_stopped(_demonstrate(arguments, guest), endless=not arguments.once)


async def _demonstrate(arguments: Namespace, guest: Guest | None) -> int:
    token = token_hex(_TOKEN_BYTES)
    settings = Settings(token)
    assets = resolve_assets_folder(arguments.assets)
    with ExitStack() as stack:
        listener = stack.enter_context(_listener(arguments))
        folder = stack.enter_context(_private_folder())
        capture = stack.enter_context(closing(Capture.for_this_machine()))
        async with open_store(arguments.store or f"sqlite:{folder}/status.db") as (store, _):
            app = create_app(settings, store=store, assets=assets)
            async with serving(app if guest is None else guest.beside(app), listener):
                demonstration = Demonstration(base_url(listener), token, capture, guest)
                return await (demonstration.once() if arguments.once else demonstration.go_on())


def _listener(arguments: Namespace) -> socket.socket:
    if arguments.port is not None:
        return listen(_HOST, arguments.port)
    return listen(_HOST, 0) if arguments.once else listen_on_first(_HOST, _PORTS)


@contextmanager
def _private_folder() -> Iterator[str]:
    try:
        folder = TemporaryDirectory(prefix="devicestatus-demo-")
    except OSError as fault:
        raise Failed(CANNOT, f"cannot make a temporary folder: {fault.strerror}") from None
    with folder as name:
        yield name


@attrs.define(eq=False)
class StatusLine(AgentLog):
    """Tells the uploads in one line.

    Attributes:
        accepted: how many windows the server has taken.
        words: what became of the last one.
        next_at: when the next one follows, ms since the epoch.

    """

    accepted: int = 0
    words: str = "looking at this machine"
    next_at: int = 0

    def uploaded(self, decision: Decision, error: str | None) -> None:
        """Note what became of an upload; its message is enough, with the type of the `error`."""
        self.accepted += decision.action == "accepted"
        self.words = decision.message if error is None else f"{decision.message} ({error})"
        self.next_at = system_clock() + (decision.wait_ms or 0)

    async def keep_true(self) -> NoReturn:
        """Keep the line true; where nobody watches, write a line when it changes."""
        told = None
        while True:
            state = f"{self.words}; {self.accepted} accepted so far"
            if is_interactive():
                left = max(0, self.next_at - system_clock()) // SECOND_MS
                rewrite_line(f"{state}; next in {left} s")
            elif state != told:
                told = state
                echo(state)
            await asyncio.sleep(1)


@attrs.define(eq=False)
class Demonstration:
    """A running server, and the agents that feed it.

    Attributes:
        url: where the server is.
        token: its ingest token.
        capture: reads this machine.
        guest: the other service, if there is one.
        faults: what was wrong with the answers of a round.

    """

    url: str
    token: str = attrs.field(repr=False)
    capture: Capture
    guest: Guest | None = None
    faults: list[str] = attrs.field(factory=list)

    async def go_on(self) -> int:
        """Feed the server with this machine's window until stopped."""
        places = {**PAGES, **({} if self.guest is None else self.guest.places)}
        for path, words in places.items():
            echo(f"{self.url}{path}  {words}")
        for line in self.capture.describe():
            echo(line)
        echo("the first minutes that play back are scripted, and say so; this machine follows")
        echo("Ctrl-C stops it, and leaves nothing behind")
        status = StatusLine()
        present = await asyncio.to_thread(self.capture.take, system_clock())
        agent = self._buffered(status, tells_running_apps=present.running_apps is not ABSENT)
        try:
            decision = await _first(agent.run(), status.keep_true())
        finally:
            if is_interactive():
                echo("")  # after the status line
        raise Failed(REFUSED, decision.message)

    async def once(self) -> int:
        """Feed the server once, and ask it for everything."""
        taken: list[Snapshot] = []
        report = await self._agent(taken).run_once()
        if report.decision.action != "accepted":
            raise Failed(REFUSED, f"POST /api/update: {report.decision.message}")
        echo(row("POST", "/api/update", 200, "this machine's snapshot, by the agent"))
        window = small_window(taken[0], system_clock())
        await go_round(whole_round(taken[0], self.token, window), self._judge)
        if self.guest is not None:
            await go_round(self.guest.asking(), self._judge)
        if self.faults:
            raise Failed(REFUSED, *self.faults)
        echo("every answer is right")
        return OK

    def _agent(self, taken: list[Snapshot]) -> Agent:
        def take(collected_at: int) -> Snapshot:
            taken.append(self.capture.take(collected_at))
            return taken[-1]

        destination = Destination.from_url(self.url, self.token)
        return Agent(take, destination, PUSH_INTERVAL_MS["realtime"], lambda _report: None)

    def _buffered(self, status: StatusLine, *, tells_running_apps: bool) -> BufferedAgent:
        rules = self.capture.rules
        recorder = new_recorder(rules)
        record_past(
            recorder,
            tells_running_apps=tells_running_apps,
            wall_ms=system_clock(),
            monotonic_ms=steady_clock(),
        )
        destination = Destination.from_url(self.url, self.token, upload="window")
        return BufferedAgent(self.capture.take, recorder, rules, destination, status)

    async def _judge(self, probe: Probe) -> Answer:
        """Send a probe, show its answer and note what is wrong with it."""
        answer = await answer_to(self.url, probe)
        echo(row(probe.method, probe.path, answer.status, probe.words))
        fault = fault_of(probe, answer)
        if fault is not None:
            self.faults.append(f"{probe.method} {probe.path}: {answer.status}, {fault}")
        return answer


async def _first(*works: Coroutine[Any, Any, Decision]) -> Decision:
    """Run works together until one of them ends; give what it gave."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return done.pop().result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
