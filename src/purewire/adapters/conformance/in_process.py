"""Perform the effects of checks on an application in this process, with a virtual clock.

Waiting advances the clock at once, so checks that wait for deadlines take no time.  A POST advances
it by a millisecond, so that no two writes have the same time.
"""

import asyncio
import io
import weakref
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any
from urllib.parse import unquote

import attrs

from purewire.conformance.checks import Action, NoReply, ReadClock, Reply, Send

Asgi = Callable[..., Any]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


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
        lines = [*request.headers]
        given = {name.lower() for name, _ in lines}
        if "host" not in given:
            lines.insert(0, ("host", "testserver"))
        if request.authorized and self.token is not None:
            line = ("authorization", request.token_form.value_of(self.token))
            lines.insert(0 if request.token_first else len(lines), line)
        if request.body is not None and not given & {"content-length", "transfer-encoding"}:
            lines.append(("content-length", str(len(request.body))))
        return [(name.lower().encode("latin-1"), value.encode()) for name, value in lines]


@attrs.frozen(eq=False)
class InAsgi(_InProcess):
    """Send requests to an ASGI application.

    Args:
        application: the application.
        clock: the clock that the application was created with.
        token: the ingest token.

    """

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
    """Send requests to a WSGI application.

    Args:
        application: the application.
        clock: the clock that the application was created with.
        token: the ingest token.

    """

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
