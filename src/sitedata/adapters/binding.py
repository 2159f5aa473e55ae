"""Handler and source of the ASGI and the WSGI application."""

import os
from typing import Literal

import attrs

from purewire.adapters.compression import CODINGS
from purewire.exchange import AsyncSource, Handler, Source
from purewire.pages.settings import PageSettings
from sitedata.adapters.files import SnapshotFile
from sitedata.adapters.site.pages import with_site
from sitedata.reading.models import Snapshot
from sitedata.serving.service import Published, Service, publish

SourceBinding = Source | AsyncSource
SourceArgument = str | os.PathLike[str] | Snapshot | Published | SourceBinding


@attrs.frozen(eq=False, repr=False)
class _FixedSource:
    """A source whose snapshot never changes."""

    published: Published
    nonblocking: Literal[True] = True

    def read(self, name: str | None, now: int) -> Published | None:
        return self.published.as_of(now) if name is None else None


def bind(
    source: SourceArgument, *, max_age_seconds: int, stale_seconds: int, page: PageSettings | None
) -> tuple[Handler, SourceBinding]:
    """Return the handler of service and site, and the source that it reads."""
    service = Service(max_age_seconds=max_age_seconds, stale_seconds=stale_seconds)
    return with_site(service, page), _source_of(source)


def _source_of(source: SourceArgument) -> SourceBinding:
    if isinstance(source, Snapshot):
        return _FixedSource(publish(source, CODINGS))
    if isinstance(source, Published):
        return _FixedSource(source)
    return SnapshotFile(source) if isinstance(source, str | os.PathLike) else source
