"""Handler and asset source of the ASGI and the WSGI application."""

import os
from collections.abc import Mapping
from typing import Final

from devicestatus.adapters.devices import Devices
from devicestatus.adapters.site import with_site
from devicestatus.http.service import Service
from devicestatus.http.views import error_response
from devicestatus.settings import Settings
from purewire.adapters.assets import FolderAssets
from purewire.exchange import AssetSource, AsyncAssetSource, AsyncStore, Handler, Store
from purewire.pages.settings import PageSettings

INCOMPLETE: Final = error_response("POST", "invalid_json")
"""The response to a truncated body, which is no JSON text."""

StoreArgument = Store | AsyncStore | None
AssetsBinding = AssetSource | AsyncAssetSource | None
AssetsArgument = str | os.PathLike[str] | AssetsBinding


SettingsArgument = Settings | Mapping[str, Settings]
"""The settings of one device, or name to settings of several."""


def bind(
    settings: SettingsArgument,
    *,
    store: StoreArgument,
    assets: AssetsArgument,
    page: PageSettings | None,
) -> tuple[Handler, AssetsBinding]:
    """Return the handler of service and site, and the asset source that it reads."""
    source = FolderAssets(assets) if isinstance(assets, (str, os.PathLike)) else assets
    has_store, has_assets = store is not None, source is not None
    if not isinstance(settings, Settings):
        return Devices(settings, has_store=has_store, has_assets=has_assets, page=page), source
    service = Service(settings, has_store=has_store, has_assets=has_assets)
    return with_site(service, page, catalog=settings.catalog), source
