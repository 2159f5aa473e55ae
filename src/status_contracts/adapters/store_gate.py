"""A limit on the store calls of one application, so that a hanging store delays nothing else.

Invariant *bounded calls*: at most `max_calls` calls run at once.  A call waits for its turn as long
as others succeed.  It fails with `StoreBusy`, and the store is not called, once none has succeeded
for `timeout_seconds` since it started.
Invariant *no queue for a hanging store*: while `max_calls` calls have run longer than that, others
fail at once.  After a call that failed so late, one call at a time tries the store, no sooner than
`timeout_seconds` after the last one; the others fail at once until a call succeeds.
"""

import math
from collections.abc import Callable
from threading import Condition
from time import monotonic
from typing import TypeVar

T = TypeVar("T")


class StoreBusy(Exception):
    """The store was not called, because earlier calls have not returned."""


class StoreGate:
    """A limit on concurrent store calls; safe to use from any number of threads.

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
        self._changed = Condition()
        self._running: dict[object, float] = {}  # the oldest call first
        self._hangs = False
        self._next_attempt = 0.0
        self._succeeded_at = -math.inf

    def start(self) -> float:
        """Return the time at which a call starts; raise StoreBusy if it would fail at once."""
        with self._changed:
            now = self._clock()
            if self._is_stuck(now):
                raise StoreBusy
            return now

    def call(self, started: float, method: Callable[..., T], *args: object) -> T:
        """Call a method of the store in its turn; raise StoreBusy if it has none in time.

        `started` is the result of `start`.
        """
        turn = object()
        with self._changed:
            self._wait_for_turn(started)
            self._running[turn] = self._clock()
        succeeded = False
        try:
            result = method(*args)
            succeeded = True
        finally:
            self._end(turn, succeeded=succeeded)
        return result

    def _wait_for_turn(self, started: float) -> None:
        while True:
            now = self._clock()
            latest = max(started, self._succeeded_at) + self._timeout
            if now > latest or self._is_stuck(now):
                raise StoreBusy
            if len(self._running) < self._max_calls:
                return
            oldest = next(iter(self._running.values()))
            self._changed.wait(min(latest, oldest + self._timeout) - now + 0.001)

    def _is_stuck(self, now: float) -> bool:
        if self._hangs:
            return bool(self._running) or now < self._next_attempt
        return len(self._running) >= self._max_calls and all(
            now - began > self._timeout for began in self._running.values()
        )

    def _end(self, turn: object, *, succeeded: bool) -> None:
        with self._changed:
            now = self._clock()
            took = now - self._running.pop(turn)
            if succeeded:
                self._hangs = False
                self._succeeded_at = now
            elif self._hangs or took > self._timeout:
                self._hangs = True
                self._next_attempt = now + self._timeout
            self._changed.notify_all()
