"""The service and its pages as an ASGI and as a WSGI application."""

import os

from healthapi.adapters.folder import FolderSource
from healthapi.page import with_site
from healthapi.service import Service
from status_contracts.adapters import asgi, wsgi
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.page_files import reference_files
from status_contracts.exchange import Clock, Handler, Source
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings

__all__ = ["SourceArgument", "asgi_app", "wsgi_app"]

SourceArgument = str | os.PathLike[str] | Source


def asgi_app(
    source: SourceArgument,
    *,
    clock: Clock = system_clock,
    base_url: str | None = None,
    page: PageSettings | None = DEFAULT_PAGE,
) -> asgi.Application:
    """Return the ASGI application: for uvicorn, granian, FastAPI, Starlette.

    Args:
        source: the folder of profiles; or a blocking or an awaitable source, whose
            `read(None, now)` returns the sorted ids of all profiles, or their `ProfileSummary`, and
            `read(id, now)` a `Profile`, or None if there is none.
        clock: returns the time, ms since the epoch.
        base_url: public URL of the service, such as `https://example.org/health`; without it links
            are relative to the URL of the response.
        page: what the pages `/` and `/{profile_id}/` show of their owner; with None there are no
            pages.

    Raises:
        ValueError: the base URL is invalid.

    """
    handler, opened = _parts(source, clock, base_url, page)
    return asgi.Application(handler, source=opened, clock=clock)


def wsgi_app(
    source: SourceArgument,
    *,
    clock: Clock = system_clock,
    base_url: str | None = None,
    page: PageSettings | None = DEFAULT_PAGE,
) -> wsgi.Application:
    """Return the WSGI application: for gunicorn, waitress, Flask, Django.

    Arguments as of `asgi_app`; a source must block, or TypeError is raised.
    """
    handler, opened = _parts(source, clock, base_url, page)
    return wsgi.Application(handler, source=opened, clock=clock)


def _parts(
    source: SourceArgument, clock: Clock, base_url: str | None, page: PageSettings | None
) -> tuple[Handler, Source]:
    service = Service(base_url=base_url, page=page, files=reference_files())
    if isinstance(source, (str, os.PathLike)):
        source = FolderSource(source, clock=clock)
    return with_site(service, page), source
