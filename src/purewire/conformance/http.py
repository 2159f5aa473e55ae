"""Send requests to a deployment: over HTTP/1.1, or to an application in this process.

`http.client` sends request targets and header lines exactly as they are given, which a client that
normalizes URLs would not.  An application in this process has a virtual clock: waiting advances it
at once, so deadlines take no time.  A POST advances it by a millisecond, so that no two writes have
the same time.

Invariant *every response ends*: one that is not complete in time, or has too long a body, is none.
"""

import asyncio
import io
import socket
import ssl
import time
import weakref
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import suppress
from enum import Enum
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from inspect import iscoroutinefunction
from typing import Any, Final, Literal, Protocol
from urllib.parse import unquote, urlsplit

import attrs

from purewire.adapters.clocks import system_clock
from purewire.adapters.tls import tls_failure

Line = tuple[str, str]

WITHOUT_EFFECT: Final[tuple[Line, ...]] = (
    *(("Authorization", "Bearer wrong"), ("Authorization", "Basic eDp5")),
    *(("Cookie", "session=1"), ("Origin", "https://other.example"), ("Origin", "null")),
    *(("X-Forwarded-Host", "other.example"), ("X-Forwarded-Proto", "ftp")),
    *(("X-Forwarded-Prefix", "/other"), ("Forwarded", "host=other.example;proto=https")),
    *(("X-HTTP-Method-Override", "DELETE"), ("X-Requested-With", "XMLHttpRequest")),
    *(("Accept", "text/html"), ("Accept-Language", "zh"), ("Content-Type", "text/plain")),
    *(("Referer", "https://other.example/"), ("Cache-Control", "no-cache"), ("Range", "bytes=0-1")),
)
"""Header lines of requests that change nothing of a public resource."""
MAX_RESPONSE_BYTES: Final = 1 << 26
START: Final = 1_790_000_000_000
"""When a virtual clock starts, ms since the epoch: in 2026."""
_BODILESS_WAIT_SECONDS: Final = 0.02
"""How long to watch for bytes after a response that must not have a body."""


class TokenForm(Enum):
    """Form in which a request gives the token, as a shell writes it; only the first is right."""

    EXACT = "Bearer $TOKEN"
    LOWER_SCHEME = "bearer $TOKEN"
    NO_SCHEME = "$TOKEN"
    TWO_BLANKS = "Bearer  $TOKEN"
    OTHER_CASE = "Bearer ${TOKEN~~}"
    SHORTENED = "Bearer ${TOKEN%?}"
    LENGTHENED = "Bearer ${TOKEN}x"

    def value_of(self, token: str) -> str:
        """Return the value of `Authorization` for a token."""
        scheme, _, form = self.value.partition("$")
        other = token.swapcase()
        forms = {"{TOKEN~~}": other if other != token else f"{token}x", "{TOKEN%?}": token[:-1]}
        return scheme + forms.get(form, f"{token}x" if form == "{TOKEN}x" else token)


@attrs.frozen
class Send:
    """A request; its path is below the base URL and has the query.

    Host is added, and Content-Length for a body unless one of the lines is Content-Length or
    Transfer-Encoding.  An authorized request has the token too, as the first line or the last.
    `pause_ms` is waited before the last byte of the body.
    """

    method: str
    path: str
    headers: tuple[Line, ...] = ()
    body: bytes | None = attrs.field(default=None, repr=False)
    authorized: bool = False
    token_form: TokenForm = TokenForm.EXACT
    token_first: bool = False
    pause_ms: int = 0

    def lines(self, token: str | None, *more: Line) -> list[Line]:
        """Return all header lines in order, but Host."""
        own = {name.lower() for name, _ in self.headers}
        lines = [*self.headers, *(line for line in more if line[0].lower() not in own)]
        names = {name.lower() for name, _ in lines}
        if self.authorized and token is not None:
            line = ("Authorization", self.token_form.value_of(token))
            lines.insert(0 if self.token_first else len(lines), line)
        if self.body is not None and not names & {"content-length", "transfer-encoding"}:
            lines.append(("Content-Length", str(len(self.body))))
        return lines


@attrs.frozen
class Reply:
    """A complete response.

    Attributes:
        headers: header lines as they arrived.
        body: the whole body; for HEAD, 204 and 304 any bytes that arrived after the head.
        sent_at: local time before the request was sent, ms since the epoch.
        received_at: local time after the response was complete, ms since the epoch.

    """

    status: int
    headers: tuple[Line, ...]
    body: bytes = attrs.field(default=b"", repr=False)
    sent_at: int = 0
    received_at: int = 0

    def header(self, name: str) -> str | None:
        """Return the value of a header, its lines joined by `, `; None if it is absent."""
        lines = [value for key, value in self.headers if key.lower() == name.lower()]
        return ", ".join(lines) if lines else None


class NoReply(Exception):
    """No complete response came, with the reason as its message."""

    def __init__(self, reason: str, *, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.timed_out = timed_out


class Client(Protocol):
    """What sends requests; `is_exact` if it shares one virtual clock with the deployment."""

    is_exact: bool
    url: str

    def now(self) -> int:
        """Return the local time, ms since the epoch."""

    def wait(self, milliseconds: int) -> None:
        """Wait, or advance a virtual clock."""

    def send(self, request: Send) -> Reply:
        """Send a request; raises NoReply."""


class _Connection(HTTPConnection):
    """A connection that sends nothing until it is flushed, so that head and body are one write.

    A service may respond to the head alone and close.  A body that came later would reset the
    connection, and the response would be lost.
    """

    _unsent = b""
    deadline = 0.0
    """When the response must be complete, as `time.monotonic` counts."""

    def send(self, data: Any) -> None:  # noqa: ANN401 - as in the base class
        """Add bytes to those that the flush sends."""
        self._unsent += data

    def flush(self) -> None:
        """Connect, and send what was added."""
        if self.sock is None:
            self.connect()
        self.sock.settimeout(_remaining(self.deadline))
        unsent, self._unsent = self._unsent, b""
        with suppress(BrokenPipeError, ConnectionResetError):
            super().send(unsent)  # a response may come before all is read

    def response_class(self, sock: socket.socket, **arguments: Any) -> HTTPResponse:  # type: ignore[override] # noqa: ANN401 - those of the base class
        """Return the response that is read from the socket until the deadline."""
        response = HTTPResponse(sock, **arguments)
        response.fp.close()  # nothing was read from it yet
        response.fp = io.BufferedReader(_UntilDeadline(sock, self.deadline))
        return response


class _TlsConnection(_Connection, HTTPSConnection):
    """The same over TLS."""


def _remaining(deadline: float) -> float:
    """Return the seconds until a deadline; raise TimeoutError if there are none."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


class _UntilDeadline(io.RawIOBase):
    """The bytes of a socket until a deadline."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock, self._deadline = sock, deadline
        self._bytes = sock.makefile("rb", buffering=0)  # keeps the socket open

    def readable(self) -> bool:
        """Return true: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401 - a writable buffer
        """Fill a buffer; return 0 at the end."""
        self._sock.settimeout(_remaining(self._deadline))
        return self._bytes.readinto(buffer)

    def close(self) -> None:
        """Close the stream and release the socket."""
        self._bytes.close()
        super().close()


class OverHttp:
    """Send requests to a base URL, one connection for each.

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
        of_server = (parts.hostname, parts.port)
        self._connection: Callable[[], _Connection] = (
            partial(_Connection, *of_server, timeout=timeout_seconds)
            if parts.scheme == "http"
            else partial(
                _TlsConnection,
                *of_server,
                timeout=timeout_seconds,
                context=ssl.create_default_context(),
            )
        )

    def now(self) -> int:
        """Return the local time, ms since the epoch."""
        return system_clock()

    def wait(self, milliseconds: int) -> None:
        """Wait."""
        time.sleep(milliseconds / 1000)

    def send(self, request: Send) -> Reply:
        """Send a request; raises NoReply."""
        sent_at = system_clock()
        connection = self._connection()
        connection.deadline = time.monotonic() + self._timeout
        try:
            target = f"{self._base}{request.path}"
            connection.putrequest(request.method, target, skip_host=True, skip_accept_encoding=True)
            for name, value in request.lines(
                self._token, ("Host", self._authority), ("Connection", "close")
            ):
                connection.putheader(name, value.encode("utf-8"))
            connection.endheaders()
            _add_body(connection, request)
            connection.flush()
            response = connection.getresponse()
            body = _body_of(request, response)
        except (OSError, HTTPException, UnicodeError) as error:
            timed_out = isinstance(error, TimeoutError)
            reason = f"no complete response in {self._timeout:g} s" if timed_out else None
            reason = reason or tls_failure(error) or f"{type(error).__name__}: {error}"
            raise NoReply(reason, timed_out=timed_out) from error
        finally:
            connection.close()
        headers = tuple(response.getheaders())
        return Reply(response.status, headers, body, sent_at, system_clock())


def _add_body(connection: _Connection, request: Send) -> None:
    body = request.body or b""
    if "transfer-encoding" in {name.lower() for name, _ in request.headers}:
        chunk = f"{len(body):x}\r\n".encode() + body + b"\r\n" if body else b""
        connection.send(chunk + b"0\r\n\r\n")
    elif request.pause_ms:
        connection.send(body[:-1])
        connection.flush()
        time.sleep(request.pause_ms / 1000)
        connection.send(body[-1:])
    elif body:
        connection.send(body)


def _body_of(request: Send, response: HTTPResponse) -> bytes:
    with response:
        if request.method == "HEAD" or response.status in {204, 304}:
            return _surplus(response)
        body = response.read(MAX_RESPONSE_BYTES + 1)
        if response.length:
            raise NoReply(f"the body ends {response.length} bytes before its Content-Length")
    return _limited(body)


def _limited(body: bytes) -> bytes:
    if len(body) > MAX_RESPONSE_BYTES:
        raise NoReply(f"the response is longer than {MAX_RESPONSE_BYTES} bytes")
    return body


def _surplus(response: HTTPResponse) -> bytes:
    """Return bytes after a head that has no body; `http.client` leaves them unread."""
    stream = response.fp
    if not isinstance(getattr(stream, "raw", None), _UntilDeadline):  # closed with the head
        return b""
    stream.raw._deadline = time.monotonic() + _BODILESS_WAIT_SECONDS  # type: ignore[attr-defined]  # noqa: SLF001 - of this module
    try:
        return stream.read1(1 << 16)
    except OSError:  # nothing arrived in time
        return b""


@attrs.define
class VirtualClock:
    """A clock that stands still until it is advanced; pass it to the application as its clock."""

    now: int = START

    def __call__(self) -> int:
        """Return milliseconds since the epoch."""
        return self.now


@attrs.define(eq=False, slots=False)
class InProcess:
    """Send requests to an application, which was created with the clock."""

    clock: VirtualClock
    application: Any = attrs.field(repr=False)
    token: str | None = attrs.field(default=None, repr=False)
    interface: Literal["asgi", "wsgi"] | None = None
    """None finds out whether the application is called as ASGI prescribes, as servers do."""
    is_exact = True
    url = "http://testserver"
    _loop: asyncio.AbstractEventLoop = attrs.field(
        factory=asyncio.new_event_loop, init=False, repr=False
    )

    def __attrs_post_init__(self) -> None:
        # Not `Runner.close`, which runs the loop: another one may run when this is collected.
        weakref.finalize(self, self._loop.close)

    def now(self) -> int:
        """Return the time of the clock, ms since the epoch."""
        return self.clock.now

    def wait(self, milliseconds: int) -> None:
        """Advance the clock."""
        self.clock.now += milliseconds

    def send(self, request: Send) -> Reply:
        """Send a request; raises NoReply."""
        sent_at = self.clock.now
        lines = [
            (name.lower().encode("latin-1"), value.encode())
            for name, value in request.lines(self.token, ("Host", "testserver"))
        ]
        application = self.application
        is_asgi = self.interface == "asgi" or (
            self.interface is None
            and (
                iscoroutinefunction(application)
                or iscoroutinefunction(getattr(application, "__call__", None))  # noqa: B004
            )
        )
        call = self._call_asgi if is_asgi else self._call_wsgi
        try:
            status, headers, body = call(request, lines)
        except NoReply:
            raise
        except Exception as error:
            raise NoReply(f"the application raised {type(error).__name__}") from error
        reply = Reply(status, headers, _limited(body), sent_at, self.clock.now)
        self.clock.now += request.method == "POST"
        return reply

    def _parts(self, request: Send) -> Iterator[bytes | None]:
        """Generate the parts of a body as they arrive, and None at its end."""
        body = request.body or b""
        if request.pause_ms:
            yield body[:-1]
            self.clock.now += request.pause_ms
            body = body[-1:]
        if body:
            yield body
        yield None

    def _call_asgi(
        self, request: Send, lines: list[tuple[bytes, bytes]]
    ) -> tuple[int, tuple[Line, ...], bytes]:
        path, _, query = request.path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode("latin-1"),
            "root_path": "",
            "query_string": query.encode("latin-1"),
            "headers": lines,
            "client": ("127.0.0.1", 40000),
            "server": ("testserver", 80),
        }
        sent: list[MutableMapping[str, Any]] = []
        incoming = self._parts(request)

        async def receive() -> dict[str, Any]:
            for part in incoming:
                is_last = part is None
                return {"type": "http.request", "body": part or b"", "more_body": not is_last}
            await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        self._loop.run_until_complete(self.application(scope, receive, send))
        if not sent:
            raise NoReply("the application ended without a response")
        headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in sent[0].get("headers", ())
        )
        return sent[0]["status"], headers, b"".join(part.get("body", b"") for part in sent[1:])

    def _call_wsgi(
        self, request: Send, lines: list[tuple[bytes, bytes]]
    ) -> tuple[int, tuple[Line, ...], bytes]:
        path, _, query = request.path.partition("?")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": request.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote(path).encode().decode("latin-1"),
            "RAW_URI": request.path,
            "REQUEST_URI": request.path,
            "QUERY_STRING": query,
            "SERVER_NAME": "testserver",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BufferedReader(_Incoming(self._parts(request))),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
            **_variables(lines),
        }
        started: list[tuple[str, list[Line]]] = []

        def start_response(status: str, headers: list[Line], *_: object) -> None:
            started.append((status, headers))

        chunks = self.application(environ, start_response)
        try:
            body = b"".join(chunks)
        finally:
            getattr(chunks, "close", lambda: None)()
        if not started:
            raise NoReply("the application ended without a response")
        status, headers = started[-1]
        return int(status[:3]), tuple(headers), body


class _Incoming(io.RawIOBase):
    """The parts of a body as a stream."""

    def __init__(self, parts: Iterator[bytes | None]) -> None:
        self._parts = parts
        self._rest = b""

    def readable(self) -> bool:
        """Return true: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - a writable buffer
        """Fill a buffer; return 0 at the end."""
        self._rest = self._rest or next(self._parts, None) or b""
        part, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def _variables(lines: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return header lines as CGI variables; lines of one name are joined, as servers do."""
    variables: dict[str, str] = {}
    for name, value in lines:
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            key = f"HTTP_{key}"
        text = value.decode("latin-1")
        variables[key] = f"{variables[key]},{text}" if key in variables else text
    return variables
