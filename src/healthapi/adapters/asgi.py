"""The health-data service as a raw ASGI application."""

from healthapi.adapters.binding import SourceArgument, bind
from healthapi.adapters.reading import NonblockingSource, WaitingSource
from purewire.adapters.asgi import Application
from purewire.adapters.clocks import system_clock
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
    """Return the application.

    Args:
        source: the folder of profiles, or a source (see `SourceArgument`).
        clock: returns the time, ms since the epoch.
        base_url: public URL of the service, such as `https://example.org/health`; without it links
            are relative to the URL of the response.
        page: what the pages `/` and `/{profile_id}/` show of their owner, and how they look; with
            None there are no pages.

    Raises:
        ValueError: the base URL is invalid.

    """
    handler, bound = bind(source, clock, base_url, page)
    if isinstance(bound, WaitingSource):
        bound = NonblockingSource(bound)
    return Application(handler, source=bound, clock=clock)
