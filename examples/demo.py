"""The demonstration: a machine's real state, real wearable data and a repository, from one server.

    python examples/demo.py            serves until Ctrl-C
    python examples/demo.py --once     requests every endpoint once and checks the responses

The pages are at `/`, `/health/` and `/practice/`: the device status of this machine, the health
data of the LifeSnaps people and the snapshot of a practice repository beside this file.  The three
packages are independent: this file mounts their applications, each at its path.

Invariant *nothing is left*: the store is in memory; the token is made for the run and never shown.
Invariant *announced*: pages and terminal say which data are examples, and that the first minutes of
playback are invented.
"""

import asyncio
import socket
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_hex
from typing import Final
from uuid import uuid4

import attrs
import httpx2

from devicestatus import Battery, Music, Settings, Snapshot, System
from devicestatus.adapters.agent import Agent, BufferedAgent
from devicestatus.adapters.application import asgi_app as status_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.upload_client import Destination
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import Batch, Recorder
from devicestatus.cli.serve import PAGES
from devicestatus.endpoints import ENDPOINTS
from devicestatus.limits import PUSH_REALTIME_MS
from healthapi.adapters.application import asgi_app as health_app
from healthapi.adapters.folder import FolderSource
from healthapi.endpoints import ENDPOINTS as HEALTH_ENDPOINTS
from healthapi.endpoints import ROOT
from sitedata.adapters.application import asgi_app as site_app
from sitedata.service import PATH
from status_agent.capture.capture import Capture
from status_agent.cli import AgentLog
from status_contracts.adapters.asgi import App, Receive, Scope, Send
from status_contracts.adapters.clocks import steady_clock, system_clock
from status_contracts.cli.arguments import PORTS, Parser, number
from status_contracts.cli.exit_codes import OK, REFUSED, Failed
from status_contracts.cli.main import run_program
from status_contracts.cli.serving import base_url, listen, place_lines, serving
from status_contracts.cli.terminal import echo
from status_contracts.instants import MINUTE_MS, SECOND_MS
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.primitives import ABSENT

HERE: Final = Path(__file__).parent
PERSON: Final = "person-1"
"""The profile whose every endpoint is requested."""
HTML, JSON = "text/html", "application/json"

_HOST: Final = "127.0.0.1"
_FIRST_PORTS: Final = range(8100, 8200)
_TOKEN_BYTES: Final = 32
_LINKS: Final = (Link("Now", "/"), Link("Health", "/health/"), Link("Practice", "/practice/"))
_PLACES: Final = {
    **{path: f"status: {title}" for path, title in PAGES.items()},
    "/health/": "health: page",
    f"/health{ROOT}/docs": "health: API reference",
    "/practice/": "practice: page",
    f"/practice{PATH}": "practice: snapshot as JSON",
}
_PAST_MS: Final = 15 * MINUTE_MS
_STEP_MS: Final = 15 * SECOND_MS
_ASLEEP: Final = range(4 * MINUTE_MS, 5 * MINUTE_MS + 30 * SECOND_MS)
"""A span without observations, in ms since the start of the past; it becomes a gap."""
_APPS: Final = ("Code", "Terminal", "Firefox", "Mail", "Calendar")
_TRACKS: Final = (("Morning", "Quartet"), ("Harbour", "Trio"), ("Late Train", "Quartet"))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demonstration; return its exit code, as the commands of the packages do."""
    parser = Parser(
        prog="python examples/demo.py",
        description="Serve this machine's state, wearable data and a repository.",
        epilog="exit codes: as those of devicestatus --help",
    )
    parser.set_defaults(command=None, module=__name__, endless=True)
    parser.add_argument("--once", action="store_true", help="request every endpoint once and exit")
    parser.add_argument("--port", type=number(PORTS), help="8100 or the next free; --once: any")
    return run_program(parser, argv)


def run(arguments: Namespace) -> int:
    """Serve all three, for one round or until stopped."""
    return asyncio.run(_run(arguments))


async def _run(arguments: Namespace) -> int:
    token = token_hex(_TOKEN_BYTES)
    with _listener(arguments) as listener, closing(Capture.for_this_machine()) as capture:
        url = base_url(listener)
        async with serving(all_products(token), listener):
            return await (_once if arguments.once else _serve)(url, token, capture)


def _listener(arguments: Namespace) -> socket.socket:
    if arguments.port is not None:
        return listen(_HOST, arguments.port)
    for port in () if arguments.once else _FIRST_PORTS:
        with suppress(Failed):
            return listen(_HOST, port)
    return listen(_HOST, 0)


# Applications


def all_products(token: str) -> App:
    """Return the application of all three products."""
    status = status_app(
        Settings(token),
        store=MemoryStore(),
        page=_page("the first minutes are invented, then this machine follows"),
    )
    people = FolderSource(HERE / "lifesnaps")
    for person in people.ids():
        people.profile(person)  # read before the first request
    health = health_app(people, page=_page("three participants of the LifeSnaps study"))
    practice = site_app(HERE / "practice" / "site-data.json", page=_page("an invented year"))
    below = {"/health/": health, "/practice/": practice}
    return mount(status, below, {ROOT: health, PATH: practice})


def _page(line: str) -> PageSettings:
    return PageSettings(name="Alex Example", line=f"Example data: {line}", pages=_LINKS)


def mount(first: App, below: Mapping[str, App], itself: Mapping[str, App]) -> App:
    """Return one application with others in it.

    Args:
        first: gets what no other gets.
        below: path to the application that is mounted there.
        itself: path of an application that has this path in its own routes.

    """

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        for root, each in itself.items():
            if f"{path}/".startswith(f"{root}/"):
                return await each(scope, receive, send)
        for root, each in below.items():
            if path.startswith(root):
                return await each({**scope, "root_path": root[:-1]}, receive, send)
        return await first(scope, receive, send)

    return app


# An invented past, so that playback can start at once


def recorded_past(rules: PrivacyRules, *, has_running_apps: bool) -> Recorder:
    """Return a recorder that has observed this machine for 15 minutes.

    Running apps are in it only where this machine tells its own, for those shown last stay until
    others are.
    """
    recorder = Recorder(str(uuid4()), rules)
    now, steady = system_clock(), steady_clock()
    for since in range(0, _PAST_MS, _STEP_MS):
        if since not in _ASLEEP:
            ago = _PAST_MS - since
            sample = _sample(now - ago, since, has_running_apps=has_running_apps)
            recorder.observe(sample, wall_ms=now - ago, monotonic_ms=steady - ago)
    return recorder


def _sample(at: int, since: int, *, has_running_apps: bool) -> Snapshot:
    minute = since // MINUTE_MS
    track, artist = _TRACKS[minute // 3 % len(_TRACKS)]
    return Snapshot(
        collected_at=at,
        active_app=_APPS[since // (75 * SECOND_MS) % len(_APPS)],
        battery=Battery(90 - minute // 2, charging=False, power_source="battery"),
        system=System(0.4 + minute % 5 / 4, 0.75, 0.5),
        music=Music("paused" if minute // 3 == 1 else "playing", track, artist),
        running_apps=tuple(sorted(_APPS)) if has_running_apps else ABSENT,
    )


# Serving


async def _serve(url: str, token: str, capture: Capture) -> int:
    """Upload windows of this machine until stopped."""
    read = ("", "what is read of this machine:", *capture.describe(), "")
    for line in (*place_lines(url, _PLACES), *read):
        echo(line)
    echo("the first minutes of playback are invented; then this machine follows")
    echo("press Ctrl-C to stop; no files remain")
    present = await asyncio.to_thread(capture.take, system_clock())
    recorder = recorded_past(capture.rules, has_running_apps=present.running_apps is not ABSENT)
    destination = Destination.from_url(url, token, upload="window")
    agent = BufferedAgent(
        capture.take, destination, capture.rules, listener=AgentLog(), recorder=recorder
    )
    raise Failed(REFUSED, (await agent.run()).message)


# One round


@attrs.frozen
class Probe:
    """A request; the status, the media type and a part of the body that are expected."""

    path: str
    status: int = 200
    media_type: str = JSON
    part: bytes = b""
    method: str = "GET"
    headers: Mapping[str, str] = attrs.field(factory=dict)
    content: bytes = b""


def device_probes(token: str, window: bytes) -> Iterator[Probe]:
    """Yield requests for every endpoint, of which the service has received a snapshot."""
    for endpoint in ENDPOINTS:
        for path in (each.format(id="terminal") for each in endpoint.paths):
            yield Probe(path, 204, "", method="OPTIONS")
            if "GET" in endpoint.methods:
                yield Probe(path, media_type=endpoint.media_type)
    yield from (Probe("/api", media_type=HTML), Probe("/app-icons/index.json"))
    known = {"Authorization": f"Bearer {token}", "Content-Type": JSON}
    yield Probe("/api/batch", 401, method="POST", content=window)
    yield Probe("/api/batch", 400, part=b"invalid_json", method="POST", headers=known, content=b"{")
    yield Probe("/api/batch", method="POST", headers=known, content=window)
    yield Probe("/api/timeline", part=b'"mode":"window"')
    yield Probe("/api/now", part=b'"mode":"delayed"')
    yield Probe("/api/update", 405)


def health_probes() -> Iterator[Probe]:
    """Yield requests for every endpoint of a person, with each key that does not depend on data."""
    for endpoint in HEALTH_ENDPOINTS:
        key = endpoint.key
        for choice in ("",) if key is None else key.choices or ():
            values = {"profile_id": PERSON, "" if key is None else key.name: choice}
            path = f"{ROOT}{endpoint.path.format_map(values)}"
            yield Probe(path, media_type=endpoint.media_type)
    yield Probe(f"{ROOT}/profiles/no-such", 404)


async def answers(client: httpx2.AsyncClient, probes: Iterator[Probe]) -> AsyncIterator[str]:
    """Yield what is wrong with each response; print a line of each.

    A response with an entity tag is asked for again, and must be not modified.
    """
    for probe in probes:
        response = await client.request(
            probe.method, probe.path, headers=dict(probe.headers), content=probe.content
        )
        echo(f"{response.status_code} {probe.method:<7} {probe.path}")
        found = (response.status_code, response.headers.get("content-type", "").split(";")[0])
        expected = (probe.status, probe.media_type)
        if found != expected or probe.part not in response.content:
            yield f"{probe.method} {probe.path}: {found}, expected {expected} {probe.part.decode()}"
        if tag := response.headers.get("etag"):
            again = await client.get(probe.path, headers={"If-None-Match": tag})
            if (again.status_code, again.content) != (304, b""):
                yield f"GET {probe.path}: {again.status_code} for its own entity tag, not 304"


async def _once(url: str, token: str, capture: Capture) -> int:
    """Upload a snapshot of this machine, request every endpoint and check the responses."""
    destination = Destination.from_url(url, token)
    decision = await Agent(capture.take, destination, PUSH_REALTIME_MS).run_once()
    if decision.action != "accepted":
        raise Failed(REFUSED, f"POST /api/update: {decision.message}")
    echo("200 POST    /api/update")
    batch = recorded_past(capture.rules, has_running_apps=False).batch(now_ms=system_clock())
    if not isinstance(batch, Batch):
        raise Failed(REFUSED, f"the recorder has no window: {batch}")
    pages = (Probe(link.url, media_type=HTML) for link in _LINKS)
    rounds = (device_probes(token, batch.body), health_probes(), iter([Probe(PATH)]), pages)
    async with httpx2.AsyncClient(base_url=url) as client:
        faults = [fault for probes in rounds async for fault in answers(client, probes)]
    if faults:
        raise Failed(REFUSED, *faults)
    echo("all responses are as expected")
    return OK


if __name__ == "__main__":
    sys.exit(main())
