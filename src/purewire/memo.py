"""Remembering the last result of a pure function of bytes.

Invariant *only what can be made again*: forgetting changes nothing but the time an answer takes.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["LastResult"]

R = TypeVar("R")


class LastResult(Generic[R]):
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
