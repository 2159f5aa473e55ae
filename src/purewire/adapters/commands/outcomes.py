"""How a command ends: the exit codes, and the failure that carries one.

This module imports nothing of the package, so that `--help` does not wait for it.
"""

from typing import Final

__all__ = ["CANNOT", "INTERRUPTED", "OK", "REFUSED", "USAGE", "Failed"]

OK: Final = 0
REFUSED: Final = 1
"""Something was judged and found wrong, or was refused."""
USAGE: Final = 2
"""The command cannot be run as it was given; also what argparse says."""
CANNOT: Final = 3
"""Something cannot be reached, read or written."""
INTERRUPTED: Final = 130
"""A person stopped what was not done yet; as shells say it."""


class Failed(Exception):
    """The command ends here.

    Attributes:
        exit_code: one of this module's.
        lines: what to tell the person; quotes no token and nothing of a body.

    """

    def __init__(self, exit_code: int, *lines: str) -> None:
        super().__init__(exit_code, *lines)
        self.exit_code = exit_code
        self.lines = lines
