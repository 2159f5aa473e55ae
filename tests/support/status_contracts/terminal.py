"""A terminal in memory."""

import io


class Terminal(io.StringIO):
    """An output that is a terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True
