"""The arguments of the subcommand `vectors`; imports nothing that slows `--help`."""

from purewire.adapters.commands.arguments import Parser

__all__ = ["add_vectors"]


def add_vectors(parser: Parser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("-o", "--output", metavar="DIR", help="write the files into this folder")
