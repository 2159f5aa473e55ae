"""`devicestatus conformance` in this process, over real sockets: options, reports, exit codes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from devicestatus import Settings
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.memory import MemoryStore
from devicestatus.conformance import KIT
from status_contracts.conformance.testing import ServiceConformance
from status_contracts.exchange import Clock
from support.checks.canary import TOKEN
from support.devicestatus.app_icons import FOLDER
from support.servers.commands import environment, run
from support.servers.servers import serve_asgi

ENV = environment() | {"INGEST_TOKEN": ""}
SERVICE = asgi_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER)


def service(clock: Callable[[], int]) -> object:
    return asgi_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER, clock=clock)


async def broken(scope: Any, receive: Any, send: Any) -> None:
    """Serve health with one member too many."""

    async def changed(message: Any) -> None:
        body = message.get("body", b"")
        is_health = scope.get("path") == "/api/health"
        if is_health and body.startswith(b'{"ok"'):
            message = {**message, "body": body.replace(b'"ok"', b'"v":1,"ok"')}
        elif is_health and "headers" in message:
            lines = [line for line in message["headers"] if line[0] != b"content-length"]
            message = {**message, "headers": lines}
        await send(message)

    await SERVICE(scope, receive, changed)


def write_token(folder: Path, token: str = TOKEN) -> Path:
    file = folder / "token"
    file.write_text(f"{token}\n")
    file.chmod(0o600)
    return file


class TestOptions:
    def test_without_write_it_only_reads(self) -> None:
        with serve_asgi(SERVICE) as url:
            ended = run("conformance", url, env=ENV)
        assert ended.code == 0, ended.out
        assert "Left out: heads, shown" in ended.out
        assert "give --write" in ended.out
        assert ended.out.splitlines()[-1].startswith("no difference; ")

    def test_differences_are_reported_as_text_and_junit(self, tmp_path: Path) -> None:
        report = tmp_path / "report.xml"
        with serve_asgi(broken) as url:
            ended = run("conformance", url, "--report", report, env=ENV)
        assert ended.code == 1
        assert "/v: 1; expected none" in ended.out
        assert f"curl --include --path-as-is {url}/api/health" in ended.out
        assert int(ET.parse(report).getroot().get("failures") or 0) > 0  # noqa: S314 - our own

    def test_a_wrong_token_cannot_be_tested(self, tmp_path: Path) -> None:
        with serve_asgi(SERVICE) as url:
            file = write_token(tmp_path, "x" * 40)
            ended = run("conformance", url, "--write", "--token-file", file, env=ENV)
        assert ended.code == 3
        assert "the token is wrong" in ended.err

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--write",), "--write needs the ingest token"),
            (("--profile", "none"), "choose from full, snapshot, window"),
        ],
    )
    def test_wrong_arguments(self, options: tuple[str, ...], message: str) -> None:
        ended = run("conformance", "http://127.0.0.1:9", *options, env=ENV)
        assert ended.code == 2
        assert message in ended.err

    def test_a_server_of_something_else_cannot_be_tested(self) -> None:
        async def other(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "lifespan":
                return await SERVICE(scope, receive, send)
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b"\x1b[31mnothing"})
            return None

        with serve_asgi(other) as url:
            ended = run("conformance", url, env=ENV)
        assert ended.code == 3
        assert "\x1b" not in ended.out + ended.err


class TestOfAnApplication(ServiceConformance):
    kit = KIT
    token = TOKEN

    def make_app(self, clock: Clock) -> object:
        return service(clock)


class TestOfAReader(ServiceConformance):
    """Without a token nothing is written, and sections that write are skipped."""

    kit = KIT

    def make_app(self, clock: Clock) -> object:
        return service(clock)
