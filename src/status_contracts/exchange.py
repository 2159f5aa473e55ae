"""The effects of an exchange, their results and drivers, and the protocols of stores and sources.

An exchange is a generator: it yields effects, is sent their results and returns the response.  It
performs no I/O itself, so an event loop, a thread and a test can all run it.

Invariant *one response*: a driver performs each effect once, in order, and returns the response
that the exchange returns.
Invariant *failures are thrown in*: an `Exception` raised while an effect is performed is thrown
into the exchange as `EffectFailed`.  Anything else (cancellation, exit) and `Disconnected`
propagate after the exchange is closed.
Invariant *results have a time*: a body and a stored value have the time of their completion.
"""

from collections.abc import Awaitable, Callable, Generator
from contextlib import closing
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import attrs

from status_contracts.messages import Asset, Request, Response

__all__ = [
    "AssetSource",
    "AsyncStore",
    "Body",
    "Clock",
    "Disconnected",
    "Effect",
    "EffectFailed",
    "Exchange",
    "Handler",
    "NotConfigured",
    "ReadAsset",
    "ReadBody",
    "ReadSource",
    "ReadStore",
    "Source",
    "Store",
    "Stored",
    "WriteStore",
    "call_of",
    "drive",
    "drive_async",
]

R = TypeVar("R")


class _Effect(Generic[R]):
    """A request of an exchange to its driver: `result = yield from effect`; raises EffectFailed."""

    __slots__ = ()

    def __iter__(self) -> Generator[Any, Any, R]:
        result: R = yield self
        return result


@attrs.frozen
class Body:
    """A request body: its bytes, or None if it exceeds the limit; complete at `at`, in ms."""

    data: bytes | None
    at: int


@attrs.frozen
class ReadBody(_Effect[Body]):
    """Read the request body, at most once and at most one byte past `limit`.

    It never fails: an incomplete or unreadable body ends the exchange (`Disconnected`).
    """

    limit: int


@attrs.frozen
class Stored:
    """The untrusted value that the store returned (None: no such key), and the time in ms."""

    value: object
    at: int


@attrs.frozen
class ReadStore(_Effect[Stored]):
    """Read one key of the store."""

    key: str


@attrs.frozen
class WriteStore(_Effect[None]):
    """Write one key of the store; done when the store returns.

    The store may drop the key at `expires_at` (ms since the epoch) or later, never before it.
    """

    key: str
    value: bytes
    expires_at: int


@attrs.frozen
class ReadAsset(_Effect[Asset | None]):
    """Read one file; the result is None if there is no such file."""

    name: str


@attrs.frozen
class ReadSource(_Effect[Any]):
    """Read a value of the source by name, None for the whole source, such as an index."""

    name: str | None


Effect = ReadBody | ReadStore | WriteStore | ReadAsset | ReadSource
Exchange = Generator[Effect, Any, Response]
Handler = Callable[[Request], Exchange]
Clock = Callable[[], int]


class Store(Protocol):
    """A blocking key-value store; each call may raise any `Exception`."""

    def get(self, key: str) -> bytes | None:
        """Return the value of the key, or None."""

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key; return only when the write is complete."""


class AsyncStore(Protocol):
    """A key-value store with awaitable calls."""

    async def get(self, key: str) -> bytes | None:
        """Return the value of the key, or None."""

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key; return only when the write is complete."""


class AssetSource(Protocol):
    """A source of static files, blocking or awaitable; a call may raise any `Exception`."""

    def read_asset(self, name: str) -> Asset | Awaitable[Asset | None] | None:
        """Return the file, or None if there is no such file."""


class Source(Protocol):
    """A source of values by name, blocking or awaitable; a call may raise any `Exception`."""

    def read(self, name: str | None, now: int) -> object:
        """Return the value of the name at `now`, ms since the epoch.

        Or return a `concurrent.futures.Future` of it, for which requests wait with a time limit.
        """


class EffectFailed(Exception):
    """Performing an effect raised; the `__cause__` is the original and is not shown."""


class Disconnected(Exception):
    """The body is incomplete or unreadable, usually because the client has disconnected.

    The function that performs effects raises it; the exchange is closed without seeing it.
    """


class NotConfigured(Exception):
    """There is no store or source that performs an effect; the text quotes no input."""


def call_of(
    effect: Effect,
    store: Store | AsyncStore | None,
    assets: AssetSource | None,
    source: Source | None,
    clock: Clock,
) -> Callable[[], Any]:
    """Return the call that performs an effect other than `ReadBody`; raise NotConfigured."""
    match effect:
        case ReadStore(key) if store is not None:
            return partial(store.get, key)
        case WriteStore(key, value, expires_at) if store is not None:
            return partial(store.put, key, value, expires_at_ms=expires_at)
        case ReadAsset(name) if assets is not None:
            return partial(assets.read_asset, name)
        case ReadSource(name) if source is not None:
            return partial(source.read, name, clock())
    missing = {ReadAsset: "asset source", ReadSource: "source"}.get(type(effect), "store")
    raise NotConfigured(f"the application has no {missing}")


def drive(exchange: Exchange, perform: Callable[[Effect], object]) -> Response:
    """Run an exchange to its response with a blocking `perform`."""

    async def perform_at_once(effect: Effect) -> object:
        return perform(effect)

    run = drive_async(exchange, perform_at_once)
    try:
        while True:
            run.send(None)  # returns at the first call, because nothing is awaited
    except StopIteration as stop:
        response: Response = stop.value
        return response


async def drive_async(
    exchange: Exchange, perform: Callable[[Effect], Awaitable[object]]
) -> Response:
    """Run an exchange to its response with an awaitable `perform`."""
    step: Callable[[Any], Effect] = exchange.send
    result: object = None
    with closing(exchange):
        while True:
            try:
                effect = step(result)
            except StopIteration as stop:
                response: Response = stop.value
                return response
            try:
                step, result = exchange.send, await perform(effect)
            except Disconnected:
                raise
            except Exception as error:  # noqa: BLE001 - a store may raise anything; it is thrown in
                failure = EffectFailed()
                failure.__cause__ = error
                step, result = exchange.throw, failure
