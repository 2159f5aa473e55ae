"""How a command is started, and how a person is told that it failed.

This module and `outcomes` import the standard library only, so that `--help` waits for nothing.
"""

import argparse
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Final

from purewire.adapters.commands.outcomes import CANNOT, INTERRUPTED, Failed

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

    """
    try:
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
        return _tell(program, Failed(INTERRUPTED))
    return code


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
