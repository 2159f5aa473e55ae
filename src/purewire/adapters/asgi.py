"""Any handler as a raw ASGI 3 application, on an asyncio event loop.

Invariant *bytes count, not promises*: the body is counted as it arrives; reading stops with the
message that takes it past the limit, and Content-Length is not asked.
Invariant *bounded messages*: a body that goes on in empty messages is too long as well.
Invariant *one framing*: after a request with both Transfer-Encoding and Content-Length its
connection is closed (RFC 9112 section 6.1), for a proxy may have believed the other one, and what
followed would be somebody else's request; not every server sees to it.
Invariant *an answer or none*: a server that can no longer send (the client has gone, or was
answered by the server itself) raises what it likes; that is logged by name, and goes no further.
Invariant *the loop is not held*: a blocking store or source runs in a worker thread, unless it
carries a true attribute `nonblocking`.
Invariant *stores have their own threads*: files and sources are read while a store hangs.
Invariant *credentials are not shown*: while a request is served no frame here has a local variable
that shows a header's value, as a traceback with locals would.

The application holds nothing that belongs to one event loop; stores of its owner may.
"""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any, Final

import attrs

from purewire.adapters.application_base import (
    Bound,
    NotBound,
    body_to_send,
    checked_headers,
    reader_of,
    report_failure,
)
from purewire.adapters.store_gate import StoreGate, StoreThreads
from purewire.exchange.drivers import drive_async
from purewire.exchange.effects import (
    Body,
    Disconnected,
    Effect,
    ReadAsset,
    ReadBody,
    ReadSource,
    ReadStore,
    Stored,
    WriteStore,
)
from purewire.http.messages import Request, Response
from purewire.http.request_target import wire_path

__all__ = ["STORE_CALLS", "App", "Application", "Receive", "Scope", "Send"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
"""Any ASGI 3 application."""

_LOG: Final = logging.getLogger("purewire")
STORE_CALLS: Final = 32
"""Threads that do nothing but wait for a store."""
_EMPTY_MESSAGES: Final = 1000  # of one body; servers send one or two, a faulty peer any number
_OUTER_SPACE: Final = b" \t"


@attrs.frozen(eq=False, repr=False)
class Application(Bound):
    """An ASGI 3 application around a handler.

    A failing store or source is logged and thrown into the exchange as `EffectFailed`; any
    other exception is a bug and propagates to the server.

    Attributes:
        store_calls: how many calls of the store run at once; a blocking one has as many
            threads of its own.

    """

    store_calls: int = attrs.field(default=STORE_CALLS, kw_only=True)
    _gate: StoreGate = attrs.field(init=False)
    _threads: StoreThreads = attrs.field(init=False)

    @_gate.default
    def _make_gate(self) -> StoreGate:
        return StoreGate(self.store_calls, self.store_patience)

    @_threads.default
    def _make_threads(self) -> StoreThreads:
        return StoreThreads(self.store_calls)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection scope; raises NotImplementedError for one that ASGI 3 lacks."""
        kind = scope["type"]
        if kind == "http":
            request = _request(scope)
            del scope  # it has the token, and the locals of this frame may be shown
            await self._serve(request, receive, send)
        elif kind == "lifespan":
            await _live(receive, send)
        elif kind == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
        else:
            raise NotImplementedError("only http, lifespan and (closed at once) websocket")

    async def _serve(self, request: Request, receive: Receive, send: Send) -> None:
        async def perform(effect: Effect) -> object:
            if isinstance(effect, ReadBody):
                return Body(await _read(effect.limit, receive), self.clock())
            try:
                return await self._ask(effect)
            except Exception as fault:
                report_failure(effect, fault)
                raise

        try:
            response = await drive_async(self.handler(request), perform)
        except Disconnected:
            response = self.incomplete
        await _answer(request, response, send)

    async def _ask(self, effect: ReadStore | WriteStore | ReadAsset | ReadSource) -> object:
        """Perform an effect of the store or of a source."""
        if isinstance(effect, ReadSource):
            if self.source is None:
                raise NotBound
            return await _call(
                self.source, reader_of(self.source, effect), effect.name, self.clock()
            )
        if isinstance(effect, ReadAsset):
            if self.assets is None:
                raise NotBound
            return await _call(self.assets, self.assets.fetch, effect.name, effect.conditions)
        return await self._ask_store(effect)

    async def _ask_store(self, effect: ReadStore | WriteStore) -> object:
        if self.store is None:
            raise NotBound
        call = partial(self._threads.call, self._gate)
        if isinstance(effect, ReadStore):
            value = await _call(self.store, self.store.get, effect.key, in_thread=call)
            return Stored(value, self.clock())
        put = partial(self.store.put, effect.key, effect.value, expires_at_ms=effect.expires_at)
        return await _call(self.store, put, in_thread=call)


def _request(scope: Scope) -> Request:
    headers = tuple(
        (bytes(name).lower(), bytes(value).strip(_OUTER_SPACE)) for name, value in scope["headers"]
    )
    return Request(
        method=scope["method"],
        path=_path(scope),
        headers=headers,
        query=bytes(scope.get("query_string", b"")),
    )


def _path(scope: Scope) -> bytes:
    """Give the path below the mount point as it stood on the wire.

    `path` holds the whole path, mount point (`root_path`) included, unless a proxy cut the part of
    it that was there before any routing; Starlette's routers keep that part in `app_root_path`.
    """
    path, root = scope["path"], scope.get("root_path", "")
    outer = scope.get("app_root_path", "")
    mounts = [root, root.removeprefix(outer)] if outer else [root]
    mount = next((mount for mount in mounts if _is_below(path, mount)), "")
    return wire_path(scope.get("raw_path"), _octets(path.removeprefix(mount)), _octets(mount))


def _is_below(path: str, mount: str) -> bool:
    return path == mount or path.startswith(f"{mount}/")


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


async def _read(limit: int, receive: Receive) -> bytes | None:
    """Read a body as it arrives; None as soon as it is longer than the limit."""
    body = bytearray()
    empty = 0
    while True:
        try:
            message = await receive()
        except Exception as fault:  # what arrives is no body to the server
            raise Disconnected from fault
        if message["type"] == "http.disconnect":
            raise Disconnected
        chunk = message.get("body", b"")
        empty += not chunk
        if len(body) + len(chunk) > limit or empty > _EMPTY_MESSAGES:
            return None
        body += chunk
        if not message.get("more_body", False):
            return bytes(body)


async def _call(
    owner: object,
    method: Callable[..., object],
    *args: object,
    in_thread: Callable[..., Awaitable[object]] = asyncio.to_thread,
) -> object:
    """Call a method where it may run, and await its result if that is awaitable."""
    if inspect.iscoroutinefunction(method) or getattr(owner, "nonblocking", False):
        result = method(*args)
    else:
        result = await in_thread(_guarded, method, *args)
    return await result if inspect.isawaitable(result) else result


def _guarded(method: Callable[..., object], *args: object) -> object:
    try:
        return method(*args)
    except StopIteration as fault:  # a future cannot carry it: the caller would wait for ever
        raise RuntimeError("the call raised StopIteration") from fault


async def _answer(request: Request, response: Response, send: Send) -> None:
    headers = [
        (name.lower().encode("ascii"), value.encode("latin-1"))
        for name, value in checked_headers(response)
    ]
    if _is_framed_twice(request):
        headers.append((b"connection", b"close"))
    body = body_to_send(request.method, response)
    try:
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    except Exception as fault:  # noqa: BLE001 - nobody is left to be answered; what was done stays
        _LOG.debug("an answer was not sent: %s", type(fault).__qualname__)


def _is_framed_twice(request: Request) -> bool:
    return all(map(request.lines, (b"transfer-encoding", b"content-length")))


async def _live(receive: Receive, send: Send) -> None:
    """Take part in the lifespan protocol; there is nothing to start or stop."""
    while True:
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return
