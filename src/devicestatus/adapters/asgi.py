"""The device-status service and its site as a raw ASGI application."""

from devicestatus.adapters import APP_ICONS
from devicestatus.adapters.binding import (
    INCOMPLETE,
    AssetsArgument,
    SettingsArgument,
    StoreArgument,
    bind,
)
from purewire.adapters.asgi import STORE_CALLS, Application
from purewire.adapters.clocks import system_clock
from purewire.exchange import Clock
from purewire.pages.settings import DEFAULT_PAGE, PageSettings

__all__ = ["create_app"]


def create_app(
    settings: SettingsArgument,
    *,
    store: StoreArgument,
    assets: AssetsArgument = APP_ICONS,
    clock: Clock = system_clock,
    store_calls: int = STORE_CALLS,
    page: PageSettings | None = DEFAULT_PAGE,
) -> Application:
    """Return the application.

    Args:
        settings: the configuration; with an invalid one the responses have status 503.  With a
            mapping of names to settings the application serves several devices: each at `/NAME/`,
            an overview at `/`, and a record each in the store (`devicestatus.adapters.devices`).
        store: a blocking or awaitable store; with None the responses have status 503.
        assets: a folder with `index.json` and `<id>.png`, or an asset source; by default the icons
            of the package.  With None apps have no icons.
        clock: returns the time, ms since the epoch.
        store_calls: how many store calls run at once; a blocking store has as many threads.
        page: what the home page `/` and the API reference `/api` show of their owner, and how they
            look; with None there are no pages.

    Raises:
        ValueError: the name of a device is not allowed.

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
