"""The arguments of the subcommand `schema`; imports nothing that slows `--help`."""

from purewire.adapters.commands.arguments import Parser

__all__ = ["add_schema"]


def add_schema(parser: Parser, *, default: str | None = None) -> None:
    """Add the arguments; `default` is the name where none is given."""
    add = parser.add_argument
    shown = "" if default is None else " (%(default)s)"
    add(
        "name", metavar="NAME", nargs="?", default=default, help=f"what to print{shown}; see --list"
    )
    add("--list", action="store_true", help="list the names and exit")
    add("-o", "--output", metavar="PATH", help="write here (the standard output)")
