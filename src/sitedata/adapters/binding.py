"""What the ASGI and the WSGI application share: the service and the source."""

import os
from typing import Literal

import attrs

from purewire.exchange.effects import AsyncSource, Source
from sitedata.adapters.compression import CODINGS
from sitedata.adapters.files import SnapshotFile
from sitedata.reading.models import Snapshot
from sitedata.serving.published import Published, publish

__all__ = ["SourceArgument", "SourceBinding", "bind"]

SourceBinding = Source | AsyncSource
SourceArgument = str | os.PathLike[str] | Snapshot | Published | SourceBinding


@attrs.frozen(eq=False, repr=False)
class _Standing:
    """A source that always has the same."""

    published: Published
    nonblocking: Literal[True] = True

    def read(self, name: str | None, now: int) -> Published | None:
        return self.published.as_of(now) if name is None else None


def bind(source: SourceArgument) -> SourceBinding:
    """Give the source of `create_app`'s argument."""
    if isinstance(source, Snapshot):
        return _Standing(publish(source, CODINGS))
    if isinstance(source, Published):
        return _Standing(source)
    return SnapshotFile(source) if isinstance(source, str | os.PathLike) else source
