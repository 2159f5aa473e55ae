"""A demonstration: this machine's real state, served on this machine.

    python -m devicestatus.adapters.demo            goes on until Ctrl-C
    python -m devicestatus.adapters.demo --once     asks every endpoint once, for a check

It needs nothing configured: token, port and a private folder for the store are made for the run,
and nothing is left of them.
"""

import argparse
import sys
from collections.abc import Sequence

from devicestatus.adapters.cli import run_command

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demonstration; give its exit code, as the commands of `devicestatus` do."""
    return run_command("devicestatus.adapters.commands.demo", _parser().parse_args(argv))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m devicestatus.adapters.demo",
        description="Serve this machine's real state on this machine.",
        epilog="exit codes: as those of devicestatus --help",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--once", action="store_true", help="ask every endpoint once, show a table and exit")
    add("--policy", choices=("eco", "realtime"), default="realtime", help="how often to look")
    add("--port", type=int, help="port to listen on (8000, or the next free one; --once: any)")
    add("--store", help="as for devicestatus serve (a SQLite file in a folder made for the run)")
    add("--assets", metavar="DIR", help="folder of icons with index.json (those that ship)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
