"""`devicestatus serve`: the service and its site, by uvicorn."""

import asyncio
import os
import socket
from argparse import Namespace
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NoReturn

from devicestatus.adapters.asgi import create_app
from devicestatus.adapters.commands.inputs import checked, settings
from devicestatus.adapters.commands.stores import opened
from devicestatus.settings import Settings
from purewire.adapters.commands.exit_codes import CANNOT, Failed
from purewire.adapters.commands.serving import base_url, listen, serving
from purewire.adapters.commands.signals import run_until_stopped
from purewire.adapters.commands.terminal import echo

__all__ = ["APP_ICONS", "PLACES", "assets_folder", "run"]

APP_ICONS: Final = Path(__file__).parent.parent / "app_icons"
"""The icons that ship with the package."""
PLACES: Final = {
    "/": "home page",
    "/api": "API reference",
    "/api/now": "status as JSON",
    "/api/badge.svg": "badge",
}
"""What there is to look at, and what it is."""

_DEFAULT_STORE: Final = "sqlite:devicestatus.db"


def run(arguments: Namespace) -> int:
    """Serve until told to stop."""
    configured = checked(settings(token_file=arguments.token_file))
    store = arguments.store or os.environ.get("STATUS_STORE") or _DEFAULT_STORE
    assets = assets_folder(arguments.assets)
    with listen(arguments.host, arguments.port) as listener:
        return run_until_stopped(_serve(configured, store, assets, listener))


def assets_folder(given: str | None) -> Path:
    """Give the folder of the icons; the one that ships where none is given."""
    folder = APP_ICONS if given is None else Path(given)
    if not folder.is_dir():
        raise Failed(CANNOT, f"--assets: {folder} is not a folder")
    return folder


async def _serve(
    settings: Settings, store_name: str, assets: Path, listener: socket.socket
) -> NoReturn:
    async with opened(store_name) as (store, store_words):
        app = create_app(settings, store=store, assets=assets)
        url = base_url(listener)
        async with serving(app, listener) as server:
            for path, words in PLACES.items():
                echo(f"{url}{path}  {words}")
            echo(f"store: {store_words}; a snapshot lives {settings.ttl_seconds} s")
            _warn(settings, listener)
            await asyncio.wait([server])
    raise Failed(CANNOT, "the server ended by itself")


def _warn(settings: Settings, listener: socket.socket) -> None:
    if settings.token is None:
        echo("no ingest token (INGEST_TOKEN, --token-file): uploads are answered with 503")
    if not ip_address(listener.getsockname()[0].partition("%")[0]).is_loopback:
        echo("this is plain HTTP: put a TLS proxy before it, or the token travels in the clear")
