"""What an exchange may ask of the world, and the two drivers that ask for it.

An exchange is a generator: it yields effects, is sent their results and returns the response.  It
never performs anything itself, so the same exchange serves an event loop, a thread and a test.

Invariant *one answer*: a driver performs each effect once, in the order asked, and gives back the
response that the exchange returns.
Invariant *faults are thrown in*: an `Exception` raised while an effect is performed reaches the
exchange as `EffectFailed` at its `yield`; anything else (cancellation, exit) and `Disconnected`
pass through, after the exchange was closed.
Invariant *stamped results*: a body and a stored value carry the time at which they were complete.
"""

from collections.abc import Callable, Generator
from typing import Any, Protocol

import attrs

from purewire.http.assets import UNCONDITIONAL, Asset, Conditions, Unmodified
from purewire.http.messages import Request, Response

__all__ = [
    "AssetSource",
    "AsyncAssetSource",
    "AsyncSource",
    "AsyncStore",
    "Body",
    "Clock",
    "Disconnected",
    "Effect",
    "EffectFailed",
    "Exchange",
    "Handler",
    "ReadAsset",
    "ReadBody",
    "ReadSource",
    "ReadStore",
    "Source",
    "Store",
    "Stored",
    "WriteStore",
    "read_asset",
    "read_body",
    "read_source",
    "read_store",
    "write_store",
]


@attrs.frozen
class ReadBody:
    """Read the request body, at most once and never more than a byte past `limit`; result `Body`.

    It never fails: a body that breaks off or cannot be read ends the exchange (`Disconnected`).
    """

    limit: int


@attrs.frozen
class Body:
    """A request body: its bytes, or None where it is longer than the limit; complete at `at`."""

    data: bytes | None
    at: int


@attrs.frozen
class ReadStore:
    """Read one key of the store; result `Stored`."""

    key: str


@attrs.frozen
class Stored:
    """What the store answered (None: no such key; not yet trusted), and when, in ms."""

    value: object
    at: int


@attrs.frozen
class WriteStore:
    """Write one key of the store; done when the store says so.

    Attributes:
        key: the key.
        value: the whole value.
        expires_at: ms since the epoch; the store may drop the key from then on, never before.

    """

    key: str
    value: bytes
    expires_at: int


@attrs.frozen
class ReadAsset:
    """Read one file of the asset source; result `Asset`, `Unmodified` or None (no such file)."""

    name: str
    conditions: Conditions = UNCONDITIONAL


@attrs.frozen
class ReadSource:
    """Read what the source has under a name; result: a value of the source's own kind.

    Attributes:
        name: the name; None asks for what the source has as a whole, an index for example.
        at_once: whether an earlier state will do; a source that has a method `latest` is asked for
            that with it.

    """

    name: str | None
    at_once: bool = False


Effect = ReadBody | ReadStore | WriteStore | ReadAsset | ReadSource
Exchange = Generator[Effect, Any, Response]
Handler = Callable[[Request], Exchange]
Clock = Callable[[], int]


class Store(Protocol):
    """A key-value store as a blocking adapter sees it; each call may raise any `Exception`."""

    def get(self, key: str) -> bytes | None:
        """Give the value of the key, or None."""

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key; return only when the write is complete."""


class AsyncStore(Protocol):
    """The same store with awaitable calls."""

    async def get(self, key: str) -> bytes | None:
        """Give the value of the key, or None."""

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Overwrite the value of the key; return only when the write is complete."""


class AssetSource(Protocol):
    """Static files by name; a call may raise any `Exception` when the source is unavailable.

    A source that can judge the conditions itself may answer `Unmodified` without the bytes.
    """

    def fetch(self, name: str, conditions: Conditions) -> Asset | Unmodified | None:
        """Give the file, `Unmodified`, or None where there is no such file."""


class AsyncAssetSource(Protocol):
    """The same source with an awaitable call."""

    async def fetch(self, name: str, conditions: Conditions) -> Asset | Unmodified | None:
        """Give the file, `Unmodified`, or None where there is no such file."""


class Source(Protocol):
    """Values that are made of something outside, files for example, and read by name.

    A call may raise any `Exception` when the source is unavailable.
    """

    def read(self, name: str | None, now: int) -> object:
        """Give what there is under the name, as it is at `now`, ms since the epoch."""


class AsyncSource(Protocol):
    """The same source with an awaitable call."""

    async def read(self, name: str | None, now: int) -> object:
        """Give what there is under the name, as it is at `now`, ms since the epoch."""


class EffectFailed(Exception):
    """Performing an effect raised; the original is the `__cause__` and is never shown."""


class Disconnected(Exception):
    """The body broke off, or cannot be read: most often the client has gone.

    A `perform` raises it; the exchange never sees it, and what it would have done next is not done.
    """


def read_body(limit: int) -> Generator[Effect, Any, Body]:
    """Ask for the body, at most `limit` bytes."""
    body: Body = yield ReadBody(limit)
    return body


def read_store(key: str) -> Generator[Effect, Any, Stored]:
    """Ask for a stored value; raises EffectFailed."""
    stored: Stored = yield ReadStore(key)
    return stored


def write_store(key: str, value: bytes, *, expires_at: int) -> Generator[Effect, Any, None]:
    """Ask for a write; raises EffectFailed."""
    yield WriteStore(key, value, expires_at)


def read_asset(
    name: str, conditions: Conditions = UNCONDITIONAL
) -> Generator[Effect, Any, Asset | Unmodified | None]:
    """Ask for a static file; raises EffectFailed."""
    asset: Asset | Unmodified | None = yield ReadAsset(name, conditions)
    return asset


def read_source(name: str | None, *, at_once: bool = False) -> Generator[Effect, Any, Any]:
    """Ask for what the source has under a name; raises EffectFailed."""
    return (yield ReadSource(name, at_once))
