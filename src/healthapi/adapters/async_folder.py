"""A `FolderSource` for an event loop: it returns at once what is known, and never blocks.

Invariant *same results*: results and errors are those of `FolderSource`, except that requests wait
without a time limit for a profile that has not been read yet.
"""

import asyncio
from collections.abc import Awaitable
from concurrent.futures import Future
from typing import Final

from healthapi.adapters.folder import WAIT_SECONDS, FolderSource, Value, value_of

__all__ = ["AsyncFolderSource"]


class AsyncFolderSource:
    """A `FolderSource` that returns an awaitable where the other one waits."""

    nonblocking: Final = True

    def __init__(self, source: FolderSource) -> None:
        self._source = source

    def read(self, name: str | None, now: int) -> Value | Awaitable[Value]:  # noqa: ARG002 - of the protocol
        """Return the result of `FolderSource.read`, or an awaitable of it."""
        found = self._source.find(name)
        return self._wait(name, None) if isinstance(found, Future) else value_of(found)

    def latest(self, name: str, now: int) -> Value | Awaitable[Value]:  # noqa: ARG002 - of the protocol
        """Return the result of `FolderSource.latest`, or an awaitable of it."""
        found = self._source.find(name)
        return self._wait(name, WAIT_SECONDS) if isinstance(found, Future) else value_of(found)

    async def _wait(self, name: str | None, seconds: float | None) -> Value:
        while isinstance(found := self._source.find(name), Future):
            await asyncio.wait([asyncio.wrap_future(found)], timeout=seconds)
            if not found.done():
                break
        return value_of(found)
