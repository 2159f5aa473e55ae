"""The store that `--store` names."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Final
from urllib.parse import urlsplit

from devicestatus.adapters.binding import StoreArgument
from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.sqlite import SQLiteStore, UnusableDatabase
from purewire.adapters.commands.arguments import bad_choice
from purewire.adapters.commands.exit_codes import CANNOT, USAGE, Failed

__all__ = ["open_store"]

_REDIS: Final = ("redis", "rediss", "unix")
_UNREADABLE: Final = "--store: the URL is not valid; give redis://HOST:PORT/DB"


@asynccontextmanager
async def open_store(name: str) -> AsyncIterator[tuple[StoreArgument, str]]:
    """Yield the store and a description of it without a password; close it afterwards."""
    scheme, _, rest = name.partition(":")
    if name == "memory:":
        yield MemoryStore(), "the memory of this process"
    elif scheme == "sqlite" and rest:
        with _sqlite(rest) as store:
            yield store, f"SQLite, {rest}"
    elif scheme in _REDIS:
        address = _address(name)
        # redis is an optional extra, so it is imported only when it is used
        redis = import_module("devicestatus.adapters.redis")
        try:
            client = redis.AsyncRedisStore.from_url(name)
        except ValueError:
            raise Failed(USAGE, _UNREADABLE) from None
        async with client as shared:
            yield shared, f"Redis, {address}"
    else:
        message = bad_choice(scheme, ("sqlite:PATH", "redis://HOST:PORT/DB", "memory:"))
        raise Failed(USAGE, f"--store: {message}")


def _sqlite(path: str) -> SQLiteStore:
    try:
        return SQLiteStore(path)
    except OSError as error:
        raise Failed(CANNOT, f"cannot open the store {path}: {error.strerror}") from None
    except (UnusableDatabase, sqlite3.Error) as error:
        raise Failed(CANNOT, f"cannot open the store {path}: {error}") from None


def _address(url: str) -> str:
    """Return host, port and path of a Redis URL: no password, and no option that may hold one."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Failed(USAGE, _UNREADABLE) from None
    return f"{host}{'' if port is None else f':{port}'}{parts.path}"
