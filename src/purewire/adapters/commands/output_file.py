"""How a command writes a file: whole, or not at all (see `purewire.adapters.atomic_write`)."""

import os
import stat
from pathlib import Path
from typing import Final

from purewire.adapters.atomic_write import replace
from purewire.adapters.commands.exit_codes import CANNOT, Failed

__all__ = ["save"]

_CREATED: Final = 0o666
"""Before the umask; what is replaced keeps its own mode."""


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
            replace(place, data, created=_CREATED, mode=mode)
    except OSError as fault:
        raise Failed(CANNOT, f"cannot write {name}: {fault.strerror}") from None


def _mode_of(place: Path) -> int | None:
    try:
        return place.stat().st_mode
    except FileNotFoundError:
        return None
