"""How a command line is run, and how a failure is reported.

This module imports the standard library and modules that do the same, so that `--help` stays fast.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final

from purewire.adapters.commands.arguments import Parser
from purewire.adapters.commands.outcomes import CANNOT, INTERRUPTED, Failed

__all__ = ["run_command", "run_program"]

_DISTRIBUTION: Final = "status-contracts"


def run_program(
    parser: Parser, argv: Sequence[str] | None, *, commands: str, extras: Mapping[str, str]
) -> int:
    """Parse a command line, run its subcommand, and return the exit code.

    Args:
        parser: the parser of the product, which names the program.
        argv: the arguments; None for those of the process.
        commands: the package that has a module for each subcommand.
        extras: as for `run_command`.

    Raises:
        SystemExit: as `Parser.parse`.

    """
    arguments = parser.parse(argv)
    module = f"{commands}.{arguments.command}"
    return run_command(module, arguments, program=parser.prog, extras=extras)


def run_command(
    module: str, arguments: argparse.Namespace, *, program: str, extras: Mapping[str, str]
) -> int:
    """Import a command and run it; report a failure, and return the exit code.

    Args:
        module: the module of the command, which has a function `run`.
        arguments: the argument of `run`.
        program: the name that starts every message.
        extras: third-party package to the extra of this distribution that brings it; a package
            that is missing and not listed is a bug, and raises ModuleNotFoundError.

    """
    try:
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
        return _report(program, Failed(INTERRUPTED))
    return code


def _report(program: str, failure: Failed) -> int:
    for line in failure.lines:
        sys.stderr.write(f"{program}: {line}\n")
    return failure.exit_code
