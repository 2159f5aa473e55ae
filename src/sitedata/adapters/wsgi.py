"""The service of a snapshot as a WSGI application."""

from purewire.adapters.clocks import system_clock
from purewire.adapters.pages.settings import DEFAULT_PAGE, PageSettings
from purewire.adapters.wsgi import Application
from purewire.exchange.effects import Clock
from sitedata.adapters.binding import SourceArgument, bind_page, bind_source
from sitedata.limits import MAX_AGE_SECONDS, STALE_SECONDS
from sitedata.serving.service import Service

__all__ = ["create_app"]


def create_app(
    source: SourceArgument,
    *,
    max_age_seconds: int = MAX_AGE_SECONDS,
    stale_seconds: int = STALE_SECONDS,
    clock: Clock = system_clock,
    page: PageSettings | None = DEFAULT_PAGE,
) -> Application:
    """Return the application; arguments and errors as in `sitedata.adapters.asgi.create_app`."""
    service = Service(max_age_seconds=max_age_seconds, stale_seconds=stale_seconds)
    return Application(bind_page(service, page), source=bind_source(source), clock=clock)
