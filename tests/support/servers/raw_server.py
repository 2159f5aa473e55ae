"""A server that is one function on a socket, for answers that no real server gives.

with serve_raw(lambda connection, head: connection.sendall(b"HTTP/1.1 200 OK...")) as served:
    served.url, served.heads
"""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import attrs

Script = Callable[[socket.socket, bytes], None]


@attrs.define
class Served:
    """The URL of the server, and the heads of the requests it received."""

    url: str
    heads: list[bytes]


@contextmanager
def serve_raw(script: Script, *, tls: ssl.SSLContext | None = None) -> Iterator[Served]:
    """Answer each connection's first request by a script; the connection ends with it."""
    listener = socket.create_server(("127.0.0.1", 0))
    scheme = "http" if tls is None else "https"
    served = Served(f"{scheme}://127.0.0.1:{listener.getsockname()[1]}", [])
    threads: list[threading.Thread] = []

    def answer(plain: socket.socket) -> None:
        plain.settimeout(20)
        with (
            plain,
            suppress(ConnectionError, TimeoutError, ssl.SSLError),
            _secured(plain) as connection,
        ):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                piece = connection.recv(65_536)
                if not piece:
                    return
                head += piece
            served.heads.append(head)
            script(connection, head)

    def _secured(plain: socket.socket) -> socket.socket:
        return plain if tls is None else tls.wrap_socket(plain, server_side=True)

    def listen() -> None:
        with suppress(OSError):  # until it is closed
            while True:
                thread = threading.Thread(target=answer, args=(listener.accept()[0],))
                thread.start()
                threads.append(thread)

    listening = threading.Thread(target=listen)
    listening.start()
    try:
        yield served
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listening.join()
        listener.close()
        for thread in threads:
            thread.join()
