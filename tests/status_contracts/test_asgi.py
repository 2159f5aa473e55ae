"""The ASGI application in process, for what scripts can do; hosts and mounts of it."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.routing import Mount

from status_contracts.adapters.asgi import Application
from status_contracts.exchange import Exchange
from status_contracts.messages import Request
from support.servers.servers import Answer
from support.status_contracts.echo_handler import (
    KEY,
    LIMIT,
    AsyncFiles,
    AsyncMemory,
    AsyncNames,
    Memory,
    answer,
    echo,
)
from support.status_contracts.gateways import Script, call_asgi, exchange_asgi, scope_of

Message = MutableMapping[str, Any]
App = Callable[..., Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]

SECRET = "canary-text"


def run(app: Application, receive: Receive, method: str = "POST", path: bytes = b"/body") -> Answer:
    """Run a request with a scripted body."""
    answered = asyncio.run(exchange_asgi(app, scope_of(method, path), receive))
    assert answered is not None
    return answered


class TestRequest:
    def test_the_handler_sees_method_path_and_headers(self) -> None:
        seen: list[Request] = []

        def handler(request: Request) -> Exchange:
            seen.append(request)
            yield from ()
            return answer(200, b"")

        headers = [(b"X-A", b" 1\t"), (b"x-b", b"2"), (b"x-A", b"")]
        scope = scope_of("PATCH", b"/a%2Fb?c=d", headers)
        scope["headers"] = headers
        asyncio.run(exchange_asgi(Application(handler), scope, Script([])))
        assert seen == [
            Request(
                "PATCH", b"/a%2Fb", ((b"x-a", b"1"), (b"x-b", b"2"), (b"x-a", b"")), query=b"c=d"
            )
        ]

    def test_a_gateway_may_omit_the_query_the_scheme_and_the_mount_point(self) -> None:
        scope = scope_of("GET", b"/?a", [(b"host", b"a.b")])
        del scope["query_string"], scope["scheme"], scope["root_path"]
        answered = asyncio.run(exchange_asgi(Application(echo), scope, Script([])))
        assert answered is not None
        assert answered.json[3:] == ["b''"]

    def test_without_a_raw_path_the_path_is_encoded(self) -> None:
        scope = scope_of("GET", b"/")
        scope["path"] = "/a b/ü?%"
        scope["raw_path"] = None
        answered = asyncio.run(exchange_asgi(Application(echo), scope, Script([])))
        assert answered is not None
        assert rb"/a%20b/%C3%BC%3F%25" in answered.body

    def test_an_undecodable_path_does_not_raise(self) -> None:
        scope = scope_of("GET", b"/a%ff")
        scope["path"] = "/a\udcff"
        del scope["raw_path"]
        answered = asyncio.run(exchange_asgi(Application(echo), scope, Script([])))
        assert answered is not None
        assert b"/a%FF" in answered.body


class TestBody:
    def test_the_body_has_the_time_at_which_it_was_complete(self) -> None:
        taken: list[int] = []
        receive = Script.of_body([b"a", b"b", b"c"])

        def clock() -> int:
            taken.append(receive.taken)
            return 77

        answered = run(Application(echo, clock=clock), receive)
        assert answered.header("x-at") == "77"
        assert taken == [3]

    @pytest.mark.parametrize("chunk", [1, 7, LIMIT, LIMIT + 1, 10 * LIMIT])
    def test_reading_stops_with_the_message_that_passes_the_limit(self, chunk: int) -> None:
        receive = Script.of_body([b"x" * chunk] * (3 * LIMIT))
        assert run(Application(echo), receive).status == 413
        assert receive.taken == LIMIT // chunk + 1

    def test_a_body_of_many_empty_messages_is_too_long(self) -> None:
        receive = Script.of_body([b""] * 100_000)
        assert run(Application(echo), receive).status == 413
        assert receive.taken <= 1001

    def test_a_request_that_needs_no_body_takes_no_message(self) -> None:
        receive = Script([])
        assert run(Application(echo, store=Memory()), receive, "GET", b"/store").status == 404
        assert receive.taken == 0


class TestDisconnect:
    @pytest.mark.parametrize("before", [0, 1, 5])
    def test_nothing_is_written_and_the_response_is_the_one_for_incomplete_bodies(
        self, before: int
    ) -> None:
        body: list[dict[str, Any]] = [
            {"type": "http.request", "body": b"x", "more_body": True} for _ in range(before)
        ]
        store = Memory()
        receive = Script([*body, {"type": "http.disconnect"}])
        assert run(Application(echo, store=store), receive, "PUT", b"/store").status == 400
        assert store.calls == []

    def test_the_response_to_an_incomplete_body_can_be_configured(self) -> None:
        app = Application(echo, incomplete=answer(499, b"gone"))
        got = run(app, Script([{"type": "http.disconnect"}]))
        assert (got.status, got.body) == (499, b"gone")

    def test_a_server_that_cannot_read_the_body_raises_no_further(self) -> None:
        async def receive() -> dict[str, Any]:
            raise RuntimeError("b")

        store = Memory()
        assert run(Application(echo, store=store), receive, "PUT", b"/store").status == 400
        assert store.calls == []

    def test_a_client_that_disconnects_before_the_response_does_not_undo_the_write(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        store = Memory()
        app = Application(echo, store=store)
        sends: list[str] = []

        async def send(message: Message) -> None:
            sends.append(message["type"])
            raise BrokenPipeError(SECRET)

        with caplog.at_level(logging.DEBUG, "status_contracts"):
            scope = scope_of("PUT", b"/store")
            asyncio.run(app(scope, Script.of_body([b"v"]), send))
        assert store.calls == ["put"]
        assert store.values == {KEY: b"v"}
        assert sends == ["http.response.start"]
        assert [
            record.getMessage() for record in caplog.records if record.name == "status_contracts"
        ] == ["a response was not sent: BrokenPipeError"]


class TestStores:
    def test_awaitable_stores_and_sources_serve(self) -> None:
        app = Application(
            echo, store=AsyncMemory(), assets=AsyncFiles(), source=AsyncNames(), clock=lambda: 5
        )
        assert call_asgi(app, "GET", b"/store").status == 404
        assert call_asgi(app, "PUT", b"/store", (), [b"v"]).status == 204
        answered = call_asgi(app, "GET", b"/store")
        assert (answered.body, answered.header("x-at")) == (b"v", "5")
        assert call_asgi(app, "GET", b"/files/a.png").body == b"png"
        assert call_asgi(app, "GET", b"/source/a").body == b"a at 5"

    def test_a_blocking_store_runs_in_a_worker_thread_unless_it_is_nonblocking(self) -> None:
        threads: list[int] = []

        class Blocking(Memory):
            def get(self, key: str) -> bytes | None:
                threads.append(threading.get_ident())
                return None

        class Quick(Blocking):
            nonblocking = True

        call_asgi(Application(echo, store=Blocking()), "GET", b"/store")
        call_asgi(Application(echo, store=Quick()), "GET", b"/store")
        assert [thread == threading.get_ident() for thread in threads] == [False, True]

    def test_a_blocking_store_does_not_block_the_loop(self) -> None:
        gate = threading.Event()

        class Waiting(Memory):
            def get(self, key: str) -> bytes | None:
                assert gate.wait(20)
                return b"v"

        app = Application(echo, store=Waiting())

        async def main() -> list[Answer | None]:
            slow = [
                asyncio.create_task(exchange_asgi(app, scope_of("GET", b"/store"), Script([])))
                for _ in range(3)
            ]
            quick = await exchange_asgi(app, scope_of("GET", b"/"), Script([]))
            gate.set()
            return [quick, *await asyncio.gather(*slow)]

        assert [answer and answer.status for answer in asyncio.run(main())] == [200] * 4


class TestOtherScopes:
    @pytest.mark.parametrize(
        ("kind", "received", "expected"),
        [
            (
                "lifespan",
                ["lifespan.startup", "lifespan.shutdown"],
                ["lifespan.startup.complete", "lifespan.shutdown.complete"],
            ),
            ("websocket", ["websocket.connect"], ["websocket.close"]),
        ],
    )
    def test_lifespan_is_completed_and_a_web_socket_closed(
        self, kind: str, received: list[str], expected: list[str]
    ) -> None:
        sent: list[str] = []

        async def send(message: Message) -> None:
            sent.append(message["type"])

        receive = Script([{"type": message} for message in received])
        scope: dict[str, Any] = {"type": kind, "path": "/"}
        asyncio.run(Application(echo)(scope, receive, send))
        assert sent == expected

    def test_an_unknown_scope_is_rejected(self) -> None:
        with pytest.raises(NotImplementedError):
            asyncio.run(
                Application(echo)({"type": "telepathy"}, Script([]), lambda _: asyncio.sleep(0))
            )


def path_seen(app: App, target: str, root_path: str = "") -> str:
    """Ask an application in process, by httpx2, which path it sees."""

    async def main() -> str:
        transport = httpx2.ASGITransport(app, root_path=root_path)
        async with httpx2.AsyncClient(transport=transport, base_url="https://host:81") as client:
            return str((await client.get(target)).json()[1])

    return asyncio.run(main())


class TestMounted:
    @pytest.fixture(params=["starlette", "fastapi", "nested"])
    def parent(self, request: pytest.FixtureRequest) -> App:
        """Mount the echo at /x."""
        mounts = [Mount("/x", Application(echo))]
        if request.param == "starlette":
            return Starlette(routes=mounts)
        if request.param == "nested":
            return Starlette(routes=[Mount("/", Starlette(routes=mounts))])
        api = FastAPI()
        api.mount("/x", Application(echo))
        return api

    @pytest.mark.parametrize(
        ("target", "path", "root"),
        [
            ("/x/api/now?a=b", "b'/api/now'", ""),
            ("/x//api/now", "b'//api/now'", ""),
            ("/x/x/now", "b'/x/now'", ""),
            ("/%78/api/now", "b'/api/now'", ""),
            ("/proxy/x/api/%6eow", "b'/api/%6eow'", "/proxy"),  # the proxy removes it, the
            ("/x/api/%6eow", "b'/api/%6eow'", "/proxy"),  # server adds it or does not
        ],
    )
    def test_neither_mount_point_nor_prefix_is_part_of_the_path(
        self, parent: App, target: str, path: str, root: str
    ) -> None:
        assert path_seen(parent, target, root) == path

    def test_alone_behind_a_proxy(self) -> None:
        app = Application(echo)
        assert path_seen(app, "/proxy/api/%6eow", root_path="/proxy") == "b'/api/%6eow'"
        assert path_seen(app, "/api/%6eow", root_path="/proxy") == "b'/api/%6eow'"
        assert path_seen(app, "/proxyapi", root_path="/proxy") == "b'/proxyapi'"
