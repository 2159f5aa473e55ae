"""Run a command line, and report a failure.

This module and those it imports import only the standard library, and not `typing`, so that
`--help` stays fast.
"""

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from keyword import iskeyword

from purewire.adapters.commands.arguments import Parser
from purewire.adapters.commands.exit_codes import CANNOT, INTERRUPTED, OK, Failed

_DISTRIBUTION = "status-contracts"
_EXTRAS = {
    "httpx2": "fetch",
    "jsonschema": "conformance",
    "obstore": "bucket",
    "platformdirs": "agent",
    "psutil": "agent",
    "redis": "redis",
    "uvicorn": "serve",
}
"""Third-party package to the extra of this distribution that brings it; that any other package is
missing is a bug."""


def run_program(parser: Parser, argv: Sequence[str] | None = None) -> int:
    """Parse a command line, run its subcommand, and return the exit code.

    A subcommand is a module of `PRODUCT.adapters.commands`, unless it names another, and gets the
    name of the product as `arguments.product`.
    """
    arguments = parser.parse(argv)
    arguments.product = parser.prog
    name = arguments.command
    own = f"{parser.prog}.adapters.commands.{name}{'_' if iskeyword(name) else ''}"
    return run_command(vars(arguments).get("module", own), arguments, program=parser.prog)


def run_command(module: str, arguments: argparse.Namespace, *, program: str) -> int:
    """Import a command and run it; report a failure, and return the exit code.

    A command that runs until it is stopped (`arguments.endless`) ends with 0 on SIGINT and SIGTERM,
    also while it starts.
    """
    endless = _is_endless(arguments)
    try:
        with _stoppable() if endless else nullcontext():
            code: int = import_module(module).run(arguments)
    except Failed as failure:
        return _report(program, failure)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in _EXTRAS:
            raise
        needs = f"pip install '{_DISTRIBUTION}[{_EXTRAS[package]}]'"
        return _report(program, Failed(CANNOT, f"{package} is not installed: {needs}"))
    except KeyboardInterrupt:
        return OK if endless else _report(program, Failed(INTERRUPTED))
    return code


def _is_endless(arguments: argparse.Namespace) -> bool:
    """Check whether a command runs until it is stopped; `--once` and `--dry-run` give it an end."""
    values = vars(arguments)
    return bool(values.get("endless")) and not (values.get("once") or values.get("dry_run"))


@contextmanager
def _stoppable() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM, as Python does on SIGINT, unless it is ignored."""
    previous = signal.getsignal(signal.SIGTERM)
    if previous == signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _report(program: str, failure: Failed) -> int:
    for line in failure.lines:
        sys.stderr.write(f"{program}: {line}\n")
    return failure.exit_code
