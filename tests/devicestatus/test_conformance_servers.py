"""The conformance command finds nothing in right servers: of this project, and of others."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from support.checks.canary import TOKEN
from support.servers.commands import run
from support.servers.ports import HOST, free_port
from support.servers.servers import serve_asgi, serve_wsgi

pytestmark = pytest.mark.check

EXAMPLES = Path(__file__).parents[2] / "examples"
START_SECONDS = 30


@contextmanager
def process(folder: str, arguments: Sequence[str]) -> Iterator[str]:
    """Run a server of the examples, which shares no code with the packages; yield its base URL."""
    port = free_port()
    server = subprocess.Popen(
        [*arguments, str(port)],
        cwd=EXAMPLES / folder,
        env={**os.environ, "INGEST_TOKEN": TOKEN},
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(port):
            assert server.poll() is None, "the server did not start"
            assert time.monotonic() < deadline, "the server does not listen"
            time.sleep(0.05)
        yield f"http://{HOST}:{port}"
    finally:
        server.terminate()
        server.wait(START_SECONDS)


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), 1).close()
    except OSError:
        return False
    return True


@contextmanager
def served(name: str, database: Path) -> Iterator[str]:
    server: AbstractContextManager[str]
    env = {"INGEST_TOKEN": TOKEN, "STATUS_DATABASE": str(database)}
    if name == "python":  # without site-packages: nothing but the standard library
        server = process("other-servers", [sys.executable, "-I", "-S", "server.py"])
    elif name == "node":
        text = (EXAMPLES / "own-service/server.mjs").read_text("utf-8")
        own_port = text.replace("listen(8000", "listen(+process.argv[1]")
        server = process("own-service", ["node", "--input-type=module", "--eval", own_port])
    elif name == "gunicorn":
        server = serve_wsgi("support.servers.serving:wsgi", server=name, env=env)
    else:
        server = serve_asgi("support.servers.serving:asgi", server=name, env=env)
    with server as url:
        yield url


@pytest.mark.parametrize("name", ["uvicorn", "granian", "gunicorn", "python", "node"])
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)
    profile = "snapshot" if name == "node" else "full"
    with served(name, tmp_path / "status.db") as url:
        options = ("--write", "--token-file", file, "--profile", profile)
        ended = run("conformance", url, *options, env={"INGEST_TOKEN": ""})
    assert ended.out.splitlines()[-1].startswith("no difference; "), ended.out
    assert ended.code == 0
