# PYTHON_ARGCOMPLETE_OK
"""The `healthapi` command: its arguments.

A subcommand is a module of `healthapi.adapters.commands`, or of `purewire.adapters.commands` where
all products have it; it is imported when it is run.
"""

import sys
from collections.abc import Sequence

from purewire.adapters.commands.arguments import Parser, integer
from purewire.adapters.commands.main import run_program

_EPILOG = """\
DIR holds a folder for each profile, and in it csv/ and cache/.  Tables of other producers need a
column mapping: columns.toml in DIR or in a profile's folder, or --columns.

exit codes: 0 done; 1 problems found, or refused; 2 wrong arguments;
3 something cannot be reached, read or written; 130 interrupted; 141 output closed
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; return its exit code.

    Raises:
        SystemExit: after `--help` and `--version`, and where the arguments are wrong.

    """
    return run_program(_parser(), argv)


def _parser() -> Parser:
    parser = Parser.of_program(
        "healthapi",
        "Publish what a wearable has measured: import and check its files, draw charts and pages.",
        _EPILOG,
    )

    def command(name: str, summary: str) -> Parser:
        added = parser.add_subcommand(name, summary)
        words = "the folder of the profiles, or its URL in a bucket: s3://bucket/people"
        added.add_argument("folder", metavar="DIR", help=words)
        return added

    _add_serve(command("serve", "Serve the profiles of a folder over HTTP"))
    _add_check(command("check", "List every problem of the files of all profiles"))
    _add_chart(command("chart", "Draw a chart of a profile"))
    _add_page(command("page", "Write pages of the profiles as a static site"))
    _add_import(parser.add_subcommand("import", "Form the tables of a profile from an export"))
    parser.add_vectors()
    parser.add_schema()
    parser.add_compatible()
    parser.add_conformance("Test any deployment of the API")
    return parser


def _add_serve(parser: Parser) -> None:
    parser.set_defaults(endless=True)
    add = parser.add_argument
    parser.add_address()
    add("--base-url", metavar="URL", help="the URL that clients use; makes links absolute")
    parser.add_page_settings()
    _add_columns(parser)


def _add_check(parser: Parser) -> None:
    parser.add_report()
    parser.add_json()
    _add_columns(parser)


def _add_chart(parser: Parser) -> None:
    add = parser.add_argument
    add("profile", metavar="PROFILE", help="id of the profile")
    add("--preset", help="overview-trend, weekly-trend, sleep-trend, activity-trend or series")
    add("--metrics", metavar="A,B", help="what to draw, with commas (the preset's)")
    add("--granularity", help="daily, weekly or monthly (the preset's)")
    add("--limit", type=integer, help="the last so many points (all)")
    add("--width", type=integer, help="px")
    add("--height", type=integer, help="px")
    add("--theme", help="light, dark or transparent (light)")
    parser.add_output()
    _add_columns(parser)


def _add_page(parser: Parser) -> None:
    add = parser.add_argument
    add("-o", "--output", metavar="SITE", required=True, help="write the site into this folder")
    add("--profile", metavar="ID", help="only this profile (all)")
    parser.add_page_settings()
    _add_columns(parser)


def _add_import(parser: Parser) -> None:
    add = parser.add_argument
    words = "a Google Takeout archive (zip, tgz) or an unpacked folder; give all parts together"
    add("archives", metavar="ARCHIVE", nargs="+", help=words)
    words = "folder of the profile; existing tables are merged, its name is the profile's id"
    add("-o", "--output", metavar="FOLDER", required=True, help=words)
    words = "IANA time zone of days for which the export shows none, such as Europe/Berlin"
    add("--zone", metavar="ZONE", help=words)
    parser.add_report(".json")
    parser.add_json()


def _add_columns(parser: Parser) -> None:
    parser.add_argument(
        "--columns",
        metavar="MAP",
        default="native",
        help="layout of the tables where there is no columns.toml: native, lifesnaps or a TOML file"
        " (%(default)s)",
    )


if __name__ == "__main__":
    sys.exit(main())
