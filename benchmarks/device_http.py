"""The service compared with a port to FastAPI and pydantic: `python benchmarks/device_http.py`.

The port (`fastapi_service`) has the same rules, the same store and the same stored bytes; equal
responses are checked before measuring.  Variants that let FastAPI read the body, or cache the last
window as our service does, separate the causes of a ratio.

- `/api/now` and `/api/timeline` of an unchanged full window, and `/api/batch`, in process and over
  sockets;
- the projection against a replay per query, preparing against validating;
- memory of a service that has been sent a thousand windows.
"""

import asyncio
import gc
import json
import multiprocessing
import os
import socket
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import chain
from typing import Any, Final

import attrs
import uvicorn
from device_data import RECEIVED_AT, window_plain
from fastapi_service import FastApiService, decoded
from measuring import Measured, compare, show
from playback import replay

from devicestatus import limits, parse_window
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.projection import NoData, prepare
from devicestatus.settings import Settings
from status_contracts import json_text as codec
from status_contracts.adapters.asgi import App
from status_contracts.instants import format_instant, parse_millisecond

ROUNDS: Final = 15
TOKEN: Final = "t" * limits.TOKEN_LENGTH_MIN
NOW: Final = RECEIVED_AT
"""Time of all requests; the displayed time is in no gap."""
GAP_MS: Final = 1000
WINDOWS: Final = 1000
OURS, PEER = "devicestatus", "FastAPI and pydantic"
DECLARED, KEEPING = "the same, body declared to FastAPI", "the same, keeping the last window"


def clock() -> int:
    """Return the fixed time."""
    return NOW


def full_body() -> bytes:
    """Return a window with the maximum numbers of events and gaps."""
    plain = window_plain(limits.WINDOW_EVENTS, limits.WINDOW_GAPS)
    for gap in plain["gaps"]:
        gap["end_at"] = format_instant(parse_millisecond(gap["start_at"]) + GAP_MS)
    return codec.encode(plain)


@attrs.frozen
class Asked:
    """A request."""

    method: str
    path: str
    body: bytes = b""
    token: str = TOKEN
    media_type: str = "application/json"

    @property
    def headers(self) -> dict[str, str]:
        """Bytes of the request on a connection."""
        if self.method == "GET":
            return {"host": "device.example"}
        return {
            "host": "device.example",
            "authorization": f"Bearer {self.token}",
            "content-type": self.media_type,
            "content-length": str(len(self.body)),
        }


@attrs.frozen
class Answered:
    """A response; the order of headers is irrelevant."""

    status: int
    headers: Mapping[str, str]
    body: Any


async def ask(app: App, asked: Asked) -> tuple[Mapping[str, Any], bytes]:
    """Call an application; return the start of its response, and the body."""
    sent: list[Mapping[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": asked.body, "more_body": False}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": asked.path,
        "raw_path": asked.path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in asked.headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    await app(scope, receive, send)
    return sent[0], b"".join(each.get("body", b"") for each in sent[1:])


def answered(app: App, questions: Iterable[Asked]) -> list[Answered]:
    """Send requests one after the other; return comparable responses."""
    answers = []
    for asked in questions:
        start, body = asyncio.run(ask(app, asked))
        headers = {name.decode(): value.decode() for name, value in start["headers"]}
        del headers["content-length"]  # 1.0 and 1 are the same number in JSON
        answers.append(Answered(start["status"], headers, json.loads(body)))
    return answers


def apps(value: bytes | None = None) -> dict[str, App]:
    """Create our application and the ports, each with its own store of the same value."""
    made: dict[str, App] = {}
    for name in (OURS, PEER, KEEPING):
        store = MemoryStore()
        if value is not None:
            store.put(limits.STORE_KEY, value, expires_at_ms=0)
        if name == OURS:
            made[name] = asgi_app(Settings(TOKEN), store=store, clock=clock)
        else:
            read = lru_cache(maxsize=1)(decoded) if name == KEEPING else decoded
            made[name] = FastApiService(store, token=TOKEN, clock=clock, read=read).app()
    return made


def stored_value(body: bytes) -> bytes:
    """Return the value that our service stores for a body."""
    store = MemoryStore()
    app = asgi_app(Settings(TOKEN), store=store, clock=clock)
    asyncio.run(ask(app, Asked("POST", "/api/batch", body)))
    value = store.get(limits.STORE_KEY)
    if value is None:
        raise ValueError("the window is not accepted")
    return value


def compare_answers(body: bytes, value: bytes) -> None:
    """Raise ValueError unless all responses and stored values are equal."""
    now, timeline = Asked("GET", "/api/now"), Asked("GET", "/api/timeline")
    batch = Asked("POST", "/api/batch", body)
    gapped = stored_value(codec.encode(window_plain(0, limits.WINDOW_GAPS)))
    faulty = body.replace(b'"seq":2048,', b'"seq":2047,')
    questions: list[tuple[bytes | None, tuple[Asked, ...]]] = [
        (None, (now, timeline, batch, now, timeline)),
        (value, (now, timeline)),
        (gapped, (now, timeline)),
        (value[:-9], (now, timeline)),
        (None, (attrs.evolve(batch, token="u" * limits.TOKEN_LENGTH_MIN), now)),
        (None, (attrs.evolve(batch, media_type="text/plain"), now)),
        (None, (attrs.evolve(batch, body=faulty), now)),
    ]
    for stored, asked in questions:
        answers = {name: answered(app, asked) for name, app in apps(stored).items()}
        if any(each != answers[OURS] for each in answers.values()):
            raise ValueError(f"they differ about {[each.path for each in asked]}")
    declared = attrs.evolve(batch, path="/api/declared")
    if answered(apps()[PEER], [declared, timeline]) != answered(apps()[OURS], [batch, timeline]):
        raise ValueError("they differ where FastAPI reads the body")
    print(f"all give the same {sum(len(asked) for _, asked in questions)} answers")


# Requests


def requests(body: bytes, value: bytes) -> None:
    """Measure requests in process."""
    cases = (
        ("GET /api/now", Asked("GET", "/api/now"), 20.0, 100, 2),
        ("GET /api/timeline", Asked("GET", "/api/timeline"), None, 2, 2),
        ("POST /api/batch", Asked("POST", "/api/batch", body), 1.5, 2, 2),
    )
    with asyncio.Runner() as runner:

        def asking(app: App, asked: Asked, times: int) -> Callable[[], None]:
            async def all_of_them() -> None:
                for _ in range(times):
                    await ask(app, asked)

            return lambda: runner.run(all_of_them())

        for title, asked, goal, many, few in cases:
            made = apps(value)
            times = {name: many if name in (OURS, KEEPING) else few for name in made}
            calls = {name: asking(app, asked, times[name]) for name, app in made.items()}
            if asked.method == "POST":
                declared = attrs.evolve(asked, path="/api/declared")
                del calls[KEEPING]  # it writes as the port does
                calls[DECLARED], times[DECLARED] = asking(made[PEER], declared, few), few
            rates(f"{title}, in process", compare(calls, ROUNDS), times, goal)


def rates(
    title: str, measured: list[Measured], times: Mapping[str, int], goal: float | None = None
) -> None:
    """Print a table of requests per second; ratios compare our median with the other's."""
    each = {one.name: one.median / times[one.name] for one in measured}
    print(f"\n{title}")
    for name, seconds in each.items():
        ratio = seconds / each[OURS]
        print(
            f"  {name:<44} {seconds * 1e3:10.3f} ms {1 / seconds:12,.1f} per second"
            f"  ours is {ratio:8.2f} times that"
        )
    if goal is not None:
        held(f"times the throughput of {PEER}", each[PEER] / each[OURS], goal)


def held(what: str, found: float, goal: float) -> None:
    """Print a figure and its goal."""
    print(f"  {found:.2f} {what}; goal {goal:g}: {'met' if found >= goal else 'missed'}")


# Over sockets


def serve(name: str, listening: socket.socket, value: bytes) -> None:
    """Serve one contender in its own process until it is stopped."""
    config = uvicorn.Config(apps(value)[name], log_level="error", lifespan="off")
    uvicorn.Server(config).run(sockets=[listening])


@contextmanager
def served(name: str, value: bytes) -> Iterator[HTTPConnection]:
    """Return a connection to the server of a contender."""
    context = multiprocessing.get_context("spawn")
    # asyncio disables Nagle's algorithm only if the protocol is named
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        process = context.Process(target=serve, args=(name, listening, value))
        process.start()
        connection = HTTPConnection(*listening.getsockname())
        try:
            yield connection
        finally:
            connection.close()
            process.terminate()
            process.join()


def over_sockets(body: bytes, value: bytes) -> None:
    """Measure the same requests over persistent connections."""
    cases = (
        (Asked("GET", "/api/now"), 20),
        (Asked("GET", "/api/timeline"), 2),
        (Asked("POST", "/api/batch", body), 2),
    )
    with served(OURS, value) as ours, served(PEER, value) as peer:
        connections = {OURS: ours, PEER: peer}

        def asking(connection: HTTPConnection, asked: Asked, times: int) -> Callable[[], None]:
            def calls() -> None:
                for _ in range(times):
                    connection.request(asked.method, asked.path, asked.body, asked.headers)
                    response = connection.getresponse()
                    if response.status != HTTPStatus.OK or not response.read():
                        raise ValueError("no answer")

            return calls

        for asked, many in cases:
            times = {OURS: many, PEER: 2}
            calls = {
                name: asking(connection, asked, times[name])
                for name, connection in connections.items()
            }
            title = f"{asked.method} {asked.path}, over a socket, uvicorn"
            rates(title, compare(calls, ROUNDS), times)


# The projection


def projecting(body: bytes) -> None:
    """Measure preparing a window and querying it, against a replay for each query."""
    window = parse_window(body, received_at=RECEIVED_AT)
    prepared = prepare(window)
    span = limits.WINDOW_SPAN_MS
    moments = [window.window_start + number * 7919 % span for number in range(2000)]
    few, nows = moments[:100], [at + limits.PLAYBACK_DELAY_MS for at in moments] * 50
    for at, now in zip(few, nows, strict=False):
        found = prepared.project(now)
        if replay(window, at) != (None if isinstance(found, NoData) else found):
            raise ValueError("they disagree")

    def replays() -> None:
        for at in few:
            replay(window, at)

    def projections() -> None:
        project = prepared.project
        for now in nows:
            project(now)

    measured = compare({"replay per query": replays, OURS: projections}, ROUNDS)
    times = {"replay per query": len(few), OURS: len(nows)}
    rates("projecting a full window", measured, times)
    replaying, projected = (one.median / times[one.name] for one in measured)
    held("times the queries of a replay", replaying / projected, 1000)

    measured = compare(
        {
            "validating": lambda: parse_window(body, received_at=RECEIVED_AT),
            "preparing": lambda: prepare(window),
        },
        ROUNDS,
    )
    show("making a full window ready", measured)
    held("times as long takes validating", measured[0].median / measured[1].median, 2)


def memory(body: bytes) -> None:
    """Print the memory of a service with one full window, and after a thousand others."""
    small = codec.encode(window_plain(128, 8))

    def send(app: App, bodies: Iterator[bytes]) -> None:
        async def all_of_them() -> None:
            for each in bodies:
                await ask(app, Asked("POST", "/api/batch", each))
                await ask(app, Asked("GET", "/api/now"))

        asyncio.run(all_of_them())

    def others(count: int) -> Iterator[bytes]:
        for number in range(count):
            names = small.replace(b"Application", b"Program %d" % number)
            yield names.replace(b"Song", b"Air %d" % number)

    send(apps()[OURS], iter([body, *others(3)]))  # caches are full before
    gc.collect()
    tracemalloc.start()
    app = asgi_app(Settings(TOKEN), store=MemoryStore(), clock=clock)
    held_by = []
    for bodies in (iter([body]), chain(others(WINDOWS), [body])):
        send(app, bodies)
        gc.collect()
        held_by.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    print(
        f"\na service with a full window of {len(body)} bytes holds {held_by[0] / 1e6:.3f} MB,"
        f" after {WINDOWS} others {held_by[1] / 1e6:.3f} MB"
    )


if __name__ == "__main__":
    print(f"load of the machine: {os.getloadavg()}")
    full = full_body()
    stored = stored_value(full)
    print(f"a window of {len(full)} bytes, {len(stored)} as stored")
    compare_answers(full, stored)
    requests(full, stored)
    over_sockets(full, stored)
    projecting(full)
    memory(full)
    print(f"load of the machine: {os.getloadavg()}")
