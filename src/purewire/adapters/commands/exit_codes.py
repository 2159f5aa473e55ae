"""The exit codes of the commands, and the exception with an exit code.

This module imports nothing of the package, so that `--help` stays fast.
"""

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
    """The command fails with an exit code.

    Attributes:
        exit_code: one of the codes of this module.
        lines: the messages for a person; they contain no token and no part of a body.

    """

    def __init__(self, exit_code: int, *lines: str) -> None:
        super().__init__(exit_code, *lines)
        self.exit_code = exit_code
        self.lines = lines
