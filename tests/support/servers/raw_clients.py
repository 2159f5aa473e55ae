"""Clients that speak bytes: many at once, slow ones, truncated ones.

answers = exchange_all(url, {"name": b"GET / HTTP/1.1..."})   # whole streams, by name
statuses(answers["name"])                                     # [200]
"""

import re
import selectors
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

import psutil

TIMEOUT_SECONDS: Final = 20
IDLE_SECONDS: Final = 0.4
"""After so long without a byte no one is waited for: clients say that they are done."""

_STATUS_LINE: Final = re.compile(rb"^HTTP/1\.[01] (\d{3}) ", re.MULTILINE)
_RESET: Final = struct.pack("ii", 1, 0)


def connect(url: str) -> socket.socket:
    """Return a connection whose every byte goes out at once."""
    address = urlsplit(url)
    connection = socket.create_connection((address.hostname, address.port), TIMEOUT_SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def reset(connection: socket.socket) -> None:
    """Close a connection as a machine does that was switched off and asked again later."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    connection.close()


def statuses(stream: bytes) -> list[int]:
    """Return the statuses of the answers in a stream, but for those that say to go on."""
    found = [int(status) for status in _STATUS_LINE.findall(stream)]
    return [status for status in found if status >= 200]


def exchange_all(url: str, requests: Mapping[str, bytes]) -> dict[str, bytes]:
    """Send each request on a connection of its own, all at once; give all that comes back.

    A client sends no more, and says so only when no one has had a byte for a while: what a server
    makes of the rest of its bytes is seen, and no server waits for ever.
    """
    streams = dict.fromkeys(requests, b"")
    with selectors.DefaultSelector() as selector:
        for name, data in requests.items():
            connection = connect(url)
            with suppress(ConnectionError):  # answered before it was all sent
                connection.sendall(data)
            selector.register(connection, selectors.EVENT_READ, name)
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while selector.get_map():
            assert time.monotonic() < deadline, "a connection stays open"
            for name, piece in _received(selector):
                streams[name] += piece
    return streams


def _received(selector: selectors.BaseSelector) -> Iterator[tuple[str, bytes]]:
    ready = selector.select(IDLE_SECONDS)
    for key, _ in ready:
        connection = key.fileobj
        assert isinstance(connection, socket.socket)
        piece = b""
        with suppress(ConnectionError):
            piece = connection.recv(65_536)
        if not piece:
            selector.unregister(connection)
            connection.close()
        yield key.data, piece
    for key in () if ready else selector.get_map().values():
        assert isinstance(key.fileobj, socket.socket)
        with suppress(OSError):
            key.fileobj.shutdown(socket.SHUT_WR)


def family(pid: int) -> list[psutil.Process]:
    """Return a process and all that it started."""
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def descriptors(pid: int) -> int:
    """Count the open descriptors of a process and all that it started."""
    return sum(process.num_fds() for process in family(pid))


@contextmanager
def nothing_kept(pid: int) -> Iterator[None]:
    """Check that a server has no more descriptors open soon after the block than before."""
    before = descriptors(pid)
    yield
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while descriptors(pid) > before:
        assert time.monotonic() < deadline, f"{descriptors(pid) - before} descriptors stay open"
        time.sleep(0.02)
