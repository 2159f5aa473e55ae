"""What the ASGI and the WSGI application share: store, sources, clock, and the limit of calls.

The module `adapters.application` of a product creates both from the same arguments.

Invariant *failures are named, not quoted*: a failing store or source is logged once, on the logger
`status_contracts`, with the effect, the exception type and the rule of a `ContractError`; never
with text, value or traceback.
Invariant *bounded calls*: at most `store_calls` calls of a store run at once, whether it blocks or
is awaitable.  A call waits for its turn as long as others succeed.  It fails with `StoreBusy`, and
the store is not called, once none has succeeded for `store_timeout_seconds` since it started.
Invariant *no queue for a hanging store*: while `store_calls` calls have run longer than that,
others fail at once.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import ClassVar, Final, TypeVar

import attrs

from status_contracts import exchange
from status_contracts.adapters.clocks import system_clock
from status_contracts.findings import ContractError
from status_contracts.messages import Response

T = TypeVar("T")
_Turn = Future[None]
"""The turn of a call, which is done as soon as the call may be made."""

_LOG: Final = logging.getLogger("status_contracts")
_INCOMPLETE: Final = Response(400, (("Content-Length", "0"),))


class StoreBusy(Exception):
    """The store was not called, because earlier calls have not returned."""


class StoreGate:
    """A limit on concurrent store calls; safe to use from any number of threads and event loops.

    Args:
        max_calls: the maximum number of concurrent calls.
        timeout_seconds: how long a call waits for its turn while no other succeeds, and how long
            one may run until the store counts as slow.

    """

    def __init__(self, max_calls: int, timeout_seconds: float) -> None:
        self._max_calls = max_calls
        self._timeout = timeout_seconds
        self._lock = Lock()
        self._running: dict[_Turn, float] = {}  # when each began, the oldest first
        self._waiting: dict[_Turn, float] = {}  # since when, the oldest first
        self._succeeded_at = -math.inf

    def start(self) -> float:
        """Return the time at which a call starts; raise StoreBusy if it would fail at once."""
        with self._lock:
            now = monotonic()
            self._check(now, now)
            return now

    def call(self, method: Callable[[], T], started: float | None = None) -> T:
        """Call a method of the store, which blocks, in its turn; raise StoreBusy if it has none.

        `started` is the result of `start`; None starts now.
        """
        with self._turn(self.start() if started is None else started) as turn:
            while not turn.done():
                wait([turn], self._patience(turn))
            return guarded(method)

    async def call_async(self, method: Callable[[], Awaitable[T]]) -> T:
        """Await a method of the store in its turn; raise StoreBusy if it has none in time."""
        with self._turn(self.start()) as turn:
            while not turn.done():
                await asyncio.wait([asyncio.wrap_future(turn)], timeout=self._patience(turn))
            return await method()

    @contextmanager
    def _turn(self, started: float) -> Iterator[_Turn]:
        """Yield a turn, which may have to wait, and end it; raise StoreBusy."""
        turn, succeeded = _Turn(), False
        with self._lock:
            self._check(started, monotonic())
            self._waiting[turn] = started
            self._begin_next()
        try:
            yield turn
            succeeded = True
        finally:
            with self._lock:
                self._waiting.pop(turn, None)
                self._running.pop(turn, None)
                if succeeded:
                    self._succeeded_at = monotonic()
                self._begin_next()

    def _begin_next(self) -> None:
        if self._waiting and len(self._running) < self._max_calls:
            turn = next(iter(self._waiting))
            del self._waiting[turn]
            self._running[turn] = monotonic()
            turn.set_result(None)

    def _patience(self, turn: _Turn) -> float:
        """Return how many seconds a call may wait until it asks again; raise StoreBusy."""
        with self._lock:
            now = monotonic()
            return self._check(self._waiting.get(turn, now), now) - now + 0.001

    def _check(self, started: float, now: float) -> float:
        """Return until when a call may wait; raise StoreBusy if that has passed."""
        latest = max(started, self._succeeded_at) + self._timeout
        if len(self._running) >= self._max_calls:
            latest = min(latest, next(reversed(self._running.values())) + self._timeout)
        if now > latest:
            raise StoreBusy
        return latest


def guarded(call: Callable[[], T]) -> T:
    """Call a store or a source; StopIteration, which no future can hold, becomes RuntimeError."""
    try:
        return call()
    except StopIteration as error:
        raise RuntimeError("the call raised StopIteration") from error


@attrs.frozen(eq=False, repr=False)
class ApplicationBase:
    """A handler, and the store, the sources and the clock that perform its effects.

    Attributes:
        clock: returns the time, ms since the epoch.
        store_calls: how many store calls run at once; None for as many as suit the interface.
        incomplete: the response to a request whose body is incomplete or unreadable; only a
            client that closed just its sending half receives it.
        store_timeout_seconds: how long a store call may wait for its turn, and how long calls may
            run until the store counts as slow.
        source_timeout_seconds: how long a request waits for the future that a source returns.

    """

    handler: exchange.Handler
    store: exchange.Store | exchange.AsyncStore | None = attrs.field(default=None, kw_only=True)
    assets: exchange.AssetSource | None = attrs.field(default=None, kw_only=True)
    source: exchange.Source | None = attrs.field(default=None, kw_only=True)
    clock: exchange.Clock = attrs.field(default=system_clock, kw_only=True)
    store_calls: int | None = attrs.field(default=None, kw_only=True)
    incomplete: Response = attrs.field(default=_INCOMPLETE, kw_only=True)
    store_timeout_seconds: float = attrs.field(default=1.0, kw_only=True)
    source_timeout_seconds: float = attrs.field(default=5.0, kw_only=True)
    _gate: StoreGate = attrs.field(init=False)
    default_store_calls: ClassVar[int]

    @_gate.default
    def _make_gate(self) -> StoreGate:
        max_calls = self.default_store_calls if self.store_calls is None else self.store_calls
        if max_calls < 1:
            raise ValueError(f"store_calls: must be 1 or more, not {max_calls}")
        return StoreGate(max_calls, self.store_timeout_seconds)


def report_failure(effect: exchange.Effect, error: Exception) -> None:
    """Log that performing an effect raised, unless the client has disconnected."""
    if isinstance(error, exchange.Disconnected):
        return
    reason = str(error) if isinstance(error, exchange.NotConfigured) else type(error).__qualname__
    if isinstance(error, ContractError):
        reason = f"{reason}: {error.findings[0].rule}"
    _LOG.error("%s failed: %s", type(effect).__name__, reason)
