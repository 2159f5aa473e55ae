"""A folder of profiles for an event loop: waiting for a reading takes no thread.

Invariant *the same answers*: what is returned or raised is that of `FolderSource`, except that any
number of requests may wait for a profile without an earlier state.
"""

import asyncio

from healthapi.adapters.folder import FolderSource, Outcome, Pending, given
from healthapi.profile import Profile

__all__ = ["AwaitedFolder"]


class AwaitedFolder:
    """The awaitable form of a `FolderSource`."""

    def __init__(self, source: FolderSource) -> None:
        self._source = source

    async def read(self, name: str | None, now: int) -> tuple[str, ...] | Profile | None:
        """Return what `FolderSource.read` returns."""
        if name is None:
            return await asyncio.to_thread(self._source.ids)
        found = await self._look(name, now)
        if not isinstance(found, Pending):
            return given(found)
        await _ended(found, None if found.before is None else found.grace(listed=False))
        return found.now()

    async def latest(self, name: str, now: int) -> Profile | None:
        """Return what `FolderSource.latest` returns."""
        found = await self._look(name, now)
        if not isinstance(found, Pending):
            return given(found)
        await _ended(found, found.grace(listed=True))
        return found.now()

    async def _look(self, name: str, now: int) -> Outcome | Pending:
        joined = self._source.joined(name)
        return joined or await asyncio.to_thread(self._source.look, name, now)


async def _ended(pending: Pending, seconds: float | None) -> None:
    """Wait until the files have been read, or for some seconds."""
    await asyncio.wait([asyncio.wrap_future(pending.end)], timeout=seconds)
