"""Stores that hang: each call ends within its own limit, and what needs no store is not delayed.

The locks, servers and sockets are real; the limits are short.
"""

import asyncio
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
import redis

from devicestatus import Settings
from devicestatus.adapters.application import asgi_app, wsgi_app
from devicestatus.adapters.redis import AsyncRedisStore, RedisStore
from devicestatus.adapters.sqlite import SQLiteStore
from devicestatus.store_contract import AnyStore
from support.devicestatus.app_icons import FOLDER
from support.devicestatus.examples import TOKEN
from support.servers.servers import ask, serve_asgi, serve_wsgi

pytestmark = pytest.mark.check

LIMIT: Final = 1.0
SLACK: Final = 0.8
"""What a machine with other work may add."""
TIMEOUT: Final = 0.1
READERS: Final = 8
FREE_PATHS: Final = ("/api/health", "/api/icons", "/api/icons/spotify.png", "/", "/nowhere")
"""Paths that need no store."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock a database as another process would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def silent_server(backlog: int = 100) -> Iterator[str]:
    """Listen without an answer; with a full backlog not even connections are made."""
    with socket.create_server(("127.0.0.1", 0), backlog=backlog) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


@contextmanager
def unreachable_server() -> Iterator[str]:
    """Listen with a backlog that is full, so that nobody can connect."""
    with silent_server(backlog=0) as url:
        address = ("127.0.0.1", int(url.rpartition(":")[2].partition("/")[0]))
        waiting = [socket.socket() for _ in range(4)]
        try:
            for each in waiting:
                each.setblocking(False)
                each.connect_ex(address)
            yield url
        finally:
            for each in waiting:
                each.close()


def seconds(call: Callable[[], object]) -> float:
    start = time.monotonic()
    call()
    return time.monotonic() - start


def failing(call: Callable[[], object], fault: type[Exception]) -> Callable[[], None]:
    def fails() -> None:
        with pytest.raises(fault):
            call()

    return fails


class TestEachCallEndsInTime:
    @pytest.mark.parametrize("call", ["get", "put"])
    def test_of_a_locked_file(self, tmp_path: Path, call: str) -> None:
        """Those at once as well, which wait for their turn first."""
        path = tmp_path / "status.db"
        with SQLiteStore(path, wait_seconds=LIMIT) as store, locked(path):
            calls: dict[str, Callable[[], object]] = {
                "get": lambda: store.get("now"),
                "put": lambda: store.put("now", b"", expires_at_ms=1),
            }
            fails = failing(calls[call], sqlite3.OperationalError)
            with ThreadPoolExecutor(READERS) as pool:
                took = list(pool.map(lambda _: seconds(fails), range(READERS)))
        assert min(took) > LIMIT * 0.9
        assert max(took) < LIMIT + SLACK

    @pytest.mark.parametrize("server", [silent_server, unreachable_server])
    def test_of_a_redis_that_does_not_answer(self, server: Callable[[], Any]) -> None:
        with server() as url, RedisStore.from_url(url, wait_seconds=LIMIT) as store:
            assert seconds(failing(lambda: store.get("now"), redis.RedisError)) < LIMIT + SLACK
            put = failing(lambda: store.put("now", b"", expires_at_ms=1), redis.RedisError)
            assert seconds(put) < LIMIT + SLACK

    @pytest.mark.parametrize("server", [silent_server, unreachable_server])
    def test_of_an_awaitable_one_that_does_not_answer(self, server: Callable[[], Any]) -> None:
        async def calls(url: str) -> None:
            async with AsyncRedisStore.from_url(url, wait_seconds=LIMIT) as store:
                for call in (store.get("now"), store.put("now", b"", expires_at_ms=1)):
                    with pytest.raises(redis.RedisError):
                        await call

        with server() as url:
            assert seconds(lambda: asyncio.run(calls(url))) < 2 * (LIMIT + SLACK)

    def test_of_a_redis_whose_connections_are_taken(self) -> None:
        """More calls than connections, on both kinds of store."""
        with silent_server() as url:
            with (
                RedisStore.from_url(f"{url}?max_connections=1", wait_seconds=LIMIT) as store,
                ThreadPoolExecutor(READERS) as pool,
            ):
                fails = failing(lambda: store.get("now"), redis.RedisError)
                took = list(pool.map(lambda _: seconds(fails), range(READERS)))
            assert max(took) < LIMIT + SLACK


@contextmanager
def hanging_store(kind: str, folder: Path) -> Iterator[AnyStore]:
    if kind == "sqlite":
        path = folder / "status.db"
        with SQLiteStore(path, wait_seconds=LIMIT * 3) as store, locked(path):
            yield store
    else:
        make: Any = RedisStore if kind == "redis" else AsyncRedisStore
        with silent_server() as url:
            yield make.from_url(url, wait_seconds=LIMIT * 3)


@contextmanager
def served(kind: str, store: AnyStore) -> Iterator[str]:
    create: Any = asgi_app if kind == "asgi" else wsgi_app
    app = create(Settings(TOKEN), store=store, assets=FOLDER)
    serve: Any = serve_asgi if kind == "asgi" else serve_wsgi
    with serve(attrs.evolve(app, store_timeout_seconds=TIMEOUT)) as url:
        yield url


class TestOtherPaths:
    @pytest.mark.parametrize(
        ("kind", "store"),
        [
            ("asgi", "sqlite"),
            ("asgi", "async redis"),
            ("wsgi", "redis"),
        ],
    )
    def test_are_answered_while_readers_wait(self, kind: str, store: str, tmp_path: Path) -> None:
        """Eight readers at once, over real HTTP; waitress has four threads."""
        with hanging_store(store, tmp_path) as hanging, served(kind, hanging) as url:

            def timed(path: str, method: str = "GET") -> tuple[int, float]:
                start = time.monotonic()
                return ask(url, method, path).status, time.monotonic() - start

            with ThreadPoolExecutor(READERS) as pool:
                readers = [pool.submit(timed, "/api/now") for _ in range(READERS)]
                time.sleep(TIMEOUT / 2)
                free = [*map(timed, FREE_PATHS), timed("/api/now", "OPTIONS")]
            reads = [each.result() for each in readers]
        assert {status for status, _ in reads} == {503}
        assert max(took for _, took in reads) < LIMIT * 3 + SLACK
        assert 503 not in {status for status, _ in free}
        assert max(took for _, took in free) < TIMEOUT + SLACK
