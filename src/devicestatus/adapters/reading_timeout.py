"""One look at a machine, in a thread: what it gives, or the name of what it raised.

Invariant *no look ends the work*: whatever a source of readings raises is given, by its type's name
alone, for its text may quote what is private; only what is no `Exception` goes through.
"""

import asyncio
from collections.abc import Callable

import attrs

from devicestatus.models.snapshot import Snapshot

__all__ = ["Unread", "look"]


@attrs.frozen
class Unread:
    """A look that failed; `fault` is the type of what it raised."""

    fault: str


async def look(read: Callable[[], Snapshot]) -> Snapshot | Unread:
    """Give what a function reads, which may block and raise."""
    return await asyncio.to_thread(_attempt, read)


def _attempt(read: Callable[[], Snapshot]) -> Snapshot | Unread:
    # Caught in the thread: no future takes a StopIteration, so who waits for one would wait on.
    try:
        return read()
    except Exception as fault:  # noqa: BLE001 - what is read lists nowhere what it may raise
        return Unread(type(fault).__name__)
