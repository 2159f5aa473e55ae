"""Perform the effects of checks over HTTP/1.1.

`http.client` sends request targets and header lines exactly as the checks give them, which a
client that normalizes URLs would not.
"""

import socket
import ssl
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlsplit

from purewire.adapters.clocks import system_clock
from purewire.adapters.tls import tls_failure
from purewire.conformance.checks import Action, NoReply, Reply, Send, Wait

MAX_RESPONSE_BYTES: Final = 1 << 26
BODILESS_WAIT_SECONDS: Final = 0.05
"""How long to watch for bytes after a response that must not have a body."""


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

    Args:
        url: `http://` or `https://`, a host, and the path below which the deployment is.
        token: the ingest token, added where a request asks for it.
        timeout_seconds: for connecting and for each read.

    Raises:
        ValueError: the URL has another form.

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
            for name, value in self._head(request):
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

    def _head(self, request: Send) -> list[tuple[str, str]]:
        given = {name.lower() for name, _ in request.headers}
        lines = [] if "host" in given else [("Host", self._authority)]
        lines += [*request.headers, ("Connection", "close")]
        if request.authorized and self._token is not None:
            line = ("Authorization", request.token_form.value_of(self._token))
            lines.insert(0 if request.token_first else len(lines), line)
        if request.body is not None and not given & {"content-length", "transfer-encoding"}:
            lines.append(("Content-Length", str(len(request.body))))
        return lines


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
