"""Writing a file whole, or not at all.

Invariant *never half*: at every moment the file is the old one or the new one; who is stopped while
it writes leaves the old one, and at most a file beside it whose name begins with a dot and ends in
`.new`.
Invariant *on disk when done*: the bytes are synced before the new file takes the old one's place.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

__all__ = ["PRIVATE", "replace"]

PRIVATE: Final = 0o600
"""The mode of a file that only its owner reads."""

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def replace(place: Path, data: bytes, *, created: int, mode: int | None = None) -> None:
    """Write a file in place of the one that is there, if there is one.

    Args:
        place: the file; what is replaced is the name, so a link goes.
        data: all of it.
        created: mode with which the new file is created, before the umask.
        mode: mode that it has in the end, if it is another.

    Raises:
        OSError: it could not be written; the old one is as it was.

    """
    new = place.with_name(f".{place.name[:200]}.{token_hex(6)}.new")
    descriptor = os.open(new, _FLAGS, created)
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
