"""Send requests to a deployment: over HTTP/1.1, or to an ASGI application in this process.

Request targets and header lines are sent exactly as they are given, which a client that normalizes
URLs would not do.  An application in this process has a virtual clock: waiting advances it at once,
so deadlines take no time.  A POST advances it by a millisecond, so that no two writes have the same
time.

Invariant *every response ends*: one that is not complete in time, or has too long a body, is none.
"""

import asyncio
import io
import socket
import ssl
import time
import weakref
from collections.abc import Callable, Iterable, MutableMapping
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import attrs

from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.http_clients import UNREACHABLE, tls_failure
from status_contracts.exchange import Clock
from status_contracts.messages import OUTER_SPACE, Asset, Request

Line = tuple[str, str]

AUTHORIZED: Final = ("Authorization", "Bearer $TOKEN")
"""The header line of a write; the client replaces the variable as a shell does."""
MAX_RESPONSE_BYTES: Final = 1 << 24


@attrs.frozen
class Send:
    """A request; its path is below the base URL and has the query.

    Host is added, and Content-Length for a body unless one of the lines is Content-Length or
    Transfer-Encoding.  In this process the last byte of the body comes `pause_ms` later.
    """

    method: str
    path: str
    headers: tuple[Line, ...] = ()
    body: bytes | None = attrs.field(default=None, repr=False)
    pause_ms: int = 0

    def lines(self, token: str | None, *more: Line) -> list[Line]:
        """Return all header lines in order, with the token in the place of its variable."""
        own = {name.lower() for name, _ in self.headers}
        lines = [(name, _with_token(value, token or "")) for name, value in self.headers]
        lines += [line for line in more if line[0].lower() not in own]
        if self.body is not None and not own & {"content-length", "transfer-encoding"}:
            lines.append(("Content-Length", str(len(self.body))))
        return lines

    def request(self, token: str | None, *more: Line) -> Request:
        """Return the request as a value."""
        path, _, query = self.path.partition("?")
        lines = tuple(
            (name.lower().encode(), value.encode().strip(OUTER_SPACE))
            for name, value in self.lines(token, *more)
        )
        return Request(self.method, path.encode("latin-1"), lines, query.encode())


def _with_token(value: str, token: str) -> str:
    """Replace the variable TOKEN: as it is, in the other case, or without its last character."""
    other = token.swapcase() if token.swapcase() != token else f"{token}x"
    value = value.replace("${TOKEN~~}", other).replace("${TOKEN%?}", token[:-1])
    return value.replace("${TOKEN}", token).replace("$TOKEN", token)


def joined(headers: Iterable[Line]) -> dict[str, str]:
    """Return header names in lower case and the values of their lines, joined by `, `."""
    values: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        values[key] = f"{values[key]}, {value}" if key in values else value
    return values


@attrs.frozen
class Reply:
    """A complete response, with the local times before it was sent for and when it was complete.

    Its body is the whole one; for HEAD, 204 and 304 any bytes that arrived after the head.
    """

    status: int
    headers: tuple[Line, ...]
    body: bytes = attrs.field(default=b"", repr=False)
    sent_at: int = 0
    received_at: int = 0

    def header(self, name: str) -> str | None:
        """Return the value of a header, its lines joined by `, `; None if it is absent."""
        return joined(self.headers).get(name)

    @property
    def asset(self) -> Asset:
        """The body as a file with its validators."""
        return Asset(self.body, self.header("etag"), self.header("last-modified"))


class NoReply(Exception):
    """No complete response came, with the reason as its message."""


class TimedOut(NoReply):
    """No complete response came in time."""


class OverHttp:
    """Send requests to a base URL, one connection for each, which the server has to close.

    `timeout_seconds` is for the whole response.  Raises ValueError if the URL is not one of HTTP
    with a host, and the path below which the deployment is.
    """

    is_exact = False

    def __init__(self, url: str, *, token: str | None = None, timeout_seconds: float = 20) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
            raise ValueError(f"{url!r} is not a URL like https://status.example")
        self._authority = parts.netloc.rpartition("@")[2]
        self._base = parts.path.rstrip("/")
        self.url = f"{parts.scheme}://{self._authority}{self._base}"
        self._token, self._timeout = token, timeout_seconds
        self._host = parts.hostname
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._port = parts.port or (443 if self._tls else 80)

    def now(self) -> int:
        """Return the local time, ms since the epoch."""
        return system_clock()

    def wait(self, milliseconds: int) -> None:
        """Wait."""
        time.sleep(milliseconds / 1000)

    def send(self, request: Send) -> Reply:
        """Send a request; raises NoReply."""
        sent_at = system_clock()
        try:
            stream = io.BytesIO(self._exchange(self._bytes_of(request)))
            source: Any = SimpleNamespace(makefile=lambda _mode: stream)
            response = HTTPResponse(source, method=request.method)
            response.begin()
            has_body = request.method != "HEAD" and response.status not in {204, 304}
            body = response.read() if has_body else stream.read()
        except TimeoutError as error:
            raise TimedOut(f"no complete response in {self._timeout:g} s") from error
        except HTTPException as error:
            raise NoReply(f"{type(error).__name__}: {error}") from error
        except OSError as error:  # of connecting: one that is lost later is a short response
            raise NoReply(tls_failure(error) or UNREACHABLE) from error
        return Reply(response.status, tuple(response.getheaders()), body, sent_at, system_clock())

    def _bytes_of(self, request: Send) -> bytes:
        lines = request.lines(self._token, ("Host", self._authority), ("Connection", "close"))
        head = f"{request.method} {self._base}{request.path} HTTP/1.1\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in lines)
        body = request.body or b""
        if "transfer-encoding" in {name.lower() for name, _ in lines}:
            body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
        return head.encode() + b"\r\n" + body

    def _exchange(self, sent: bytes) -> bytes:
        """Send bytes in one piece, and return what comes until the connection is closed."""
        deadline = time.monotonic() + self._timeout
        received = bytearray()
        tls, plain = self._tls, socket.create_connection((self._host, self._port), self._timeout)
        with plain, suppress(BrokenPipeError, ConnectionResetError):
            wrapped = tls.wrap_socket(plain, server_hostname=self._host) if tls else plain
            with wrapped as connection:
                with suppress(BrokenPipeError, ConnectionResetError):
                    _limit(connection, deadline).sendall(sent)  # an answer may come before the end
                while part := _limit(connection, deadline).recv(1 << 16):
                    received += part
                    if len(received) > MAX_RESPONSE_BYTES:
                        raise NoReply(f"the response is longer than {MAX_RESPONSE_BYTES} bytes")
        return bytes(received)


def _limit(connection: socket.socket, deadline: float) -> socket.socket:
    """Let the next operation of a connection end in time; raise TimeoutError if it is too late."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    connection.settimeout(seconds)
    return connection


@attrs.define(eq=False, slots=False)
class InProcess:
    """Send requests to an ASGI application, which `make_app` creates for a clock.

    The clock returns milliseconds since the epoch.  It starts in 2026, and stands still until it
    is advanced.
    """

    make_app: Callable[[Clock], Any] = attrs.field(repr=False)
    token: str | None = attrs.field(default=None, repr=False)
    time: int = 1_790_000_000_000
    is_exact = True
    url = "http://testserver"

    def __attrs_post_init__(self) -> None:
        self._application = self.make_app(self.now)
        self._loop = asyncio.new_event_loop()
        # Not `Runner.close`, which runs the loop: another one may run when this is collected.
        weakref.finalize(self, self._loop.close)

    def now(self) -> int:
        """Return the time of the clock, ms since the epoch."""
        return self.time

    def wait(self, milliseconds: int) -> None:
        """Advance the clock."""
        self.time += milliseconds

    def send(self, request: Send) -> Reply:
        """Send a request, its body in two parts; raises NoReply."""
        sent_at, sent = self.time, list[MutableMapping[str, Any]]()
        body = request.body or b""
        parts = [body[:-1], body[-1:]]

        async def receive() -> dict[str, Any]:
            if not parts:
                await asyncio.Event().wait()
            part = parts.pop(0)
            self.time += 0 if parts else request.pause_ms
            return {"type": "http.request", "body": part, "more_body": bool(parts)}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        try:
            self._loop.run_until_complete(self._application(self._scope(request), receive, send))
        except Exception as error:
            raise NoReply(f"the application raised {type(error).__name__}") from error
        if not sent:
            raise NoReply("the application ended without a response")
        lines = sent[0].get("headers", ())
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in lines)
        answer = b"".join(part.get("body", b"") for part in sent[1:])
        reply = Reply(sent[0]["status"], headers, answer, sent_at, self.time)
        self.time += request.method == "POST"
        return reply

    def _scope(self, send: Send) -> dict[str, Any]:
        request = send.request(self.token, ("Host", "testserver"))
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "http",
            "method": request.method,
            "path": unquote(request.path),
            "raw_path": request.path,
            "query_string": request.query,
            "headers": [*request.headers],
        }


Client = OverHttp | InProcess
"""What sends requests; `is_exact` if it shares one virtual clock with the deployment."""
