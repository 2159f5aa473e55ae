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
        return await self._profile(name, now, listed=False)

    async def latest(self, name: str, now: int) -> Profile | None:
        """Return the result of `FolderSource.latest`."""
        return await self._profile(name, now, listed=True)

    async def _profile(self, name: str, now: int, *, listed: bool) -> Profile | None:
        found: Outcome | PendingRead = self._source.pending(name)
        if found is None:
            found = await asyncio.to_thread(self._source.find, name, now)
        if not isinstance(found, PendingRead):
            return profile_or_error(found)
        is_unlimited = found.previous is None and not listed
        timeout = None if is_unlimited else found.wait_seconds(listed=listed)
        await asyncio.wait([asyncio.wrap_future(found.done_future)], timeout=timeout)
        return found.result()
