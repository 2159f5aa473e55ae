"""Ports of 127.0.0.1 for what must know one before anybody listens on it, or that no one does.

A port that was free a moment ago may be given to anybody who asks the system for one, or connects
somewhere.  These lie below those that Linux and macOS give away, and each worker of a parallel run
has a part of its own, so that no two tests are given the same.
"""

import os
import socket
from collections.abc import Iterator
from itertools import count

HOST = "127.0.0.1"
PARTS = range(20_000, 32_000, 1_000)


def _ports() -> Iterator[int]:
    """Return the ports of this worker, over and over; processes begin at different ones."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    part = PARTS[worker % len(PARTS)]
    for number in count(os.getpid()):
        yield part + number % PARTS.step


_PORTS = _ports()


def free_port() -> int:
    """Return a port on which no one listens."""
    return next(port for port in _PORTS if _is_free(port))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
