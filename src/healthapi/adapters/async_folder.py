"""A `FolderSource` for an event loop: waiting for a read blocks no thread.

Invariant *same results*: results and errors are those of `FolderSource`, except that any number of
requests may wait for a profile without an earlier state.
"""

import asyncio

from healthapi.adapters.folder import FolderSource, Outcome, PendingRead, profile_or_error
from healthapi.profile import Profile

__all__ = ["AsyncFolderSource"]


class AsyncFolderSource:
    """The awaitable form of a `FolderSource`."""

    def __init__(self, source: FolderSource) -> None:
        self._source = source

    async def read(self, name: str | None, now: int) -> tuple[str, ...] | Profile | None:
        """Return the result of `FolderSource.read`."""
        if name is None:
            return await asyncio.to_thread(self._source.ids)
        found = await self._find(name, now)
        if not isinstance(found, PendingRead):
            return profile_or_error(found)
        await _wait(found, None if found.previous is None else found.wait_seconds(listed=False))
        return found.result()

    async def latest(self, name: str, now: int) -> Profile | None:
        """Return the result of `FolderSource.latest`."""
        found = await self._find(name, now)
        if not isinstance(found, PendingRead):
            return profile_or_error(found)
        await _wait(found, found.wait_seconds(listed=True))
        return found.result()

    async def _find(self, name: str, now: int) -> Outcome | PendingRead:
        pending = self._source.pending(name)
        return pending or await asyncio.to_thread(self._source.find, name, now)


async def _wait(pending: PendingRead, timeout_seconds: float | None) -> None:
    """Wait for the end of a read, or until the timeout."""
    await asyncio.wait([asyncio.wrap_future(pending.done_future)], timeout=timeout_seconds)
