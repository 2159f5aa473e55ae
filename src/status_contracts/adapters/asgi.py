"""An ASGI 3 application around any handler, on an asyncio event loop.

Invariant *bounded body*: the body is counted as it arrives, whatever Content-Length declares.
Reading stops with the message that exceeds the limit.
Invariant *bounded messages*: a body of more than 1000 empty messages is too long as well.
Invariant *one framing*: after a request with both Transfer-Encoding and Content-Length the
connection is closed (RFC 9112 section 6.1).  A proxy may have used the other header, so the next
bytes could be a smuggled request.  Not every server closes it.
Invariant *failed sends are logged*: an exception of `send` (the client has disconnected, or the
server responded itself) is logged by type and not raised.
Invariant *the event loop is not blocked*: a blocking store or source runs in a worker thread,
unless it has a true attribute `nonblocking`.
Invariant *stores have their own threads*: files and sources are read while a store hangs.
Invariant *credentials are not shown*: while a request is served, no frame here has a local variable
whose repr contains a header value; tracebacks may show locals.

The application is not bound to one event loop; the store of its owner may be.
"""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, ClassVar, Final

import attrs

from status_contracts import exchange, messages
from status_contracts.adapters.application import ApplicationBase, guarded, report_failure

__all__ = ["App", "Application", "Message", "Receive", "Scope", "Send"]

Scope = MutableMapping[str, Any]
Message = Any
"""A mapping; frameworks declare it as such or as typed dictionaries, and no type covers both."""
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
"""Any ASGI 3 application."""

_LOG: Final = logging.getLogger("status_contracts")
STORE_CALLS: Final = 32
"""How many calls of a store run at once, each in a thread if the store blocks."""
_MAX_EMPTY_MESSAGES: Final = 1000  # of one body; servers send one or two


@attrs.frozen(eq=False, repr=False)
class Application(ApplicationBase):
    """An ASGI 3 application around a handler.

    A failing store or source is logged and thrown into the exchange as `EffectFailed`.  Any other
    exception is a bug and propagates to the server.

    A blocking store has as many threads as calls run at once.
    """

    default_store_calls: ClassVar[int] = STORE_CALLS
    _threads: ThreadPoolExecutor = attrs.field(init=False)

    @_threads.default
    def _make_threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.store_calls or STORE_CALLS, "status_contracts-store")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection scope; raise NotImplementedError for an unknown scope type."""
        kind = scope["type"]
        if kind == "http":
            request = _request(scope)
            del scope  # it contains the token, and a traceback may show the locals of this frame
            perform = partial(self._perform, receive)
            try:
                response = await exchange.drive_async(self.handler(request), perform)
            except exchange.Disconnected:
                response = self.incomplete
            await _send_response(request, response, send)
        elif kind == "lifespan":
            await _run_lifespan(receive, send)
        elif kind == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
        else:
            raise NotImplementedError("the scope type must be http, lifespan or websocket (closed)")

    async def _perform(self, receive: Receive, effect: exchange.Effect) -> object:
        try:
            if isinstance(effect, exchange.ReadBody):
                return exchange.Body(await _read(effect.limit, receive), self.clock())
            call = exchange.call_of(effect, self.store, self.assets, self.source, self.clock)
            if isinstance(effect, exchange.ReadStore):
                return exchange.Stored(await self._call_store(call), self.clock())
            if isinstance(effect, exchange.WriteStore):
                return await self._call_store(call)
            owner = self.assets if isinstance(effect, exchange.ReadAsset) else self.source
            is_direct = getattr(owner, "nonblocking", False) or inspect.iscoroutinefunction(call)
            result = call() if is_direct else await asyncio.to_thread(guarded, call)
            result = await result if inspect.isawaitable(result) else result
            if isinstance(result, Future):  # others may wait for it, too: it is not cancelled
                future = asyncio.shield(asyncio.wrap_future(result))
                return await asyncio.wait_for(future, self.source_timeout_seconds)
        except Exception as error:
            report_failure(effect, error)
            raise
        return result

    async def _call_store(self, call: Callable[[], Any]) -> object:
        """Call the store in its turn, in a thread of its own if it blocks."""
        if inspect.iscoroutinefunction(call):
            return await self._gate.call_async(call)
        if getattr(self.store, "nonblocking", False):
            result = call()
        else:
            # The thread has the turn: a call goes on when its request is cancelled.
            gate = self._gate
            run = partial(copy_context().run, gate.call, call, gate.start())
            result = await asyncio.get_running_loop().run_in_executor(self._threads, run)
        if inspect.isawaitable(result):
            return await self._gate.call_async(lambda: result)
        return result


def _request(scope: Scope) -> messages.Request:
    headers = tuple(
        (bytes(name).lower(), bytes(value).strip(messages.OUTER_SPACE))
        for name, value in scope["headers"]
    )
    return messages.Request(
        method=scope["method"],
        path=_path(scope),
        headers=headers,
        query=bytes(scope.get("query_string", b"")),
    )


def _path(scope: Scope) -> bytes:
    """Return the path below the mount point as it was sent.

    `path` is the whole path with the mount point (`root_path`), unless a proxy removed the part
    from before any routing; Starlette's routers keep that part in `app_root_path`.
    """
    path, root = scope["path"], scope.get("root_path", "")
    mounts = root, root.removeprefix(scope.get("app_root_path") or "")
    mount = next((mount for mount in mounts if f"{path}/".startswith(f"{mount}/")), "")
    texts = path.removeprefix(mount), mount
    octets = (text.encode("utf-8", "surrogateescape") for text in texts)
    return messages.wire_path(scope.get("raw_path"), *octets)


async def _read(limit: int, receive: Receive) -> bytes | None:
    """Read a body as it arrives; return None as soon as it exceeds the limit."""
    body = bytearray()
    empty = 0
    while True:
        try:
            message = await receive()
        except Exception as error:  # the server rejects the body
            raise exchange.Disconnected from error
        if message["type"] == "http.disconnect":
            raise exchange.Disconnected
        chunk = message.get("body", b"")
        empty += not chunk
        if len(body) + len(chunk) > limit or empty > _MAX_EMPTY_MESSAGES:
            return None
        body += chunk
        if not message.get("more_body", False):
            return bytes(body)


async def _send_response(
    request: messages.Request, response: messages.Response, send: Send
) -> None:
    headers = messages.encoded_headers(response)
    if all(map(request.lines, (b"transfer-encoding", b"content-length"))):
        headers.append((b"connection", b"close"))
    body = messages.body_to_send(request.method, response)
    try:
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    except Exception as error:  # noqa: BLE001 - the client has disconnected; the work is done
        _LOG.debug("a response was not sent: %s", type(error).__qualname__)


async def _run_lifespan(receive: Receive, send: Send) -> None:
    kind = ""
    while kind != "lifespan.shutdown":
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
