"""Compare states of files, open files of any kind without blocking, and replace them atomically.

Invariant *no blocking*: opening a FIFO with `READ_FLAGS` does not wait for a writer, and the last
component of the path is not followed if it is a link.
Invariant *equal states, equal bytes*: a changed file has another device, inode, link count, size or
time.  Only while its times have not settled can a change fall into one tick of the file system's
clock.
Invariant *old or new*: at every moment a file is the old one or the new one.  A process that is
killed while it writes leaves the old one, and at most a file beside it whose name starts with a dot
and ends in `.new`; the next write of that file removes it.  A writer that lives holds a lock on its
own, where the file system has locks.
Invariant *on disk when done*: the bytes are synced before the new file replaces the old one, and
the folder after.
"""

import errno
import os
import re
import stat
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

import attrs

from status_contracts.adapters.clocks import MILLISECOND_NS

__all__ = [
    "PRIVATE", "READ_FLAGS", "FileState", "file_problem", "is_file", "is_open_to_others",
    "lock", "replace", "replace_all",
]  # fmt: skip

READ_FLAGS: Final = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_BINARY")
)
"""Flags for `os.open`."""
PRIVATE: Final = 0o600
"""The mode of a file that only its owner can read."""

_NEW_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_FCNTL: Final[Any] = import_module("fcntl") if find_spec("fcntl") else None  # not on Windows
_NEW_NAME: Final = re.compile(r"\.[0-9a-f]{12}\.new")
_NO_LOCKS: Final = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL})
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
        times = status.st_mtime_ns, status.st_ctime_ns
        return cls(status.st_dev, status.st_ino, status.st_nlink, status.st_size, *times)

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


def file_problem(error: OSError, action: str = "read") -> str:
    """Return in words why a file cannot be read, or written (`write`)."""
    missing = "its folder does not exist" if action == "write" else "it does not exist"
    words = {errno.ENOENT: missing, errno.EISDIR: "it is a folder; give a file"}
    return words.get(error.errno or 0, str(error.strerror))


def lock(descriptor: int) -> bool | None:
    """Lock an open file until it is closed; return False where another process or opening has it.

    None where there are no locks: on Windows, and on some file systems.  Raises OSError.
    """
    if _FCNTL is None:
        return None
    try:
        _FCNTL.flock(descriptor, _FCNTL.LOCK_EX | _FCNTL.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        return None
    return True


def replace(path: Path, data: bytes, *, created: int, mode: int | None = None) -> None:
    """Write a file, and replace an existing one or a link; raise OSError and leave it unchanged.

    The mode of the new file is `mode`; without one that of the file that it replaces, else
    `created` before the umask.
    """
    replace_all({path: data}, created=created, mode=mode)


def replace_all(files: Mapping[Path, bytes], *, created: int, mode: int | None = None) -> None:
    """Write several files, and replace existing ones, as `replace` does.

    All files are written and synced before the first one is replaced, so that only a process that
    is killed or interrupted (Ctrl-C, SIGTERM) between two renames, or a rename that fails, leaves
    some files old and others new.  Raises OSError.
    """
    staged: list[tuple[Path, Path]] = []
    with ExitStack() as held:  # closes the files, and so unlocks them, after the renames
        try:
            for path, data in files.items():
                _remove_abandoned(path)
                kept = _mode_of(path) if mode is None else mode
                new, descriptor = _create_beside(path, created if kept is None else created & kept)
                staged.append((new, path))
                file = held.enter_context(os.fdopen(descriptor, "wb"))
                file.write(data)
                file.flush()
                os.fsync(descriptor)
                if kept is not None:
                    new.chmod(kept)
                if _FCNTL is None:
                    file.close()  # Windows renames no open file
            for new, path in staged:
                new.replace(path)
        except BaseException:
            for new, _ in staged:
                with suppress(OSError):  # the first error is the one to report
                    new.unlink()
            raise
    for folder in {path.parent for path in files}:
        _sync_folder(folder)


def _mode_of(path: Path) -> int | None:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return stat.S_IMODE(status.st_mode) if is_file(status) else None


def _create_beside(path: Path, mode: int) -> tuple[Path, int]:
    """Create a file for a new version of another; return its path and descriptor, locked."""
    while True:
        new = path.with_name(f"{_stem(path)}.{os.urandom(6).hex()}.new")
        descriptor = os.open(new, _NEW_FLAGS, mode)
        # Between creation and lock another writer may have taken it for abandoned.
        if lock(descriptor) is not False and os.fstat(descriptor).st_nlink:
            return new, descriptor
        os.close(descriptor)


def _remove_abandoned(path: Path) -> None:
    """Remove what writers of a file left that died; what belongs to other users stays."""
    stem = _stem(path)
    with suppress(OSError):  # no reason not to write
        for entry in list(path.parent.iterdir()):
            if entry.name.startswith(stem) and _NEW_NAME.fullmatch(entry.name, len(stem)):
                # Another writer may be faster, or it may be of another user.
                with suppress(OSError), os.fdopen(os.open(entry, READ_FLAGS)) as file:
                    if lock(file.fileno()):
                        entry.unlink()


def _stem(path: Path) -> str:
    """Return how the name of a new version of a file begins."""
    return f".{path.name[:200]}"


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that a rename in it survives a power failure; raise OSError."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # the file system syncs no folders
            raise
    finally:
        os.close(descriptor)
