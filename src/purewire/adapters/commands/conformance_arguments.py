"""The arguments of the subcommand `conformance`; imports nothing that slows `--help`."""

from purewire.adapters.commands.arguments import Parser

__all__ = ["add_conformance"]


def add_conformance(parser: Parser, *, writes: bool) -> None:
    """Add the arguments; those about writing only to products with a write endpoint."""
    add = parser.add_argument
    add("url", metavar="URL", help="base URL of the deployment")
    if writes:
        add(
            "--token-env",
            metavar="NAME",
            default="INGEST_TOKEN",
            help="environment variable with the ingest token (%(default)s)",
        )
        add("--write", action="store_true", help="also replace the present record, for all checks")
        add("--slow", action="store_true", help="also wait for deadlines, for some minutes")
    else:
        parser.set_defaults(write=False, slow=False)
    names = "ID, a group or a rule; may be given again"
    add("--only", metavar="NAME", action="append", default=[], help=f"only checks of this {names}")
    add("--skip", metavar="NAME", action="append", default=[], help=f"no checks of this {names}")
    parser.add_report(".json, .xml (JUnit), .html or .svg")
    add("--strict", action="store_true", help="exit with 4 if a must was left unverified")
    add("--timeout", metavar="SECONDS", type=float, default=20.0, help="for each response (20)")
    parser.add_json()
