"""Replace a file atomically.

Invariant *old or new*: at every moment the file is the old one or the new one.  A process that is
killed while it writes leaves the old one, and at most a file beside it whose name starts with a dot
and ends in `.new`.
Invariant *on disk when done*: the bytes are synced before the new file replaces the old one.
"""

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

PRIVATE: Final = 0o600
"""The mode of a file that only its owner can read."""

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def replace(path: Path, data: bytes, *, created: int, mode: int | None = None) -> None:
    """Write a file, and replace an existing one or a link; raise OSError and leave it unchanged.

    The mode of the new file is `created` before the umask, and `mode` in the end if it is given.
    """
    replace_all({path: data}, created=created, mode=mode)


def replace_all(files: Mapping[Path, bytes], *, created: int, mode: int | None = None) -> None:
    """Write several files, and replace existing ones, as `replace` does.

    All files are written and synced before the first one is replaced, so that only a process that
    is killed between two renames leaves some files old and others new.  Raises OSError.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for path, data in files.items():
            new = path.with_name(f".{path.name[:200]}.{token_hex(6)}.new")
            descriptor = os.open(new, _FLAGS, created)
            staged.append((new, path))
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            if mode is not None:
                new.chmod(stat.S_IMODE(mode))
        for new, path in staged:
            new.replace(path)
    except BaseException:
        for new, _ in staged:
            with suppress(OSError):  # the first error is the one to report
                new.unlink()
        raise
