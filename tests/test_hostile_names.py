"""Names in files, of files, of servers and of arguments never reach a terminal as they are.

Invariant *no raw control characters*, of every command.
"""

import json
import logging
import socketserver
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from status_contracts.cli.terminal import show_log
from support.servers.commands import Ended, run
from support.servers.servers import serve_handler
from support.sitedata.site_examples import plain

DEVICE, HEALTH, SITE = ("devicestatus.cli.main", "healthapi.cli.main", "sitedata.cli.main")
EVIL = "a\x1b]0;PWN\x07\x1b[2J\x0b\x7f\x9b31m\u202e\u2066b"
"""A title, a cleared screen, a colour in one byte, and text from right to left."""
SERVER_LINE = b"HTTP/1.1 \x1b]0;PWN\x07\x1b[31mred 200 OK\r\n\r\n"

ARGUMENTS = {
    "a file to validate": (DEVICE, "validate", EVIL),
    "a file to push": (DEVICE, "push", EVIL, "--url", "http://127.0.0.1:9"),
    "settings": (DEVICE, "agent", "--config", EVIL),
    "a token file": (DEVICE, "serve", "--token-file", EVIL),
    "a store": (DEVICE, "serve", "--store", EVIL),
    "a store's path": (DEVICE, "serve", "--store", f"sqlite:/{EVIL}/x"),
    "a device": (DEVICE, "serve", "--device", EVIL),
    "a host": (DEVICE, "serve", "--host", EVIL),
    "a time": (DEVICE, "explain", "-", "--at", EVIL),
    "a command": (DEVICE, EVIL),
    "an option": (DEVICE, f"--{EVIL}"),
    "an option with a value": (DEVICE, "serve", f"--{EVIL}=1"),
    "one argument more": (DEVICE, "validate", "-", EVIL, EVIL),
    "a schema": (DEVICE, "schema", EVIL),
    "a URL": (DEVICE, "conformance", f"http://{EVIL}"),
    "a folder": (HEALTH, "check", EVIL),
    "a profile's folder": (HEALTH, "import", EVIL, "-o", "ada"),
    "an output": (HEALTH, "import", "none.zip", "-o", EVIL),
    "a zone": (HEALTH, "import", "none.zip", "-o", "ada", "--zone", EVIL),
    "a repository": (SITE, "build", EVIL),
    "a ref": (SITE, "build", ".", "--ref", EVIL),
    "a page's file": (SITE, "page", EVIL),
    "a snapshot": (SITE, "show", EVIL),
    "a URL to fetch": (SITE, "fetch", f"https://{EVIL}", "-o", "out.json"),
    "a platform": (SITE, "show", "site.json", "--platform", f"zz{EVIL}"),
}


def check_output(ended: Ended) -> None:
    """Check that both outputs have nothing that a terminal obeys, but ends of lines."""
    for output in (ended.out, ended.err):
        bad = sorted({ascii(one) for one in output if one != "\n" and not one.isprintable()})
        assert not bad, (bad, output)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a site-data file whose names are hostile, and long."""
    names: dict[str, Any] = {"platform": EVIL, "language": EVIL * 500, "title": EVIL}
    value = plain()
    value["problems"] = [one | names for one in value["problems"]]
    (tmp_path / "site.json").write_text(json.dumps(value))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_own_arguments_are_quoted_harmlessly(arguments: tuple[str, ...], folder: Path) -> None:
    module, *words = arguments
    ended = run(*words, module=module, cwd=folder)
    assert ended.code != 0
    assert ended.err
    check_output(ended)


@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("show", "--platform", "zz"),
        ("show", "--language", "zz"),
        ("show", "--text", "zz"),
        ("show", "--json"),
        ("check",),
        ("check", "--json"),
        ("page", "-o", "page.html"),
    ],
    ids=" ".join,
)
def test_names_in_a_file_are_shown_harmlessly(words: tuple[str, ...], folder: Path) -> None:
    command, *options = words
    ended = run(command, "site.json", *options, module=SITE, cwd=folder)
    check_output(ended)
    assert len(ended.err) < 2000, "a choice of 6,000 letters is cut"
    if words == ("show", "--json"):
        assert json.loads(ended.out)["problems"][0]["title"] == EVIL


@pytest.fixture
def hostile_server() -> Iterator[str]:
    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65_536)
            self.request.sendall(SERVER_LINE)

    with serve_handler(Handler) as url:
        yield url


@pytest.mark.parametrize("module", [DEVICE, HEALTH, SITE])
def test_what_a_server_says_is_shown_harmlessly(module: str, hostile_server: str) -> None:
    ended = run("conformance", hostile_server, "--timeout", "5", module=module)
    assert ended.code != 0
    check_output(ended)


def test_the_lines_of_a_log_are_shown_harmlessly(capsys: pytest.CaptureFixture[str]) -> None:
    show_log()
    record = logging.LogRecord("healthapi", 30, "", 1, "profile %s", (EVIL,), None)
    assert logging.lastResort is not None
    logging.lastResort.handle(record)
    try:
        int(EVIL)
    except ValueError:
        record.exc_info = sys.exc_info()
    logging.lastResort.handle(record)
    out, err = capsys.readouterr()
    check_output(Ended(0, out, err.replace("Traceback", "")))
    assert err.count("profile a\ufffd]0;PWN") == 2
