"""Inject faults into a store: the next calls fail, are slow, or return wrong values as planned.

Each planned fault is used by one read or write.  The store can also do what the protocol allows
(`purewire.exchange.Store`): be slow, drop an expired key and, if it is eventually
consistent, return an older value.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final, Literal

import attrs

from devicestatus.testing.stores import AnyStore, settled

__all__ = ["NO_FAULT", "Call", "FaultyStore", "Kind", "StoreFault"]

Kind = Literal["get", "put"]


@attrs.frozen
class StoreFault:
    """The fault of one call.

    Attributes:
        after_work: whether it raises after its work is done; the caller cannot know the outcome.
        corrupt: maps the stored value to the value that a read returns.

    """

    error: Exception | None = None
    after_work: bool = False
    delay_ms: int = 0
    corrupt: Callable[[bytes | None], object] | None = None


NO_FAULT: Final = StoreFault()
"""The call works."""


@attrs.frozen
class Call:
    """One call that was made.

    Attributes:
        value: the value to write, or the value that the inner store returned.

    """

    kind: Kind
    fault: StoreFault
    value: bytes | None


class FaultyStore:
    """A wrapper that injects faults into a blocking or async store; `calls` lists its calls.

    Args:
        advance_clock: called with the delay of each call, ms.

    """

    def __init__(self, store: AnyStore, advance_clock: Callable[[int], None]) -> None:
        self.store = store
        self.calls: list[Call] = []
        self._advance_clock = advance_clock
        self._planned: dict[Kind, deque[StoreFault]] = {"get": deque(), "put": deque()}
        self._has_dropped = False

    def inject(self, kind: Kind, fault: StoreFault, *, after: int = 0) -> None:
        """Plan a fault for the next call of a kind, or for the one `after` that many others."""
        planned = self._planned[kind]
        planned.extend([NO_FAULT] * (after + 1 - len(planned)))
        planned[after] = fault

    def drop(self) -> None:
        """Return None until the next write, as a store does that drops expired keys."""
        self._has_dropped = True

    async def get(self, key: str) -> object:
        """Return the inner store's value, or what the fault makes of it."""
        fault = self._next("get")
        value = await settled(partial(self.store.get, key))
        value = None if self._has_dropped else value
        self.calls.append(Call("get", fault, value))
        self._advance_clock(fault.delay_ms)
        if fault.error is not None:
            raise fault.error
        return value if fault.corrupt is None else fault.corrupt(value)

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Write to the inner store, unless the fault is to fail before."""
        fault = self._next("put")
        self.calls.append(Call("put", fault, value))
        if fault.error is None or fault.after_work:
            await settled(partial(self.store.put, key, value, expires_at_ms=expires_at_ms))
            self._has_dropped = False
        self._advance_clock(fault.delay_ms)
        if fault.error is not None:
            raise fault.error

    def _next(self, kind: Kind) -> StoreFault:
        planned = self._planned[kind]
        return planned.popleft() if planned else NO_FAULT
