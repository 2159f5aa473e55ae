"""What a program of the system prints, within a time and a size.

Invariant *a program ends*: when its time is over, or it prints too much, it is killed with all that
it started.
Invariant *no shell, no search*: a program is named by its whole path and gets its arguments as they
are; its standard input is empty, and what it says of faults is not kept.
"""

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from subprocess import DEVNULL, PIPE, CalledProcessError, Popen
from time import monotonic
from typing import IO, Final

__all__ = ["MOST_BYTES", "output_of"]

MOST_BYTES: Final = 1_048_576
"""The longest output: a list of 1000 apps at 1 KiB each."""

_PIECE: Final = 65_536


def output_of(command: Sequence[str], patience: float) -> bytes:
    """Run a program, and give what it prints.

    Args:
        command: whole path of the program, then its arguments.
        patience: how long it may take, in seconds.

    Raises:
        OSError: there is no such program.
        TimeoutError: it goes on printing for too long.
        TimeoutExpired: it has closed its output and does not end.
        ValueError: it prints too much.
        CalledProcessError: it says that it failed.

    """
    deadline = monotonic() + patience
    # A group of its own is killed whole: what the program started may keep the pipe open.
    with Popen(  # noqa: S603 - the commands are constants of this package
        command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True
    ) as program:
        try:
            output = b"" if program.stdout is None else _all_of(program.stdout, deadline)
            code = program.wait(max(0.0, deadline - monotonic()))
        except BaseException:
            with suppress(ProcessLookupError, PermissionError):  # macOS: not allowed for zombies
                os.killpg(program.pid, signal.SIGKILL)
            raise
    if code:
        raise CalledProcessError(code, command[0])
    return output


def _all_of(pipe: IO[bytes], deadline: float) -> bytes:
    output = bytearray()
    with DefaultSelector() as selector:
        selector.register(pipe, EVENT_READ)
        while True:
            if not selector.select(max(0.0, deadline - monotonic())):
                raise TimeoutError("the program is too slow")
            piece = os.read(pipe.fileno(), _PIECE)
            if not piece:
                return bytes(output)
            output += piece
            if len(output) > MOST_BYTES:
                raise ValueError("the program prints too much")
