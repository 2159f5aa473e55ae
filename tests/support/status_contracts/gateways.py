"""In-process gateways: what an ASGI and a WSGI server do with one request, in a few lines each.

Both check the application's side of the protocol on every call.  Real servers are in `servers`.
"""

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import unquote_to_bytes

import attrs

from status_contracts.messages import Response
from support.checks.answer_rules import check_framing
from support.servers.servers import Answer

Headers = Iterable[tuple[bytes, bytes]]
Message = dict[str, Any]


@attrs.define
class Script:
    """A `receive` that plays messages and counts how many were taken."""

    messages: list[Message]
    taken: int = 0

    @classmethod
    def of_body(cls, chunks: Iterable[bytes]) -> "Script":
        """Play a body in pieces."""
        pieces = list(chunks) or [b""]
        more = [True] * (len(pieces) - 1) + [False]
        return cls(
            [
                {"type": "http.request", "body": piece, "more_body": follows}
                for piece, follows in zip(pieces, more, strict=True)
            ]
        )

    async def __call__(self) -> Message:
        await asyncio.sleep(0)
        assert self.taken < len(self.messages), "the application asked for more than there is"
        self.taken += 1
        return self.messages[self.taken - 1]


def scope_of(method: str, target: bytes, headers: Headers = (), **more: object) -> Message:
    """Write the scope of a request as uvicorn does."""
    raw_path, _, query = target.partition(b"?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": unquote_to_bytes(raw_path).decode("utf-8", "replace"),
        "raw_path": raw_path,
        "root_path": "",
        "query_string": query,
        "headers": [(name.lower(), value) for name, value in headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        **more,
    }


async def exchange_asgi(
    app: Callable[..., Awaitable[None]], scope: Message, receive: Callable[[], Awaitable[Message]]
) -> Answer | None:
    """Run one request; None when the application sent nothing."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        await asyncio.sleep(0)
        sent.append(message)

    await app(scope, receive, send)
    if not sent:
        return None
    start, body = sent
    assert start["type"] == "http.response.start"
    assert body["type"] == "http.response.body"
    assert not body.get("more_body", False)
    assert all(name == name.lower() for name, _ in start["headers"])
    headers = tuple((name.decode(), value.decode("latin-1")) for name, value in start["headers"])
    check_framing(scope["method"], Response(start["status"], headers, body["body"]))
    return Answer(start["status"], headers, body["body"])


def call_asgi(
    app: Callable[..., Awaitable[None]],
    method: str,
    target: bytes,
    headers: Headers = (),
    body: Iterable[bytes] = (),
    **scope: object,
) -> Answer:
    """Run one whole request through an ASGI application."""
    asked = scope_of(method, target, headers, **scope)
    answer = asyncio.run(exchange_asgi(app, asked, Script.of_body(body)))
    assert answer is not None
    return answer


def environ_of(method: str, target: bytes, headers: Headers = (), **more: object) -> dict[str, Any]:
    """Write the environ of a request as gunicorn does."""
    path, _, query = target.partition(b"?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "RAW_URI": target.decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.errors": io.StringIO(),
        "wsgi.input": io.BytesIO(),
        "wsgi.input_terminated": True,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in headers:
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return {**environ, **more}


class Pieces(io.RawIOBase):
    """An input that gives a body in pieces, as a socket does, and counts the bytes taken."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        super().__init__()
        self.chunks = [chunk for chunk in chunks if chunk]
        self.taken = 0

    def read(self, size: int = -1, /) -> bytes:
        assert size > 0, "an application reads bounded amounts"
        if not self.chunks:
            return b""
        piece, rest = self.chunks[0][:size], self.chunks[0][size:]
        self.chunks[:1] = [rest] if rest else []
        self.taken += len(piece)
        return piece


def exchange_wsgi(app: Callable[..., Iterable[bytes]], environ: dict[str, Any]) -> Answer:
    """Run one request."""
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]]) -> None:
        started.append((status, headers))

    body = b"".join(app(environ, start_response))
    ((status, headers),) = started
    code, _, reason = status.partition(" ")
    assert reason
    received = tuple((name.lower(), value) for name, value in headers)
    check_framing(environ["REQUEST_METHOD"], Response(int(code), received, body))
    return Answer(int(code), received, body)


def call_wsgi(
    app: Callable[..., Iterable[bytes]],
    method: str,
    target: bytes,
    headers: Headers = (),
    body: Iterable[bytes] = (),
    **environ: object,
) -> Answer:
    """Run one whole request through a WSGI application."""
    asked = environ_of(method, target, headers, **{"wsgi.input": Pieces(body), **environ})
    return exchange_wsgi(app, asked)
