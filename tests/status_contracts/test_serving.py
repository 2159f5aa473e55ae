"""A real server inside the test's own event loop."""

import asyncio
import gc
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from status_contracts.adapters.asgi import Application
from status_contracts.cli.exit_codes import CANNOT, USAGE, Failed
from status_contracts.cli.serving import base_url, listen, serving
from support.servers.servers import Answer, ask
from support.status_contracts.echo_handler import echo

HOST = "127.0.0.1"


def ask_at(listener: socket.socket, path: str) -> Awaitable[Answer]:
    return asyncio.to_thread(ask, base_url(listener), "GET", path)


class TestListen:
    def test_port_0_is_any_free_one(self) -> None:
        with listen(HOST, 0) as one, listen(HOST, 0) as other:
            assert base_url(one) != base_url(other)
            assert base_url(one) == f"http://{HOST}:{one.getsockname()[1]}"

    def test_no_part_of_an_answer_waits_for_the_one_before(self) -> None:
        with listen(HOST, 0) as listener, socket.create_connection(listener.getsockname()):
            accepted, _ = listener.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    def test_an_ipv6_address_stands_in_brackets(self) -> None:
        try:
            listener = listen("::1", 0)
        except Failed:
            pytest.skip("this machine has no IPv6")
        with listener:
            assert base_url(listener) == f"http://[::1]:{listener.getsockname()[1]}"

    @pytest.mark.parametrize("port", [-1, 65_536])
    def test_a_port_that_is_none_is_wrong_usage(self, port: int) -> None:
        with pytest.raises(Failed) as failed:
            listen(HOST, port)
        assert failed.value.exit_code == USAGE

    @pytest.mark.parametrize("host", ["", "a" * 64 + ".example"])
    def test_a_host_that_is_none_cannot_be_listened_on(self, host: str) -> None:
        with pytest.raises(Failed) as failed:
            listen(host, 0)
        assert failed.value.exit_code == CANNOT


class TestServing:
    def test_it_serves_while_the_block_runs(self) -> None:
        async def main() -> Answer:
            with listen(HOST, 0) as listener:
                async with serving(Application(echo), listener) as server:
                    answered = await ask_at(listener, "/a?b")
                    assert not server.done()
                assert server.done()
                return answered

        answered = asyncio.run(main())
        assert answered.json[1] == "b'/a'"
        assert answered.header("server") is None

    def test_garbage_collections_skip_what_existed_before(self) -> None:
        async def main() -> int:
            with listen(HOST, 0) as listener:
                async with serving(Application(echo), listener):
                    return gc.get_freeze_count()

        assert asyncio.run(main()) > 10_000
        assert gc.get_freeze_count() == 0

    def test_a_request_that_outlasts_it_is_ended_without_a_traceback(
        self, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("status_contracts.cli.serving._GRACE_SECONDS", 0)

        async def main() -> None:
            reached = asyncio.Event()

            async def app(scope: Any, receive: Any, send: Callable[..., Any]) -> None:
                reached.set()
                await asyncio.Event().wait()

            with listen(HOST, 0) as listener:
                async with serving(app, listener):
                    reader, writer = await asyncio.open_connection(*listener.getsockname())
                    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    await reached.wait()
            await reader.read()
            writer.close()
            await writer.wait_closed()

        with caplog.at_level(logging.WARNING, "status_contracts"):
            asyncio.run(main())
        ours = [record for record in caplog.records if record.name == "status_contracts"]
        assert [record.getMessage() for record in ours] == ["a request was still in progress"]
        assert not any(record.exc_info for record in caplog.records)
