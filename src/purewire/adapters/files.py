"""What tells one state of a file from another, and how a file is opened that may be anything.

Invariant *nothing waits*: a file opened with `READ_FLAGS` never waits for the writer of a FIFO, and
its last step is no link.
Invariant *equal states, equal bytes*: a file that differs has another device, inode, link count,
size or time; only while its times have not settled can a change hide within one tick of the file
system's clock.
"""

import os
import stat
from typing import Final, Self

import attrs

__all__ = ["READ_FLAGS", "FileState", "is_file"]

READ_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)
"""For `os.open`."""

_SETTLED_NS: Final = 2_000_000_000  # coarser than the time stamps of any common file system
_NANOSECONDS: Final = 1_000_000  # in a millisecond


@attrs.frozen
class FileState:
    """By what a changed file differs; times in ns."""

    device: int
    inode: int
    links: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, found: os.stat_result) -> Self:
        """Take the state from what `os.stat` found."""
        return cls(
            device=found.st_dev,
            inode=found.st_ino,
            links=found.st_nlink,
            size=found.st_size,
            modified=found.st_mtime_ns,
            changed=found.st_ctime_ns,
        )

    def has_settled(self, now: int) -> bool:
        """Return whether any later change shows in the times; `now` in ms since the epoch.

        A time in the future settles nothing and hides nothing: what is written now gets another.
        """
        at = now * _NANOSECONDS
        return all(abs(at - time) > _SETTLED_NS for time in (self.modified, self.changed))


def is_file(found: os.stat_result) -> bool:
    """Tell whether something is a regular file: no folder, link, FIFO, socket or device."""
    return stat.S_ISREG(found.st_mode)
