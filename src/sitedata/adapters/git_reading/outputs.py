"""What commands have written, in pieces; several of them at work at once, on all processors.

Invariant *memory is bounded*: outputs are files, of which no more than a piece is held.
Invariant *no child outlives its reader*: what is still at work when a block is left is killed.
"""

import os
import subprocess
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from sitedata.adapters.git_reading.commands import Git

__all__ = ["fields", "outputs", "pieces"]

_PIECE: Final = 1 << 18  # bytes held at once
_MOST: Final = 8
"""Commands at work at once, where there are so many processors: more would wait for the disk."""

_Work = deque[tuple[subprocess.Popen[bytes], Path]]


@contextmanager
def outputs(git: Git, command: Sequence[str], given: Iterable[Path]) -> Iterator[Iterator[bytes]]:
    """Run a command on each of many files; give all that it writes, in the order of the files.

    They are at work from the beginning of the block on, before anything is read.  Reading raises
    RepositoryError where a command has failed.
    """
    work: _Work = deque()
    waiting = iter(given)
    # one more than there are processors, so that none is idle while the oldest is waited for
    ahead = min(os.cpu_count() or 1, _MOST) + 1
    try:
        _start(git, command, islice(waiting, ahead), work)
        with closing(_outputs(git, command, waiting, work)) as found:
            yield found
    finally:
        for process, _ in work:
            process.kill()
            process.wait()


def pieces(path: Path) -> Generator[bytes]:
    """Give the bytes of a file, and remove it."""
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
    path.unlink()


def fields(found: Iterable[bytes]) -> Iterator[bytes]:
    """Give what ends with a NUL, in an output that comes in pieces."""
    rest = b""
    for piece in found:
        *whole, rest = (rest + piece).split(b"\0")
        yield from whole


def _outputs(
    git: Git, command: Sequence[str], given: Iterator[Path], work: _Work
) -> Generator[bytes]:
    while work:
        process, output = work[0]
        if process.wait():
            raise git.failure()
        work.popleft()
        _start(git, command, islice(given, 1), work)
        yield from pieces(output)


def _start(git: Git, command: Sequence[str], given: Iterable[Path], work: _Work) -> None:
    for path in given:
        output = path.with_suffix(".output")
        work.append((git.start(path, output, *command), output))
