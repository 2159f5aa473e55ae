"""The device-status service and its site as a raw WSGI application."""

from devicestatus.adapters import APP_ICONS
from devicestatus.adapters.binding import (
    INCOMPLETE,
    AssetsArgument,
    SettingsArgument,
    StoreArgument,
    bind,
)
from purewire.adapters.clocks import system_clock
from purewire.adapters.wsgi import STORE_CALLS, Application
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
    """Return the application; arguments as in `devicestatus.adapters.asgi.create_app`.

    The store blocks.  Choose one store call less than the server has threads, so that one is left
    for requests that need no store.
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
