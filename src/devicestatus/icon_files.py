"""Handle requests of the icons: the manifest and the images of the asset source.

Invariant *listed icons only*: `/api/icons/{id}.png` serves what a valid manifest lists.
Invariant *no effect without a source*: without assets a response is 503, and no effect is yielded.
"""

from collections.abc import Generator
from functools import lru_cache
from typing import Any

from devicestatus.bodies import ICON_HEADERS
from devicestatus.icons import MANIFEST_NAME, IconIndex, index_icons, parse_manifest
from status_contracts.endpoints import Params, RequestError
from status_contracts.exchange import Effect, EffectFailed, Exchange, ReadAsset
from status_contracts.messages import JSON, PNG, Asset, Request, conditional_response


class IconFiles:
    """The handlers of the icons of one deployment; the last manifest is kept decoded."""

    def __init__(self, *, has_assets: bool) -> None:
        self._has_assets = has_assets
        self._cached_index = lru_cache(maxsize=1)(_decode_manifest)

    def manifest(self, request: Request, _params: Params) -> Exchange:
        """Handle `GET /api/icons`."""
        asset, _ = yield from self._manifest()
        return conditional_response(request, asset, JSON, ICON_HEADERS)

    def icon(self, request: Request, params: Params) -> Exchange:
        """Handle `GET /api/icons/{id}.png`: only icons that the manifest lists."""
        _, icons = yield from self._manifest()
        if params["id"] not in icons.ids:
            raise RequestError("not_found")
        return (yield from self.file(request, {"name": f"{params['id']}.png"}))

    def file(self, request: Request, params: Params) -> Exchange:
        """Handle `GET /app-icons/{name}`: a file of the asset source, unchanged."""
        name = params["name"]
        asset = yield from self._asset(name)
        if asset is None:
            raise RequestError("not_found")
        media_type = JSON if name == MANIFEST_NAME else PNG
        return conditional_response(request, asset, media_type, ICON_HEADERS)

    def index_or_empty(self) -> Generator[Effect, Any, IconIndex]:
        """Return the index of icons; empty if there is no valid manifest."""
        try:
            return (yield from self._manifest())[1]
        except (RequestError, EffectFailed):
            return IconIndex()

    def _manifest(self) -> Generator[Effect, Any, tuple[Asset, IconIndex]]:
        asset = yield from self._asset(MANIFEST_NAME)
        icons = None if asset is None else self._cached_index(asset.body)
        if asset is None or icons is None:
            raise RequestError("service_unavailable")
        return asset, icons

    def _asset(self, name: str) -> Generator[Effect, Any, Asset | None]:
        if not self._has_assets:
            raise RequestError("service_unavailable")
        return (yield from ReadAsset(name))


def _decode_manifest(body: bytes) -> IconIndex | None:
    manifest = parse_manifest(body)
    return None if manifest is None else index_icons(manifest)
