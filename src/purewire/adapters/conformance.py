"""Load the checks of a product, and perform their steps: over HTTP/1.1, or in this process.

`http.client` sends request targets and header lines exactly as the checks give them, which a
client that normalizes URLs would not.  An application in this process has a virtual clock: waiting
advances it at once, so checks that wait for deadlines take no time.  A POST advances it by a
millisecond, so that no two writes have the same time.
"""

import asyncio
import io
import socket
import ssl
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from importlib import import_module
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import attrs

from purewire.adapters.clocks import system_clock
from purewire.adapters.contract import read_contract, read_vectors
from purewire.adapters.tls import tls_failure
from purewire.conformance.checks import (
    Action,
    NoReply,
    ReadClock,
    Reply,
    RuleText,
    Send,
    Suite,
    Wait,
)

Asgi = Callable[..., Any]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
_Headers = list[tuple[str, str]]

MAX_RESPONSE_BYTES: Final = 1 << 26
BODILESS_WAIT_SECONDS: Final = 0.05
"""How long to watch for bytes after a response that must not have a body."""


def load_suite(product: str, **options: Any) -> Suite[Any]:  # noqa: ANN401 - those of the product
    """Return the checks of a product: `devicestatus`, for example."""
    checks = import_module(f"{product}.conformance")
    suite: Suite[Any] = checks.make_suite(partial(read_vectors, product), **options)
    suite.rules = {
        rule.id: RuleText(rule.level, rule.text, is_own=_is_own(rule.source))
        for rule in read_contract(product).rules.values()
    }
    return suite


def _is_own(source: Sequence[str]) -> bool:
    """Check whether only decisions of this project state a rule, and no section of the contract."""
    return all(section == "own" or section.startswith("decisions") for section in source)


def _lines(request: Send, token: str | None, host: str, *more: tuple[str, str]) -> _Headers:
    """Return all header lines of a request, in order."""
    names = {name.lower() for name, _ in request.headers}
    lines = [] if "host" in names else [("Host", host)]
    lines += [*request.headers, *more]
    if request.authorized and token is not None:
        line = ("Authorization", request.token_form.value_of(token))
        lines.insert(0 if request.token_first else len(lines), line)
    if request.body is not None and not names & {"content-length", "transfer-encoding"}:
        lines.append(("Content-Length", str(len(request.body))))
    return lines


class _Buffered(HTTPConnection):
    """A connection that sends nothing until it is flushed, so that head and body are one write.

    A service may respond to the head alone and close.  A body that came later would reset the
    connection, and the response would be lost.
    """

    _unsent = b""

    def send(self, data: Any) -> None:  # noqa: ANN401 - as in the base class
        """Add bytes to those that the flush sends."""
        self._unsent += data

    def flush(self) -> None:
        """Connect, and send what was added."""
        if self.sock is None:
            self.connect()
        unsent, self._unsent = self._unsent, b""
        with suppress(BrokenPipeError, ConnectionResetError):
            super().send(unsent)  # a response may come before all is read


class _BufferedTls(_Buffered, HTTPSConnection):
    """The same over TLS."""


class OverHttp:
    """Send requests to a base URL, one connection for each.

    The time-out is for connecting and for each read.  Raises ValueError if the URL is not one of
    HTTP with a host, and the path below which the deployment is.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout_seconds: float = 20) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query:
            raise ValueError(f"{url!r} is not a URL like https://status.example")
        self._host, self._port = parts.hostname, parts.port
        self._authority = parts.netloc.rpartition("@")[2]
        self._base = parts.path.rstrip("/")
        self._token = token
        self._timeout = timeout_seconds
        self._context = ssl.create_default_context() if parts.scheme == "https" else None

    def __call__(self, effect: Action) -> object:
        """Perform an effect of a check."""
        if isinstance(effect, Send):
            return self._send(effect)
        if isinstance(effect, Wait):
            time.sleep(effect.milliseconds / 1000)
            return None
        return system_clock()

    def _send(self, request: Send) -> Reply:
        sent_at = system_clock()
        connection = self._connection()
        try:
            connection.putrequest(
                request.method,
                f"{self._base}{request.path}",
                skip_host=True,
                skip_accept_encoding=True,
            )
            close = ("Connection", "close")
            for name, value in _lines(request, self._token, self._authority, close):
                connection.putheader(name, value.encode("utf-8"))
            connection.endheaders()
            _add_body(connection, request)
            connection.flush()
            connected = connection.sock  # closed with the connection, which a response may end
            response = connection.getresponse()
            body = _body(request, response, connected)
        except (OSError, HTTPException, UnicodeError) as error:
            raise NoReply(_reason(error)) from error
        finally:
            connection.close()
        headers = tuple(response.getheaders())
        return Reply(response.status, headers, body, sent_at, system_clock())

    def _connection(self) -> _Buffered:
        if self._context is None:
            return _Buffered(self._host, self._port, timeout=self._timeout)
        return _BufferedTls(self._host, self._port, timeout=self._timeout, context=self._context)


def _add_body(connection: _Buffered, request: Send) -> None:
    if request.body is None:
        return
    if "transfer-encoding" in {name.lower() for name, _ in request.headers}:
        size = f"{len(request.body):x}\r\n".encode()
        connection.send((size + request.body + b"\r\n" if request.body else b"") + b"0\r\n\r\n")
    elif request.pause_ms:
        connection.send(request.body[:-1])
        connection.flush()
        time.sleep(request.pause_ms / 1000)
        connection.send(request.body[-1:])
    else:
        connection.send(request.body)


def _body(request: Send, response: HTTPResponse, connected: socket.socket | None) -> bytes:
    if request.method == "HEAD" or response.status in {204, 304}:
        return _surplus(response, connected)
    body = response.read(MAX_RESPONSE_BYTES + 1)
    if len(body) > MAX_RESPONSE_BYTES:
        raise NoReply(f"the response is longer than {MAX_RESPONSE_BYTES} bytes")
    return body


def _surplus(response: HTTPResponse, connected: socket.socket | None) -> bytes:
    """Return bytes after a head that has no body; `http.client` leaves them unread."""
    if connected is None:
        return b""
    connected.settimeout(BODILESS_WAIT_SECONDS)
    try:
        return response.fp.read1(1 << 16)
    except OSError:  # nothing arrived in time
        return b""


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return tls_failure(error) or f"{type(error).__name__}: {error}"


@attrs.define
class VirtualClock:
    """A clock that stands still until it is advanced; pass it to the application as its clock."""

    now: int

    def __call__(self) -> int:
        """Return milliseconds since the epoch."""
        return self.now


@attrs.frozen
class _InProcess:
    clock: VirtualClock
    token: str | None = attrs.field(default=None, repr=False, kw_only=True)

    def __call__(self, effect: Action) -> object:
        """Perform an effect of a check."""
        if isinstance(effect, Send):
            reply = self._send(effect)
            self.clock.now += effect.method == "POST"
            return reply
        if not isinstance(effect, ReadClock):
            self.clock.now += effect.milliseconds
        return self.clock.now

    def _send(self, request: Send) -> Reply:
        raise NotImplementedError

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

    def _lines(self, request: Send) -> list[tuple[bytes, bytes]]:
        lines = _lines(request, self.token, "testserver")
        return [(name.lower().encode("latin-1"), value.encode()) for name, value in lines]


@attrs.frozen(eq=False)
class InAsgi(_InProcess):
    """Send requests to an ASGI application, which was created with the clock."""

    application: Asgi = attrs.field(kw_only=True)
    _loop: asyncio.AbstractEventLoop = attrs.field(
        factory=asyncio.new_event_loop, init=False, repr=False, eq=False
    )

    def __attrs_post_init__(self) -> None:
        # Not `Runner.close`, which runs the loop: another one may run when this is collected.
        weakref.finalize(self, self._loop.close)

    def _send(self, request: Send) -> Reply:
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
            "headers": self._lines(request),
            "client": ("127.0.0.1", 40000),
            "server": ("testserver", 80),
        }
        sent_at = self.clock.now
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

        try:
            self._loop.run_until_complete(self.application(scope, receive, send))
        except Exception as error:
            raise NoReply(f"the application raised {type(error).__name__}") from error
        if not sent:
            raise NoReply("the application ended without a response")
        headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in sent[0].get("headers", ())
        )
        body = b"".join(message.get("body", b"") for message in sent[1:])
        return Reply(sent[0]["status"], headers, body, sent_at, self.clock.now)


class _Body(io.RawIOBase):
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


@attrs.frozen
class InWsgi(_InProcess):
    """Send requests to a WSGI application, which was created with the clock."""

    application: Wsgi = attrs.field(kw_only=True)

    def _send(self, request: Send) -> Reply:
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
            "wsgi.input": io.BufferedReader(_Body(self._parts(request))),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
            **_variables(self._lines(request)),
        }
        sent_at = self.clock.now
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> None:
            started.append((status, headers))

        try:
            chunks = self.application(environ, start_response)
            try:
                body = b"".join(chunks)
            finally:
                close = getattr(chunks, "close", None)
                if close is not None:
                    close()
        except Exception as error:
            raise NoReply(f"the application raised {type(error).__name__}") from error
        if not started:
            raise NoReply("the application ended without a response")
        status, headers = started[-1]
        return Reply(int(status[:3]), tuple(headers), body, sent_at, self.clock.now)


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
