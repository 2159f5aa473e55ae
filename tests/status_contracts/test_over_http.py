"""Requests of the conformance kits over a socket."""

import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import pytest

from status_contracts.conformance import http
from status_contracts.conformance.http import NoReply, OverHttp, Send, TimedOut

ANSWER = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"


@contextmanager
def server(reads: list[bytes], *parts: bytes, pause: float = 0) -> Iterator[str]:
    """Serve one connection: read once, send parts with pauses, and close; yield the URL."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                reads.append(connection.recv(1 << 16))
                for part in parts or (ANSWER,):
                    connection.sendall(part)
                    time.sleep(pause)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        (("Content-Length", "5"), b"hello"),
        (("Content-Length", "abc"), b"hello"),
        (("Transfer-Encoding", "chunked"), b"5\r\nhello\r\n0\r\n\r\n"),
    ],
)
def test_head_and_body_are_one_write(line: tuple[str, str], sent: bytes) -> None:
    """A service that responds to a wrong head and closes has read the body; nothing is reset."""
    reads: list[bytes] = []
    with server(reads) as url:
        reply = OverHttp(url).send(Send("POST", "/x", (line,), body=b"hello"))
    assert (reply.status, reply.body) == (413, b"no")
    assert reads[0].startswith(b"POST /x HTTP/1.1\r\n")
    assert reads[0].endswith(b"\r\n\r\n" + sent)


def test_a_response_may_come_before_the_body_is_read() -> None:
    with server([]) as url:
        assert OverHttp(url).send(Send("POST", "/x", body=b"x" * (1 << 22))).status == 413


def test_a_closed_port_is_no_reply() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(NoReply, match="the service cannot be reached"):
        OverHttp(f"http://127.0.0.1:{port}").send(Send("GET", "/"))


@pytest.mark.parametrize(
    "parts",
    [
        [HEAD[at : at + 1] for at in range(20)],
        [HEAD, *[b"x"] * 20],
        [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", *[b"1\r\nx\r\n"] * 20],
        [b"HTTP/1.1 100 Continue\r\n\r\n"] * 20,
    ],
    ids=["head", "body", "chunks", "continue"],
)
def test_a_response_that_drips_ends_at_the_time_out(parts: Iterable[bytes]) -> None:
    with server([], *parts, pause=0.1) as url:
        began = time.monotonic()
        with pytest.raises(TimedOut, match=r"no complete response in 0\.5 s"):
            OverHttp(url, timeout_seconds=0.5).send(Send("GET", "/"))
        assert time.monotonic() - began < 1.2


@pytest.mark.parametrize(
    ("parts", "most_bytes", "reason"),
    [
        ((HEAD, b"123456789"), 40, "longer than 40 bytes"),
        ((HEAD, b"123456789"), 1000, "IncompleteRead"),
        ((b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n",), 40, "longer than 40"),
    ],
)
def test_a_response_that_is_too_long_or_too_short_is_no_reply(
    parts: Iterable[bytes], most_bytes: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "MAX_RESPONSE_BYTES", most_bytes)
    with server([], *parts) as url, pytest.raises(NoReply, match=reason):
        OverHttp(url).send(Send("GET", "/"))


def test_bytes_after_an_answer_without_a_body_are_seen() -> None:
    with server([], HEAD, b"surplus") as url:
        assert OverHttp(url).send(Send("HEAD", "/")).body == b"surplus"


@pytest.mark.parametrize("url", ["ftp://a.example", "http://", "https://a.example/?x=1"])
def test_a_url_of_something_else_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="is not a URL like"):
        OverHttp(url)
