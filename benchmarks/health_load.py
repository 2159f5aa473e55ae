"""Duration of requests while one profile is read again: `python benchmarks/health_load.py`.

Two loads: a profile whose snapshot holds one string of 3 MB, and one with a table of 16 MB.  Each
is changed some times.  Until the change is served, one client requests another profile, the list of
profiles and a document in turn.  The output has medians, 99th percentiles and maxima in ms, idle
and under load.
"""

import argparse
import http.client
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from health_data import profile_files
from measuring import free_port, running, show_latencies

ROOT = "/api/public/v1"
ASKED = {
    "other profile": f"{ROOT}/profiles/other/overview",
    "list": f"{ROOT}/profiles",
    "document": f"{ROOT}/docs.md",
}
SLOW = f"{ROOT}/profiles/slow/overview"
SNAPSHOT = "cache/fitbit_profile_snapshot.json"
ACTIVITY = "csv/fitbit_activity.csv"
STRING = 3_000_000
TABLE = 16_000_000
IDLE_SECONDS = 3.0
STEP_SECONDS = 0.1
SERVERS = {
    "uvicorn": (
        "import sys, uvicorn; from healthapi.adapters.application import asgi_app;"
        "uvicorn.run(asgi_app(sys.argv[1]), port=int(sys.argv[2]), log_level='error')"
    ),
    "waitress": (
        "import logging, sys, waitress; from healthapi.adapters.application import wsgi_app;"
        "logging.getLogger('waitress.queue').setLevel('ERROR');"
        "waitress.serve(wsgi_app(sys.argv[1]), host='127.0.0.1', port=int(sys.argv[2]))"
    ),
}


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files of a profile atomically."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name("new")
        new.write_bytes(data)
        new.replace(path)


def with_string(number: int) -> dict[str, bytes]:
    """Return a snapshot with one long string."""
    text = f"{number} word-and.more_words/" * (STRING // 23)
    note = {"ok": True, "data": {"note": text}}
    return {SNAPSHOT: json.dumps({"saved_at": "2026-01-31", "endpoints": {"notes": note}}).encode()}


def with_table(number: int) -> dict[str, bytes]:
    """Return one long table."""
    head, *lines = profile_files(10_000, number)[ACTIVITY].splitlines(keepends=True)
    body = b"".join(lines)
    table = head + body * (TABLE // len(body))
    return {ACTIVITY: table}


LOADS = {"string": with_string, "table": with_table}


def body(port: int, path: str) -> bytes:
    """Send one request on a new connection; return the body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    try:
        connection.request("GET", path)
        return connection.getresponse().read()
    finally:
        connection.close()


def measured(port: int, seconds: float) -> dict[str, list[float]]:
    """Request each resource in turn; return the seconds of each response."""
    found: dict[str, list[float]] = {name: [] for name in ASKED}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for name, path in ASKED.items():
            start = time.perf_counter()
            body(port, path)
            found[name].append(time.perf_counter() - start)
    return found


def show(title: str, found: dict[str, list[float]]) -> None:
    """Print a line for each resource."""
    for name, seconds in found.items():
        show_latencies(f"{title:<24} {name}", seconds)


def changing(
    port: int, folder: Path, files: Callable[[int], dict[str, bytes]], rounds: int
) -> dict[str, list[float]]:
    """Measure while a new state of the slow profile is read, some times."""
    found: dict[str, list[float]] = {name: [] for name in ASKED}
    for number in range(rounds):
        before, changed = body(port, SLOW), files(number)
        write(folder, changed)
        while body(port, SLOW) == before:
            for name, seconds in measured(port, STEP_SECONDS).items():
                found[name] += seconds
    return found


def main() -> None:
    """Measure as the arguments request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loads", nargs="+", choices=LOADS, default=list(LOADS))
    parser.add_argument("--servers", nargs="+", choices=SERVERS, default=list(SERVERS))
    parser.add_argument("--rounds", type=int, default=5, help="of each load (%(default)s)")
    arguments = parser.parse_args()
    for load in arguments.loads:
        for server in arguments.servers:
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                write(folder / "other", profile_files(100))
                write(folder / "slow", {SNAPSHOT: b"{}"})
                print(f"\n{load}, {server}, load of the machine {os.getloadavg()[0]:.1f}")
                port = free_port()
                command = [sys.executable, "-c", SERVERS[server], str(folder), str(port)]
                with running(command, port):
                    measured(port, 0.5)
                    show("idle", measured(port, IDLE_SECONDS))
                    show("changed", changing(port, folder / "slow", LOADS[load], arguments.rounds))


if __name__ == "__main__":
    main()
