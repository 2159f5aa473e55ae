"""The applications over real stores in real trouble: locked, full, read-only, gone, and crowded.

What the stores themselves do is in `test_store_faults`; here are the responses that clients get.
"""

import asyncio
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
import redis

from devicestatus import Settings, limits
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.adapters.redis import AsyncRedisStore, RedisStore
from devicestatus.adapters.sqlite import SQLiteStore
from support.devicestatus.examples import NOON, TOKEN, body, window
from support.devicestatus.service_client import (
    HEADERS,
    ServiceClient,
    numbered,
)
from support.servers.redis_server import RedisServer, redis_server
from support.status_contracts.gateways import Script, exchange_asgi, scope_of

pytestmark = pytest.mark.check

LATER: Final = 4_102_444_800_000  # 2100: no server drops what is written


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


class TestCancelled:
    def test_requests_that_are_cancelled_leave_no_response_for_the_next(
        self, server: RedisServer
    ) -> None:
        """A response that was on its way must not be taken for that of a later command."""

        async def main() -> list[int]:
            client = redis.asyncio.Redis.from_url(server.url, max_connections=1)
            async with AsyncRedisStore(client, prefix="cancelled:") as store:
                seen = []
                await store.put("now", b"0", expires_at_ms=LATER)
                for turns in range(60):
                    value = b"%d" % turns
                    command: Any = (
                        store.get("now")
                        if turns % 2
                        else store.put("now", value, expires_at_ms=LATER)
                    )
                    task = asyncio.ensure_future(command)
                    for _ in range(turns // 3):
                        await asyncio.sleep(0)
                    if turns % 5 == 0:
                        await asyncio.sleep(0.0005)  # the response arrived and is not read yet
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
                    seen.append(int(await store.get("now") or b"-1"))
                return seen

        seen = asyncio.run(main())
        assert len(seen) == 60
        assert all(
            value == 0 or (value % 2 == 0 and value <= turn) for turn, value in enumerate(seen)
        )


class TestManyAtOnce:
    def test_calls_for_which_there_is_no_connection_wait(self, server: RedisServer) -> None:
        """A crowd is no fault: who comes 51st waits for one of the 50 connections."""
        url = f"{server.url}?max_connections=2"

        async def main() -> list[bytes | None]:
            async with AsyncRedisStore.from_url(url, prefix="crowd:", wait_seconds=60) as awaited:
                await awaited.put("now", b"value", expires_at_ms=LATER)
                return await asyncio.gather(*(awaited.get("now") for _ in range(60)))

        assert asyncio.run(main()) == [b"value"] * 60
        with (
            RedisStore.from_url(url, prefix="crowd:", wait_seconds=60) as store,
            ThreadPoolExecutor(16) as pool,
        ):
            assert list(pool.map(store.get, ["now"] * 60)) == [b"value"] * 60

    def test_one_store_in_several_loops(self, tmp_path: Path) -> None:
        """Nothing of an application or of a blocking store belongs to the loop it was first in."""
        with SQLiteStore(tmp_path / "status.db") as durable:
            self.serve_in_loops(MemoryStore())
            self.serve_in_loops(durable)

    def serve_in_loops(self, store: Any) -> None:
        service = ServiceClient(store)  # each request is answered in a loop of its own

        def serve(number: int) -> int:
            return service.post("/api/update", numbered(number, NOON)).status

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(serve, range(1, 13))) == [200] * 12
        assert service.get("/api/now").status == 200


class TestLargestBodiesAtOnce:
    COUNT: Final = 32

    def test_memory_is_bounded_by_their_number_and_the_limit(self) -> None:
        """All are read to their last byte before any of them is complete."""
        content = body(window(window_end=NOON + 60_000)).ljust(limits.BATCH_BODY_BYTES)
        pieces = [content[:-1], content[-1:]]
        app = asgi_app(Settings(TOKEN), store=MemoryStore(), clock=lambda: NOON)

        async def main(count: int) -> None:
            arrived = 0
            everybody = asyncio.Event()

            async def upload() -> int:
                nonlocal arrived
                messages = Script.of_body(pieces)

                async def receive() -> dict[str, Any]:
                    nonlocal arrived
                    if messages.taken == 1:
                        arrived += 1
                        if arrived == count:
                            everybody.set()
                        await everybody.wait()
                    message = await messages()
                    return {
                        **message,
                        "body": bytes(bytearray(message["body"])),
                    }  # as fresh as a server's

                scope = scope_of("POST", b"/api/batch", HEADERS)
                response = await exchange_asgi(app, scope, receive)
                return response.status if response else 0

            assert await asyncio.gather(*(upload() for _ in range(count))) == [200] * count

        def peak(count: int) -> int:
            tracemalloc.start()
            try:
                asyncio.run(main(count))
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

        peak(1)  # what is made once
        most = self.COUNT * (2 * limits.BATCH_BODY_BYTES + 100_000) + 4_000_000
        assert self.COUNT * limits.BATCH_BODY_BYTES < peak(self.COUNT) < most
