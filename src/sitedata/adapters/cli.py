"""The `sitedata` command: its arguments, and how a command is started.

Everything else is in `sitedata.adapters.commands`, imported when a command is run.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from purewire.adapters.commands.running import ShowVersion, run_command

__all__ = ["main"]

_EPILOG: Final = """\
SNAPSHOT is a file, or the https URL of one.

exit codes: 0 done; 1 something was found wrong; 2 wrong usage;
3 something cannot be read, written or reached; 130 interrupted
"""
_EXTRAS: Final = {"httpx": "cli", "rich": "cli", "uvicorn": "cli"}
"""Third-party package to the extra of this distribution that brings it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; give its exit code."""
    arguments = _parser().parse_args(argv)
    module = f"sitedata.adapters.commands.{arguments.command}"
    return run_command(module, arguments, program="sitedata", extras=_EXTRAS)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sitedata",
        description="Publish what a practice repository holds: build, check, show, serve, fetch.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, words: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=words, description=f"{words}.", allow_abbrev=False)

    _add_build(command("build", "Make a snapshot of a git repository"))
    _add_check(command("check", "List every fault of a snapshot"))
    _add_show(command("show", "Show problems, counts and the calendar of a snapshot"))
    _add_serve(command("serve", "Serve a snapshot over HTTP"))
    _add_fetch(command("fetch", "Bring a published snapshot up to date in a file"))
    return parser


def _add_build(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("repository", metavar="REPO", help="a git repository: a work tree or a bare one")
    add("--ref", default="HEAD", help="branch, tag or commit (%(default)s)")
    add("--config", metavar="TOML", help="rules of paths and dates, and what the repository is")
    add("--dates", choices=("last-touched", "first-added"), help="what dates a file (as --config)")
    add(
        "--bulk",
        action="append",
        metavar="COMMIT",
        help="one more commit that dates nothing; repeatable",
    )
    add("--zone", help="IANA name of the zone whose days are counted (as --config)")
    add("-o", "--output", metavar="PATH", help="write here (the standard output)")


def _add_check(parser: argparse.ArgumentParser) -> None:
    _add_snapshot(parser)
    add = parser.add_argument
    add("--strict", action="store_true", help="a broken publishing rule is a fault as well")
    add("--json", action="store_true", help="print JSON in place of a table")


def _add_show(parser: argparse.ArgumentParser) -> None:
    _add_snapshot(parser)
    add = parser.add_argument
    add("--platform", action="append", metavar="NAME", help="only this one; repeatable")
    add("--language", action="append", metavar="NAME", help="only this one; repeatable")
    add("--text", help="only what has this in its title or path")
    add("--since", metavar="DAY", help="only from this day on (UTC), as 2026-01-31")
    add("--until", metavar="DAY", help="only up to this day (UTC), itself included")
    add("--oldest-first", action="store_true", help="the other order")
    add("--limit", type=int, default=20, help="rows of the table, 0 for all (%(default)s)")
    add("--svg", metavar="PATH", help="write the calendar as an image as well")
    add("--color", choices=("auto", "always", "never"), default="auto", help="of the calendar")


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(endless=True)
    add = parser.add_argument
    add("file", metavar="FILE", help="the file of the snapshot; read again when it is replaced")
    add("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    add("--port", type=int, default=8000, help="port to listen on, 0 for any (%(default)s)")


def _add_fetch(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("url", metavar="URL", help="where the snapshot is published")
    add("-o", "--output", metavar="PATH", required=True, help="the file to bring up to date")
    add("--state", metavar="PATH", help="what is known of the URL; kept from call to call")
    add("--force", action="store_true", help="ask though it is not time to")
    _add_http(parser)


def _add_snapshot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("snapshot", metavar="SNAPSHOT", help="a file, or the URL of one")
    _add_http(parser)


def _add_http(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--allow-http", action="store_true", help="ask in the clear as well")


if __name__ == "__main__":
    sys.exit(main())
