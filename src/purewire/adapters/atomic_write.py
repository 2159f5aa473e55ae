"""Replace a file atomically.

Invariant *old or new*: at every moment the file is the old one or the new one.  A process that is
killed while it writes leaves the old one, and at most a file beside it whose name starts with a dot
and ends in `.new`.
Invariant *on disk when done*: the bytes are synced before the new file replaces the old one.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

__all__ = ["PRIVATE", "replace"]

PRIVATE: Final = 0o600
"""The mode of a file that only its owner can read."""

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def replace(path: Path, data: bytes, *, created: int, mode: int | None = None) -> None:
    """Write a file, and replace an existing one.

    Args:
        path: the file; a link is replaced, not followed.
        data: the content.
        created: the mode of the new file, before the umask.
        mode: the final mode, if it is another.

    Raises:
        OSError: the file cannot be written; the old one is unchanged.

    """
    new = path.with_name(f".{path.name[:200]}.{token_hex(6)}.new")
    descriptor = os.open(new, _FLAGS, created)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        if mode is not None:
            new.chmod(stat.S_IMODE(mode))
        new.replace(path)
    except BaseException:
        with suppress(OSError):  # the first error is the one to report
            new.unlink()
        raise
