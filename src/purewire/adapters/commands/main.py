"""Run a command line, and report a failure.

This module and those it imports import only the standard library, and not `typing`, so that
`--help` stays fast.
"""

import argparse
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from keyword import iskeyword

from purewire.adapters.commands.arguments import Parser
from purewire.adapters.commands.exit_codes import CANNOT, INTERRUPTED, OK, Failed

_DISTRIBUTION = "status-contracts"


def run_program(
    parser: Parser, argv: Sequence[str] | None, *, commands: str, extras: Mapping[str, str]
) -> int:
    """Parse a command line, run its subcommand, and return the exit code.

    A subcommand gets the name of the product as `arguments.product`.

    Args:
        parser: the parser of the product.
        argv: the arguments; None for those of the process.
        commands: the package with a module for each subcommand that names none itself.
        extras: as for `run_command`.

    Raises:
        SystemExit: as `Parser.parse`.

    """
    arguments = parser.parse(argv)
    name = arguments.command
    own = f"{commands}.{name}_" if iskeyword(name) else f"{commands}.{name}"
    module = vars(arguments).get("module", own)
    arguments.product = parser.prog
    return run_command(module, arguments, program=parser.prog, extras=extras)


def run_command(
    module: str, arguments: argparse.Namespace, *, program: str, extras: Mapping[str, str]
) -> int:
    """Import a command and run it; report a failure, and return the exit code.

    Args:
        module: the module of the command, with a function `run`.
        arguments: the argument of `run`.
        program: the name that starts every message.
        extras: third-party package to the extra of this distribution that installs it; a
            missing package that is not listed is a bug, and raises ModuleNotFoundError.

    Returns:
        The exit code.  A command that runs until it is stopped (`arguments.endless`) ends with 0
        on SIGINT and SIGTERM, also while it starts.

    """
    endless = _is_endless(arguments)
    try:
        with _stoppable() if endless else nullcontext():
            code: int = import_module(module).run(arguments)
    except Failed as failure:
        return _report(program, failure)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        extra = extras.get(package)
        if extra is None:
            raise
        needs = f"{package} is not installed: pip install '{_DISTRIBUTION}[{extra}]'"
        return _report(program, Failed(CANNOT, needs))
    except KeyboardInterrupt:
        return OK if endless else _report(program, Failed(INTERRUPTED))
    return code


def _is_endless(arguments: argparse.Namespace) -> bool:
    """Check whether a command runs until it is stopped; `--once` and `--dry-run` give it an end."""
    given = vars(arguments)
    return bool(given.get("endless")) and not (given.get("once") or given.get("dry_run"))


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
