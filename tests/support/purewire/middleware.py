"""Middleware that changes requests and responses of an ASGI application, to break it on purpose."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote

import attrs

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Sending = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Message, Receive, Sending], Awaitable[None]]


@attrs.frozen
class Request:
    """A request without a body.

    Attributes:
        method: the method.
        path: the raw path.
        query: the raw query.
        headers: names in lower case, with their values.

    """

    method: str
    path: str
    query: str = ""
    headers: tuple[tuple[str, str], ...] = ()

    def header(self, name: str) -> str | None:
        """Return the value of the first line of a header; its name is in lower case."""
        return next((value for key, value in self.headers if key == name), None)


@attrs.frozen
class Response:
    """A response; header names as they were sent."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """Return the value of a header, or nothing."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    def with_headers(self, **changes: str | None) -> "Response":
        """Return the response with other headers; None removes one."""
        names = {name.replace("_", "-"): value for name, value in changes.items()}
        kept = [line for line in self.headers if line[0].lower() not in names]
        added = [(name, value) for name, value in names.items() if value is not None]
        return attrs.evolve(self, headers=(*kept, *added))

    def with_body(self, body: bytes) -> "Response":
        """Return the response with another body."""
        return attrs.evolve(self, body=body).with_headers(content_length=str(len(body)))

    def with_json(self, value: object) -> "Response":
        """Return the response with a JSON body."""
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        return self.with_body(body)


Call = Callable[[Request], Awaitable[Response]]
Handle = Callable[[Request, Call], Awaitable[Response]]


def around(application: Asgi, handle: Handle) -> Asgi:
    """Return an application that handles requests with the help of another one."""

    async def call(request: Request) -> Response:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": "http",
            "path": unquote(request.path),
            "raw_path": request.path.encode("latin-1"),
            "root_path": "",
            "query_string": request.query.encode("latin-1"),
            "headers": [(name.encode(), value.encode()) for name, value in request.headers],
            "client": ("127.0.0.1", 40000),
            "server": ("testserver", 80),
        }
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await application(scope, receive, send)
        start, *parts = sent
        headers = tuple((name.decode(), value.decode()) for name, value in start["headers"])
        return Response(start["status"], headers, b"".join(part.get("body", b"") for part in parts))

    async def middleware(scope: Message, receive: Receive, send: Sending) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        raw = scope.get("raw_path") or scope["path"].encode()
        headers = tuple(
            (name.decode(), value.decode("latin-1")) for name, value in scope["headers"]
        )
        query = scope["query_string"].decode("latin-1")
        request = Request(scope["method"], raw.partition(b"?")[0].decode("latin-1"), query, headers)
        response = await handle(request, call)
        lines = [(name.encode(), value.encode("latin-1")) for name, value in response.headers]
        await send({"type": "http.response.start", "status": response.status, "headers": lines})
        await send({"type": "http.response.body", "body": response.body})

    return middleware


def before(application: Asgi, change: Callable[[Request], Request]) -> Asgi:
    """Return an application that gets other requests."""

    async def handle(request: Request, call: Call) -> Response:
        return await call(change(request))

    return around(application, handle)


def after(application: Asgi, change: Callable[[Request, Response], Response]) -> Asgi:
    """Return an application that sends other responses."""

    async def handle(request: Request, call: Call) -> Response:
        return change(request, await call(request))

    return around(application, handle)


def edit_json(
    application: Asgi, matches: Callable[[Request], bool], edit: Callable[[Any], object]
) -> Asgi:
    """Return an application whose JSON bodies with status 200 are edited in place.

    The entity tag stays as it was: it is that of other bytes, but differs where they do.
    """

    async def handle(request: Request, call: Call) -> Response:
        is_head = request.method == "HEAD"
        response = await call(attrs.evolve(request, method="GET") if is_head else request)
        is_json = response.header("content-type").startswith("application/json")
        if response.status == 200 and is_json and matches(request):
            value = json.loads(response.body)
            edit(value)
            response = response.with_json(value)
        return attrs.evolve(response, body=b"") if is_head else response

    return around(application, handle)


def below(text: str) -> Callable[[Request], bool]:
    """Return a predicate: whether the path contains a text."""
    return lambda request: text in request.path


def ends(*texts: str) -> Callable[[Request], bool]:
    """Return a predicate: whether the path ends with one of some texts."""
    return lambda request: request.path.endswith(texts)
