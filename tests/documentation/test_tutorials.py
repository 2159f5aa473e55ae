"""The tutorials lead to their end: each page is followed as written, in an empty folder and home.

- Commands of `console` blocks run in one shell.  The lines below a command are its output, in which
  `...` stands for any text.  A command exits with 0, unless `echo $?` follows.
- A command that ends in ` &` stays in the background until the end; its output is awaited.
- A block whose first line is a comment with a file name, as `# agent.py` or `// server.mjs`, is
  written to that file; with `, continued` behind the name it is appended.  A block may be a part
  of a file of `examples/`.
- Other `python` blocks are cells of a notebook; a `text` block is what the cell above shows.
- A link to `http://127.0.0.1:8000` is opened.  Port 8000 stands for a free port.
- `sh` blocks need the network or a desktop and do not run.
"""

import ast
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from email.utils import formatdate
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIEnvironment

import httpx2
import pytest

from support.servers.ports import free_port
from support.servers.servers import serve_wsgi

pytestmark = pytest.mark.check

TUTORIALS: Final = Path(__file__).parents[2] / "docs/tutorials"
PAGES: Final = sorted(TUTORIALS.glob("*.md"))
STEP: Final = re.compile(
    r"^```(?P<kind>\w+)\n(?P<text>.*?)\n```$|<(?P<url>http://127[^>]+)>", re.MULTILINE | re.DOTALL
)
FILE_NAME: Final = re.compile(r"(?:#|//) ([\w-]+\.\w+)(, continued)?(?:: .*)?$", re.MULTILINE)
INCLUDED: Final = re.compile(
    r"^```{literalinclude} (.*)\n:language: (.*)\n"
    r"(?::start-at: (.*)\n)?(?::end-before: (.*)\n)?```$",
    re.MULTILINE,
)
COMMAND: Final = re.compile(r"^\$ (.*(?:\n> .*)*)((?:\n(?!\$ ).*)*)", re.MULTILINE)
TIMEOUT: Final = 60.0  # s


class Shell:
    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.home = folder, home
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=folder,
            env={
                "HOME": str(home),
                "LANG": "C.UTF-8",
                "PYTHONUNBUFFERED": "1",  # as on a terminal
                "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, command: str) -> tuple[str, int]:
        """Run a command; return its output and its exit code."""
        pipes = self.process
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        pipes.stdin.write(
            f"{{ {command}\n}} < /dev/null; __code=$?; printf '\\0%s\\n' $__code; (exit $__code)\n"
        )
        pipes.stdin.flush()
        lines: list[str] = []
        timer = Timer(TIMEOUT, self.end)
        timer.start()
        for line in pipes.stdout:
            if "\0" in line:
                timer.cancel()
                last, _, code = line.partition("\0")
                return "".join([*lines, last]), int(code)
            lines.append(line)
        raise AssertionError(f"{command}: not done after {TIMEOUT} s:\n{''.join(lines)}")

    def start(self, command: str, shown: str) -> None:
        """Start a command in the background; wait for the output that the page shows."""
        log = self.home / "background.log"
        self.run(f"{{ {command}\n}} > {log} 2>&1")
        end = time.monotonic() + TIMEOUT
        while not matches(shown, log.read_text("utf-8"), whole=False):
            assert time.monotonic() < end, f"{command}: it shows\n{log.read_text('utf-8')}"
            time.sleep(0.05)

    def end(self) -> None:
        """End the shell with all that it started."""
        os.killpg(self.process.pid, signal.SIGKILL)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    for name in ("folder", "home"):
        (tmp_path / name).mkdir()
    shell = Shell(tmp_path / "folder", tmp_path / "home")
    yield shell
    shell.end()
    shell.process.communicate()


def matches(shown: str, output: str, *, whole: bool = True) -> bool:
    pattern = ".*".join(map(re.escape, shown.strip().split("...")))
    match = re.fullmatch if whole else re.match
    return match(pattern, output.strip(), re.DOTALL) is not None


def read_page(page: Path) -> str:
    """Return the text of a page with the parts of files that it includes."""

    def block(found: re.Match[str]) -> str:
        path, language, start, end = found.groups()
        text = (page.parent / path).read_text("utf-8")
        begin = text.index(f"{start}\n") if start else 0
        last = text.index(f"{end}\n") if end else len(text)
        return f"```{language}\n{text[begin:last].rstrip()}\n```"

    return INCLUDED.sub(block, page.read_text("utf-8"))


def run_console(text: str, shell: Shell) -> None:
    commands = [(command.replace("\n> ", "\n"), shown) for command, shown in COMMAND.findall(text)]
    expect_failure = [*(command == "echo $?" for command, _ in commands[1:]), False]
    for (command, shown), may_fail in zip(commands, expect_failure, strict=True):
        if command.endswith(" &"):
            shell.start(command, shown)
            continue
        # What follows may need the port.
        output, code = shell.run(command.replace("kill $!", "kill $!; wait $! || true"))
        assert code == 0 or may_fail, f"{command}: code {code}:\n{output}"
        assert not shown or matches(shown, output), f"{command}: it shows\n{output}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_leads_to_its_end(
    page: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shell.folder)
    names: dict[str, Any] = {}
    for step in STEP.finditer(read_page(page).replace("8000", str(free_port()))):
        kind, text = step["kind"], step["text"]
        if step["url"]:
            assert httpx2.get(step["url"], trust_env=False).status_code == httpx2.codes.OK
        elif kind == "console":
            run_console(text, shell)
        elif name := FILE_NAME.match(text):
            with (shell.folder / name[1]).open("a" if name[2] else "w", encoding="utf-8") as file:
                file.write(f"{text}\n")
        elif kind == "python":
            capsys.readouterr()
            cell = ast.Interactive(ast.parse(text).body)
            exec(compile(cell, "cell", "single"), names)  # noqa: S102 - own documentation
        elif kind == "text":
            shown = capsys.readouterr().out
            assert matches(text, shown), f"the cell shows\n{shown}"


@contextmanager
def closed_port() -> Iterator[str]:
    yield f"http://127.0.0.1:{free_port()}"


def refusing(status: int, error: str, clock_minutes: int = 0) -> AbstractContextManager[str]:
    """Run a service that refuses every upload, with a clock that is some minutes ahead."""

    def app(_environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        date = formatdate(time.time() + 60 * clock_minutes, usegmt=True)
        start_response(f"{status} Refused", [("Date", date)])
        return [f'{{"error":"{error}"}}'.encode()]

    return serve_wsgi(app)


@pytest.mark.parametrize(
    ("service", "message"),
    [
        (closed_port, "no response"),
        (
            partial(refusing, 413, "payload_too_large"),
            "refused as too large: the window is at its smallest and is dropped",
        ),
        (
            partial(refusing, 400, "invalid_payload", 10),
            "refused: this machine's clock is 10 minutes behind the service's",
        ),
    ],
    ids=["closed port", "413", "wrong clock"],
)
def test_the_agent_of_the_tutorial_handles(
    service: Callable[[], AbstractContextManager[str]], message: str, shell: Shell
) -> None:
    with service() as url:
        text = (TUTORIALS / "agent.md").read_text("utf-8").replace("http://127.0.0.1:8000", url)
        for step in STEP.finditer(text.replace("15.0", "0.1")):
            if step["kind"] and (name := FILE_NAME.match(step["text"])):
                (shell.folder / name[1]).write_text(f"{step['text']}\n", "utf-8")
        shown = shell.run(f"echo Editor > now.txt; INGEST_TOKEN={'0' * 32} python3 agent.py 1")
    assert shown == (f"window 1: {message}\n", 0)
