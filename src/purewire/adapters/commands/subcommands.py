"""The subcommands that all products have: their arguments, and the modules that run them.

Imports nothing that slows `--help`.
"""

from purewire.adapters.commands.arguments import Parser


def add_conformance(parser: Parser, *, writes: bool) -> None:
    """Add the arguments of `conformance`.

    Args:
        parser: the parser of the subcommand.
        writes: whether the product has a write endpoint; adds the options for it.

    """
    add = parser.add_argument
    add("url", metavar="URL", help="base URL of the deployment")
    words = "environment variable with the ingest token (%(default)s)"
    add(
        "--token-env",
        metavar="NAME",
        default="INGEST_TOKEN" if writes else None,
        help=words if writes else "ignored: nothing is written (for one script of all products)",
    )
    if writes:
        add("--write", action="store_true", help="also replace the present record, for all checks")
        add("--slow", action="store_true", help="also wait for deadlines, for some minutes")
    else:
        parser.set_defaults(write=False, slow=False)
    parser.set_defaults(writes=writes, module=f"{__package__}.conformance")
    names = "ID, a group or a rule; may be given again"
    add("--only", metavar="NAME", action="append", default=[], help=f"only checks of this {names}")
    add("--skip", metavar="NAME", action="append", default=[], help=f"no checks of this {names}")
    parser.add_report(".json, .xml (JUnit), .html or .svg")
    add("--strict", action="store_true", help="exit with 4 if a must was left unverified")
    add("--timeout", metavar="SECONDS", type=float, default=20.0, help="for each response (20)")
    parser.add_json()


def add_schema(parser: Parser, *, default: str | None = None) -> None:
    """Add the arguments of `schema`.

    Args:
        parser: the parser of the subcommand.
        default: the name of the schema to print if none is given; None to require one.

    """
    parser.set_defaults(module=f"{__package__}.schema")
    add = parser.add_argument
    shown = "" if default is None else " (%(default)s)"
    add(
        "name", metavar="NAME", nargs="?", default=default, help=f"what to print{shown}; see --list"
    )
    add("--list", action="store_true", help="list the names and exit")
    add("-o", "--output", metavar="PATH", help="write here (the standard output)")


def add_vectors(parser: Parser) -> None:
    """Add the arguments of `vectors`."""
    parser.set_defaults(module=f"{__package__}.vectors")
    words = "write the files into this folder"
    parser.add_argument("-o", "--output", metavar="DIR", help=words)
