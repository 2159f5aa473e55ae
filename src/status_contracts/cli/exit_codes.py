"""The exit codes of the commands, the exception with an exit code, and the check of the output.

This module imports nothing of the package, so that `--help` stays fast.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["CANNOT", "INTERRUPTED", "OK", "REFUSED", "USAGE", "Failed", "checked_output"]

OK = 0
REFUSED = 1
"""A check found problems, or the input was refused."""
USAGE = 2
"""The arguments or the settings are wrong; argparse uses the same code."""
CANNOT = 3
"""A file, a host or an output cannot be reached, read or written."""
INTERRUPTED = 130
"""The user interrupted the work; shells report SIGINT with this code."""
PIPE_CLOSED = 141
"""The reader of the output exited first; shells report SIGPIPE with this code."""


class Failed(Exception):
    """The command fails with an exit code; lines, or problems, which contain no token."""

    def __init__(self, exit_code: int, *lines: object) -> None:
        super().__init__(exit_code, *lines)
        self.exit_code = exit_code
        self.lines = lines


@contextmanager
def checked_output() -> Iterator[None]:
    """Flush the standard output at the end of a block that writes to it.

    Otherwise Python flushes at shutdown, prints a traceback if that fails, and exits with code 120.
    Raise Failed for an output that is closed or full.
    """
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        null = os.open(os.devnull, os.O_WRONLY)  # for the rest: Python flushes once more at exit
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
        if isinstance(error, BrokenPipeError):  # the reader has exited, as `head` does
            raise Failed(PIPE_CLOSED) from None
        raise Failed(CANNOT, f"cannot write the output: {error.strerror}") from None
