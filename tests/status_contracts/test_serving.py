"""A real server inside the test's own event loop."""

import asyncio
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from status_contracts.adapters.asgi import Application
from status_contracts.cli.exit_codes import CANNOT, Failed
from status_contracts.cli.serving import base_url, listen, serving
from support.servers.servers import Answer, ask
from support.status_contracts.echo_handler import echo

HOST = "127.0.0.1"


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
                    answered = await asyncio.to_thread(ask, base_url(listener), "GET", "/a?b")
                    assert not server.done()
                assert server.done()
                return answered

        answered = asyncio.run(main())
        assert answered.json[1] == "b'/a'"
        assert answered.header("server") is None

    def test_who_asks_for_a_websocket_gets_the_answer_and_no_line_in_the_log(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        head = [("Connection", "Upgrade"), ("Upgrade", "websocket")]

        async def main() -> Answer:
            with listen(HOST, 0) as listener:
                async with serving(Application(echo), listener):
                    return await asyncio.to_thread(ask, base_url(listener), "GET", "/a", head)

        assert asyncio.run(main()).json[1] == "b'/a'"
        assert caplog.messages == []

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

        asyncio.run(main())
        assert caplog.messages[0].startswith("Cancel 1 running task(s)")
        assert not any(record.exc_info for record in caplog.records)


HEAD = b"GET /a HTTP/1.1\r\nHost: a\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
WAITING = {
    "nothing": b"",
    "half a line": b"GET",
    "half a header": HEAD,
    "half a body": POST + b"{}",
    "half a header after a request": HEAD + b"\r\n" + HEAD,
}


async def reading(scope: Any, receive: Any, send: Callable[..., Any]) -> None:
    """Read the body, and then answer."""
    while (await receive()).get("more_body"):
        continue
    await Application(echo)(scope, receive, send)


class TestHalfRequests:
    """Invariant *no half request stays*."""

    @pytest.fixture(autouse=True)
    def _soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("status_contracts.cli.serving._HALF_SECONDS", 1)

    @staticmethod
    async def received(app: Any, sent: bytes, *more: bytes) -> bytes:
        """Send pieces, half a second apart; return what came until the server closed."""
        with listen(HOST, 0) as listener:
            async with serving(app, listener):
                reader, writer = await asyncio.open_connection(*listener.getsockname())
                writer.write(sent)
                for piece in more:
                    await asyncio.sleep(0.5)
                    writer.write(piece)
                got = b""
                with suppress(ConnectionError):  # closed while this wrote
                    async with asyncio.timeout(10):
                        got = await reader.read()
                    writer.close()
                    await writer.wait_closed()
                return got

    @pytest.mark.parametrize("sent", WAITING.values(), ids=WAITING)
    def test_a_connection_that_waits_is_closed(self, sent: bytes) -> None:
        got = asyncio.run(self.received(reading, sent))
        assert got.count(b" 200 OK\r\n") == sent.count(b"\r\n\r\nGET")

    @pytest.mark.parametrize("sent", [HEAD, POST], ids=["header", "body"])
    def test_one_that_drips_is_closed_as_well(self, sent: bytes) -> None:
        drips = [b"x-a: 1\r\n" if sent == HEAD else b"1"] * 6
        assert asyncio.run(self.received(reading, sent, *drips)) == b""

    def test_one_that_waits_for_its_answer_is_not(self) -> None:
        async def slow(scope: Any, receive: Any, send: Callable[..., Any]) -> None:
            await asyncio.sleep(3)
            await Application(echo)(scope, receive, send)

        assert b" 200 OK\r\n" in asyncio.run(self.received(slow, HEAD + b"\r\n"))

    def test_nor_is_one_that_asks_again_and_again(self) -> None:
        asks = [HEAD + b"\r\n"] * 8
        got = asyncio.run(self.received(Application(echo), *asks))
        assert got.count(b" 200 OK\r\n") == len(asks)


class TestDescriptors:
    """Invariant *room for others*, in a process with few file descriptors."""

    @staticmethod
    @contextmanager
    def flooded(descriptors: int, connections: int) -> Iterator[tuple[str, Path]]:
        """Yield the URL of a service with idle connections, and its log."""
        code = "from devicestatus.cli.main import main; main()"
        command = f"ulimit -n {descriptors}; exec {sys.executable} -c '{code}'"
        serve = f"INGEST_TOKEN={'x' * 64}; export INGEST_TOKEN; {command} serve"
        arguments = ["sh", "-c", f"{serve} --port 0 --store memory:"]
        with (
            tempfile.TemporaryDirectory() as folder,
            ExitStack() as opened,
            (Path(folder) / "log").open("wb") as log,
            subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=log) as process,
        ):
            assert process.stdout is not None
            url = process.stdout.readline().decode().split()[-1].rstrip("/")
            try:
                for _ in range(connections):
                    one = socket.socket()
                    opened.enter_context(one)
                    one.setblocking(False)
                    one.connect_ex((HOST, int(url.rpartition(":")[2])))
                yield url, Path(log.name)
            finally:
                process.kill()

    def test_idle_connections_keep_nobody_out(self) -> None:
        with self.flooded(256, 400) as (url, log):
            for _ in range(5):
                assert ask(url, "GET", "/api/now").status == 200
            assert log.read_bytes() == b""

    def test_that_none_is_left_is_one_line(self) -> None:
        with self.flooded(40, 100) as (_, log):
            deadline = time.monotonic() + 20
            while not log.read_bytes() and time.monotonic() < deadline:
                time.sleep(0.05)
            time.sleep(2.5)  # it is tried again every second
            (line,) = log.read_text("utf-8").splitlines()
        assert line.startswith("no connection can be accepted: Too many open files; raise ulimit")
