"""`devicestatus vectors`: list the vectors, or write their files for tests in any language."""

from argparse import Namespace

from purewire.adapters.commands.vectors import run_vectors

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """List the topics, or write the files."""
    return run_vectors(arguments, "devicestatus")
