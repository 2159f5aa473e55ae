"""Create the handler and the source of the ASGI and the WSGI application.

Invariant *same results*: for an event loop the source of a folder never blocks; its results and
errors are the same, except that requests wait without a time limit for a profile that has not been
read yet.
"""

import asyncio
import os
from collections.abc import Awaitable
from concurrent.futures import Future
from typing import Final

from healthapi.adapters.folder import WAIT_SECONDS, FolderSource, Value, value_of
from healthapi.adapters.site.handler import with_site
from healthapi.http.service import Service
from purewire.exchange.effects import AsyncSource, Clock, Handler, Source
from purewire.pages.settings import DEFAULT_PAGE, PageSettings


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


SourceBinding = Source | AsyncSource
SourceArgument = str | os.PathLike[str] | SourceBinding
"""The folder of profiles, or a blocking or awaitable source.

`read(None, now)` returns the sorted ids of all profiles, `read(id, now)` a `Profile`, or None if
there is none.
"""


def bind(
    source: SourceArgument, clock: Clock, base_url: str | None, page: PageSettings | None
) -> tuple[Handler, SourceBinding]:
    """Return the handler of service and site, and the source that it reads."""
    handler = with_site(Service(base_url=base_url, page=page or DEFAULT_PAGE), page)
    if isinstance(source, (str, os.PathLike)):
        return handler, FolderSource(source, clock=clock)
    return handler, source
