"""Remembering results of pure functions: the last one, or as many as a bound allows.

Invariant *only what can be made again*: forgetting changes nothing but the time an answer takes.
Invariant *no locks*: what is remembered is one immutable value, replaced by one assignment; of two
threads that remember at once, one may be forgotten, and no bound is passed.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

import attrs

__all__ = ["BoundedCache", "LastResultCache"]

R = TypeVar("R")


class LastResultCache(Generic[R]):
    """A pure function that keeps its last argument and result; safe to call from many threads."""

    def __init__(self, function: Callable[[bytes], R]) -> None:
        self._function = function
        self._last: tuple[bytes, R] | None = None

    def __call__(self, argument: bytes) -> R:
        """Give the result for the argument, without work where it equals the last one."""
        last = self._last
        if last is not None and last[0] == argument:
            return last[1]
        result = self._function(argument)
        self._last = argument, result  # one assignment: readers see the old pair or the new one
        return result


@attrs.frozen
class _Kept(Generic[R]):
    """Results by key, and the bytes that they hold together."""

    results: Mapping[Hashable, R]
    size: int


class BoundedCache(Generic[R]):
    """Results by key, all forgotten before they would pass a bound; for many threads.

    Args:
        most_bytes: what the results may hold together, by the sizes given with them.
        most_results: how many there may be; remembering takes time in proportion to them.

    """

    def __init__(self, *, most_bytes: int, most_results: int) -> None:
        self._most_bytes = most_bytes
        self._most_results = most_results
        self._kept: _Kept[R] = _Kept({}, 0)

    def get(self, key: Hashable) -> R | None:
        """Give what is remembered under a key, None where there is nothing."""
        return self._kept.results.get(key)

    def put(self, key: Hashable, result: R, size: int) -> None:
        """Remember a result of `size` bytes; one that is larger than all may be is not."""
        kept = self._kept
        if size > self._most_bytes or key in kept.results:
            return
        if kept.size + size > self._most_bytes or len(kept.results) >= self._most_results:
            kept = _Kept({}, 0)
        self._kept = _Kept({**kept.results, key: result}, kept.size + size)

    @property
    def size(self) -> int:
        """Bytes of all that is remembered."""
        return self._kept.size

    def __len__(self) -> int:
        return len(self._kept.results)
