"""Compare states of files, open files of any kind without blocking, and replace them atomically.

Invariant *no blocking*: opening a FIFO with `READ_FLAGS` does not wait for a writer, and the last
component of the path is not followed if it is a link.
Invariant *equal states, equal bytes*: a changed file has another device, inode, link count, size or
time.  Only while its times have not settled can a change fall into one tick of the file system's
clock.
Invariant *old or new*: at every moment a file is the old one or the new one.  A process that is
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
from typing import Final, Self

import attrs

from status_contracts.adapters.clocks import MILLISECOND_NS

__all__ = [
    "PRIVATE",
    "READ_FLAGS",
    "FileState",
    "is_file",
    "is_open_to_others",
    "replace",
    "replace_all",
]

READ_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Flags for `os.open`."""
PRIVATE: Final = 0o600
"""The mode of a file that only its owner can read."""

_NEW_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_SETTLED_NS: Final = 2_000_000_000  # coarser than the time stamps of any common file system


@attrs.frozen
class FileState:
    """The properties by which a changed file differs; times in ns."""

    device: int
    inode: int
    links: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, status: os.stat_result) -> Self:
        """Return the state of a result of `os.stat`."""
        return cls(
            device=status.st_dev,
            inode=status.st_ino,
            links=status.st_nlink,
            size=status.st_size,
            modified=status.st_mtime_ns,
            changed=status.st_ctime_ns,
        )

    def has_settled(self, now: int) -> bool:
        """Check whether any later change would change the times; `now` in ms since the epoch.

        A time far in the future counts as settled, because a file written now gets another time.
        """
        at = now * MILLISECOND_NS
        return all(abs(at - time) > _SETTLED_NS for time in (self.modified, self.changed))


def is_open_to_others(mode: int) -> bool:
    """Check whether users other than the owner may read or write a file; never on Windows.

    Windows has no such modes; there the user's folder protects a file.
    """
    return os.name == "posix" and bool(mode & (stat.S_IRWXG | stat.S_IRWXO))


def is_file(status: os.stat_result) -> bool:
    """Check whether a stat result is of a regular file: no folder, link, FIFO, socket or device."""
    return stat.S_ISREG(status.st_mode)


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
            descriptor = os.open(new, _NEW_FLAGS, created)
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
