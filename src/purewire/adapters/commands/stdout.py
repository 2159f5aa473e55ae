"""The standard output of a command, which may be closed or full.

Invariant: whoever writes flushes as well.  Otherwise Python flushes at shutdown, prints a traceback
when that fails, and ends with code 120.
"""

import os
import sys
from collections.abc import Callable

from purewire.adapters.commands.exit_codes import CANNOT, PIPE_CLOSED, Failed

__all__ = ["put"]


def put(write: Callable[[], None]) -> None:
    """Call what writes to the standard output and flushes it.

    Raises:
        Failed: the output takes no more.

    """
    try:
        write()
    except BrokenPipeError:  # the reader has ended, as `head` does
        _discard_the_rest()
        raise Failed(PIPE_CLOSED) from None
    except OSError as fault:
        _discard_the_rest()
        raise Failed(CANNOT, f"cannot write the output: {fault.strerror}") from None


def _discard_the_rest() -> None:
    """Send what is left to the null device, for Python flushes once more when it ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
