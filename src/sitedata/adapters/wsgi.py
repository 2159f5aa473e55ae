"""The service of a snapshot as a WSGI application."""

from purewire.adapters.clocks import system_clock
from purewire.adapters.wsgi import Application
from purewire.exchange import Clock
from purewire.pages.settings import DEFAULT_PAGE, PageSettings
from sitedata.adapters.binding import SourceArgument, bind
from sitedata.limits import MAX_AGE_SECONDS, STALE_SECONDS

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
    handler, bound = bind(
        source, max_age_seconds=max_age_seconds, stale_seconds=stale_seconds, page=page
    )
    return Application(handler, source=bound, clock=clock)
