"""`devicestatus serve`: serve the service and its site, of one device or several, with uvicorn."""

import asyncio
import os
import socket
import sqlite3
from argparse import Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Final, NoReturn
from urllib.parse import urlsplit

import attrs

from devicestatus.adapters.application import SettingsArgument, asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.sqlite import SQLiteStore, UnusableDatabase
from devicestatus.cli.inputs import serving_settings
from devicestatus.devices import NAME_RULE, is_device_name
from devicestatus.settings import Settings
from status_contracts.adapters.files import file_problem
from status_contracts.cli.arguments import bad_choice
from status_contracts.cli.exit_codes import CANNOT, USAGE, Failed
from status_contracts.cli.files import TOKEN_RULE, make_token, page_settings
from status_contracts.cli.serving import listen, serve
from status_contracts.cli.terminal import echo_warning
from status_contracts.exchange import AsyncStore, Store
from status_contracts.pages.settings import PageSettings

PAGES: Final = {
    "/": "page",
    "/api": "API reference",
    "/api/now": "status as JSON",
    "/api/badge.svg": "badge",
}
"""Path of each page, and its title."""

_UPLOADS_OFF: Final = (
    f"no ingest token in INGEST_TOKEN, and no --token-file token: uploads get 503; {TOKEN_RULE}"
)
_PLAIN_HTTP: Final = (
    "this is plain HTTP: put a TLS proxy before it, or the token is sent unencrypted"
)
_QUOTED: Final = 80  # characters of a wrong argument that a message quotes
_UNREADABLE: Final = (
    "the store in Redis, {}, cannot be read ({}): check --store, and that its server"
    " runs; until then requests get 503"
)


def run(arguments: Namespace) -> int:
    """Serve until stopped."""
    configured = _settings(arguments.token_file, arguments.devices or [])
    store = arguments.store or os.environ.get("STATUS_STORE") or "sqlite:devicestatus.db"
    page = page_settings(arguments.page_settings or os.environ.get("STATUS_PAGE_SETTINGS"))
    with listen(arguments.host, arguments.port) as listener:
        return asyncio.run(_serve(configured, store, page, listener))


def _settings(token_file: str | None, devices: Sequence[str]) -> SettingsArgument:
    if not devices:
        return serving_settings(token_file)
    if token_file is not None:
        raise Failed(USAGE, "--token-file is for one device: give --device NAME=TOKENFILE alone")
    settings_of: dict[str, Settings] = {}
    for device in devices:
        name, equals, file = device.partition("=")
        if not equals or not is_device_name(name):
            expected = f"expected NAME=TOKENFILE, a NAME of {NAME_RULE}"
            raise Failed(USAGE, f"--device: {device[:_QUOTED]!r}: {expected}")
        if name in settings_of:
            raise Failed(USAGE, f"--device: {name} is given twice; give each a name of its own")
        try:
            settings = serving_settings(file)
        except Failed as error:
            first, *others = error.lines
            raise Failed(error.exit_code, f"--device {name}: {first}", *others) from None
        if settings.token in (one.token for one in settings_of.values()):
            words = f"--device {name}: another has this token; to make one of its own:"
            raise Failed(USAGE, words, make_token(f"{name}.token"))
        settings_of[name] = attrs.evolve(settings, service_name=name)
    return settings_of


async def _serve(
    settings: SettingsArgument, store_name: str, page: PageSettings, listener: socket.socket
) -> NoReturn:
    async with open_store(store_name) as (store, description):
        app = asgi_app(settings, store=store, page=page)
        devices = {"": settings} if isinstance(settings, Settings) else settings
        first = next(iter(devices.values()))
        notes = [f"store: {description}; a snapshot expires after {first.ttl_seconds} s"]
        if first.token is None:
            echo_warning(_UPLOADS_OFF, make_token("token"))
        several = {"/": "all devices", **{f"/{name}/": name for name in devices}}
        pages = several if devices is settings else PAGES
        await serve(app, listener, pages, notes, warning=_PLAIN_HTTP)


@asynccontextmanager
async def open_store(name: str) -> AsyncIterator[tuple[Store | AsyncStore, str]]:
    """Yield the store and a description of it without a password; close it afterwards."""
    scheme, _, rest = name.partition(":")
    if name == "memory:":
        yield MemoryStore(), "the memory of this process"
    elif scheme == "sqlite" and rest:
        yield _sqlite(rest), f"SQLite, {rest}"
    elif scheme in {"redis", "rediss", "unix"}:
        # redis is an optional extra, so it is imported only when it is used
        adapter = import_module("devicestatus.adapters.redis")
        try:
            address, client = _address(name), adapter.AsyncRedisStore.from_url(name)
        except ValueError:
            raise Failed(USAGE, "--store: not a valid URL; give redis://HOST:PORT/DB") from None
        async with client as shared:
            try:
                await shared.get("now")
            except adapter.redis.RedisError as error:
                echo_warning(_UNREADABLE.format(address, type(error).__name__))
            yield shared, f"Redis, {address}"
    else:
        message = bad_choice(scheme, ("sqlite:PATH", "redis://HOST:PORT/DB", "memory:"))
        raise Failed(USAGE, f"--store: {message}")


def _sqlite(path: str) -> SQLiteStore:
    try:
        return SQLiteStore(path)
    except (OSError, UnusableDatabase, sqlite3.Error) as error:
        reason = file_problem(error, "write") if isinstance(error, OSError) else error
        raise Failed(CANNOT, f"cannot open the store {path}: {reason}") from None


def _address(url: str) -> str:
    """Return host, port and path of a Redis URL: no password, and no option that may hold one."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port
    return f"{host}{'' if port is None else f':{port}'}{parts.path}"
