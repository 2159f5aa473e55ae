"""What the ASGI and the WSGI application share: store, sources, clock, and the limit of calls.

The module `adapters.application` of a product creates both from the same arguments.

Invariant *failures are named, not quoted*: a failing store or source is logged once, on the logger
`status_contracts`, with the effect, the exception type and the rule of a `ContractError`; never
with text, value or traceback.
Invariant *bounded calls*: at most `store_calls` calls of a store run at once, whether it blocks or
is awaitable.  A call waits for its turn as long as others succeed.  It fails with `StoreBusy`, and
the store is not called, once none has succeeded for `store_timeout_seconds` since it started.
Invariant *no queue for a hanging store*: while `store_calls` calls have run longer than that,
others fail at once.  After a call that failed so late, one call at a time tries the store, no
sooner than that time after the last one; the others fail at once until a call succeeds.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import ClassVar, Final, NoReturn, TypeVar

import attrs

from status_contracts.adapters.clocks import system_clock
from status_contracts.exchange import (
    AssetSource,
    AsyncStore,
    Clock,
    Disconnected,
    Effect,
    Handler,
    ReadAsset,
    ReadSource,
    Source,
    Store,
)
from status_contracts.findings import ContractError
from status_contracts.messages import Response

T = TypeVar("T")
_Ready = Future[bool]
"""Done with True as soon as a call that waits may be made, with False if it must not be made."""

_LOG: Final = logging.getLogger("status_contracts")

INCOMPLETE: Final = Response(400, (("Content-Length", "0"),))
"""The default response to a request whose body is incomplete."""


class NotConfigured(Exception):
    """The application cannot perform an effect as it was created; the text quotes no input."""


class StoreBusy(Exception):
    """The store was not called, because earlier calls have not returned."""


class StoreGate:
    """A limit on concurrent store calls; safe to use from any number of threads and event loops.

    Args:
        max_calls: the maximum number of concurrent calls.
        timeout_seconds: how long a call waits for its turn while no other succeeds, and how long
            one may run until the store counts as slow.
        clock: returns monotonic seconds.

    """

    def __init__(
        self, max_calls: int, timeout_seconds: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._max_calls = max_calls
        self._timeout = timeout_seconds
        self._clock = clock
        self._lock = Lock()
        self._running: dict[object, float] = {}  # when each turn began, the oldest first
        self._waiting: dict[object, _Ready] = {}  # the oldest first
        self._hangs = False
        self._next_attempt = 0.0
        self._succeeded_at = -math.inf

    def start(self) -> float:
        """Return the time at which a call starts; raise StoreBusy if it would fail at once."""
        with self._lock:
            now = self._clock()
            if self._is_stuck(now):
                raise StoreBusy
            return now

    def call(self, started: float, method: Callable[..., T], *args: object, **named: object) -> T:
        """Call a blocking method of the store in its turn; raise StoreBusy if it has none in time.

        `started` is the result of `start`.
        """
        try:
            with self._turn(started) as ready:
                while not ready.done():
                    wait([ready], self._patience(started))
                _require(ready)
                return method(*args, **named)
        except StopIteration as error:  # a future cannot hold it: the caller would wait forever
            raise RuntimeError("the store raised StopIteration") from error

    async def call_async(
        self, method: Callable[..., Awaitable[T]], *args: object, **named: object
    ) -> T:
        """Await a method of the store in its turn; raise StoreBusy if it has none in time."""
        started = self.start()
        with self._turn(started) as ready:
            while not ready.done():
                future = asyncio.wrap_future(ready)
                await asyncio.wait([future], timeout=self._patience(started))
            _require(ready)
            return await method(*args, **named)

    @contextmanager
    def _turn(self, started: float) -> Iterator[_Ready]:
        """Begin a turn, or yield what it has to wait for, and end it; raise StoreBusy."""
        turn, ready, succeeded = object(), _Ready(), False
        with self._lock:
            now = self._clock()
            self._check(started, now)
            if len(self._running) < self._max_calls:
                self._running[turn] = now
                ready.set_result(True)
            else:
                self._waiting[turn] = ready
        try:
            yield ready
            succeeded = True
        finally:
            self._end(turn, succeeded=succeeded)

    def _patience(self, started: float) -> float:
        """Return how many seconds a call may wait until it asks again; raise StoreBusy."""
        with self._lock:
            now = self._clock()
            latest = self._check(started, now)
            oldest = next(iter(self._running.values()), now)
            return min(latest, oldest + self._timeout) - now + 0.001

    def _check(self, started: float, now: float) -> float:
        """Return until when a call may begin; raise StoreBusy if that has passed."""
        latest = max(started, self._succeeded_at) + self._timeout
        if now > latest or self._is_stuck(now):
            raise StoreBusy
        return latest

    def _is_stuck(self, now: float) -> bool:
        if self._hangs:
            return bool(self._running) or now < self._next_attempt
        return len(self._running) >= self._max_calls and all(
            now - began > self._timeout for began in self._running.values()
        )

    def _end(self, turn: object, *, succeeded: bool) -> None:
        """End a call, or its wait for a turn, and let the next one begin."""
        with self._lock:
            self._waiting.pop(turn, None)
            began = self._running.pop(turn, None)
            if began is None:
                return
            now = self._clock()
            if succeeded:
                self._hangs = False
                self._succeeded_at = now
            elif self._hangs or now - began > self._timeout:
                self._hangs = True
                self._next_attempt = now + self._timeout
            while self._waiting and (self._hangs or len(self._running) < self._max_calls):
                following = next(iter(self._waiting))
                ready = self._waiting.pop(following)
                if not self._hangs:
                    self._running[following] = now
                ready.set_result(not self._hangs)


def _require(ready: _Ready) -> None:
    if not ready.result():
        raise StoreBusy


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

    handler: Handler
    store: Store | AsyncStore | None = attrs.field(default=None, kw_only=True)
    assets: AssetSource | None = attrs.field(default=None, kw_only=True)
    source: Source | None = attrs.field(default=None, kw_only=True)
    clock: Clock = attrs.field(default=system_clock, kw_only=True)
    store_calls: int | None = attrs.field(default=None, kw_only=True)
    incomplete: Response = attrs.field(default=INCOMPLETE, kw_only=True)
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


def refuse(effect: Effect) -> NoReturn:
    """Raise NotConfigured for an effect whose store or source the application does not have."""
    missing = {ReadAsset: "asset source", ReadSource: "source"}.get(type(effect), "store")
    raise NotConfigured(f"the application has no {missing}")


def report_failure(effect: Effect, error: Exception) -> None:
    """Log that performing an effect raised, unless the client has disconnected."""
    if isinstance(error, Disconnected):
        return
    reason = str(error) if isinstance(error, NotConfigured) else type(error).__qualname__
    if isinstance(error, ContractError):
        reason = f"{reason}: {error.findings[0].rule}"
    _LOG.error("%s failed: %s", type(effect).__name__, reason)
