"""Any handler as a WSGI application (PEP 3333).

Invariant *bytes count, not promises*: reading stops one byte past the limit; a body that ends
before the length it declared is not complete, and nothing is done with it.
Invariant *one loop*: awaitable stores and asset sources run on one event loop, on a thread that
belongs to the application, so that their connections stay on the loop that made them.  It starts
when it is first needed; a process forked later starts its own.

The path is undecoded where the server tells the request target: gunicorn does (`RAW_URI`), and so
do waitress, Werkzeug, uWSGI and mod_wsgi (`REQUEST_URI`).  Under a server that tells only the
decoded `PATH_INFO` (wsgiref, granian), `/api/%6eow` is `/api/now`.
"""

import asyncio
import inspect
import os
import threading
import weakref
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from http import HTTPStatus
from typing import Any, Final, TypeVar
from wsgiref.types import InputStream, StartResponse

from purewire.adapters.clocks import system_clock
from purewire.adapters.performing import (
    INCOMPLETE,
    NotBound,
    body_to_send,
    checked_headers,
    report_failure,
)
from purewire.effects import (
    AssetSource,
    AsyncAssetSource,
    AsyncStore,
    Body,
    Clock,
    Disconnected,
    Effect,
    Handler,
    ReadAsset,
    ReadBody,
    ReadStore,
    Store,
    Stored,
    WriteStore,
    drive,
)
from purewire.http.headers import bounded_number
from purewire.http.messages import Request, Response
from purewire.http.targets import wire_path

__all__ = ["Application"]

T = TypeVar("T")
Environ = Mapping[str, Any]
_Started = Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]

_PHRASES: Final = {int(status): status.phrase for status in HTTPStatus}
_OUTER_SPACE: Final = b" \t"
_HEADER: Final = "HTTP_"
_CONTENT: Final = {"CONTENT_TYPE": b"content-type", "CONTENT_LENGTH": b"content-length"}


class Application:
    """A WSGI application around a handler.

    A failing store or asset source is logged and thrown into the exchange as `EffectFailed`; any
    other exception is a bug and propagates to the server.

    Args:
        handler: makes the exchange of a request.
        store: where `ReadStore` and `WriteStore` go.
        assets: where `ReadAsset` goes.
        clock: gives the time, ms since the epoch.
        incomplete: the answer to a request whose body breaks off or cannot be read; it reaches a
            client that only stopped sending.

    """

    def __init__(
        self,
        handler: Handler,
        *,
        store: Store | AsyncStore | None = None,
        assets: AssetSource | AsyncAssetSource | None = None,
        clock: Clock = system_clock,
        incomplete: Response = INCOMPLETE,
    ) -> None:
        self._handler = handler
        self._store = store
        self._assets = assets
        self._clock = clock
        self._incomplete = incomplete
        self._loop = _LoopThread()

    def __call__(self, environ: Environ, start_response: StartResponse) -> list[bytes]:
        """Serve one request."""
        request = _request(environ)

        def perform(effect: Effect) -> object:
            if isinstance(effect, ReadBody):
                return Body(_read(effect.limit, environ), self._clock())
            try:
                return self._ask(effect)
            except Exception as fault:
                report_failure(effect, fault)
                raise

        try:
            response = drive(self._handler(request), perform)
        except Disconnected:
            response = self._incomplete
        headers, body = checked_headers(response), body_to_send(request.method, response)
        phrase = _PHRASES.get(response.status, "Unknown")
        start_response(f"{response.status:d} {phrase}", list(headers))
        return [body] if body else []

    def close(self) -> None:
        """Stop the event loop of awaitable stores, if it runs; a later request starts it anew."""
        self._loop.close()

    def _ask(self, effect: ReadStore | WriteStore | ReadAsset) -> object:
        """Perform an effect of the store or the asset source."""
        if isinstance(effect, ReadAsset):
            if self._assets is None:
                raise NotBound
            return self._result(self._assets.fetch(effect.name, effect.conditions))
        if self._store is None:
            raise NotBound
        if isinstance(effect, ReadStore):
            return Stored(self._result(self._store.get(effect.key)), self._clock())
        return self._result(
            self._store.put(effect.key, effect.value, expires_at_ms=effect.expires_at)
        )

    def _result(self, result: object) -> object:
        return self._loop.run(result) if inspect.isawaitable(result) else result


def _request(environ: Environ) -> Request:
    target = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    return Request(
        method=environ["REQUEST_METHOD"],
        path=wire_path(
            None if target is None else _octets(target),
            _octets(environ.get("PATH_INFO", "")),
            _octets(environ.get("SCRIPT_NAME", "")),
        ),
        headers=tuple(_headers(environ)),
    )


def _headers(environ: Environ) -> Iterator[tuple[bytes, bytes]]:
    """Give the headers; the server joined lines of one name, and may give empty content ones."""
    for key, value in environ.items():
        if key in _CONTENT:
            if value:
                yield _CONTENT[key], _octets(value).strip(_OUTER_SPACE)
        elif key.startswith(_HEADER) and key.removeprefix(_HEADER) not in _CONTENT:
            name = key.removeprefix(_HEADER).lower().replace("_", "-")
            yield _octets(name), _octets(value).strip(_OUTER_SPACE)


def _octets(text: str) -> bytes:
    """Give the bytes of a native string: PEP 3333 writes each byte as one character."""
    return text.encode("latin-1")


def _read(limit: int, environ: Environ) -> bytes | None:
    """Read the body, at most one byte past the limit; None where it is longer.

    Where the server does not end the input itself, Content-Length does.
    """
    stream: InputStream = environ["wsgi.input"]
    declared = bounded_number(_octets(environ.get("CONTENT_LENGTH") or ""), limit) or 0
    most = limit + 1 if environ.get("wsgi.input_terminated") else declared
    try:
        body = _read_up_to(most, stream)
    except Exception as fault:  # the client has gone, or what it sends is no body to the server
        raise Disconnected from fault
    if len(body) > limit:
        return None
    if len(body) < declared:
        raise Disconnected
    return body


def _read_up_to(most: int, stream: InputStream) -> bytes:
    body = bytearray()
    while len(body) < most:
        chunk = stream.read(most - len(body))
        if not chunk:
            break
        body += chunk
    return bytes(body)


class _LoopThread:
    """An event loop on a daemon thread, started when first needed, once for each process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: int | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: Callable[[], object] | None = None

    def run(self, awaitable: Awaitable[T]) -> T:
        """Await something on the loop; an interrupted wait cancels it."""
        try:
            loop = self._started()
        except BaseException:
            if inspect.iscoroutine(awaitable):
                awaitable.close()  # else it would complain that nobody awaited it
            raise
        future = asyncio.run_coroutine_threadsafe(_awaited(awaitable), loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel what still runs, and end the thread."""
        with self._lock:
            if self._stop is not None:
                self._stop()
            self._process = self._loop = self._stop = None

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._loop.is_closed() or self._process != os.getpid():
                started: _Started = Future()
                thread = threading.Thread(
                    target=_host, args=(started,), name="purewire-wsgi", daemon=True
                )
                thread.start()
                self._loop, stopping = started.result()
                self._process = os.getpid()
                # Also when the application is collected, and when the program ends.
                self._stop = weakref.finalize(
                    self, _end, self._process, self._loop, stopping, thread
                )
            return self._loop


async def _awaited(awaitable: Awaitable[T]) -> T:
    return await awaitable


def _host(started: _Started) -> None:
    try:
        with asyncio.Runner() as runner:
            runner.run(_live(started))
    except BaseException as fault:
        if started.done():
            raise
        started.set_exception(fault)  # a loop that cannot start must not be waited for


async def _live(started: _Started) -> None:
    stopping = asyncio.Event()
    started.set_result((asyncio.get_running_loop(), stopping))
    await stopping.wait()


def _end(
    process: int,
    loop: asyncio.AbstractEventLoop,
    stopping: asyncio.Event,
    thread: threading.Thread,
) -> None:
    if process != os.getpid() or loop.is_closed():  # after a fork: the loop is the parent's
        return
    loop.call_soon_threadsafe(stopping.set)
    if thread is not threading.current_thread():
        thread.join()
