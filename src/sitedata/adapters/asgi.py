"""The service of a snapshot as an ASGI application."""

from purewire.adapters.asgi import Application
from purewire.adapters.clocks import system_clock
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
    """Return the application.

    Args:
        source: path of the file, which is read again when it changes; a snapshot; or a blocking or
            awaitable source.  A source returns for the name None a `Published`, or None if there is
            no snapshot.
        max_age_seconds: `max-age` of the file.
        stale_seconds: `stale-while-revalidate` of the file.
        clock: returns the time, ms since the epoch.
        page: what the practice page `/` shows of its owner, and how it looks; with None there is
            no page.

    Raises:
        ValueError: a number of seconds is negative.

    """
    handler, bound = bind(
        source, max_age_seconds=max_age_seconds, stale_seconds=stale_seconds, page=page
    )
    return Application(handler, source=bound, clock=clock)
