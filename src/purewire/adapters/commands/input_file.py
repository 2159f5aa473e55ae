"""How a command reads a file.  Invariant: it reads no more than a stated number of bytes."""

import stat
import sys
from pathlib import Path
from typing import BinaryIO

from purewire.adapters.commands.exit_codes import CANNOT, REFUSED, Failed

__all__ = ["STDIN", "read_file", "read_input"]

STDIN = "-"
"""The name that stands for the standard input."""


def read_file(name: str, max_bytes: int, *, too_long: int = CANNOT, regular: bool = False) -> bytes:
    """Return the bytes of a file.

    Args:
        name: the path of the file.
        max_bytes: the largest size that is allowed.
        too_long: the exit code for a longer file.
        regular: whether it must be a regular file; a FIFO or a device is then not opened.

    Raises:
        Failed: the file cannot be read, or is longer.

    """
    try:
        if regular and _is_special(Path(name)):
            raise Failed(CANNOT, f"cannot read {name}: it is not a regular file")
        with Path(name).open("rb") as file:
            return _bounded(name, file, max_bytes, too_long)
    except IsADirectoryError:
        raise Failed(CANNOT, f"cannot read {name}: it is a folder; give a file") from None
    except OSError as fault:
        raise Failed(CANNOT, f"cannot read {name}: {fault.strerror}") from None
    except ValueError as fault:  # a null character in the name
        raise Failed(CANNOT, f"cannot read {name!r}: {fault}") from None


def read_input(name: str, max_bytes: int) -> bytes:
    """Return the bytes of a file, or of the standard input for `-`; raises as `read_file`."""
    if name != STDIN:
        return read_file(name, max_bytes, too_long=REFUSED)
    try:
        return _bounded("the standard input", sys.stdin.buffer, max_bytes, REFUSED)
    except OSError as fault:
        raise Failed(CANNOT, f"cannot read the standard input: {fault.strerror}") from None


def _is_special(place: Path) -> bool:
    """Check whether a path leads to something that is neither a regular file nor a folder."""
    mode = place.stat().st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _bounded(name: str, file: BinaryIO, max_bytes: int, too_long: int) -> bytes:
    data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise Failed(too_long, f"{name} has more than the {max_bytes} bytes that are allowed")
    return data
