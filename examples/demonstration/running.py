"""The demonstration: server and agent in one process, until stopped or for one round.

Invariant *nothing is left*: the store is in a private folder that is removed at the end, and the
token is created for the run and never shown.
"""

import asyncio
import socket
import sys
from argparse import Namespace
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
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
from devicestatus.adapters.agent import Agent, BufferedAgent, new_recorder
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.upload_client import Destination, UploadReport
from devicestatus.agent.delivery import PUSH_INTERVAL_MS, Decision
from devicestatus.cli.inputs import resolve_assets_folder
from devicestatus.cli.serve import PAGES, open_store
from devicestatus.models import Snapshot
from devicestatus.settings import Settings
from status_agent.capture.capture import Capture
from status_agent.cli import AgentLog
from status_contracts.adapters.asgi import App
from status_contracts.adapters.clocks import steady_clock, system_clock
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, Failed
from status_contracts.cli.serving import base_url, listen, serving
from status_contracts.cli.terminal import echo, is_interactive
from status_contracts.instants import SECOND_MS
from status_contracts.pages.settings import PageSettings
from status_contracts.primitives import ABSENT

__all__ = ["Demonstration", "OtherServices", "StatusLine", "run"]

_HOST: Final = "127.0.0.1"
_PORTS: Final = range(8000, 8100)
_TOKEN_BYTES: Final = 32


@attrs.frozen
class OtherServices:
    """Other services on the server of the demonstration.

    Attributes:
        page: what the page of the device status shows of its owner.
        mount: adds the other applications to that of the device status.
        places: path of each page to its description.
        asking: starts the round of their endpoints.

    """

    page: PageSettings
    mount: Callable[[App], App]
    places: Mapping[str, str]
    asking: Callable[[], Round]


def run(arguments: Namespace, others: OtherServices | None = None) -> int:
    """Run the demonstration."""
    return asyncio.run(_demonstrate(arguments, others))


async def _demonstrate(arguments: Namespace, others: OtherServices | None) -> int:
    token = token_hex(_TOKEN_BYTES)
    settings = Settings(token)
    assets = resolve_assets_folder(arguments.assets)
    with ExitStack() as stack:
        listener = stack.enter_context(_listener(arguments))
        folder = stack.enter_context(_private_folder())
        capture = stack.enter_context(closing(Capture.for_this_machine()))
        async with open_store(arguments.store or f"sqlite:{folder}/status.db") as (store, _):
            page = None if others is None else others.page
            app = asgi_app(settings, store=store, assets=assets, page=page)
            async with serving(app if others is None else others.mount(app), listener):
                demonstration = Demonstration(base_url(listener), token, capture, others)
                return await (demonstration.once() if arguments.once else demonstration.serve())


def _listener(arguments: Namespace) -> socket.socket:
    if arguments.port is not None:
        return listen(_HOST, arguments.port)
    for port in () if arguments.once else _PORTS:
        with suppress(Failed):
            return listen(_HOST, port)
    return listen(_HOST, 0)


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
    """Shows the uploads in one line.

    Attributes:
        accepted: number of accepted windows.
        label: outcome of the last upload.
        next_at: time of the next upload, ms since the epoch.

    """

    accepted: int = 0
    label: str = "looking at this machine"
    next_at: int = 0

    def uploaded(self, report: UploadReport, wait_ms: int | None) -> None:
        """Record the outcome of an upload."""
        self.accepted += report.decision.action == "accepted"
        self.label = report.text
        self.next_at = system_clock() + (wait_ms or 0)

    async def show(self) -> NoReturn:
        """Update the line; without a terminal, write a line when it changes."""
        shown = None
        while True:
            state = f"{self.label}; {self.accepted} accepted so far"
            if is_interactive():
                left = max(0, self.next_at - system_clock()) // SECOND_MS
                sys.stdout.write(f"\r\033[K{state}; next in {left} s")
                sys.stdout.flush()
            elif state != shown:
                shown = state
                echo(state)
            await asyncio.sleep(1)


@attrs.define(eq=False)
class Demonstration:
    """A running server and its agents.

    Attributes:
        url: base URL of the server.
        token: its ingest token.
        capture: reads this machine.
        others: the other services, if any.
        faults: problems of the responses of a round.

    """

    url: str
    token: str = attrs.field(repr=False)
    capture: Capture
    others: OtherServices | None = None
    faults: list[str] = attrs.field(factory=list)

    async def serve(self) -> int:
        """Upload windows of this machine until stopped."""
        places = {**PAGES, **({} if self.others is None else self.others.places)}
        for path, label in places.items():
            echo(f"{self.url}{path}  {label}")
        for line in self.capture.describe():
            echo(line)
        echo("the first minutes of playback are invented; then this machine follows")
        echo("press Ctrl-C to stop; no files remain")
        status = StatusLine()
        present = await asyncio.to_thread(self.capture.take, system_clock())
        agent = self._buffered(status, has_running_apps=present.running_apps is not ABSENT)
        try:
            decision = await _first_result(agent.run(), status.show())
        finally:
            if is_interactive():
                echo("")  # after the status line
        raise Failed(REFUSED, decision.message)

    async def once(self) -> int:
        """Upload one snapshot, and request every endpoint."""
        taken: list[Snapshot] = []
        decision = await self._agent(taken).run_once()
        if decision.action != "accepted":
            raise Failed(REFUSED, f"POST /api/update: {decision.message}")
        echo(row("POST", "/api/update", 200, "this machine's snapshot, by the agent"))
        window = small_window(taken[0], system_clock())
        await go_round(whole_round(taken[0], self.token, window), self._check)
        if self.others is not None:
            await go_round(self.others.asking(), self._check)
        if self.faults:
            raise Failed(REFUSED, *self.faults)
        echo("all responses are as expected")
        return OK

    def _agent(self, taken: list[Snapshot]) -> Agent:
        def take(collected_at: int) -> Snapshot:
            taken.append(self.capture.take(collected_at))
            return taken[-1]

        destination = Destination.from_url(self.url, self.token)
        return Agent(take, destination, PUSH_INTERVAL_MS["realtime"], StatusLine())

    def _buffered(self, status: StatusLine, *, has_running_apps: bool) -> BufferedAgent:
        rules = self.capture.rules
        recorder = new_recorder(rules)
        record_past(
            recorder,
            has_running_apps=has_running_apps,
            wall_ms=system_clock(),
            monotonic_ms=steady_clock(),
        )
        destination = Destination.from_url(self.url, self.token, upload="window")
        return BufferedAgent(self.capture.take, destination, rules, status, recorder=recorder)

    async def _check(self, probe: Probe) -> Answer:
        """Send a probe, show its response and record what is wrong with it."""
        answer = await answer_to(self.url, probe)
        echo(row(probe.method, probe.path, answer.status, probe.label))
        fault = fault_of(probe, answer)
        if fault is not None:
            self.faults.append(f"{probe.method} {probe.path}: {answer.status}, {fault}")
        return answer


async def _first_result(*works: Coroutine[Any, Any, Decision]) -> Decision:
    """Run coroutines until one of them ends; return its result."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return done.pop().result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
