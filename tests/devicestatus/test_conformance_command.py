"""`devicestatus conformance` in this process, over real sockets: options, reports, exit codes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from devicestatus import Settings
from devicestatus.adapters import wsgi
from devicestatus.adapters.memory import MemoryStore
from devicestatus.testing.conformance import ServiceConformance
from purewire.conformance.http import VirtualClock
from support.checks.canary import TOKEN
from support.devicestatus.app_icons import FOLDER
from support.servers.commands import environment, run
from support.servers.servers import serve_wsgi

ENV = environment() | {"INGEST_TOKEN": ""}
Wsgi = Callable[..., Any]


def service(clock: Callable[[], int] | None = None) -> Wsgi:
    times = {} if clock is None else {"clock": clock}
    app: Wsgi = wsgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER, **times)
    return app


def broken(environ: dict[str, Any], start: Callable[..., Any]) -> Any:
    """Serve health with one member too many."""
    parts = service()(environ, start)
    is_health = environ["PATH_INFO"] == "/api/health" and environ["REQUEST_METHOD"] == "GET"
    if not is_health:
        return parts
    body = b"".join(parts).replace(b"}", b',"version":"1"}')
    start("200 OK", [("Content-Type", "application/json")])
    return [body]


@contextmanager
def served(app: Wsgi) -> Iterator[str]:
    with serve_wsgi(app) as url:
        yield url


def write_token(folder: Path, token: str = TOKEN) -> Path:
    file = folder / "token"
    file.write_text(f"{token}\n")
    return file


class TestOptions:
    def test_without_write_it_only_reads(self) -> None:
        with served(service()) as url:
            ended = run("conformance", url, env=ENV)
        assert ended.code == 0, ended.out
        assert "Left out: heads, shown" in ended.out
        assert "give --write" in ended.out
        assert ended.out.splitlines()[-1].startswith("no difference; ")

    def test_differences_are_reported_as_text_and_junit(self, tmp_path: Path) -> None:
        names = tmp_path / "report.txt", tmp_path / "report.xml"
        options = [word for name in names for word in ("--report", name)]
        with served(broken) as url:
            ended = run("conformance", url, *options, env=ENV)
        assert ended.code == 1
        assert "/version: 1; expected none" in ended.out
        assert f"curl --include --path-as-is {url}/api/health" in ended.out
        assert names[0].read_text("utf-8") == ended.out
        assert int(ET.parse(names[1]).getroot().get("failures") or 0) > 0  # noqa: S314 - our own

    def test_a_wrong_token_cannot_be_tested(self, tmp_path: Path) -> None:
        with served(service()) as url:
            file = write_token(tmp_path, "x" * 40)
            ended = run("conformance", url, "--write", "--token-file", file, env=ENV)
        assert ended.code == 3
        assert "the token is wrong" in ended.err

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--write",), "--write needs the ingest token"),
            (("--profile", "none"), "choose from full, snapshot, window"),
            (("--report", "a.json"), "the suffix is none of .txt, .xml"),
        ],
    )
    def test_wrong_arguments(self, options: tuple[str, ...], message: str) -> None:
        ended = run("conformance", "http://127.0.0.1:9", *options, env=ENV)
        assert ended.code == 2
        assert message in ended.err

    def test_a_server_of_something_else_cannot_be_tested(self) -> None:
        def other(_: Any, start: Any) -> list[bytes]:
            start("404 Not Found", [])
            return [b"\x1b[31mnothing"]

        with served(other) as url:
            ended = run("conformance", url, env=ENV)
        assert ended.code == 3
        assert "\x1b" not in ended.out + ended.err


class TestOfAnApplication(ServiceConformance):
    token = TOKEN

    def make_app(self, clock: VirtualClock) -> Wsgi:
        return service(clock)


class TestOfAReader(ServiceConformance):
    """Without a token nothing is written, and sections that write are skipped."""

    def make_app(self, clock: VirtualClock) -> Wsgi:
        return service(clock)
