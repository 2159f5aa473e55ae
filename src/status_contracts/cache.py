"""Cache as many results of pure functions as a limit of bytes allows.

Invariant *only results of pure functions*: dropping an entry changes only how long a call takes.
Invariant *no locks*: the state is one immutable value, replaced by one assignment.  If two threads
store results at once, one may be lost, and no limit is exceeded.
"""

from collections.abc import Hashable, Mapping
from typing import Generic, TypeVar

import attrs

R = TypeVar("R")


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
