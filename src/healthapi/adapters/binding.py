"""Create the handler and the source of the ASGI and the WSGI application."""

import os

from healthapi.adapters.folder import FolderSource
from healthapi.adapters.site import with_site
from healthapi.http.service import Service
from purewire.exchange import AsyncSource, Clock, Handler, Source
from purewire.pages.settings import DEFAULT_PAGE, PageSettings

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
