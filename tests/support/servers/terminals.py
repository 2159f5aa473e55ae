"""Commands whose error output is a terminal, for progress."""

import io
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

from support.servers.commands import environment

HEALTHAPI: Final = "healthapi.cli.main"


class Terminal(io.StringIO):
    """An error output that is a terminal, in this process."""

    encoding: Any = "utf-8"

    def isatty(self) -> bool:
        return True


def on_a_terminal(
    *arguments: object, until: Callable[[bytes], bool], module: str = HEALTHAPI
) -> tuple[int, bytes]:
    """Run the command with its error output on a terminal; return its code and output."""
    watcher, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", module, *map(str, arguments)],
        env=environment({"TERM": "xterm", "COLUMNS": "100"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
    )
    os.close(terminal)
    shown = b""
    try:
        while True:
            try:
                more = os.read(watcher, 4096)
            except OSError:  # the other end is closed
                break
            shown += more
            if not more or until(shown):
                break
        return process.wait(60), shown
    finally:
        process.kill()
        process.wait()
        os.close(watcher)
