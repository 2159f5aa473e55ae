"""Run a system program and return its output, within a time and a size.

Invariant *a program ends*: when its time is over, or it prints too much, it is killed together with
all processes that it started.
Invariant *no shell, no search*: a program is named by its absolute path and gets its arguments
unchanged; its standard input is empty, and its standard error is discarded.
"""

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from subprocess import DEVNULL, PIPE, CalledProcessError, Popen
from time import monotonic
from typing import IO, Final

MAX_OUTPUT_BYTES: Final = 1_048_576
"""The longest output: a list of 1000 apps at 1 KiB each."""

_CHUNK_BYTES: Final = 65_536


def run_program(command: Sequence[str], timeout_seconds: float) -> bytes:
    """Run a program and return its standard output.

    Args:
        command: absolute path of the program, then its arguments.
        timeout_seconds: how long it may take.

    Raises:
        OSError: there is no such program.
        TimeoutError: it goes on printing for too long.
        TimeoutExpired: it has closed its output and does not end.
        ValueError: it prints too much.
        CalledProcessError: its exit code is not 0.

    """
    deadline = monotonic() + timeout_seconds
    # The process group is killed as a whole: a child of the program may keep the pipe open.
    with Popen(  # noqa: S603 - the commands are constants of this package
        command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True
    ) as program:
        try:
            output = b"" if program.stdout is None else _read_all(program.stdout, deadline)
            code = program.wait(max(0.0, deadline - monotonic()))
        except BaseException:
            with suppress(ProcessLookupError, PermissionError):  # macOS: not allowed for zombies
                os.killpg(program.pid, signal.SIGKILL)
            raise
    if code:
        raise CalledProcessError(code, command[0])
    return output


def _read_all(pipe: IO[bytes], deadline: float) -> bytes:
    output = bytearray()
    with DefaultSelector() as selector:
        selector.register(pipe, EVENT_READ)
        while True:
            if not selector.select(max(0.0, deadline - monotonic())):
                raise TimeoutError("the program takes too long")
            chunk = os.read(pipe.fileno(), _CHUNK_BYTES)
            if not chunk:
                return bytes(output)
            output += chunk
            if len(output) > MAX_OUTPUT_BYTES:
                raise ValueError(f"the program prints more than {MAX_OUTPUT_BYTES} bytes")
