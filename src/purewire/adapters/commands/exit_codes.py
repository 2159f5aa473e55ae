"""The exit codes of the commands, and the failure that carries one.

This module imports nothing of the package, so that `--help` stays fast.
"""

from typing import Final

__all__ = ["CANNOT", "INTERRUPTED", "OK", "PIPE_CLOSED", "REFUSED", "USAGE", "Failed"]

OK: Final = 0
REFUSED: Final = 1
"""A check found problems, or something was refused."""
USAGE: Final = 2
"""The arguments or the settings are wrong; argparse uses the same code."""
CANNOT: Final = 3
"""Something cannot be reached, read or written."""
INTERRUPTED: Final = 130
"""A person interrupted unfinished work; shells report SIGINT so."""
PIPE_CLOSED: Final = 141
"""The reader of the output ended first; shells report SIGPIPE so."""


class Failed(Exception):
    """The command ends here.

    Attributes:
        exit_code: one of this module's.
        lines: the messages for a person; they quote no token and nothing of a body.

    """

    def __init__(self, exit_code: int, *lines: str) -> None:
        super().__init__(exit_code, *lines)
        self.exit_code = exit_code
        self.lines = lines
