"""What the ASGI and the WSGI application share: the handler and the source."""

import os

from healthapi.adapters.awaiting import AwaitedFolder
from healthapi.adapters.folder import FolderSource
from healthapi.http.service import Service
from purewire.exchange.effects import AsyncSource, Handler, Source

__all__ = ["SourceArgument", "SourceBinding", "bind", "bind_awaited"]

SourceBinding = Source | AsyncSource
SourceArgument = str | os.PathLike[str] | SourceBinding


def bind(source: SourceArgument, base_url: str | None) -> tuple[Handler, SourceBinding]:
    """Return the handler of the service, and the source it reads."""
    found = FolderSource(source) if isinstance(source, (str, os.PathLike)) else source
    return Service(base_url=base_url), found


def bind_awaited(source: SourceArgument, base_url: str | None) -> tuple[Handler, SourceBinding]:
    """Return the same for an event loop, where a folder is awaited."""
    handler, found = bind(source, base_url)
    return handler, AwaitedFolder(found) if isinstance(found, FolderSource) else found
