"""Builders that write one file after the other until they are killed: a waiting parent, and forks.

Run as `python killed_builder.py KIND PLACE ARGUMENTS...`, by `killed_forks`.  The kinds: `replaced`
writes bytes by `status_contracts.adapters.files`, `built` runs the command `sitedata build
ARGUMENTS... -o PLACE`, and `plain` opens the file and writes, which the tests must catch.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sitedata.cli import main as cli
from status_contracts.adapters.files import replace
from support.faults.killed_forks import fork_writers

__all__ = ["number_of_bytes", "numbered_bytes"]

_LAST: Final = 10**6


def numbered_bytes(number: int) -> bytes:
    """Return bytes that show their number from end to end."""
    return b"%06d " % number * (1 + number * 769 % 40_000)


def number_of_bytes(data: bytes) -> int:
    """Return the number of numbered bytes; raises AssertionError where they are not whole."""
    number = int(data[:6])
    assert data == numbered_bytes(number), "torn"
    return number


def _writes(kind: str, place: Path, arguments: list[str]) -> Callable[[int], object]:
    if kind == "built":
        command = ["build", *arguments, "--force", "-o", str(place)]
        return lambda _: cli.main(command)
    if kind == "replaced":
        return lambda number: replace(place, numbered_bytes(number), created=0o600)
    return lambda number: place.write_bytes(numbered_bytes(number))


def _main(kind: str, place: str, *arguments: str) -> None:
    write = _writes(kind, Path(place), list(arguments))
    write(0)
    fork_writers(lambda first: [write(number) for number in range(first, _LAST)])


if __name__ == "__main__":
    _main(*sys.argv[1:])
