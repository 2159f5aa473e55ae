"""How a command is started, and how a person is told that it failed.

This module and `outcomes` import the standard library only, so that `--help` waits for nothing.
"""

import argparse
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Final

from purewire.adapters.commands.outcomes import CANNOT, INTERRUPTED, OK, Failed

__all__ = ["ShowVersion", "run_command"]

_DISTRIBUTION: Final = "status-contracts"


def run_command(
    module: str, arguments: argparse.Namespace, *, program: str, extras: Mapping[str, str]
) -> int:
    """Import a command and run it; tell the person when it fails, and give the exit code.

    Args:
        module: the module of the command, which has a function `run`.
        arguments: what `run` is given.
        program: with this name begins what the person is told.
        extras: third-party package to the extra of this distribution that brings it; a package
            that is missing and not listed is a bug, and raises ModuleNotFoundError.

    Returns:
        The exit code.  A command that runs until it is stopped (`arguments.endless`) ends with 0
        on SIGINT and SIGTERM, also while it starts.

    """
    endless = _is_endless(arguments)
    try:
        with _stoppable() if endless else nullcontext():
            code: int = import_module(module).run(arguments)
    except Failed as failure:
        return _tell(program, failure)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        extra = extras.get(package)
        if extra is None:
            raise
        needs = f"{package} is not installed: pip install '{_DISTRIBUTION}[{extra}]'"
        return _tell(program, Failed(CANNOT, needs))
    except KeyboardInterrupt:
        return OK if endless else _tell(program, Failed(INTERRUPTED))
    return code


def _is_endless(arguments: argparse.Namespace) -> bool:
    """Check whether a command runs until it is stopped; `--once` and `--dry-run` give it an end."""
    given = vars(arguments)
    return bool(given.get("endless")) and not (given.get("once") or given.get("dry_run"))


@contextmanager
def _stoppable() -> Iterator[None]:
    """Raise KeyboardInterrupt on SIGTERM, as Python does on SIGINT, unless it is ignored."""
    before = signal.getsignal(signal.SIGTERM)
    if before == signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell(program: str, failure: Failed) -> int:
    for line in failure.lines:
        sys.stderr.write(f"{program}: {line}\n")
    return failure.exit_code


class ShowVersion(argparse.Action):
    """Shows the version of the distribution, which it looks up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Show the version, and exit."""
        metadata = import_module("importlib.metadata")
        sys.stdout.write(f"{parser.prog} {metadata.version(_DISTRIBUTION)}\n")
        parser.exit()
