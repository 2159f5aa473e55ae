"""Create the handler and the source of the ASGI and the WSGI application."""

import os

from healthapi.adapters.async_folder import AsyncFolderSource
from healthapi.adapters.folder import FolderSource
from healthapi.adapters.site.handler import with_pages
from healthapi.http.service import Service
from purewire.adapters.pages.settings import PageSettings
from purewire.exchange.effects import AsyncSource, Clock, Handler, Source

__all__ = ["SourceArgument", "SourceBinding", "bind", "bind_async"]

SourceBinding = Source | AsyncSource
SourceArgument = str | os.PathLike[str] | SourceBinding
"""The folder of profiles, or a blocking or awaitable source.

`read(None, now)` returns the sorted ids of all profiles, `read(id, now)` a `Profile`, or None if
there is none.
"""


def bind(
    source: SourceArgument, clock: Clock, base_url: str | None, page: PageSettings | None
) -> tuple[Handler, SourceBinding]:
    """Return the handler of the service, with pages unless `page` is None, and its source."""
    found = FolderSource(source, clock=clock) if isinstance(source, (str, os.PathLike)) else source
    service = Service(base_url=base_url)
    return service if page is None else with_pages(service, page), found


def bind_async(
    source: SourceArgument, clock: Clock, base_url: str | None, page: PageSettings | None
) -> tuple[Handler, SourceBinding]:
    """Return the same for an event loop: the source of a folder is awaitable."""
    handler, found = bind(source, clock, base_url, page)
    return handler, AsyncFolderSource(found) if isinstance(found, FolderSource) else found
