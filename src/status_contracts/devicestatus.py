# PYTHON_ARGCOMPLETE_OK
"""The `devicestatus` command: its arguments.

A subcommand is a module of `devicestatus.adapters.commands` with its name, unless it sets another
`module`; it is imported when it is run.
"""

import sys
from collections.abc import Sequence

from purewire.adapters.commands.arguments import Parser, number
from purewire.adapters.commands.main import run_program

_EPILOG = """\
FILE may be - for the standard input.  A TIME is now, 2026-01-31T12:00:00Z, or milliseconds
since 1970.

exit codes: 0 done; 1 problems found, or refused; 2 wrong arguments;
3 something cannot be reached, read or written; 4 a must was left unverified
(conformance --strict); 130 interrupted; 141 output closed

environment: INGEST_TOKEN, STATUS_TTL_SECONDS (eco, realtime or seconds), SERVICE_NAME,
CATALOG_ARTWORK_DOMAIN, CATALOG_TRACK_HOSTS; for serve also STATUS_STORE (as --store) and
STATUS_PAGE_SETTINGS (as --page-settings)
"""
_RECORDS = "devicestatus.adapters.commands.records"
_WIDTHS = range(320, 1921)  # of a timeline, px
_NO_ARGUMENT = "the token is no argument, every process could see it: INGEST_TOKEN or --token-file"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; return its exit code.

    Raises:
        SystemExit: after `--help` and `--version`, and where the arguments are wrong.

    """
    return run_program(_parser(), argv)


def _parser() -> Parser:
    parser = Parser.of_program(
        "devicestatus",
        "Publish what a computer is doing, and validate, replay and explain its records.",
        _EPILOG,
        refused={"--token": _NO_ARGUMENT},
    )
    command = parser.add_subcommand
    _add_serve(command("serve", "Serve the status of one computer, or of several, over HTTP"))
    _add_agent(command("agent", "Send what this computer is doing to a service"))
    _add_push(command("push", "Check a snapshot or window and send it to a service"))
    _add_validate(command("validate", "List every problem of a snapshot or window"))
    _add_project(command("project", "Show what readers see at a server time"))
    _add_explain(command("explain", "Explain why a record is online or offline, and until when"))
    _add_badge(command("badge", "Draw a badge"))
    _add_timeline(command("timeline", "Draw the timeline of a window"))
    _add_card(command("card", "Draw a card for a profile or a README"))
    parser.add_conformance("Test any deployment of the service", writes=True)
    parser.add_vectors()
    parser.add_schema()
    parser.add_compatible()
    return parser


def _add_serve(parser: Parser) -> None:
    parser.set_defaults(endless=True)
    add = parser.add_argument
    parser.add_address()
    add("--store", help="sqlite:PATH, redis://HOST:PORT/DB or memory: (sqlite:devicestatus.db)")
    add("--assets", metavar="DIR", help="folder of icons with index.json (those that ship)")
    parser.add_page_settings()
    _add_token(parser)
    add(
        "--device",
        dest="devices",
        metavar="NAME=TOKENFILE",
        action="append",
        help="serve several devices, each at /NAME/ with the token in a file of its own; repeat it",
    )


def _add_agent(parser: Parser) -> None:
    parser.set_defaults(endless=True)
    add = parser.add_argument
    add("--config", metavar="FILE", help="settings (agent.toml in the user's folder for settings)")
    add("--init", action="store_true", help="write a settings file with comments, and exit")
    _add_destination(parser, dry_run="print what would be sent now, and send nothing")
    add("--device", metavar="NAME", help="name of this computer at a service of several")
    add(
        "--mode",
        choices=("realtime", "eco", "buffered"),
        help="realtime sends the present state every 30 s and changes at once, eco every 120 s,"
        " buffered the last 15 minutes every 300 s (realtime)",
    )
    add(
        "--checkpoint",
        metavar="FILE",
        help="file that keeps the session of a buffered agent over restarts (in the user's state"
        " folder)",
    )
    add("--once", action="store_true", help="send one snapshot and exit")
    add(
        "--confirm",
        action="store_true",
        help="with --dry-run: show the listed names also when apps come from another source",
    )
    parser.add_json("with --dry-run: print one JSON document in place of text")


def _add_push(parser: Parser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE", help="a body; its schema_version is its kind")
    _add_destination(parser, dry_run="check the body by this clock, and send nothing")


def _add_validate(parser: Parser) -> None:
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", help="a body; more than one may be given")
    add("--kind", choices=("snapshot", "window"), help="kind of the body (by its schema_version)")
    add(
        "--received-at",
        metavar="TIME",
        help="time of receipt; also check the device's clock by it",
    )
    parser.add_report()
    parser.add_json()


def _add_project(parser: Parser) -> None:
    parser.set_defaults(module=_RECORDS)
    add = parser.add_argument
    add("file", metavar="FILE", help="a window: a body or a stored record; or a snapshot")
    add("--at", metavar="TIME", required=True, help="server time: now, a timestamp or ms")
    parser.add_json()


def _add_explain(parser: Parser) -> None:
    parser.set_defaults(module=_RECORDS)
    add = parser.add_argument
    add("file", metavar="FILE", help="a stored record, or a body")
    add("--at", metavar="TIME", required=True, help="server time: now, a timestamp or ms")
    add("--ttl", help="lifetime of a snapshot: eco, realtime or seconds (STATUS_TTL_SECONDS)")
    parser.add_json()


def _add_badge(parser: Parser) -> None:
    parser.set_defaults(module=_RECORDS)
    add = parser.add_argument
    add("file", metavar="FILE", nargs="?", help="a stored record, a snapshot or a window")
    add("--at", metavar="TIME", help="server time: now, a timestamp or ms")
    add("--label", help="the left half (SERVICE_NAME)")
    add("--text", help="the right half, in place of a FILE")
    add("--offline", action="store_true", help="draw the --text as offline")
    parser.add_output()
    parser.add_json()


def _add_timeline(parser: Parser) -> None:
    parser.set_defaults(module=_RECORDS)
    add = parser.add_argument
    add("file", metavar="FILE", help="a window: a body or a stored record")
    add("--at", metavar="TIME", help="server time: mark what readers see then")
    add("--title", default="Device activity", help="title of the image (%(default)s)")
    add("--width", type=number(_WIDTHS), default=720, help="px (%(default)s)")
    parser.add_theme()
    add("--assets", metavar="DIR", help="folder of icons with index.json (those that ship)")
    parser.add_output()


def _add_card(parser: Parser) -> None:
    parser.set_defaults(module=_RECORDS)
    add = parser.add_argument
    add("file", metavar="FILE", help="a stored record, a snapshot or a window")
    add("--at", metavar="TIME", required=True, help="server time: now, a timestamp or ms")
    add("--name", help="the name on the card (that of the page settings)")
    parser.add_theme()
    parser.add_page_settings()
    parser.add_output()


def _add_destination(parser: Parser, *, dry_run: str) -> None:
    add = parser.add_argument
    add("--url", help="URL of the service, without /api; https unless it is on this machine")
    add("--dry-run", action="store_true", help=dry_run)
    add("--insecure", action="store_true", help="send the token over plain HTTP to other machines")
    _add_token(parser)


def _add_token(parser: Parser) -> None:
    parser.add_argument(
        "--token-file", metavar="FILE", help="file with the ingest token (INGEST_TOKEN)"
    )


if __name__ == "__main__":
    sys.exit(main())
