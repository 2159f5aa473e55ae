"""The service and its site as an ASGI and as a WSGI application."""

import logging
import os
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from devicestatus.adapters import APP_ICONS
from devicestatus.bodies import error_response
from devicestatus.devices import Devices
from devicestatus.page import with_site
from devicestatus.service import Service
from devicestatus.settings import Settings
from status_contracts.adapters import asgi, wsgi
from status_contracts.adapters.assets import FolderAssets
from status_contracts.adapters.clocks import system_clock
from status_contracts.exchange import AssetSource, AsyncStore, Clock, Handler, Store
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings

_LOG: Final = logging.getLogger("devicestatus")
_TWO_AGENTS: Final = (
    "two agents, or one in two modes, upload to %s in turn: stop one, or serve a device for each"
)

__all__ = ["AssetsArgument", "SettingsArgument", "asgi_app", "wsgi_app"]

_INCOMPLETE: Final = error_response("POST", "invalid_json")
"""The response to a truncated body, which is no JSON text."""

AssetsArgument = str | os.PathLike[str] | AssetSource | None
SettingsArgument = Settings | Mapping[str, Settings]
"""The settings of one device, or name to settings of several."""


def asgi_app(
    settings: SettingsArgument,
    *,
    store: Store | AsyncStore | None,
    assets: AssetsArgument = APP_ICONS,
    clock: Clock = system_clock,
    store_calls: int | None = None,
    page: PageSettings | None = DEFAULT_PAGE,
) -> asgi.Application:
    """Return the ASGI application: for uvicorn, granian, FastAPI, Starlette.

    Args:
        settings: the configuration; with an invalid one the responses have status 503.  With a
            mapping of names to settings the application serves several devices: each at `/NAME/`,
            an overview at `/`, and a record each in the store (`devicestatus.devices`).
        store: a blocking or an awaitable store; with None the responses have status 503.
        assets: a folder with `index.json` and `<id>.png`, or an asset source; by default the icons
            of the package.  With None apps have no icons.
        clock: returns the time, ms since the epoch.
        store_calls: how many store calls run at once; by default 32.  A blocking store has as many
            threads.
        page: what the home page `/` and the API reference `/api` show of their owner; with None
            there are no pages.

    Raises:
        ValueError: the name of a device is not allowed.

    """
    handler, bound = _bind(settings, store, assets, page)
    return asgi.Application(handler, store=store, clock=clock, store_calls=store_calls, **bound)


def wsgi_app(
    settings: SettingsArgument,
    *,
    store: Store | None,
    assets: AssetsArgument = APP_ICONS,
    clock: Clock = system_clock,
    store_calls: int | None = None,
    page: PageSettings | None = DEFAULT_PAGE,
) -> wsgi.Application:
    """Return the WSGI application: for gunicorn, waitress, Flask, Django.

    Arguments as of `asgi_app`, but store and asset source must block, and by default 3 store calls
    run at once: choose one less than the server has threads, so that one is left for requests that
    need no store.

    Raises:
        ValueError: the name of a device is not allowed.
        TypeError: the store or the asset source is awaitable.

    """
    handler, bound = _bind(settings, store, assets, page)
    return wsgi.Application(handler, store=store, clock=clock, store_calls=store_calls, **bound)


def _bind(
    settings: SettingsArgument,
    store: Store | AsyncStore | None,
    assets: AssetsArgument,
    page: PageSettings | None,
) -> tuple[Handler, dict[str, Any]]:
    icons = FolderAssets(assets) if isinstance(assets, (str, os.PathLike)) else assets
    bound: dict[str, Any] = {
        "has_store": store is not None,
        "has_assets": icons is not None,
        "on_two_agents": partial(_LOG.warning, _TWO_AGENTS),
    }
    common = {"assets": icons, "incomplete": _INCOMPLETE}
    if not isinstance(settings, Settings):
        return Devices(settings, page=page, **bound), common
    return with_site(Service(settings, **bound), page, catalog=settings.catalog), common
