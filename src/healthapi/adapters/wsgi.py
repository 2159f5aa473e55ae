"""The health-data service as a raw WSGI application."""

from healthapi.adapters.binding import SourceArgument, bind
from purewire.adapters.clocks import system_clock
from purewire.adapters.wsgi import Application
from purewire.exchange import Clock
from purewire.pages.settings import DEFAULT_PAGE, PageSettings

__all__ = ["create_app"]


def create_app(
    source: SourceArgument,
    *,
    clock: Clock = system_clock,
    base_url: str | None = None,
    page: PageSettings | None = DEFAULT_PAGE,
) -> Application:
    """Return the application; arguments and errors as in `healthapi.adapters.asgi.create_app`."""
    handler, bound = bind(source, clock, base_url, page)
    return Application(handler, source=bound, clock=clock)
