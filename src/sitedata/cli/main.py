# PYTHON_ARGCOMPLETE_OK
"""The `sitedata` command: its arguments.

A command is a module of `sitedata.cli` with its name, unless it sets another
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
    Commands,
    Parser,
    example,
    flag,
    number,
    option,
    shared_commands,
)
from status_contracts.cli.main import run_program

_EPILOG = """\
SNAPSHOT is a file, the https URL of one, or - for the standard input.

exit codes: 0 done; 1 problems found, or refused; 2 wrong arguments; 3 cannot reach, read
or write something; 130 interrupted before the end; 141 output closed

environment: SOURCE_DATE_EPOCH (for build: its time, in seconds since 1970)
"""
_REPOSITORY = (
    option("repository REPO", "a git repository: a work tree or a bare one"),
    option("--ref", "branch, tag or commit (default: %(default)s)", default="HEAD"),
)
_HTTP = flag("--allow-http", "allow plain HTTP")


def _config(parser: Parser) -> None:
    group = parser.add_mutually_exclusive_group()
    words = "rules of paths and dates, and the name (default: site-data.toml of --ref)"
    group.add_argument("--config", metavar="FILE", help=words)
    words = "do not read site-data.toml of --ref"
    group.add_argument("--no-config", action="store_true", help=words)


_EVERYDAY: Commands = {
    "init": (
        "Write a settings file from what is in a git repository",
        example("."),
        *_REPOSITORY,
        option("--owner", "owner of the repository on its host (default: as the remote URL)"),
        option("--name", "name of the repository on its host (default: as the remote URL)"),
        option("-o --output FILE", "write here (default: %(default)s)", default="site-data.toml"),
        flag("--force", "replace an existing file"),
        flag("--dry-run", "print the settings, and write nothing"),
    ),
    "build": (
        "Build a snapshot of a git repository",
        example(". -o site-data.json"),
        *_REPOSITORY,
        _config,
        option("--owner", "owner of the repository (default: as --config, or the remote URL)"),
        option("--name", "name of the repository (default: as --config, or the remote URL)"),
        flag("--strict", "refuse a shallow clone, and a snapshot without solved problems"),
        flag("--force", "write FILE even if only the time of the build differs"),
        OUTPUT,
    ),
    "check": (
        "List every error and warning of a snapshot",
        example("site-data.json"),
        option(
            "snapshots SNAPSHOT",
            "a file, the URL of one, or -; more than one may be given",
            nargs="+",
        ),
        _HTTP,
        flag("--strict", "exit with 1 for warnings too"),
        JSON,
    ),
    "show": (
        "Show problems and counts of a snapshot",
        example("site-data.json"),
        option("snapshot SNAPSHOT", "a file, the URL of one, or -"),
        _HTTP,
        option("--platform NAME", "only this one; may be given again", action="append"),
        option("--site HOST", "only this one; may be given again", action="append"),
        option("--language NAME", "only this one; may be given again", action="append"),
        option("--text", "only problems with this in title or path"),
        option(
            "--limit N",
            "rows of the table, 0: all (default: %(default)s)",
            type=number(range(10**18)),
            default=20,
        ),
        option("--svg FILE", "also write an image: the calendar of twelve months"),
        option(
            "--theme",
            "colours of the image of --svg (default: light)",
            choices=("light", "dark", "transparent"),
        ),
        JSON,
    ),
    "page": (
        "Write a page of a snapshot as a static site",
        example("site-data.json -o site"),
        option("file FILE", "the file of the snapshot, or -"),
        option("-o --output DIR", "write the site into this folder", required=True),
        PAGE_SETTINGS,
    ),
    "serve": (
        "Serve a snapshot and its page over HTTP",
        example("site-data.json"),
        option("file FILE", "the file of the snapshot; read again when it is replaced"),
        *ADDRESS,
        PAGE_SETTINGS,
        ENDLESS,
    ),
    "fetch": (
        "Update a file, and FILE.state, with a published snapshot",
        example("https://example.org/site-data.json -o copy.json"),
        option("url URL", "where the snapshot is published"),
        option("-o --output FILE", "the file to update", required=True),
        JSON,
        _HTTP,
    ),
}
_CONTRACT = shared_commands("file")

_PARSER = Parser.of_program(
    "sitedata",
    "Publish what a practice repository holds: solved problems, when, and where.",
    _EPILOG,
    {"everyday": _EVERYDAY, "contract": _CONTRACT},
)

main = partial(run_program, _PARSER)


if __name__ == "__main__":
    sys.exit(main())
