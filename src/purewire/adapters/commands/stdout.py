"""Handle a standard output that is closed or full.

Invariant *every write flushes*: otherwise Python flushes at shutdown, prints a traceback if that
fails, and exits with code 120.
"""

import os
import sys
from collections.abc import Callable

from purewire.adapters.commands.exit_codes import CANNOT, PIPE_CLOSED, Failed


def write_checked(write: Callable[[], None]) -> None:
    """Call a function that writes to the standard output and flushes it.

    Raises:
        Failed: the output is closed or full.

    """
    try:
        write()
    except BrokenPipeError:  # the reader has exited, as `head` does
        _discard_rest()
        raise Failed(PIPE_CLOSED) from None
    except OSError as error:
        _discard_rest()
        raise Failed(CANNOT, f"cannot write the output: {error.strerror}") from None


def _discard_rest() -> None:
    """Send the rest to the null device, because Python flushes once more at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
