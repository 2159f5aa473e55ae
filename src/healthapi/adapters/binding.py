"""Bind the service and its pages to a source, as the ASGI and the WSGI application need it."""

import os
from typing import Any

from healthapi.adapters.folder import FolderSource
from healthapi.service import Service
from healthapi.site import with_site
from status_contracts.adapters.clocks import system_clock
from status_contracts.adapters.page_files import reference_style
from status_contracts.exchange import Clock, Source
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings


def bind(
    source: str | os.PathLike[str] | Source,
    *,
    clock: Clock = system_clock,
    base_url: str | None = None,
    page: PageSettings | None = DEFAULT_PAGE,
) -> dict[str, Any]:
    """Return the application.

    Args:
        source: the folder of profiles; or a blocking or, under ASGI, an awaitable source, whose
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
    service = Service(base_url=base_url, page=page or DEFAULT_PAGE, style=reference_style())
    handler = with_site(service, page)
    if isinstance(source, (str, os.PathLike)):
        source = FolderSource(source, clock=clock)
    return {"handler": handler, "source": source, "clock": clock}
