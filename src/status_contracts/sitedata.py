# PYTHON_ARGCOMPLETE_OK
"""The `sitedata` command: its arguments.

A subcommand is a module of `sitedata.adapters.commands`, or of `purewire.adapters.commands` where
all products have it; it is imported when it is run.
"""

import sys
from collections.abc import Sequence

from purewire.adapters.commands.arguments import Parser, number
from purewire.adapters.commands.main import run_program

_EPILOG = """\
SNAPSHOT is a file, or the https URL of one.

exit codes: 0 done; 1 problems found, or refused; 2 wrong arguments;
3 something cannot be reached, read or written; 130 interrupted; 141 output closed
"""
_ROWS = range(10**9)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; return its exit code.

    Raises:
        SystemExit: after `--help` and `--version`, and where the arguments are wrong.

    """
    return run_program(_parser(), argv)


def _parser() -> Parser:
    parser = Parser.of_program(
        "sitedata",
        "Publish what a practice repository holds: init, build, check, show, page, serve, fetch.",
        _EPILOG,
    )

    command = parser.add_subcommand
    _add_init(command("init", "Write a settings file from what is in a git repository"))
    _add_build(command("build", "Build a snapshot of a git repository"))
    _add_check(command("check", "List every error and warning of a snapshot"))
    _add_show(command("show", "Show problems, counts and the calendar of a snapshot"))
    _add_page(command("page", "Write a page of a snapshot as a static site"))
    _add_serve(command("serve", "Serve a snapshot and its page over HTTP"))
    _add_fetch(command("fetch", "Update a file with a published snapshot"))
    parser.add_vectors()
    parser.add_schema(default="site-data")
    parser.add_compatible()
    # its own module, which also accepts the URL of the file
    module = "sitedata.adapters.commands.conformance"
    parser.add_conformance("Test any deployment of a snapshot", module=module)
    return parser


def _add_init(parser: Parser) -> None:
    add = parser.add_argument
    add("repository", metavar="REPO", help="a git repository: a work tree or a bare one")
    add("--ref", default="HEAD", help="branch, tag or commit (%(default)s)")
    add("--owner", help="owner of the repository on its host (as the remote URL)")
    add("--name", help="name of the repository on its host (as the remote URL)")
    add(
        "-o",
        "--output",
        metavar="TOML",
        default="site-data.toml",
        help="file to write (%(default)s), - for the standard output",
    )
    add("--force", action="store_true", help="replace an existing file")
    add("--dry-run", action="store_true", help="print the settings, and write nothing")
    parser.add_color("of the report")
    parser.add_json()


def _add_build(parser: Parser) -> None:
    add = parser.add_argument
    add("repository", metavar="REPO", help="a git repository: a work tree or a bare one")
    add("--ref", default="HEAD", help="branch, tag or commit (%(default)s)")
    config = parser.add_mutually_exclusive_group()
    config.add_argument(
        "--config",
        metavar="TOML",
        help="rules of paths and dates, and name of the repository (site-data.toml of --ref)",
    )
    config.add_argument(
        "--no-config", action="store_true", help="do not read site-data.toml of --ref"
    )
    add("--owner", help="owner of the repository on its host (as --config, or the remote URL)")
    add("--name", help="name of the repository on its host (as --config, or the remote URL)")
    add(
        "--dates",
        choices=("last-touched", "first-added"),
        help="commit that dates a file (as --config)",
    )
    add(
        "--bulk",
        action="append",
        metavar="COMMIT",
        help="one more commit that is ignored for dating; may be given again",
    )
    add("--zone", help="IANA name of the zone whose days are counted (as --config)")
    parser.add_output()


def _add_check(parser: Parser) -> None:
    add = parser.add_argument
    words = "a file, or the URL of one; more than one may be given"
    add("snapshots", metavar="SNAPSHOT", nargs="+", help=words)
    _add_http(parser)
    add("--strict", action="store_true", help="exit with 1 for warnings too")
    parser.add_report()
    parser.add_json()


def _add_show(parser: Parser) -> None:
    add = parser.add_argument
    add("snapshot", metavar="SNAPSHOT", help="a file, or the URL of one")
    _add_http(parser)
    add("--platform", action="append", metavar="NAME", help="only this one; may be given again")
    add("--site", action="append", metavar="HOST", help="only this one; may be given again")
    add("--language", action="append", metavar="NAME", help="only this one; may be given again")
    add("--text", help="only problems with this in title or path")
    add("--since", metavar="DAY", help="only from this day on (UTC), as 2026-01-31")
    add("--until", metavar="DAY", help="only up to this day (UTC), itself included")
    add("--oldest-first", action="store_true", help="the other order")
    add("--limit", type=number(_ROWS), default=20, help="rows of the table, 0: all (%(default)s)")
    add(
        "--by",
        choices=("platform", "site"),
        help="group by first folder or by site of the problem (by site where folders are languages,"
        " years or problems)",
    )
    add("--svg", metavar="PATH", help="write the calendar as an image too; -: only the image")
    add("--card", metavar="PATH", help="write a card of 480 x 160 px too; -: only the image")
    parser.add_theme()
    parser.add_color("of the calendar")
    parser.add_json()


def _add_page(parser: Parser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE", help="the file of the snapshot")
    add("-o", "--output", metavar="DIR", required=True, help="write the site into this folder")
    add("--embed", action="store_true", help="put the data into the page, to open it from a disk")
    parser.add_page_settings()


def _add_serve(parser: Parser) -> None:
    parser.set_defaults(endless=True)
    add = parser.add_argument
    add("file", metavar="FILE", help="the file of the snapshot; read again when it is replaced")
    parser.add_address()
    parser.add_page_settings()


def _add_fetch(parser: Parser) -> None:
    add = parser.add_argument
    add("url", metavar="URL", help="where the snapshot is published")
    add("-o", "--output", metavar="PATH", required=True, help="the file to update")
    add(
        "--state",
        metavar="PATH",
        help="file of what is known of the URL, for the next call (OUTPUT.state)",
    )
    add("--force", action="store_true", help="fetch although it is too early")
    parser.add_json()
    _add_http(parser)


def _add_http(parser: Parser) -> None:
    parser.add_argument("--allow-http", action="store_true", help="allow plain HTTP")


if __name__ == "__main__":
    sys.exit(main())
