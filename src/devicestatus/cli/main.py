# PYTHON_ARGCOMPLETE_OK
"""The `devicestatus` command: its arguments.

A command is a module of `devicestatus.cli` with its name, unless it sets another
`module`; it is imported when it is run.
"""

import sys
from functools import partial

from status_contracts.cli.arguments import (
    ADDRESS,
    ENDLESS,
    JSON,
    OUTPUT,
    PAGE_SETTINGS,
    THEME,
    Commands,
    Parser,
    defaults,
    example,
    installed_commands,
    number,
    option,
    shared_commands,
)
from status_contracts.cli.main import run_program

_EPILOG = """\
FILE may be - for the standard input.  A TIME is now, 2026-01-31T12:00:00Z, or milliseconds
since 1970.

exit codes: 0 done; 1 problems found, or refused; 2 wrong arguments; 3 cannot reach, read
or write something; 130 interrupted before the end; 141 output closed

environment: INGEST_TOKEN, STATUS_TTL_SECONDS (eco, realtime or seconds), SERVICE_NAME,
CATALOG_ARTWORK_DOMAIN, CATALOG_TRACK_HOSTS; for serve also STATUS_STORE (as --store) and
STATUS_PAGE_SETTINGS (as --page-settings)
"""
_RECORDS = defaults(module="devicestatus.cli.records")
_RECORD = (
    option("file FILE", "a stored record, a snapshot or a window"),
    option("--at TIME", "server time: a timestamp or ms (default: %(default)s)", default="now"),
    _RECORDS,
)
_WIDTHS = range(320, 1921)
_TOKEN_FILE = option("--token-file FILE", "file with the ingest token (default: $INGEST_TOKEN)")
_EVERYDAY: Commands = {
    "serve": (
        "Serve the status of one computer, or of several, over HTTP",
        example("--token-file token"),
        *ADDRESS,
        option(
            "--store URL",
            "sqlite:PATH, redis://HOST:PORT/DB or memory: (default: sqlite:devicestatus.db)",
        ),
        PAGE_SETTINGS,
        _TOKEN_FILE,
        option(
            "--device NAME=TOKENFILE",
            "serve several devices, each at /NAME/ with a token of its own; may be given again",
            dest="devices",
            action="append",
        ),
        ENDLESS,
    ),
    **installed_commands("devicestatus"),
    "card": (
        "Draw a card for a profile or a README",
        example("record.json -o card.svg"),
        *_RECORD,
        option("--name", "the name on the card (default: %(default)s)", default="Device status"),
        THEME,
        OUTPUT,
    ),
    "badge": ("Draw a badge", example("record.json -o badge.svg"), *_RECORD, OUTPUT),
    "timeline": (
        "Draw the timeline of a window",
        example("window.json -o timeline.svg"),
        option("file FILE", "a window: a body or a stored record"),
        option("--at TIME", "server time: mark what readers see then"),
        option("--width", "320 to 1920 px (default: 560)", type=number(_WIDTHS), default=560),
        option("--name", "the name above it (default: %(default)s)", default="Device activity"),
        THEME,
        OUTPUT,
        _RECORDS,
    ),
}
_CONTRACT: Commands = {
    "validate": (
        "List every problem of a snapshot or window",
        example("body.json"),
        option("files FILE", "a body; more than one may be given", nargs="+"),
        option("--received-at TIME", "time of receipt; also check the device's clock by it"),
        JSON,
    ),
    "project": ("Show what readers see at a server time", example("body.json"), *_RECORD, JSON),
    "explain": (
        "Explain why a record is online or offline, and until when",
        example("record.json"),
        *_RECORD,
        JSON,
    ),
    **shared_commands("snapshot", "window", writes=True),
}

_PARSER = Parser.of_program(
    "devicestatus",
    "Publish what a computer is doing, and validate, replay and explain its records.",
    _EPILOG,
    {"everyday": _EVERYDAY, "contract": _CONTRACT},
)

main = partial(run_program, _PARSER)


if __name__ == "__main__":
    sys.exit(main())
