"""Many devices in one process with one store: `python benchmarks/devices.py`.

A server process mounts devices by name and keeps those used last.  Each device has a window in one
SQLite file, by default with a write-ahead log, with which readers do not wait for a writer.
Clients send what 10,000 agents and a reader of each send: an upload per device every 300 s, a
timeline per reader every 120 s; half as many `/api/now` beside them.  Devices are chosen at random,
so that nearly every request mounts one, which is the worst case.

Shown are the resident memory of the server, its processor time for a request and the latency, with
and without a limit of what is mounted.  `--seconds` of load are offered at `--rate` requests a
second, whatever the responses.
"""

import argparse
import asyncio
import gc
import multiprocessing
import os
import random
import socket
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final

import attrs
import uvicorn

from devicestatus import limits
from devicestatus.adapters import APP_ICONS
from devicestatus.adapters.sqlite import SQLiteStore
from devicestatus.deadlines import window_deadline
from devicestatus.devices import MOUNTED, Devices
from devicestatus.models import Battery, Music, Snapshot, System, Window, WindowChanges, WindowEvent
from devicestatus.parsing import encode as encode_body
from devicestatus.record import WindowRecord, encode_record
from devicestatus.settings import Settings
from status_contracts.adapters.asgi import Application
from status_contracts.adapters.assets import FolderAssets
from status_contracts.exchange import (
    Body,
    Effect,
    ReadBody,
    ReadStore,
    Stored,
    WriteStore,
    drive,
)
from status_contracts.messages import Request
from status_contracts.pages.settings import DEFAULT_PAGE

NOW: Final = 1_773_489_600_000
EVENTS: Final = 60
CONNECTIONS: Final = 32
PROCESSOR_REQUESTS: Final = 2000
SHARES: Final = {"POST /api/batch": 1 / 300, "GET /api/timeline": 1 / 120, "GET /api/now": 1 / 240}
"""Kind of request to requests a second for one device."""


def clock() -> int:
    """Return the fixed time."""
    return NOW


def token(number: int) -> str:
    """Return the ingest token of a device."""
    return f"{number:064}"


def window(number: int) -> Window:
    """Return the window of a device: 15 minutes with an event every 15 s."""
    start = NOW - limits.WINDOW_SECONDS * 1000
    step = (NOW - start) // EVENTS
    baseline = Snapshot(
        start,
        "Editor",
        Battery(80, charging=False, power_source="battery"),
        System(0.5, 0.5, 0.5),
        Music("stopped", None, None),
    )
    events = tuple(
        WindowEvent(n, start + n * step, WindowChanges(active_app=f"App {n % 7} of {number}"))
        for n in range(1, EVENTS + 1)
    )
    return Window(
        session_id=f"{number:08}-0000-4000-8000-000000000000",
        batch_seq=1,
        generated_at=NOW,
        window_start=start,
        window_end=NOW,
        baseline=baseline,
        events=events,
        gaps=(),
        dropped_events=0,
    )


def fill(path: Path, devices: int, journal: str) -> None:
    """Store a window of each device, at once."""
    SQLiteStore(path).close()
    until = window_deadline(NOW)
    rows = (
        (f"d{n}:{limits.STORE_KEY}", encode_record(WindowRecord(NOW, window(n), until)), until)
        for n in range(devices)
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.executemany("INSERT INTO record VALUES (?, ?, ?)", rows)


def serve(path: Path, devices: int, mounted: int, listening: socket.socket) -> None:
    """Serve the devices until the process is ended."""
    settings = {f"d{n}": Settings(token(n), service_name=f"d{n}") for n in range(devices)}
    handler = Devices(settings, has_store=True, has_assets=True, page=DEFAULT_PAGE, mounted=mounted)
    store, assets = SQLiteStore(path), FolderAssets(APP_ICONS)
    app = Application(handler, store=store, assets=assets, clock=clock)
    config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False)
    gc.freeze()  # as `devicestatus serve` does
    uvicorn.Server(config).run(sockets=[listening])


@contextmanager
def served(path: Path, devices: int, mounted: int) -> Iterator[tuple[int, int]]:
    """Serve in a process of its own; yield the port and the process id."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        spawning = multiprocessing.get_context("spawn")
        process = spawning.Process(target=serve, args=(path, devices, mounted, listening))
        process.start()
        try:
            assert process.pid is not None
            yield listening.getsockname()[1], process.pid
        finally:
            process.terminate()
            process.join()


def resident_mib(process_id: int) -> float:
    """Return the resident memory of a process, MiB."""
    text = Path(f"/proc/{process_id}/status").read_text("utf-8")
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024


def processor_ms(process_id: int) -> float:
    """Return the processor time that a process has used, ms."""
    fields = Path(f"/proc/{process_id}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def request(kind: str, number: int) -> bytes:
    """Return a whole request."""
    method, _, target = kind.partition(" ")
    head = f"{method} /d{number}{target} HTTP/1.1\r\nHost: x\r\n"
    if method == "GET":
        return f"{head}\r\n".encode()
    body = encode_body(window(number))
    return (
        f"{head}Authorization: Bearer {token(number)}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n".encode()
        + body
    )


def processor_times(path: Path, devices: int, mounted: int, count: int) -> list[float]:
    """Return the processor times of requests in this thread, ms: no sockets, and no other load."""
    settings = {f"d{n}": Settings(token(n), service_name=f"d{n}") for n in range(devices)}
    handler = Devices(
        settings, has_store=True, has_assets=False, page=DEFAULT_PAGE, mounted=mounted
    )
    chooser = random.Random(2)  # noqa: S311 - a load
    kinds, weights = [*SHARES], [*SHARES.values()]
    found = []
    with SQLiteStore(path) as store:
        for _ in range(count):
            kind, number = chooser.choices(kinds, weights)[0], chooser.randrange(devices)
            method, _, target = kind.partition(" ")
            body = encode_body(window(number)) if method == "POST" else b""
            headers = (
                (b"authorization", f"Bearer {token(number)}".encode()),
                (b"content-type", b"application/json"),
            )

            def perform(effect: Effect, body: bytes = body) -> object:
                if isinstance(effect, ReadBody):
                    return Body(body, NOW)
                if isinstance(effect, ReadStore):
                    return Stored(store.get(effect.key), NOW)
                if isinstance(effect, WriteStore):
                    store.put(effect.key, effect.value, expires_at_ms=effect.expires_at)
                return None

            asked = Request(method, f"/d{number}{target}".encode(), headers)
            before = time.thread_time()
            response = drive(handler(asked), perform)
            found.append((time.thread_time() - before) * 1000)
            if response.status != HTTPStatus.OK:
                raise RuntimeError(response.body)
    return sorted(found)


@attrs.frozen
class Load:
    """Latencies of the kinds of request, ms, from when each was due; and how many failed."""

    latencies: Mapping[str, list[float]]
    failures: Mapping[str, int]

    def row(self, kind: str) -> str:
        """Return number, median, 99th percentile and maximum as a line of the table."""
        found = sorted(self.latencies[kind])
        shown = statistics.median(found), found[int(len(found) * 0.99)], found[-1]
        columns = "".join(f" {value:8.1f}" for value in shown)
        return f"{kind:18} {len(found):6,} {self.failures[kind]:6,}{columns}"


async def offer(port: int, devices: int, rate: float, seconds: float) -> Load:
    """Send requests at a rate over some connections."""
    chooser = random.Random(1)  # noqa: S311 - a load
    waiting: asyncio.Queue[tuple[float, str, bytes] | None] = asyncio.Queue()
    found: dict[str, list[float]] = {kind: [] for kind in SHARES}
    failures = dict.fromkeys(SHARES, 0)

    async def connection() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (due := await waiting.get()) is not None:
            at, kind, text = due
            writer.write(text)
            head = await reader.readuntil(b"\r\n\r\n")
            failures[kind] += not head.startswith(b"HTTP/1.1 200")
            length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
            await reader.readexactly(length)
            found[kind].append((time.perf_counter() - at) * 1000)
        writer.close()

    workers = [asyncio.create_task(connection()) for _ in range(CONNECTIONS)]
    kinds, weights = [*SHARES], [*SHARES.values()]
    start = time.perf_counter()
    for n in range(round(rate * seconds)):
        kind = chooser.choices(kinds, weights)[0]
        text = request(kind, chooser.randrange(devices))
        await asyncio.sleep(max(0, start + n / rate - time.perf_counter()))
        waiting.put_nowait((time.perf_counter(), kind, text))
    for _ in workers:
        waiting.put_nowait(None)
    await asyncio.gather(*workers)
    return Load(found, failures)


async def connect(port: int) -> None:
    """Wait until the server accepts connections and has answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request("GET /api/now", 0))
    await reader.readuntil(b"\r\n\r\n")
    writer.close()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--journal", choices=("wal", "delete"), default="wal", help="of SQLite")
    parser.add_argument("--rate", type=float, help="requests a second (as the devices send)")
    arguments = parser.parse_args()
    devices = arguments.devices
    rate = arguments.rate or devices * sum(SHARES.values())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "status.sqlite"
        fill(path, devices, arguments.journal)
        size = len(encode_body(window(0)))
        print(
            f"{devices:,} devices, windows of {size / 1024:.0f} KiB, {rate:.0f} requests a second"
        )
        for mounted in (MOUNTED, devices):
            times = processor_times(path, devices, mounted, PROCESSOR_REQUESTS)
            median, p99 = statistics.median(times), times[int(len(times) * 0.99)]
            with served(path, devices, mounted) as (port, process_id):
                asyncio.run(connect(port))
                before, used = resident_mib(process_id), processor_ms(process_id)
                load = asyncio.run(offer(port, devices, rate, arguments.seconds))
                after, used = resident_mib(process_id), processor_ms(process_id) - used
            print(
                f"\nat most {mounted:,} mounted: {before:.0f} MiB at first, {after:.0f} MiB after"
            )
            cost = used / sum(map(len, load.latencies.values()))
            print(f"processor time in the handler: median {median:.2f} ms, p99 {p99:.2f} ms")
            print(f"processor time of the server for a request: {cost:.2f} ms")
            print(f"{'':18} {'number':>6} {'failed':>6} {'median':>8} {'p99':>8} {'most':>8}  ms")
            for kind in SHARES:
                print(load.row(kind))


if __name__ == "__main__":
    main()
