"""Requests of the conformance kit over a socket."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from purewire.adapters.conformance import OverHttp
from purewire.conformance.checks import NoReply, Reply, Send

ANSWER = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"


@contextmanager
def server(reads: list[bytes]) -> Iterator[str]:
    """Serve one connection: read once, respond and close; yield the URL."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                reads.append(connection.recv(1 << 16))
                connection.sendall(ANSWER)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


def send(url: str, request: Send) -> Reply:
    reply = OverHttp(url)(request)
    assert isinstance(reply, Reply)
    return reply


@pytest.mark.parametrize("length", ["5", "abc"])
def test_head_and_body_are_one_write(length: str) -> None:
    """A service that responds to a wrong head and closes has read the body; nothing is reset."""
    reads: list[bytes] = []
    with server(reads) as url:
        reply = send(url, Send("POST", "/x", (("Content-Length", length),), body=b"hello"))
    assert (reply.status, reply.body) == (413, b"no")
    assert reads[0].startswith(b"POST /x HTTP/1.1\r\n")
    assert reads[0].endswith(b"\r\n\r\nhello")


def test_a_chunked_body_is_one_chunk() -> None:
    reads: list[bytes] = []
    with server(reads) as url:
        send(url, Send("POST", "/x", (("Transfer-Encoding", "chunked"),), body=b"hello"))
    assert reads[0].endswith(b"\r\n\r\n5\r\nhello\r\n0\r\n\r\n")


def test_a_response_may_come_before_the_body_is_read() -> None:
    with server([]) as url:
        assert send(url, Send("POST", "/x", body=b"x" * (1 << 22))).status == 413


def test_a_closed_port_is_no_reply() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(NoReply, match="ConnectionRefusedError"):
        send(f"http://127.0.0.1:{port}", Send("GET", "/"))
