"""Convert arguments of both `create_app` functions: `source` to a source, `page` to a handler."""

import os
from typing import Literal

import attrs

from purewire.adapters.pages.settings import PageSettings
from purewire.exchange.effects import AsyncSource, Handler, Source
from sitedata.adapters.compression import CODINGS
from sitedata.adapters.files import SnapshotFile
from sitedata.adapters.site.pages import with_page
from sitedata.reading.models import Snapshot
from sitedata.serving.published import Published, publish

SourceBinding = Source | AsyncSource
SourceArgument = str | os.PathLike[str] | Snapshot | Published | SourceBinding


@attrs.frozen(eq=False, repr=False)
class _FixedSource:
    """A source whose snapshot never changes."""

    published: Published
    nonblocking: Literal[True] = True

    def read(self, name: str | None, now: int) -> Published | None:
        return self.published.as_of(now) if name is None else None


def bind_source(source: SourceArgument) -> SourceBinding:
    """Return the source of an argument of `create_app`."""
    if isinstance(source, Snapshot):
        return _FixedSource(publish(source, CODINGS))
    if isinstance(source, Published):
        return _FixedSource(source)
    return SnapshotFile(source) if isinstance(source, str | os.PathLike) else source


def bind_page(service: Handler, page: PageSettings | None) -> Handler:
    """Return the handler of the service, with the practice page unless `page` is None."""
    return service if page is None else with_page(service, page)
