"""A demonstration: this machine's real state, served on this machine.

    python -m devicestatus.adapters.demo            goes on until Ctrl-C
    python -m devicestatus.adapters.demo --once     asks every endpoint once, for a check

It needs nothing configured: token, port and a private folder for the store are made for the run,
and nothing is left of them.
"""

import argparse
import sys
from collections.abc import Sequence

from devicestatus.adapters.cli import run

__all__ = ["main", "parser"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demonstration; give its exit code, as the commands of `devicestatus` do."""
    return run("demo", parser().parse_args(argv))


def parser(
    prog: str = "python -m devicestatus.adapters.demo",
    description: str = "Serve this machine's real state on this machine.",
) -> argparse.ArgumentParser:
    """Make the parser of the arguments that the demonstration needs."""
    found = argparse.ArgumentParser(
        prog=prog,
        description=description,
        epilog="exit codes: as those of devicestatus --help",
        allow_abbrev=False,
    )
    add = found.add_argument
    add("--once", action="store_true", help="ask every endpoint once, show a table and exit")
    add("--port", type=int, help="port to listen on (8000, or the next free one; --once: any)")
    add("--store", help="as for devicestatus serve (a SQLite file in a folder made for the run)")
    add("--assets", metavar="DIR", help="folder of icons with index.json (those that ship)")
    return found


if __name__ == "__main__":
    sys.exit(main())
