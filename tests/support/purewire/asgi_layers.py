"""Layers around an ASGI application that change whole requests and responses: faulty middleware.

async def loud(request: Request, call: Call) -> Response:
    response = await call(request)
    response.body = response.body.upper()
    return response

app = layered(app, loud)
"""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Self
from urllib.parse import unquote_to_bytes

import attrs

App = Callable[..., Awaitable[None]]
Headers = list[tuple[str, str]]


@attrs.define
class _Message:
    headers: Headers
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the first line of a header; `name` in lower case."""
        return next((value for key, value in self.headers if key.lower() == name), None)

    def drop(self, *names: str) -> None:
        """Remove headers; names in lower case."""
        self.headers = [line for line in self.headers if line[0].lower() not in names]

    def put(self, name: str, value: str) -> None:
        """Set a header to one line; `name` in lower case."""
        self.drop(name)
        self.headers.append((name, value))

    @property
    def json(self) -> Any:
        """The body as a plain value; None if it is not JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    def put_json(self, value: object) -> None:
        """Replace the body by JSON text."""
        self.body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        if self.header("content-length") is not None:
            self.put("content-length", str(len(self.body)))


@attrs.define
class Request(_Message):
    """A whole request; `path` is undecoded and without the query."""

    method: str
    path: str
    query: str

    def copy(self, **changes: Any) -> Self:
        """Return a request of its own with some members changed."""
        changed: Self = attrs.evolve(self, **{"headers": [*self.headers], **changes})
        return changed


@attrs.define
class Response(_Message):
    """A whole response."""

    status: int


Call = Callable[[Request], Awaitable[Response]]
Layer = Callable[[Request, Call], Awaitable[Response]]


def respond(status: int, body: bytes = b"", **headers: str) -> Response:
    """Return a response; underscores in the names of headers stand for hyphens."""
    lines = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return Response(lines, body, status)


def caller(app: App) -> Call:
    """Return the function that sends a whole request to an application."""

    async def call(request: Request) -> Response:
        waiting = [{"type": "http.request", "body": request.body, "more_body": False}]
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            return waiting.pop() if waiting else {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        await app(_scope(request), receive, send)
        headers = [
            (key.decode("latin-1"), value.decode("latin-1")) for key, value in sent[0]["headers"]
        ]
        body = b"".join(message.get("body", b"") for message in sent[1:])
        return Response(headers, body, sent[0]["status"])

    return call


def layered(app: App, *layers: Layer) -> App:
    """Return an application whose requests pass through layers, the first of them first."""
    call = caller(app)
    for layer in reversed(layers):
        call = _wrapped(layer, call)
    return served(call)


def served(call: Call) -> App:
    """Return the application that answers whole requests with a function."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            for step in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{step}.complete"})
            return
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        headers = [
            (key.decode("latin-1"), value.decode("latin-1")) for key, value in scope["headers"]
        ]
        request = Request(
            headers,
            body,
            scope["method"],
            scope["raw_path"].decode("latin-1"),
            scope["query_string"].decode("latin-1"),
        )
        response = await call(request)
        lines = [
            (key.lower().encode("latin-1"), value.encode("latin-1"))
            for key, value in response.headers
        ]
        await send({"type": "http.response.start", "status": response.status, "headers": lines})
        await send({"type": "http.response.body", "body": response.body})

    return application


def _wrapped(layer: Layer, call: Call) -> Call:
    async def wrapped(request: Request) -> Response:
        return await layer(request, call)

    return wrapped


def _scope(request: Request) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote_to_bytes(request.path).decode("utf-8", "replace"),
        "raw_path": request.path.encode("latin-1"),
        "root_path": "",
        "query_string": request.query.encode("latin-1"),
        "headers": [
            (key.encode("latin-1"), value.encode("latin-1")) for key, value in request.headers
        ],
        "client": ("127.0.0.1", 40000),
        "server": ("testserver", 80),
    }
