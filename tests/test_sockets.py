"""Real servers and clients that lie about framing, are slow, or go away in the middle.

What a server refuses by itself is the server's; that nothing is written, nothing hidden is served,
nothing stays open and nothing but one line is printed is held here for all of them.

Known of the servers: waitress takes a whole body in before it asks the application, and goes on
after a request with two framings; the plain workers of gunicorn serve one client at a time.  Both
stand behind a proxy that buffers requests.
"""

import re
import selectors
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import psutil
import pytest

from devicestatus import Settings
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from status_contracts.adapters.clocks import system_clock
from status_contracts.json_text import encode
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import TOKEN, snapshot
from support.servers.servers import ServerProcess, ask, serve_asgi, serve_process

pytestmark = pytest.mark.check

SERVERS = {"uvicorn": "asgi", "granian": "asgi", "gunicorn": "wsgi", "waitress": "wsgi"}
EXAMPLES = Path(__file__).parents[1] / "examples" / "lifesnaps"
LARGEST = "/api/public/v1/profiles/person-1/datasets/daily?limit=1000"
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


def descriptors(pid: int) -> int:
    """Count the open descriptors of a process and all that it started."""
    parent = psutil.Process(pid)
    return sum(process.num_fds() for process in [parent, *parent.children(recursive=True)])


@contextmanager
def nothing_kept(pid: int) -> Iterator[None]:
    """Check that a server has no more descriptors open soon after the block than before."""
    before = descriptors(pid)
    yield
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while descriptors(pid) > before:
        assert time.monotonic() < deadline, f"{descriptors(pid) - before} descriptors stay open"
        time.sleep(0.02)


@pytest.fixture(scope="module", params=SERVERS)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    """The service, which no one has written to, on each server."""
    name: str = request.param
    database = str(tmp_path_factory.mktemp(name) / "status.sqlite")
    env = {"STATUS_DATABASE": database, "INGEST_TOKEN": TOKEN}
    interface = SERVERS[name]
    with serve_process(
        f"support.servers.serving:{interface}", server=name, interface=interface, env=env
    ) as found:
        for _ in range(3):
            assert is_offline(found)
        yield found
        assert "Traceback" not in found.printed, found.printed


def is_offline(server: ServerProcess) -> bool:
    return bool(ask(server.url, "GET", "/api/now").json == {"status": "offline"})


def fresh() -> bytes:
    """Return the body of a snapshot collected now."""
    return encode(unstructure(snapshot(collected_at=system_clock())))


def upload(*lines: bytes, body: bytes = b"", token: bool = False, version: bytes = b"1.1") -> bytes:
    """Write an upload with these header lines."""
    known = [b"Host: a", b"Content-Type: application/json"]
    if token:
        known.append(b"Authorization: Bearer " + TOKEN.encode())
    head = [b"POST /api/update HTTP/" + version, *known, *lines, b"", b""]
    return b"\r\n".join(head) + body


def sized(body: bytes, *lines: bytes) -> bytes:
    """Write an upload that is let in."""
    return upload(*lines, b"Content-Length: %d" % len(body), body=body, token=True)


def lies() -> dict[str, bytes]:
    """Return requests that are not let in, or only read, with an upload hidden in each of them.

    The hidden one would be let in if anybody took it for a request.
    """
    inner = sized(fresh())
    size = len(inner)
    length = b"Content-Length: %d" % size
    chunked = b"Transfer-Encoding: chunked"
    ended = b"0\r\n\r\n" + inner
    longer = b"Content-Length: %d" % len(ended)
    chunk = b"%x\r\n" % size + inner + b"\r\n0\r\n\r\n"
    whole = {
        "two framings": upload(longer, chunked, body=ended),
        "two framings, the other first": upload(chunked, longer, body=ended),
        "a short length beside chunks": upload(chunked, b"Content-Length: 4", body=chunk),
        "two framings of the old version": upload(longer, chunked, body=ended, version=b"1.0"),
        "a read that has a body": b"GET /api/now HTTP/1.1\r\nHost: a\r\n"
        + length
        + b"\r\n\r\n"
        + inner,
        "headers that have a body": b"HEAD /api/icons HTTP/1.1\r\nHost: a\r\n"
        + chunked
        + b"\r\n\r\n"
        + chunk,
    }
    lengths = {
        "two lengths": [b"Content-Length: 0", length],
        "two lengths, the longer first": [length, b"Content-Length: 0"],
        "one length twice": [length, length],
        "a list of lengths": [b"Content-Length: 0, %d" % size],
        "a length with a sign": [b"Content-Length: +%d" % size],
        "a length with an underscore": [b"Content-Length: 1_0"],
        "a negative length": [b"Content-Length: -1"],
        "a length in hexadecimal": [b"Content-Length: 0x%x" % size],
        "an empty length": [b"Content-Length: "],
        "a length of 5,000 digits": [b"Content-Length: " + b"9" * 5000],
        "a space before the colon": [b"Content-Length : %d" % size],
        "a folded line": [b"Content-Length:\r\n %d" % size],
        "a vertical tab": [b"Content-Length:\x0b%d" % size],
        "an unknown coding": [b"Transfer-Encoding: xchunked", length],
        "no coding at all": [b"Transfer-Encoding: identity", length],
        "a bare CR in a value": [b"X: a\rTransfer-Encoding: chunked", length],
        "a bare LF in a value": [b"X: a\nY: b", length],
        "a NUL in a value": [b"X: a\x00b", length],
        "an upgrade": [b"Upgrade: h2c", b"Connection: Upgrade, HTTP2-Settings", length],
        "a wish to go on": [b"Expect: 100-continue", length],
    }
    codings = {
        "chunked, but not last": [b"Transfer-Encoding: chunked, identity", longer],
        "two codings": [chunked, b"Transfer-Encoding: identity", longer],
        "a coding with a space": [b"Transfer-Encoding : chunked", longer],
        "a coding with an underscore": [b"Transfer_Encoding: chunked", longer],
    }
    chunks = {
        "an extension that ends in LF": b"0;a=\n0\r\n\r\n" + inner,
        "a chunk size with a prefix": b"0x" + chunk,
        "a chunk size with an underscore": b"0_" + chunk,
        "a negative chunk size": b"-1\r\n" + inner + b"\r\n0\r\n\r\n",
        "chunks with bare LF": chunk.replace(b"\r\n", b"\n"),
        "a chunk size of 17 digits": b"f" * 17 + b"\r\n" + inner + b"\r\n0\r\n\r\n",
        "a chunk that is longer than it says": b"2\r\n{}XX" + inner + b"\r\n0\r\n\r\n",
    }
    return {
        **whole,
        **{name: upload(*lines, body=inner) for name, lines in lengths.items()},
        **{name: upload(*lines, body=ended) for name, lines in codings.items()},
        **{name: upload(chunked, body=body) for name, body in chunks.items()},
    }


REFUSALS = {400, 401, 413, 415, 501}
# Not asked of waitress: see above.
TWO_FRAMINGS = {"two framings", "two framings, the other first"}


class TestEveryServer:
    """One class, so that each server is started once."""

    def test_what_is_hidden_in_a_request_is_not_served(self, server: ServerProcess) -> None:
        requests = lies()
        if "waitress" in str(server.process.args):
            requests = {name: data for name, data in requests.items() if name not in TWO_FRAMINGS}
        answered = {
            name: statuses(stream) for name, stream in exchange_all(server.url, requests).items()
        }
        assert [name for name, found in answered.items() if len(found) > 1] == []
        assert is_offline(server)
        for name, found in answered.items():
            reads = requests[name].startswith((b"GET", b"HEAD"))
            assert set(found[:1]) <= ({200} if reads else REFUSALS), (name, found)

    def test_alone_it_would_be_served(self) -> None:
        app = asgi_app(Settings(TOKEN), store=MemoryStore())
        with serve_asgi(app) as url:
            assert statuses(exchange_all(url, {"alone": sized(fresh())})["alone"]) == [200]

    @pytest.mark.parametrize("server", ["uvicorn", "granian", "gunicorn"], indirect=True)
    @pytest.mark.parametrize("framing", [b"Content-Length: 16000", b"Transfer-Encoding: chunked"])
    def test_who_may_write_is_asked_before_the_body_comes(
        self, server: ServerProcess, framing: bytes
    ) -> None:
        """The answer is there though not one byte of the body was sent."""
        with connect(server.url) as connection:
            connection.sendall(upload(framing))
            assert statuses(connection.recv(65_536)) == [401]

    def test_a_body_byte_by_byte_is_that_body(self, server: ServerProcess) -> None:
        request = sized(fresh().replace(b"Editor", b""))
        with connect(server.url) as connection:
            for byte in request:
                connection.sendall(bytes((byte,)))
            answer = b""
            while not answer.endswith(b"}") and (piece := connection.recv(65_536)):
                answer += piece  # head and body may come one after the other
        assert statuses(answer) == [400]
        assert answer.endswith(b'{"error":"invalid_payload"}')

    @pytest.mark.parametrize("server", ["uvicorn", "granian", "waitress"], indirect=True)
    def test_clients_that_never_end_stop_nobody(self, server: ServerProcess) -> None:
        request = sized(fresh())
        with nothing_kept(server.process.pid):
            with ExitStack() as waiting:
                for cut in range(1, len(request), len(request) // 50):
                    waiting.enter_context(connect(server.url)).sendall(request[:cut])
                for _ in range(20):
                    assert ask(server.url, "GET", "/api/health").status == 200
            assert is_offline(server)

    @pytest.mark.parametrize("name", ["uvicorn", "granian"])
    def test_clients_that_do_not_read_stop_nobody(self, name: str) -> None:
        env = {"HEALTH_FOLDER": str(EXAMPLES)}
        request = f"GET {LARGEST} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
        with serve_process("support.healthapi.health_serving:asgi", server=name, env=env) as server:
            whole = ask(server.url, "GET", LARGEST)
            with nothing_kept(server.process.pid):
                for _ in range(30):
                    connection = connect(server.url)
                    connection.sendall(request * 20)
                    reset(connection)
                for _ in range(5):
                    again = ask(server.url, "GET", LARGEST)
                    assert again.body == whole.body
            assert "Traceback" not in server.printed, server.printed

    @pytest.mark.parametrize("kind", ["closed", "reset"])
    def test_a_connection_that_ends_anywhere_writes_nothing(
        self, server: ServerProcess, kind: str
    ) -> None:
        """Cut in every place: heads, bodies with a length, and bodies in chunks."""
        body = fresh()
        chunks = b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
        long = upload(b"Transfer-Encoding: chunked", body=chunks, token=True)
        with nothing_kept(server.process.pid):
            for request in (sized(body), long):
                for cut in range(1, len(request), 13):
                    connection = connect(server.url)
                    connection.sendall(request[:cut])
                    (reset if kind == "reset" else type(connection).close)(connection)
            assert is_offline(server)

    def test_a_client_that_leaves_before_its_answer_harms_nobody(
        self, server: ServerProcess
    ) -> None:
        request = b"GET /api/icons HTTP/1.1\r\nHost: a\r\n\r\n"
        with nothing_kept(server.process.pid):
            for count in range(1, 40):
                connection = connect(server.url)
                with suppress(ConnectionError):
                    connection.sendall(request * count)
                reset(connection)
            assert is_offline(server)
