"""Run a command line, and report a failure.

This module and those it imports import only the standard library, so that `--help` stays fast.
"""

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from keyword import iskeyword
from threading import current_thread, main_thread
from types import FrameType

from status_contracts.cli.arguments import BOLD, RED, Parser, Styled, command, folded
from status_contracts.cli.exit_codes import CANNOT, INTERRUPTED, OK, Failed

_EXTRAS = {
    "argcomplete": "cli",
    "httpx2": "fetch",
    "platformdirs": "agent",
    "psutil": "agent",
    "redis": "redis",
    "uvicorn": "serve",
}
"""Third-party package to the extra of this distribution that brings it; that any other package is
missing is a bug."""


def run_program(parser: Parser, argv: Sequence[str] | None = None) -> int:
    """Parse a command line, run its command, report a failure, and return the exit code.

    A command is a module of `PRODUCT.cli` with a function `run`, unless it sets
    another `module`, and gets the name of the product as `arguments.product`.  SIGINT and SIGTERM
    interrupt it; a command that runs until it is stopped (`endless`) then ends with 0, also while
    it starts, but not with `--once` and `--dry-run`, which give it an end.

    Raises:
        SystemExit: after `--help` and `--version`.

    """
    endless = False
    try:
        arguments = parser.parse(argv)
        arguments.product = parser.prog
        name, values = arguments.command, vars(arguments)
        own = f"{parser.prog}.cli.{name}{'_' if iskeyword(name) else ''}"
        is_ended = values.get("once") or values.get("dry_run")
        endless = bool(values.get("endless") and not is_ended)
        with _stoppable():
            code: int = import_module(values.get("module", own)).run(arguments)
    except Failed as failure:
        return _report(parser.prog, failure)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in _EXTRAS:
            raise
        needs = command(f"pip install 'status-contracts[{_EXTRAS[package]}]'")
        return _report(parser.prog, Failed(CANNOT, f"{package} is not installed:", needs))
    except KeyboardInterrupt:
        return OK if endless else INTERRUPTED
    return code


@contextmanager
def _stoppable() -> Iterator[None]:
    """Handle SIGTERM as SIGINT; only the main thread can."""
    if current_thread() is not main_thread():
        yield
        return
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Cancel the task of the event loop that runs, if one does; raise KeyboardInterrupt."""
    handler = signal.getsignal(signal.SIGINT)  # that of a loop while it runs
    (handler if callable(handler) else signal.default_int_handler)(number, frame)


def _report(program: str, failure: Failed) -> int:
    for line in failure.lines:
        if type(line) is str:  # not a problem, which names its file, or a command
            text = folded(Styled(f"{program}: {line}", f"{BOLD};{RED}", f"{program}:"), sys.stderr)
        else:
            text = folded(line, sys.stderr)
        sys.stderr.write(f"{text}\n")
    return failure.exit_code
