"""Clients that leave in the middle: no task goes on without them, on whatever loop."""

import asyncio
import socket
import time
from collections.abc import Callable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from status_contracts.adapters.asgi import Application, Send
from status_contracts.exchange import Exchange
from status_contracts.messages import Request
from support.servers.servers import ask, serve_asgi
from support.status_contracts.echo_handler import AsyncMemory, Memory, answer, echo
from support.status_contracts.gateways import Script, scope_of

Message = MutableMapping[str, Any]

GONE: Final[Message] = {"type": "http.disconnect"}
PIECE: Final[Message] = {"type": "http.request", "body": b"x", "more_body": True}
WHOLE: Final[Message] = {"type": "http.request", "body": b"x", "more_body": False}
TIMEOUT_SECONDS: Final = 20


async def take(message: Message) -> None:
    """Be a client that takes what it is sent."""


async def refuse(message: Message) -> None:
    """Be a client that has gone."""
    raise BrokenPipeError


class Slow(AsyncMemory):
    """A store that has not answered when the client leaves."""

    async def get(self, key: str) -> bytes | None:
        await asyncio.Event().wait()
        return None

    async def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        await asyncio.Event().wait()


async def tasks_left(store: Any, method: str, messages: list[Message], send: Send) -> int:
    """Serve one request, ending it as a server may when its client has gone; count what is left."""
    app = Application(echo, store=store)
    serving = asyncio.create_task(
        app(scope_of(method, b"/store"), Script(list(map(dict, messages))), send)
    )
    if isinstance(store, Slow):
        await asyncio.sleep(0.01)  # it waits for the store
        serving.cancel()
    await asyncio.wait([serving])
    return len(asyncio.all_tasks() - {asyncio.current_task()})


class TestASGI:
    @pytest.mark.parametrize("make", [Memory, AsyncMemory, Slow])
    @pytest.mark.parametrize(
        ("method", "messages", "send"),
        [
            pytest.param("PUT", [GONE], take, id="before the body"),
            pytest.param("PUT", [PIECE, PIECE, GONE], take, id="within the body"),
            pytest.param("PUT", [WHOLE], refuse, id="before the answer to a write"),
            pytest.param("GET", [], refuse, id="before the answer to a read"),
            pytest.param("PUT", [WHOLE], take, id="cancelled before the answer to a write"),
            pytest.param("GET", [], take, id="cancelled before the answer to a read"),
        ],
    )
    def test_no_task_is_left(
        self, method: str, messages: list[Message], send: Send, make: Callable[[], Any]
    ) -> None:
        """The server cancels a request to the slow store."""
        assert asyncio.run(tasks_left(make(), method, messages, send)) == 0

    def test_torn_uploads_leave_no_task_on_the_loop_of_a_real_server(self) -> None:
        def handler(request: Request) -> Exchange:
            if request.path == b"/tasks":
                yield from ()
                return answer(200, b"%d" % len(asyncio.all_tasks()))
            return (yield from echo(request))

        with serve_asgi(Application(handler, store=AsyncMemory())) as url:
            before = tasks_on_the_loop(url)
            head = b"PUT /store HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
            address = urlsplit(url)
            for _ in range(20):
                with socket.create_connection((address.hostname, address.port)) as connection:
                    connection.sendall(head + b"x" * 50)
            until = time.monotonic() + TIMEOUT_SECONDS
            while tasks_on_the_loop(url) > before:
                assert time.monotonic() < until, "tasks are left"


def tasks_on_the_loop(url: str) -> int:
    return int(ask(url, "GET", "/tasks").body)
