"""The snapshot's file as a raw WSGI application."""

from purewire.adapters.clocks import system_clock
from purewire.adapters.wsgi import Application
from purewire.exchange.effects import Clock
from sitedata.adapters.binding import SourceArgument, bind
from sitedata.serving.limits import MAX_AGE_SECONDS, STALE_SECONDS
from sitedata.serving.service import Service

__all__ = ["create_app"]


def create_app(
    source: SourceArgument,
    *,
    max_age_seconds: int = MAX_AGE_SECONDS,
    stale_seconds: int = STALE_SECONDS,
    clock: Clock = system_clock,
) -> Application:
    """Make the application.

    Args:
        source: path of the file, which is read again when it is another; a snapshot; or a blocking
            source of one: it reads None as a `Published`, None where there is none.
        max_age_seconds: how long caches may answer without asking.
        stale_seconds: how long after that they may answer while they ask.
        clock: gives the time, ms since the epoch.

    Raises ValueError for a negative number of seconds.

    """
    service = Service(max_age_seconds=max_age_seconds, stale_seconds=stale_seconds)
    return Application(service, source=bind(source), clock=clock)
