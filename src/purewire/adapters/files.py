"""Compare states of files, and open files of any kind without blocking.

Invariant *no blocking*: opening a FIFO with `READ_FLAGS` does not wait for a writer, and the last
component of the path is not followed if it is a link.
Invariant *equal states, equal bytes*: a changed file has another device, inode, link count, size or
time.  Only while its times have not settled can a change fall into one tick of the file system's
clock.
"""

import os
import stat
from typing import Final, Self

import attrs

from purewire.adapters.clocks import MILLISECOND_NS

READ_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Flags for `os.open`."""

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
    def of(cls, found: os.stat_result) -> Self:
        """Return the state of a result of `os.stat`."""
        return cls(
            device=found.st_dev,
            inode=found.st_ino,
            links=found.st_nlink,
            size=found.st_size,
            modified=found.st_mtime_ns,
            changed=found.st_ctime_ns,
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


def is_file(found: os.stat_result) -> bool:
    """Check whether a stat result is of a regular file: no folder, link, FIFO, socket or device."""
    return stat.S_ISREG(found.st_mode)
