"""A real Redis server for tests: on a free port of this machine, in a folder of its own."""

import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from support.servers.ports import free_port
from support.servers.services import need

_HOST: Final = "127.0.0.1"
_PATIENCE_SECONDS: Final = 20.0


class RedisServer:
    """One server process, which can be stopped and started again on the same port.

    Args:
        folder: where the server keeps its files; empty at first.
        cluster: a cluster of this one node, which serves all slots.

    """

    def __init__(self, folder: Path, *, cluster: bool = False) -> None:
        self._program = need("redis-server")
        self._folder = folder
        self._cluster = cluster
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"redis://{_HOST}:{self.port}/0"

    def start(self) -> None:
        """Start the server, on a new free port the first time; return when it answers."""
        fresh = self.port == 0
        for _ in range(5):
            self.port = free_port() if fresh else self.port
            if self._start_on_port():
                break
        else:
            raise RuntimeError("redis-server does not start")
        if fresh and self._cluster:
            self._command("CLUSTER ADDSLOTSRANGE 0 16383")
        if self._cluster:
            self._wait_for("CLUSTER INFO", b"cluster_state:ok")

    def stop(self) -> None:
        """End the server in order."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(_PATIENCE_SECONDS)
            self._process = None

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let the server hang for the length of a `with` block: connected, but without answers."""
        process = self._process
        if process is None:
            raise RuntimeError("redis-server is not running")
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    def _start_on_port(self) -> bool:
        """Start the process; False where it ended at once, because the port was taken meanwhile."""
        options = {
            "port": str(self.port),
            "bind": _HOST,
            "dir": str(self._folder),
            "save": "",
            "appendonly": "no",
            "cluster-enabled": "yes" if self._cluster else "no",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        self._process = subprocess.Popen(
            [self._program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        return self._wait_for("PING", b"+PONG")

    def _wait_for(self, command: str, answer: bytes) -> bool:
        until = time.monotonic() + _PATIENCE_SECONDS
        while self._process is not None and self._process.poll() is None:
            if answer in self._command(command):
                return True
            if time.monotonic() > until:
                self.stop()
                raise TimeoutError(f"redis-server does not answer {command}")
            time.sleep(0.02)
        return False

    def _command(self, command: str) -> bytes:
        """Send one inline command; give the answer, empty where no one listens yet."""
        try:
            with socket.create_connection((_HOST, self.port), timeout=2) as connection:
                connection.sendall(command.encode() + b"\r\n")
                return connection.recv(65_536)
        except OSError:
            return b""


@contextmanager
def redis_server(folder: Path, *, cluster: bool = False) -> Iterator[RedisServer]:
    """Run a server for the length of a `with` block."""
    server = RedisServer(folder, cluster=cluster)
    try:
        server.start()
        yield server
    finally:
        server.stop()
