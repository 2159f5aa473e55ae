"""A handler without a domain: it tells what it was asked, and passes bodies, values and files on.

`/body` answers with the body (413 when longer than the limit), `/store` reads and (PUT) writes one
value, `/files/<name>` gives a file, `/source` and `/source/<name>` what the source has; any other
path answers with the request as the handler saw it.
Served in processes by name: `support.status_contracts.echo_handler:asgi` and `:wsgi`.
"""

import json
import os

from status_contracts.adapters import asgi as asgi_adapter
from status_contracts.adapters import wsgi as wsgi_adapter
from status_contracts.adapters.assets import FolderAssets
from status_contracts.exchange import (
    Body,
    EffectFailed,
    Exchange,
    ReadAsset,
    ReadBody,
    ReadSource,
    ReadStore,
    WriteStore,
)
from status_contracts.messages import Asset, Request, Response, conditional_response

LIMIT = 1000
KEY = "value"
EXPIRES_AT = 4_102_444_800_000  # 2100
FILES = b"/files/"
SOURCE = b"/source"


class Memory:
    """A blocking store that keeps values in a dictionary and counts its calls."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self.calls: list[str] = []

    def get(self, key: str) -> bytes | None:
        self.calls.append("get")
        return self.values.get(key)

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        assert expires_at_ms == EXPIRES_AT
        self.calls.append("put")
        self.values[key] = value


class AsyncMemory:
    """The same with awaitable calls."""

    def __init__(self) -> None:
        self.inner = Memory()

    async def get(self, key: str) -> bytes | None:
        return self.inner.get(key)

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        self.inner.put(key, value, expires_at_ms=expires_at_ms)


class Files:
    """A blocking source of one file."""

    def read_asset(self, name: str) -> Asset | None:
        return Asset(b"png", '"1"') if name == "a.png" else None


class AsyncFiles:
    """The same with an awaitable call."""

    async def read_asset(self, name: str) -> Asset | None:
        return Files().read_asset(name)


class Names:
    """A blocking source that gives back what it was asked."""

    def read(self, name: str | None, now: int) -> object:
        return f"{name} at {now}"


class AsyncNames:
    """The same with an awaitable call."""

    async def read(self, name: str | None, now: int) -> object:
        return Names().read(name, now)


def echo(request: Request) -> Exchange:
    """Answer a request by its path."""
    if request.path == b"/body":
        return _body()
    if request.path == b"/store":
        return _store(request)
    if request.path.startswith(FILES):
        return _file(request)
    if request.path == SOURCE or request.path.startswith(SOURCE + b"/"):
        return _source(request)
    return _request(request)


def answer(status: int, body: bytes, *headers: tuple[str, str]) -> Response:
    return Response(status, (("Content-Length", str(len(body))), *headers), body)


def seen(request: Request) -> bytes:
    """Write a request down; the order of header lines is not kept."""
    headers = sorted(f"{name!r}: {value!r}" for name, value in request.headers)
    asked = [request.method, repr(request.path), headers, repr(request.query)]
    return json.dumps(asked).encode()


def _request(request: Request) -> Exchange:
    yield from ()
    return answer(200, seen(request), ("X-Seen", "request"))


def _body() -> Exchange:
    body: Body = yield from ReadBody(LIMIT)
    if body.data is None:
        return answer(413, b"too long", ("X-At", str(body.at)))
    return answer(200, body.data, ("X-At", str(body.at)))


def _store(request: Request) -> Exchange:
    try:
        if request.method == "PUT":
            body = yield from ReadBody(LIMIT)
            yield from WriteStore(KEY, body.data or b"", EXPIRES_AT)
            return Response(204, ())
        stored = yield from ReadStore(KEY)
    except EffectFailed:
        return answer(503, b"unavailable")
    if not isinstance(stored.value, bytes):
        return answer(404, b"nothing")
    return answer(200, stored.value, ("X-At", str(stored.at)))


def _file(request: Request) -> Exchange:
    name = request.path.removeprefix(FILES).decode("latin-1")
    try:
        found = yield from ReadAsset(name)
    except EffectFailed:
        return answer(503, b"unavailable")
    if found is None:
        return answer(404, b"no such file")
    return conditional_response(request, found, "image/png")


def _source(request: Request) -> Exchange:
    name = request.path.removeprefix(SOURCE)[1:].decode("latin-1") or None
    try:
        found = yield from ReadSource(name)
    except EffectFailed:
        return answer(503, b"unavailable")
    return answer(200, str(found).encode())


_FILES = os.environ.get("ECHOING_FILES", os.curdir)

asgi = asgi_adapter.Application(echo, store=Memory(), assets=FolderAssets(_FILES))
wsgi = wsgi_adapter.Application(echo, store=Memory(), assets=FolderAssets(_FILES))
