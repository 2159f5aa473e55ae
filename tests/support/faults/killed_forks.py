"""Writers that are killed: a parent that was loaded once forks one for each line that it is told.

The program calls `fork_writers`; the test talks with it by `forks`.
"""

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple

__all__ = ["Forks", "fork_writers", "forks", "tell"]

_TESTS: Final = Path(__file__).parents[2]


def tell(line: str) -> None:
    """Write a line to the test, at once."""
    os.write(1, line.encode() + b"\n")


def fork_writers(write_from: Callable[[int], object]) -> None:
    """Fork a child for each number that comes, which writes from it on until it is killed.

    A child tells `pid P` first; the parent tells `over` when it has gone.
    """
    gc.disable()  # what was made before is shared with all forks
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            tell(f"pid {os.getpid()}")
            write_from(int(line))
        os.waitpid(child, 0)
        tell("over")


class Forks(NamedTuple):
    """The process that forks writers."""

    input: IO[bytes]
    output: IO[bytes]

    def start(self, number: int) -> int:
        """Let a writer go on from a number; give its process id."""
        self.input.write(b"%d\n" % number)
        self.input.flush()
        word, pid = self.output.readline().split()
        assert word == b"pid"
        return int(pid)


@contextmanager
def forks(program: str, *arguments: object) -> Iterator[Forks]:
    """Run a program of this folder, by the name of its module."""
    place = Path(__file__).with_name(f"{program}.py")
    with subprocess.Popen(
        [sys.executable, "-W", "error", *map(str, (place, *arguments))],
        env={**os.environ, "PYTHONPATH": str(_TESTS)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Forks(process.stdin, process.stdout)
        finally:
            process.stdin.close()
    assert process.returncode == 0
