"""Bind the service and its page to a source, as the ASGI and the WSGI application need it.

Invariant *drawn in advance*: the page of a file is drawn by the thread that reads the file, that of
a snapshot when the application is created, and only that of another source by a request.
"""

import os
from typing import Any, Literal

import attrs

from sitedata.adapters.files import SnapshotFile
from sitedata.limits import MAX_AGE_SECONDS, STALE_SECONDS
from sitedata.models import Snapshot
from sitedata.page import PracticePage, with_site
from sitedata.service import Published, Service, publish
from status_contracts.adapters.clocks import system_clock
from status_contracts.exchange import Clock, Source
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings

SourceArgument = str | os.PathLike[str] | Snapshot | Published | Source


@attrs.frozen(eq=False, repr=False)
class _FixedSource:
    """A source whose snapshot never changes."""

    published: Published
    nonblocking: Literal[True] = True

    def read(self, name: str | None, now: int) -> Published | None:
        return self.published.as_of(now) if name is None else None


def bind(
    source: SourceArgument,
    *,
    max_age_seconds: int = MAX_AGE_SECONDS,
    stale_seconds: int = STALE_SECONDS,
    clock: Clock = system_clock,
    page: PageSettings | None = DEFAULT_PAGE,
) -> dict[str, Any]:
    """Return the application.

    Args:
        source: path of the file, which is read again when it changes; a snapshot; or a blocking or,
            under ASGI, an awaitable source.  A source returns for the name None a `Published`, or
            None if there is no snapshot.
        max_age_seconds: `max-age` of the file.
        stale_seconds: `stale-while-revalidate` of the file.
        clock: returns the time, ms since the epoch.
        page: what the practice page `/` shows of its owner; with None there is
            no page.

    Raises:
        ValueError: a number of seconds is negative.

    """
    service = Service(max_age_seconds=max_age_seconds, stale_seconds=stale_seconds)
    drawn = None if page is None else PracticePage(page)
    return {
        "handler": with_site(service, drawn),
        "source": _source_of(source, drawn),
        "clock": clock,
    }


def _source_of(source: SourceArgument, page: PracticePage | None) -> Source:
    prepare = None if page is None else page.of
    if isinstance(source, str | os.PathLike):
        return SnapshotFile(source, prepare=prepare)
    if isinstance(source, Snapshot):
        source = publish(source)
    if not isinstance(source, Published):
        return source
    if prepare is not None:
        prepare(source)
    return _FixedSource(source)
