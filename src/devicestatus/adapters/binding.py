"""Bind the service and its site to a store, as the ASGI and the WSGI application need it."""

import os
from collections.abc import Mapping
from typing import Any, Final

from devicestatus.adapters import APP_ICONS
from devicestatus.bodies import error_response
from devicestatus.devices import Devices
from devicestatus.page import with_site
from devicestatus.service import Service
from devicestatus.settings import Settings
from status_contracts.adapters.assets import FolderAssets
from status_contracts.adapters.clocks import system_clock
from status_contracts.exchange import AssetSource, AsyncStore, Clock, Handler, Store
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings

_INCOMPLETE: Final = error_response("POST", "invalid_json")
"""The response to a truncated body, which is no JSON text."""

StoreArgument = Store | AsyncStore | None
AssetsArgument = str | os.PathLike[str] | AssetSource | None
SettingsArgument = Settings | Mapping[str, Settings]
"""The settings of one device, or name to settings of several."""


def bind(
    settings: SettingsArgument,
    *,
    store: StoreArgument,
    assets: AssetsArgument = APP_ICONS,
    clock: Clock = system_clock,
    store_calls: int | None = None,
    page: PageSettings | None = DEFAULT_PAGE,
) -> dict[str, Any]:
    """Return the application.

    Args:
        settings: the configuration; with an invalid one the responses have status 503.  With a
            mapping of names to settings the application serves several devices: each at `/NAME/`,
            an overview at `/`, and a record each in the store (`devicestatus.devices`).
        store: a blocking store, or under ASGI an awaitable one; with None the responses have status
            503.
        assets: a folder with `index.json` and `<id>.png`, or an asset source; by default the icons
            of the package.  With None apps have no icons.
        clock: returns the time, ms since the epoch.
        store_calls: how many store calls run at once; by default 32 under ASGI, where a blocking
            store has as many threads, and 3 under WSGI.  Under WSGI choose one less than the server
            has threads, so that one is left for requests that need no store.
        page: what the home page `/` and the API reference `/api` show of their owner; with None
            there are no pages.

    Raises:
        ValueError: the name of a device is not allowed.
        TypeError: the store or the asset source is awaitable under WSGI.

    """
    source = FolderAssets(assets) if isinstance(assets, (str, os.PathLike)) else assets
    has_store, has_assets = store is not None, source is not None
    handler: Handler
    if isinstance(settings, Settings):
        service = Service(settings, has_store=has_store, has_assets=has_assets)
        handler = with_site(service, page, catalog=settings.catalog)
    else:
        handler = Devices(settings, has_store=has_store, has_assets=has_assets, page=page)
    return {
        "handler": handler,
        "store": store,
        "assets": source,
        "clock": clock,
        "incomplete": _INCOMPLETE,
        "store_calls": store_calls,
    }
