"""Requests per second of each read endpoint over real sockets: `python benchmarks/http_load.py`.

One server process runs on one processor; `wrk` (the Debian package) runs on another, with 32
connections that always have a request in flight.  The rate is that of one core, and the latency is
that of a saturated server.  Contenders take turns; medians of the rounds are shown.

The peer is FastAPI with pydantic.  For device status it is the port in `fastapi_service`: the same
rules, store and responses.  For health data and site data it holds the values and only encodes
them, which is the least that such a service does.  Responses are compared before measuring.

`--stores` measures `GET /api/now` by store instead.  `--freeze` lets the garbage collector of all
servers skip what exists after the imports, as `devicestatus serve` does.
"""

import argparse
import asyncio
import gc
import http.client
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
from device_data import window_plain
from device_http import GAP_MS, TOKEN, Asked, ask, clock, stored_value
from fastapi import FastAPI
from fastapi_service import FastApiService, decoded
from health_data import profile_files
from measuring import free_port, running
from site_data import PydanticSnapshot, snapshot_body

from devicestatus import Settings, limits
from devicestatus.adapters import application as device
from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.redis import AsyncRedisStore
from devicestatus.adapters.sqlite import SQLiteStore
from healthapi.adapters import application as health
from healthapi.endpoints import ENDPOINTS, ROOT
from sitedata import parse
from sitedata.adapters import application as site
from sitedata.service import PATH
from status_contracts import json_text as codec
from status_contracts.adapters.asgi import App
from status_contracts.instants import format_instant, parse_millisecond

HERE: Final = Path(__file__).parent
OURS, PEER = "ours", "FastAPI"
FREEZE: Final = "LOAD_FREEZE"
"""Variable of the environment of the servers."""
LABEL: Final = "Device"
"""Label of the badge."""
EVENTS, GAPS = 200, 2
"""Events and gaps of the window: five minutes of a person at work."""
DAYS: Final = 365
PROBLEMS: Final = 1100
CONNECTIONS: Final = 32
SECONDS: Final = 2
ROUNDS: Final = 3
START_SECONDS: Final = 60
PERSISTENT: Final = 4_000_000_000_000
"""Expiry for the stores, ms; the service compares the expiry in the record with its own clock."""
SERVERS: Final = {
    "uvicorn": ("uvicorn", "--log-level", "error", "--factory"),
    "granian": ("granian", "--interface", "asgi", "--log-level", "error", "--factory", "--no-ws"),
}
DEVICE_PATHS: Final = (
    *("/api/now", "/api/timeline", "/api/music", "/api/apps/active", "/api/apps/running"),
    *("/api/device", "/api/badge.svg", "/api/health", "/"),
)
KEYS: Final = {
    "profile_id": "person",
    "metric_key": "steps",
    "dataset": "daily",
    "granularity": "daily",
    "section_key": "vitals",
    "table_key": "sleep",
    "endpoint_key": "devices",
    "chart": "series",
}
REPORT: Final = """
done = function(summary, latency, requests)
  local errors = summary.errors
  print(string.format("RESULT %d %d %d %d %d", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
"""
"""Script of wrk: one line with the number of requests, duration and latencies in us, errors."""


# Files, written once


def write_files(folder: Path) -> None:
    """Write what the servers serve: the record of a window, a profile, and a snapshot."""
    record = window_value()
    (folder / "record").write_bytes(record)
    with SQLiteStore(folder / "status.sqlite") as store:
        store.put(limits.STORE_KEY, record, expires_at_ms=PERSISTENT)
    saved = {"ok": True, "data": [{"type": "TRACKER", "battery": "High"}]}
    snapshot = {"saved_at": "2026-01-31T12:00:00", "endpoints": {KEYS["endpoint_key"]: saved}}
    for name, data in {
        **profile_files(DAYS),
        "cache/fitbit_profile_snapshot.json": json.dumps(snapshot).encode(),
    }.items():
        path = folder / "people" / KEYS["profile_id"] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    app, bodies = health.asgi_app(folder / "people", clock=clock), {}
    for target in health_paths():
        start, body = asyncio.run(ask(app, Asked("GET", target)))
        if body.startswith(b"{") and start["status"] == http.HTTPStatus.OK:
            bodies[target] = json.loads(body)
    (folder / "health.json").write_text(json.dumps(bodies))
    (folder / "site.json").write_bytes(snapshot_body(PROBLEMS))


def window_value() -> bytes:
    """Return the stored value of a usual window."""
    plain = window_plain(EVENTS, GAPS)
    for gap in plain["gaps"]:
        gap["end_at"] = format_instant(parse_millisecond(gap["start_at"]) + GAP_MS)
    return stored_value(codec.encode(plain))


def health_paths() -> tuple[str, ...]:
    """Return a path of each endpoint of health data."""
    return tuple(ROOT + each.path.format_map(KEYS) for each in ENDPOINTS)


# Applications, created in the server process


def folder_of_environment() -> Path:
    """Return the folder with the files."""
    return Path(os.environ["LOAD_FOLDER"])


def device_app() -> App:
    """Create our service of device status with a store in memory."""
    return device.asgi_app(settings(), store=stored(), clock=clock)


def device_on_sqlite() -> App:
    """Create the same with a store in a file."""
    store = SQLiteStore(folder_of_environment() / "status.sqlite")
    return device.asgi_app(settings(), store=store, clock=clock)


def device_on_redis() -> App:
    """Create the same with a Redis server."""
    store = AsyncRedisStore.from_url(os.environ["LOAD_REDIS"])
    return device.asgi_app(settings(), store=store, clock=clock)


def device_peer() -> App:
    """Create the port to FastAPI."""
    return FastApiService(stored(), token=TOKEN, clock=clock, read=decoded, label=LABEL).app()


def settings() -> Settings:
    """Return the settings of our service."""
    return Settings(TOKEN, service_name=LABEL)


def stored() -> MemoryStore:
    """Return a store that has the record."""
    store = MemoryStore()
    record = (folder_of_environment() / "record").read_bytes()
    store.put(limits.STORE_KEY, record, expires_at_ms=PERSISTENT)
    return store


def health_app() -> App:
    """Create our service of health data."""
    return health.asgi_app(folder_of_environment() / "people", clock=clock)


def health_peer() -> App:
    """Create a FastAPI application with the values of all responses that are JSON."""
    app = FastAPI(openapi_url=None)
    bodies = json.loads((folder_of_environment() / "health.json").read_bytes())
    for path, value in bodies.items():
        app.add_api_route(path, returning(value), response_model=dict[str, Any])
    return app


def site_app() -> App:
    """Create our service of site data."""
    return site.asgi_app(parse((folder_of_environment() / "site.json").read_bytes()))


def site_peer() -> App:
    """Create a FastAPI application with the snapshot as a pydantic model."""
    app = FastAPI(openapi_url=None)
    body = (folder_of_environment() / "site.json").read_bytes()
    snapshot = PydanticSnapshot.model_validate_json(body)
    app.add_api_route(PATH, returning(snapshot), response_model=PydanticSnapshot)
    return app


def returning(value: object) -> Callable[[], Any]:
    """Return an endpoint function that returns a value; FastAPI runs others on threads."""

    async def endpoint() -> object:
        return value

    return endpoint


# Servers and load


@attrs.frozen
class Load:
    """The result of one run of wrk; latencies in ms."""

    rate: float
    p50: float
    p99: float


@contextmanager
def served(app: str, server: str, folder: str, redis: str = "") -> Iterator[int]:
    """Serve a function of this module on the first processor; return the port."""
    port = free_port()
    command = [sys.executable, "-m", *SERVERS[server], "--port", str(port), f"http_load:{app}"]
    variables = {"LOAD_FOLDER": folder, "LOAD_REDIS": redis, "PYTHONPATH": str(HERE)}
    with running([*pinned(0), *command], port, **variables):
        yield port


def pinned(number: int) -> list[str]:
    """Return the start of a command that runs on one of the processors."""
    allowed = sorted(os.sched_getaffinity(0))
    return ["taskset", "--cpu-list", str(allowed[number % len(allowed)])]


def get(port: int, path: str) -> tuple[int, bytes, str | None]:
    """Send one request on a new connection; return status, body and ETag."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read(), response.headers["ETag"]
    finally:
        connection.close()


def load(port: int, path: str, seconds: int, etag: str | None = None) -> Load:
    """Run wrk once; raise ValueError if a request fails."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(REPORT)
        script.flush()
        command = [
            *(*pinned(1), "wrk", "--threads", "1", "--connections", str(CONNECTIONS)),
            *("--duration", f"{seconds}s", "--script", script.name),
            *(() if etag is None else ("--header", f"If-None-Match: {etag}")),
            f"http://127.0.0.1:{port}{path}",
        ]
        run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    report = run.stdout.rpartition("RESULT ")[2].split()
    count, micros, p50, p99, errors = map(int, report)
    if errors or not count:
        raise ValueError(f"{path}: {errors} of {count} requests failed")
    return Load(count / micros * 1e6, p50 / 1e3, p99 / 1e3)


def medians(runs: Mapping[str, Callable[[], Load]], rounds: int) -> dict[str, Load]:
    """Run contenders in turn; return the medians of each."""
    found: dict[str, list[Load]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            found[name].append(run())
    return {
        name: Load(
            *(statistics.median(column) for column in zip(*map(attrs.astuple, loads), strict=True))
        )
        for name, loads in found.items()
    }


def show(title: str, measured: Mapping[str, Load]) -> None:
    """Print one line: rate, median and 99th percentile in ms of each contender."""
    cells = (
        f"{name} {each.rate:9,.0f}/s {each.p50:6.2f} {each.p99:6.2f} ms"
        for name, each in measured.items()
    )
    print(f"  {title:<52}" + "   ".join(cells), flush=True)


# Measurements


def measure_endpoints(
    folder: str, product: str, servers: Sequence[str], seconds: int, rounds: int
) -> None:
    """Print a table of all read endpoints of one product."""
    with ExitStack() as stack:
        ports = {
            (name, server): stack.enter_context(served(f"{product}_{kind}", server, folder))
            for server in servers
            for name, kind in ((OURS, "app"), (PEER, "peer"))
        }
        print(f"\n{product}: requests per second, p50 and p99")
        for path in PATHS_OF[product]():
            ours = get(ports[OURS, servers[0]], path)
            if ours[0] != http.HTTPStatus.OK:
                print(f"  {path} has status {ours[0]}: not measured")
                continue
            peer = get(ports[PEER, servers[0]], path)
            has_peer = peer[0] == http.HTTPStatus.OK
            if has_peer and not same(ours[1], peer[1]):
                raise ValueError(f"the responses differ: {path}")
            runs = {
                f"{name}, {server}": partial(load, port, path, seconds)
                for (name, server), port in ports.items()
                if name == OURS or has_peer
            }
            show(f"{path} ({len(ours[1]):,} bytes)", medians(runs, rounds))
            if ours[2] is not None:
                runs = {
                    f"{OURS}, {server}": partial(
                        load, ports[OURS, server], path, seconds, etag=ours[2]
                    )
                    for server in servers
                }
                show("  the same, not modified (304)", medians(runs, rounds))


def same(one: bytes, other: bytes) -> bool:
    """Check whether two bodies are equal, as JSON where they are JSON."""
    return one == other or (one[:1] in b"[{" and json.loads(one) == json.loads(other))


async def store_record(redis: str, record: bytes) -> None:
    """Write a record as the service does."""
    async with AsyncRedisStore.from_url(redis) as store:
        await store.put(limits.STORE_KEY, record, expires_at_ms=PERSISTENT)


def measure_stores(
    folder: str, servers: Sequence[str], seconds: int, rounds: int, redis: str | None
) -> None:
    """Print a table of `GET /api/now` by store."""
    apps = ["device_app", "device_on_sqlite"]
    if redis is not None:
        record = (Path(folder) / "record").read_bytes()
        asyncio.run(store_record(redis, record))
        apps.append("device_on_redis")
    print("\nGET /api/now by store: requests per second, p50 and p99")
    with ExitStack() as stack:
        for server in servers:
            runs = {}
            for app in apps:
                port = stack.enter_context(served(app, server, folder, redis or ""))
                runs[app] = partial(load, port, "/api/now", seconds)
            show(server, medians(runs, rounds))


PATHS_OF: Final[Mapping[str, Callable[[], tuple[str, ...]]]] = {
    "device": lambda: DEVICE_PATHS,
    "health": health_paths,
    "site": lambda: (PATH,),
}


def main() -> None:
    """Measure as the arguments request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--products", nargs="+", choices=PATHS_OF, default=list(PATHS_OF))
    parser.add_argument("--servers", nargs="+", choices=SERVERS, default=["uvicorn", "granian"])
    parser.add_argument("--seconds", type=int, default=SECONDS, help="of one run (%(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="(%(default)s)")
    parser.add_argument("--stores", action="store_true", help="measure /api/now by store")
    parser.add_argument("--freeze", action="store_true", help="freeze the garbage collector")
    parser.add_argument("--redis", metavar="URL", help="a Redis server for --stores")
    arguments = parser.parse_args()
    if shutil.which("wrk") is None:
        parser.error("wrk is needed: apt-get install wrk")
    print(f"load of the machine: {os.getloadavg()}")
    if arguments.freeze:
        os.environ[FREEZE] = "yes"
    seconds, rounds = arguments.seconds, arguments.rounds
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder))
        if arguments.stores:
            measure_stores(folder, arguments.servers, seconds, rounds, arguments.redis)
            return
        for product in arguments.products:
            measure_endpoints(folder, product, arguments.servers, seconds, rounds)


if __name__ == "__main__":
    main()
elif FREEZE in os.environ:
    gc.freeze()
