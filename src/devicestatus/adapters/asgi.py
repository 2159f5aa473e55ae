"""The device-status service and its site as a raw ASGI application."""

from devicestatus.adapters.binding import INCOMPLETE, AssetsArgument, StoreArgument, bind
from devicestatus.settings import Settings
from purewire.adapters.asgi import STORE_CALLS, Application
from purewire.adapters.clocks import system_clock
from purewire.adapters.pages.settings import PageSettings
from purewire.exchange.effects import Clock

__all__ = ["create_app"]


def create_app(
    settings: Settings,
    *,
    store: StoreArgument,
    assets: AssetsArgument = None,
    clock: Clock = system_clock,
    store_calls: int = STORE_CALLS,
    page: PageSettings | None = None,
) -> Application:
    """Return the application.

    Args:
        settings: the configuration; with an invalid one the responses have status 503.
        store: a blocking or awaitable store; with None the responses have status 503.
        assets: a folder with `index.json` and `<id>.png`, an asset source, or None.
        clock: returns the time, ms since the epoch.
        store_calls: how many store calls run at once; a blocking store has as many threads.
        page: what the pages show of their owner, and how they look.

    """
    handler, source = bind(settings, store=store, assets=assets, page=page)
    return Application(
        handler,
        store=store,
        assets=source,
        clock=clock,
        incomplete=INCOMPLETE,
        store_calls=store_calls,
    )
