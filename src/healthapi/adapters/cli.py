"""The `healthapi` command: its arguments, and how a command is started.

Everything else is in `healthapi.adapters.commands`, imported when a command is run.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from purewire.adapters.commands.running import ShowVersion, run_command

__all__ = ["main"]

_EPILOG: Final = """\
DIR holds a folder for each profile, and in it csv/ and cache/.  Tables of other producers need a
column map: columns.toml in DIR or in a profile's folder, or --columns.

exit codes: 0 done; 1 something was found wrong; 2 wrong usage;
3 something cannot be read, written or reached; 130 interrupted
"""
_EXTRAS: Final = {"uvicorn": "cli", "rich": "cli"}
"""Third-party package to the extra of this distribution that brings it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; give its exit code."""
    arguments = _parser().parse_args(argv)
    module = f"healthapi.adapters.commands.{arguments.command}"
    return run_command(module, arguments, program="healthapi", extras=_EXTRAS)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="healthapi",
        description="Publish what a wearable has measured, check its files, draw its charts.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, words: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=words, description=f"{words}.", allow_abbrev=False)
        added.add_argument("folder", metavar="DIR", help="the folder of the profiles")
        return added

    _add_serve(command("serve", "Serve the profiles of a folder over HTTP"))
    _add_check(command("check", "List every fault of the files of all profiles"))
    _add_chart(command("chart", "Draw a chart of a profile"))
    return parser


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(endless=True)
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    add("--port", type=int, default=8000, help="port to listen on, 0 for any (%(default)s)")
    add("--base-url", metavar="URL", help="where clients find it, for links (as they ask for it)")
    _add_columns(parser)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON in place of a table")
    _add_columns(parser)


def _add_chart(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("profile", metavar="PROFILE", help="id of the profile")
    add("--preset", help="overview-trend, weekly-trend, sleep-trend, activity-trend or series")
    add("--metrics", metavar="A,B", help="what to draw, with commas (the preset's)")
    add("--granularity", help="daily, weekly or monthly (the preset's)")
    add("--limit", type=int, help="the last so many points (all)")
    add("--width", type=int, help="px")
    add("--height", type=int, help="px")
    add("--theme", help="light or transparent (light)")
    add("-o", "--output", metavar="PATH", help="write here (the standard output)")
    _add_columns(parser)


def _add_columns(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--columns",
        metavar="MAP",
        default="native",
        help="the tables' layout where no columns.toml says it: native, lifesnaps or a TOML file"
        " (%(default)s)",
    )


if __name__ == "__main__":
    sys.exit(main())
