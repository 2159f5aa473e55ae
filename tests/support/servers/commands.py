"""The commands, in this process or in their own; their output never contains the token.

ended = run("validate", "-", stdin=body)           # devicestatus validate -, in this process
ended = run_until("home page", "serve")            # in this process, until it prints that
ended = run_process("validate", "-", stdin=body)   # in a process of its own
with started("serve", "--port", "0") as process:   # in one that goes on, and is stopped at the end
    url = process.wait_for(r"http://[^ ]+/")
    assert process.stop(signal.SIGINT).code == 0
"""

import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, chdir, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO
from unittest import mock

import attrs

from support.checks import canary

CANARY = canary.TOKEN
CLI = "devicestatus.cli.main"
DEMO = "demo"
"""A module beside the examples."""
EXAMPLES = str(Path(__file__).parents[3] / "examples")
TIMEOUT_SECONDS = 300


@attrs.frozen
class Ended:
    """The exit code and the output of a process."""

    code: int
    out: str
    err: str

    def __attrs_post_init__(self) -> None:
        for output in (self.out, self.err):
            assert not canary.shows(output), "the token was shown"
            assert "Traceback" not in output, output


def run(
    *arguments: object,
    module: str = CLI,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Ended:
    """Run a command to its end in this process, with streams and an environment of its own."""
    with _streams(stdin, env, cwd) as (out, err):
        return _run(module, arguments, out, err)


def run_on_terminal(*arguments: object, module: str = CLI, columns: int = 80) -> tuple[int, str]:
    """Run a command in a process on a terminal; return its exit code and what is shown there."""
    terminal, its_end = os.openpty()
    command = [sys.executable, "-m", module, *map(str, arguments)]
    told = environment({"COLUMNS": str(columns), "PYTHONIOENCODING": "utf-8", "TERM": "xterm"})
    with subprocess.Popen(command, stdin=its_end, stdout=its_end, stderr=its_end, env=told) as it:
        os.close(its_end)
        text = b""
        with suppress(OSError), os.fdopen(terminal, "rb", buffering=0) as shown:  # EIO at its end
            while part := shown.read(1 << 16):
                text += part
    return it.returncode, text.decode().replace("\r\n", "\n")


def run_until(
    pattern: str,
    *arguments: object,
    number: signal.Signals = signal.SIGINT,
    then: Callable[[str], object] = lambda _: None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Ended:
    """Run a command in this process until its output has a match, then send a signal.

    Args:
        pattern: a regular expression, searched in both outputs.
        arguments: the arguments of the command.
        number: the signal.
        then: called with the match in another thread, before the signal.
        env: changes of the environment.
        cwd: the current folder.

    """
    main_thread = threading.main_thread().ident
    assert main_thread is not None
    has_ended = threading.Event()

    def stop() -> None:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        try:
            while (match := re.search(pattern, out.written() + err.written())) is None:
                if has_ended.wait(0.02):
                    return
                assert time.monotonic() < deadline, f"no {pattern} in:\n{out.written()}"
            then(match[0])
        finally:
            if not has_ended.is_set():
                signal.pthread_kill(main_thread, number)

    with _not_ignored(number), ThreadPoolExecutor(1) as pool, _streams(b"", env, cwd) as (out, err):
        stopping = pool.submit(stop)
        try:
            ended = _run(CLI, arguments, out, err)
        finally:
            has_ended.set()
        stopping.result()
    assert re.search(pattern, ended.out + ended.err), ended
    return ended


@contextmanager
def _not_ignored(number: signal.Signals) -> Iterator[None]:
    """Handle a signal as in the foreground; shells let background jobs ignore some."""
    previous = signal.getsignal(number)
    if previous == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(number, previous)


@contextmanager
def _streams(
    stdin: bytes, env: Mapping[str, str] | None, cwd: Path | None
) -> Iterator[tuple["_Stream", "_Stream"]]:
    out, err = _Stream(), _Stream(errors="backslashreplace")
    with ExitStack() as stack:
        enter = stack.enter_context
        enter(mock.patch.multiple(sys, stdin=_Stream(stdin), stdout=out, stderr=err))
        enter(mock.patch.dict(os.environ, environment(env), clear=True))
        enter(mock.patch.object(tempfile, "tempdir", None))
        enter(chdir(Path.cwd() if cwd is None else cwd))
        yield out, err


def _run(module: str, arguments: tuple[object, ...], out: "_Stream", err: "_Stream") -> Ended:
    try:
        code = import_module(module).main(list(map(str, arguments)))
    except SystemExit as exited:
        code = exited.code
    return Ended(code, out.content(), err.content())


class _Stream(io.TextIOWrapper):
    def __init__(self, content: bytes = b"", errors: str = "strict") -> None:
        self.bytes = io.BytesIO(content)
        super().__init__(self.bytes, "utf-8", errors, newline="\n")

    def content(self) -> str:
        """Flush, and return what was written."""
        self.flush()
        return self.written()

    def written(self) -> str:
        """Return what was written and flushed."""
        return self.bytes.getvalue().decode()


def run_process(
    *arguments: object,
    module: str = CLI,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Ended:
    """Run a command to its end in a process of its own."""
    done = subprocess.run(
        _command(module, arguments),
        input=stdin,
        env=environment(env),
        cwd=cwd,
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


@attrs.define
class Process:
    """A running command."""

    process: subprocess.Popen[bytes]
    out: IO[bytes]
    err: IO[bytes]

    def wait_for(self, pattern: str) -> str:
        """Wait until the output has a match, and return it."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while (match := re.search(pattern, _text(self.out))) is None:
            assert self.process.poll() is None, _text(self.out) + _text(self.err)
            assert time.monotonic() < deadline, f"no {pattern} in:\n{_text(self.out)}"
            time.sleep(0.02)
        return match[0]

    def stop(self, number: signal.Signals) -> Ended:
        """Send a signal, and return how the process ended."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> Ended:
        """Return how the process ended by itself."""
        code = self.process.wait(TIMEOUT_SECONDS)
        return Ended(code, _text(self.out), _text(self.err))


@contextmanager
def started(
    *arguments: object,
    module: str = CLI,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Iterator[Process]:
    """Start a command; if it still runs in the end, stop it and check that it stops well."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            _command(module, arguments),
            env=environment(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        running = Process(process, out, err)
        try:
            yield running
            if process.poll() is None:
                ended = running.stop(signal.SIGTERM)
                assert ended.code == 0, ended
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment with the token and without any other setting of ours, or a width."""
    ours = ("INGEST_", "STATUS_", "SERVICE_", "CATALOG_", "PYTHONWARNINGS", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    fixed = {"INGEST_TOKEN": CANARY, "PYTHONPATH": EXAMPLES, "PYTHONWARNINGS": "error"}
    return {**kept, **fixed, **(changes or {})}


def _command(module: str, arguments: tuple[object, ...]) -> list[str]:
    return [sys.executable, "-m", module, *map(str, arguments)]


def _text(file: IO[bytes]) -> str:
    return os.pread(file.fileno(), 1_000_000, 0).decode()
