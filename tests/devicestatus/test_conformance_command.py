"""`devicestatus conformance` in this process, over real sockets: options, reports, exit codes."""

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


async def broken(scope: Any, receive: Any, send: Any) -> None:
    """Serve one path without one header."""

    async def changed(message: Any) -> None:
        lines = [line for line in message.get("headers", ()) if line[0] != b"referrer-policy"]
        is_one = scope.get("path") == "/api/icons" and "headers" in message
        await send({**message, "headers": lines} if is_one else message)

    await SERVICE(scope, receive, changed)


class TestOptions:
    @pytest.mark.check
    def test_reading_finds_the_one_difference_and_says_it(self, tmp_path: Path) -> None:
        report = tmp_path / "report.xml"
        with serve_asgi(broken) as url:
            ended = run("conformance", url, "--report", report, env=ENV)
        assert ended.code == 1
        because = "the record would be replaced (give --write and --token-file)"
        text = f"Left out, because {because}: wrong uploads, what is shown"
        assert text in ended.out.replace("\n    ", " ")
        assert ended.out.splitlines()[-1] == "1 kind of difference"
        assert "DS-CACHE-04: referrer-policy: none; expected no-referrer" in ended.out
        assert f"    curl --include --path-as-is {url}/api/icons" in ended.out
        assert int(ET.parse(report).getroot().get("failures") or 0) > 0  # noqa: S314 - our own

    def test_a_wrong_token_cannot_be_tested(self, tmp_path: Path) -> None:
        file = tmp_path / "token"
        file.write_text("x" * 40)
        file.chmod(0o600)
        with serve_asgi(SERVICE) as url:
            ended = run("conformance", url, "--write", "--token-file", file, env=ENV)
        assert ended.code == 3
        assert "the token is wrong" in ended.err

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--write",), "--write needs the ingest token"),
            (("--profile", "none"), "choose from full, snapshot, window"),
            *[(("--timeout", each), "--timeout") for each in ("-5", "0", "nan")],
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


@pytest.mark.check
class TestOfAnApplication(ServiceConformance):
    kit = KIT
    token = TOKEN

    def make_app(self, clock: Clock) -> object:
        return asgi_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER, clock=clock)


@pytest.mark.check
class TestWithoutToken(ServiceConformance):
    kit = KIT
    make_app = TestOfAnApplication.make_app

    def test_every_answer_is_right(self) -> None:
        with pytest.raises(pytest.skip.Exception, match=r"replaced .*: wrong uploads, what is"):
            super().test_every_answer_is_right()
