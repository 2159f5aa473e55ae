"""How a command writes a file: whole, or not at all.

Invariant *never half*: at every moment the file is the old one or the new one; a command that is
stopped while it writes leaves the old one, and at most a file beside it whose name begins with a
dot and ends in `.new`.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

from purewire.adapters.commands.outcomes import CANNOT, Failed

__all__ = ["save"]

_MODE: Final = 0o666
"""Before the umask; what is replaced keeps its own."""
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def save(name: str, data: bytes) -> None:
    """Write a file in place of the one that is there, if there is one.

    A link stays a link, to a new file.  What is no regular file (a device, a pipe) is written to as
    it is.  Raises Failed.
    """
    try:
        place = Path(os.path.realpath(name))
        mode = _mode_of(place)
        if mode is not None and not stat.S_ISREG(mode):
            place.write_bytes(data)
        else:
            _replace(place, data, mode)
    except OSError as fault:
        raise Failed(CANNOT, f"cannot write {name}: {fault.strerror}") from None


def _mode_of(place: Path) -> int | None:
    try:
        return place.stat().st_mode
    except FileNotFoundError:
        return None


def _replace(place: Path, data: bytes, mode: int | None) -> None:
    new = place.with_name(f".{place.name[:200]}.{token_hex(6)}.new")
    descriptor = os.open(new, _FLAGS, _MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        if mode is not None:
            new.chmod(stat.S_IMODE(mode))
        new.replace(place)
    except BaseException:
        with suppress(OSError):  # the first fault is the one to tell
            new.unlink()
        raise
