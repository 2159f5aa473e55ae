"""The health-data service as a raw WSGI application."""

from healthapi.adapters.binding import SourceArgument, bind
from purewire.adapters.clocks import system_clock
from purewire.adapters.wsgi import Application
from purewire.exchange.effects import Clock

__all__ = ["create_app"]


def create_app(
    source: SourceArgument,
    *,
    clock: Clock = system_clock,
    base_url: str | None = None,
) -> Application:
    """Make the application.

    Args:
        source: the folder of profiles, or a blocking source of them: it reads None as
            the ids of all profiles, sorted, and an id as its `Profile`, None where there is none.
        clock: gives the time, ms since the epoch.
        base_url: where clients find the service, such as `https://example.org/health`; without it
            links are relative to the URL of the answer.

    Raises ValueError for a base URL that is none.

    """
    handler, bound = bind(source, base_url)
    return Application(handler, source=bound, clock=clock)
