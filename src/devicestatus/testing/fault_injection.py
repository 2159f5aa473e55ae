"""A store in trouble: it stands before another store, and its next calls go wrong as they are told.

A trouble is planned for one of the reads or writes to come and is used up by it.  What a store may
do by the protocol (`purewire.exchange.effects.Store`) is planned here too: be slow, drop a key
that has expired, and, where it is eventually consistent, show an older value.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Final, Literal, TypeVar

import attrs

from devicestatus.testing.stores import AnyStore

__all__ = ["SMOOTH", "Call", "Kind", "Trouble", "TroubledStore"]

T = TypeVar("T")

Kind = Literal["get", "put"]


@attrs.frozen
class Trouble:
    """What is wrong with one call.

    Attributes:
        error: it raises this.
        done: it raises only after its work was done, so that the outcome is unknown to the caller.
        takes_ms: so much time passes in it.
        spoil: a read gives what this makes of the value that it has read.

    """

    error: Exception | None = None
    done: bool = False
    takes_ms: int = 0
    spoil: Callable[[bytes | None], object] | None = None


SMOOTH: Final = Trouble()
"""Nothing is wrong with the call."""


@attrs.frozen
class Call:
    """One call that was made.

    Attributes:
        kind: what was called.
        trouble: what was wrong with it.
        value: what was to be written, or what the store behind this one has given.

    """

    kind: Kind
    trouble: Trouble
    value: bytes | None


class TroubledStore:
    """A store before another one, blocking or awaitable; `calls` lists what was called.

    Args:
        store: the store behind this one.
        pass_time: is told how many milliseconds a call takes.

    """

    def __init__(self, store: AnyStore, pass_time: Callable[[int], None]) -> None:
        self.store = store
        self.calls: list[Call] = []
        self._pass_time = pass_time
        self._planned: dict[Kind, deque[Trouble]] = {"get": deque(), "put": deque()}
        self._has_dropped = False

    def plan(self, kind: Kind, trouble: Trouble, *, after: int = 0) -> None:
        """Let a call go wrong: the next one of its kind, or the one `after` so many others."""
        planned = self._planned[kind]
        planned.extend([SMOOTH] * (after + 1 - len(planned)))
        planned[after] = trouble

    def drop(self) -> None:
        """Hold nothing until the next write, as a store does that drops what has expired."""
        self._has_dropped = True

    async def get(self, key: str) -> object:
        """Give what the store behind gives, or what the trouble makes of it."""
        trouble = self._next("get")
        value = await _settled(self.store.get(key))
        value = None if self._has_dropped else value
        self.calls.append(Call("get", trouble, value))
        self._pass_time(trouble.takes_ms)
        if trouble.error is not None:
            raise trouble.error
        return value if trouble.spoil is None else trouble.spoil(value)

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Write to the store behind, unless the trouble is to fail before that."""
        trouble = self._next("put")
        self.calls.append(Call("put", trouble, value))
        if trouble.error is None or trouble.done:
            await _settled(self.store.put(key, value, expires_at_ms=expires_at_ms))
            self._has_dropped = False
        self._pass_time(trouble.takes_ms)
        if trouble.error is not None:
            raise trouble.error

    def _next(self, kind: Kind) -> Trouble:
        planned = self._planned[kind]
        return planned.popleft() if planned else SMOOTH


async def _settled(result: T | Awaitable[T]) -> T:
    return await result if isawaitable(result) else result
