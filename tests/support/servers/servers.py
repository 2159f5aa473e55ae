"""Real servers for tests: any application on a free port of 127.0.0.1, stopped when the block ends.

    with serve_asgi(app) as base_url: ...                        # uvicorn
    with serve_wsgi(app) as base_url: ...                        # waitress
    with serve_asgi("serving:asgi", server="granian") as ...     # uvicorn or granian
    with serve_wsgi("serving:wsgi", server="gunicorn") as ...    # gunicorn, waitress or granian
    ask(base_url, "POST", "/api/update", {"Authorization": "Bearer x"}, b"{}").status

An application object is served on a thread of the test; a name (`module:attribute`, found in
`tests` or installed) in a process.  `prefix` is the path that the server mounts it on.
"""

import asyncio
import http.client
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler
from typing import IO, Any
from urllib.parse import urlsplit

import attrs
import uvicorn

from status_contracts.messages import Response
from support.checks import canary
from support.checks.answer_rules import check_framing
from support.servers.ports import free_port

TESTS = Path(__file__).parents[2]
START_SECONDS = 30
STOP_SECONDS = 15
ANSWER_SECONDS = 30

Commands = Mapping[str, Callable[[str, int, str], list[str]]]


@attrs.frozen
class Answer:
    """A response; header names in lower case, in order."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the value of a header that is there once, or None; `name` in lower case."""
        values = [value for key, value in self.headers if key == name]
        assert len(values) < 2, f"{name} was sent {len(values)} times"
        return values[0] if values else None

    @property
    def json(self) -> Any:
        """The body as a plain value."""
        return json.loads(self.body)


def ask(
    base_url: str,
    method: str,
    target: str,
    headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    body: bytes | Iterable[bytes] | None = None,
) -> Answer:
    """Send one request exactly as given, and read the answer.

    `target` goes on the wire as it is.  A body of bytes gets a Content-Length where `headers` have
    none, a body of pieces goes in chunks.
    """
    lines = list(headers.items() if isinstance(headers, Mapping) else headers)
    names = {name.lower() for name, _ in lines}
    address = urlsplit(base_url)
    assert address.hostname is not None
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=ANSWER_SECONDS)
    with closing(connection):
        connection.putrequest(method, target, skip_host="host" in names, skip_accept_encoding=True)
        if isinstance(body, bytes) and "content-length" not in names:
            lines.append(("Content-Length", str(len(body))))
        chunked = body is not None and not isinstance(body, bytes)
        if chunked:
            lines.append(("Transfer-Encoding", "chunked"))
        for name, value in lines:
            connection.putheader(name, value)
        with suppress(BrokenPipeError, ConnectionResetError):  # answered before it was all sent
            connection.endheaders(body, encode_chunked=chunked)
        with connection.getresponse() as response:
            received = tuple((name.lower(), value) for name, value in response.getheaders())
            answer = Answer(response.status, received, response.read())
    check_framing(method, Response(answer.status, answer.headers, answer.body))
    return answer


def send_raw(base_url: str, data: bytes) -> bytes:
    """Send bytes, no more to come, and give all that comes back."""
    address = urlsplit(base_url)
    with socket.create_connection((address.hostname, address.port), ANSWER_SECONDS) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


def serve_asgi(
    app: str | Callable[..., Any],
    *,
    server: str = "uvicorn",
    prefix: str = "",
    env: Mapping[str, str] | None = None,
) -> AbstractContextManager[str]:
    """Serve an ASGI application: an object by uvicorn; a name by uvicorn or granian."""
    if isinstance(app, str):
        return _url_of(app, server, "asgi", prefix, env)
    assert server == "uvicorn", "an application object is served by uvicorn"
    return _uvicorn_thread(app, prefix)


def serve_wsgi(
    app: str | Callable[..., Any],
    *,
    server: str = "waitress",
    prefix: str = "",
    env: Mapping[str, str] | None = None,
) -> AbstractContextManager[str]:
    """Serve a WSGI application: an object by waitress; a name by gunicorn, waitress or granian."""
    if isinstance(app, str):
        return _url_of(app, server, "wsgi", prefix, env)
    assert server == "waitress", "an application object is served by waitress"
    return _waitress_thread(app, prefix)


@contextmanager
def _url_of(
    app: str, server: str, interface: str, prefix: str, env: Mapping[str, str] | None
) -> Iterator[str]:
    running = serve_process(app, server=server, interface=interface, prefix=prefix, env=env)
    with running as process:
        yield process.url


@contextmanager
def _uvicorn_thread(app: Callable[..., Any], prefix: str) -> Iterator[str]:
    config = uvicorn.Config(
        app,
        lifespan="on",
        root_path=prefix,
        log_config=None,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    with _running(lambda: asyncio.run(server.serve([listener]))) as thread:
        _wait_until(lambda: server.started or not thread.is_alive())
        assert server.started, "the application did not start"
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True


@contextmanager
def _waitress_thread(app: Callable[..., Any], prefix: str) -> Iterator[str]:
    waitress: Any = importlib.import_module("waitress.server")  # has no types
    sockets: dict[int, Any] = {}
    server = waitress.create_server(app, map=sockets, host="127.0.0.1", port=0, url_prefix=prefix)
    stopping = threading.Event()

    def run() -> None:
        while not stopping.is_set():
            waitress.wasyncore.loop(timeout=0.1, map=sockets, count=1)
        server.task_dispatcher.shutdown()
        waitress.wasyncore.close_all(sockets)

    with _running(run):
        try:
            yield f"http://127.0.0.1:{server.effective_port}"
        finally:
            stopping.set()


@contextmanager
def _running(target: Callable[[], None]) -> Iterator[threading.Thread]:
    """Run on a thread that must have ended soon after the block has."""
    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(STOP_SECONDS)
        assert not thread.is_alive(), "the server did not stop"


@contextmanager
def serve_handler(handler: type[BaseRequestHandler], *, waits: bool = False) -> Iterator[str]:
    """Serve a handler of the standard library without its log; `waits` for requests at the end."""
    quiet = type("Quiet", (handler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), quiet)
    server.daemon_threads = not waits
    with server, _running(partial(server.serve_forever, 0.02)):
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def _uvicorn(app: str, port: int, prefix: str) -> list[str]:
    options = ["--port", str(port), "--root-path", prefix, "--log-level", "warning"]
    return ["-m", "uvicorn", *options, app]


def _granian(interface: str) -> Callable[[str, int, str], list[str]]:
    def command(app: str, port: int, prefix: str) -> list[str]:
        options = ["--interface", interface, "--port", str(port)]
        mounted = ["--url-path-prefix", prefix] if prefix else []
        return ["-m", "granian", *options, *mounted, app]

    return command


def _gunicorn(app: str, port: int, prefix: str) -> list[str]:
    options = ["--bind", f"127.0.0.1:{port}", "--env", f"SCRIPT_NAME={prefix}"]
    return ["-m", "gunicorn", *options, "--log-level", "warning", app]


def _waitress(app: str, port: int, prefix: str) -> list[str]:
    options = ["--listen", f"127.0.0.1:{port}", *(["--url-prefix", prefix] if prefix else [])]
    return ["-m", "waitress", *options, app]


_ASGI_COMMANDS: Commands = {"uvicorn": _uvicorn, "granian": _granian("asgi")}
_WSGI_COMMANDS: Commands = {
    "gunicorn": _gunicorn,
    "waitress": _waitress,
    "granian": _granian("wsgi"),
}


@attrs.frozen
class ServerProcess:
    """A server that runs, and what it prints."""

    url: str
    process: subprocess.Popen[bytes]
    output: IO[bytes]

    @property
    def printed(self) -> str:
        """The output so far."""
        size = self.output.seek(0, os.SEEK_END)
        return os.pread(self.output.fileno(), size, 0).decode("utf-8", "replace")

    def check(self) -> None:
        """Check that it has printed neither the token nor that an answer broke a rule."""
        printed = self.printed
        assert not canary.shows(printed), "the token was printed"
        assert "AssertionError" not in printed, printed


def serve_process(
    app: str,
    *,
    server: str,
    interface: str = "asgi",
    prefix: str = "",
    env: Mapping[str, str] | None = None,
) -> AbstractContextManager[ServerProcess]:
    """Serve an application by its name in a process; what that printed is checked in the end."""
    port = free_port()
    commands = {"asgi": _ASGI_COMMANDS, "wsgi": _WSGI_COMMANDS}[interface]
    paths = [str(TESTS), os.environ.get("PYTHONPATH", "")]
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, paths)), **(env or {})}
    command = [sys.executable, *commands[server](app, port, prefix)]
    return serve_command(command, port, env=environment)


@contextmanager
def serve_command(
    command: Sequence[str], port: int, *, env: Mapping[str, str], folder: Path | None = None
) -> Iterator[ServerProcess]:
    """Run a command that serves on a port; what it printed is checked in the end."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        running = ServerProcess(f"http://127.0.0.1:{port}", process, output)
        try:
            _wait_until(lambda: process.poll() is not None or _listens(port))
            assert process.poll() is None, f"the server did not start:\n{running.printed}"
            yield running
        finally:
            _stop(running)
        running.check()


def _stop(running: ServerProcess) -> None:
    """Stop a server politely; where that fails, end its session and say so."""
    process = running.process
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise AssertionError(f"the server did not stop:\n{running.printed}") from None


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited too long for the server"
        time.sleep(0.02)
