"""The example server, which shares no code with the packages, conforms as the command sees it."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from purewire.adapters.conformance import load_suite
from support.checks import canary
from support.servers import commands
from support.servers.ports import HOST, free_port

SUITE = load_suite("devicestatus")

EXAMPLES = Path(__file__).parents[2] / "examples" / "other-servers"
START_SECONDS = 30
SLOW_ONLY = {
    rule
    for check in SUITE.checks
    for rule in check.rules
    if all(each.slow for each in SUITE.checks if rule in each.rules)
}
"""Rules that no check without `--slow` can verify."""


@contextmanager
def served() -> Iterator[str]:
    """Run the server in a process of its own; yield its base URL.

    Without site-packages nothing but the standard library can be imported.
    """
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "server.py", str(port)],
        cwd=EXAMPLES,
        env={**os.environ, "INGEST_TOKEN": canary.TOKEN},
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(port):
            assert process.poll() is None, "the server did not start"
            assert time.monotonic() < deadline, "the server does not listen"
            time.sleep(0.05)
        yield f"http://{HOST}:{port}"
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), 1).close()
    except OSError:
        return False
    return True


def test_server_conforms(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    with served() as url:
        ended = commands.run(
            *("conformance", url, "--write", "--strict", "--report", report),
            env={"INGEST_TOKEN": canary.TOKEN},
        )
    found = json.loads(report.read_bytes())
    assert found["counts"] == {
        **dict.fromkeys(found["counts"], 0),
        "passed": sum(not check.slow for check in SUITE.checks),
        "skipped": sum(check.slow for check in SUITE.checks),
    }
    unverified = {rule["id"] for rule in found["rules"] if rule["verdict"] != "verified"}
    assert unverified <= SLOW_ONLY
    assert ended.code == (4 if unverified else 0)
