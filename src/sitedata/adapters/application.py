"""The service of a snapshot and its page as an ASGI and as a WSGI application.

Invariant *drawn in advance*: the page of a file is drawn by the thread that reads the file, that of
a snapshot when the application is created, and only that of another source by a request.
"""

import os
from typing import Literal

import attrs

from sitedata.adapters.files import SnapshotFile
from sitedata.models import Snapshot
from sitedata.page import PracticePage, with_site
from sitedata.service import Published, Service, publish
from status_contracts.adapters import asgi, wsgi
from status_contracts.adapters.clocks import system_clock
from status_contracts.exchange import Clock, Handler, Source
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings

__all__ = ["SourceArgument", "asgi_app", "wsgi_app"]

SourceArgument = str | os.PathLike[str] | Snapshot | Published | Source


@attrs.frozen(eq=False, repr=False)
class _FixedSource:
    published: Published
    nonblocking: Literal[True] = True

    def read(self, name: str | None, now: int) -> Published | None:
        return self.published.as_of(now) if name is None else None


def asgi_app(
    source: SourceArgument, *, clock: Clock = system_clock, page: PageSettings | None = DEFAULT_PAGE
) -> asgi.Application:
    """Return the ASGI application: for uvicorn, granian, FastAPI, Starlette.

    Args:
        source: path of the file, which is read again when it changes; a snapshot; or a blocking or
            an awaitable source.  A source returns for the name None a `Published`, or None if there
            is no snapshot.
        clock: returns the time, ms since the epoch.
        page: what the practice page `/` shows of its owner; with None there is no page.

    """
    handler, source = _bind(source, page)
    return asgi.Application(handler, source=source, clock=clock)


def wsgi_app(
    source: SourceArgument, *, clock: Clock = system_clock, page: PageSettings | None = DEFAULT_PAGE
) -> wsgi.Application:
    """Return the WSGI application: for gunicorn, waitress, Flask, Django.

    Arguments as of `asgi_app`; a source must block, or TypeError is raised.
    """
    handler, source = _bind(source, page)
    return wsgi.Application(handler, source=source, clock=clock)


def _bind(source: SourceArgument, page: PageSettings | None) -> tuple[Handler, Source]:
    drawn = None if page is None else PracticePage(page)
    handler, prepare = with_site(Service(), drawn), None if drawn is None else drawn.of
    if isinstance(source, str | os.PathLike):
        return handler, SnapshotFile(source, prepare=prepare)
    if isinstance(source, Snapshot):
        source = publish(source)
    if not isinstance(source, Published):
        return handler, source
    if prepare is not None:
        prepare(source)
    return handler, _FixedSource(source)
