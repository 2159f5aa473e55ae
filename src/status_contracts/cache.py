"""Cache results of pure functions: the last one, or as many as a limit allows.

Invariant *only results of pure functions*: dropping an entry changes only how long a call takes.
Invariant *no locks*: the state is one immutable value, replaced by one assignment.  If two threads
store results at once, one may be lost, and no limit is exceeded.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

import attrs

R = TypeVar("R")


class LastResultCache(Generic[R]):
    """A pure function with a cache of its last call; safe to call from many threads."""

    def __init__(self, function: Callable[[bytes], R]) -> None:
        self._function = function
        self._last: tuple[bytes, R] | None = None

    def __call__(self, argument: bytes) -> R:
        """Return the result for the argument, from the cache if it equals the last one."""
        last = self._last
        if last is not None and last[0] == argument:
            return last[1]
        result = self._function(argument)
        self._last = argument, result  # one assignment: readers see the old pair or the new one
        return result


@attrs.frozen
class _State(Generic[R]):
    """Results by key, and their total size in bytes."""

    results: Mapping[Hashable, R]
    size: int


class BoundedCache(Generic[R]):
    """A cache of results by key, emptied when it would exceed a limit; safe for many threads."""

    def __init__(self, *, max_bytes: int, max_results: int) -> None:
        self._max_bytes = max_bytes
        self._max_results = max_results
        self._state: _State[R] = _State({}, 0)

    def get(self, key: Hashable) -> R | None:
        """Return the result of a key; None if it is not in the cache."""
        return self._state.results.get(key)

    def put(self, key: Hashable, result: R, size: int) -> None:
        """Store a result of `size` bytes, unless it is larger than `max_bytes`."""
        state = self._state
        if size > self._max_bytes or key in state.results:
            return
        if state.size + size > self._max_bytes or len(state.results) >= self._max_results:
            state = _State({}, 0)
        self._state = _State({**state.results, key: result}, state.size + size)

    @property
    def size(self) -> int:
        """The total size of the results in bytes."""
        return self._state.size

    def __len__(self) -> int:
        return len(self._state.results)
