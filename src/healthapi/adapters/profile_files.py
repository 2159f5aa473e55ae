"""The files of one profile, read together in one state; POSIX only.

Invariant *one state*: all files are opened, then read, then looked at again; only when nothing has
changed in between are they given.  While a file's times have not settled, its content is compared
as well.
Invariant *inside the folder*: each step from the root down is taken from the folder opened before
it, and none of them is a link.  Only regular files are opened.  A hard link is the file itself: it
cannot be told from one.
Invariant *nothing else is opened*: the tables of the column map, the account snapshot and the two
places of `columns.toml`; never `auth/`.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, Literal

import attrs

from healthapi import limits
from healthapi.account.snapshot import SNAPSHOT_FILE
from healthapi.adapters.column_mapping import COLUMNS_FILE, COLUMNS_FILE_BYTES, read_columns
from healthapi.errors import DataError
from healthapi.rows.columns import ProfileMap
from healthapi.sources import list_files
from purewire.adapters.files import READ_FLAGS, FileState, is_file
from purewire.findings import Finding, pointer

__all__ = ["ChangedMeanwhile", "Marks", "ProfileFiles", "look", "refusal", "take"]

_FOLDER_FLAGS: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_FOLDERS: Final = ("csv", "cache")
_SHARED_COLUMNS: Final = f"../{COLUMNS_FILE}"
"""The column map of all profiles that have none of their own; named from inside a profile."""
_MISSING: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
_NO_FOLDER: Final = frozenset({errno.ENOTDIR, errno.ELOOP})

FileRule = Literal[
    "file.kind", "file.size", "file.unreadable", "file.changed", "file.failed", "file.reading"
]
_MESSAGE_OF: Final[dict[FileRule, str]] = {
    "file.kind": "is not a regular file in a folder of the profile",
    "file.size": "is larger than any file of its kind",
    "file.unreadable": "cannot be read",
    "file.changed": "was being written while it was read",
    "file.failed": "could not be read: the process that read it ended before it was done",
    "file.reading": "is being read for the first time",
}


@attrs.frozen
class _Folder:
    """Which folder it is; what else is in it does not matter."""

    device: int
    inode: int

    @classmethod
    def of(cls, found: os.stat_result) -> "_Folder":
        return cls(found.st_dev, found.st_ino)


Mark = FileState | _Folder | None
Marks = Mapping[str, Mark]
"""Everything that was looked at, by its path from the profile's folder (`.`); None: not there."""


class ChangedMeanwhile(Exception):
    """Something was written, replaced or removed while the files were read."""


@attrs.frozen(eq=False, repr=False)
class ProfileFiles:
    """The files of a profile in one state.

    Attributes:
        columns: the column map that holds for the profile, or why it cannot be read.
        files: the files that are there, under the names that `healthapi.sources` gives them.
        digests: name to digest of all that was read, column maps included.
        marks: by what the next look tells whether anything has changed.
        settled: whether any later change will show in the marks.

    """

    columns: ProfileMap | DataError
    files: Mapping[str, bytes]
    digests: Mapping[str, bytes]
    marks: Marks
    settled: bool


def refusal(name: str, rule: FileRule) -> DataError:
    """Make the error for a file, or with an empty name for the folder, of a profile."""
    path = pointer(name.split("/")) if name else ""
    return DataError(findings=(Finding(path, rule, _MESSAGE_OF[rule]),))


def look(folder: Path, names: Iterable[str]) -> Marks:
    """Look at paths below a profile's folder without opening anything; raises OSError."""
    return {name: _mark(folder / name) for name in names}


def take(root: Path, profile_id: str, columns: ProfileMap, now: int) -> ProfileFiles | None:
    """Read the files of a profile; None where the root has no such folder.

    Args:
        root: the folder of all profiles.
        profile_id: name of the profile's folder.
        columns: the column map where no `columns.toml` says another.
        now: ms since the epoch.

    Raises DataError for a file that is there and cannot be read, ChangedMeanwhile, and OSError
    where the root itself cannot be read.

    """
    with ExitStack() as stack:
        top = stack.enter_context(_folder(root, None))
        try:
            folder = stack.enter_context(_folder(profile_id, top))
        except OSError as fault:
            if fault.errno in _MISSING | _NO_FOLDER:
                return None
            raise refusal("", "file.unreadable") from fault
        taking = _Taking(stack, root / profile_id, now, {".": _Folder.of(os.fstat(folder))})
        return taking.profile(top, folder, columns)


@attrs.define(eq=False)
class _Taking:
    """One attempt; whatever it opens stays open until it ends, so that no inode is used again."""

    stack: ExitStack
    folder: Path
    now: int
    marks: dict[str, Mark]
    opened: dict[str, int] = attrs.field(factory=dict)
    digests: dict[str, bytes] = attrs.field(factory=dict)

    def profile(self, top: int, folder: int, default: ProfileMap) -> ProfileFiles:
        columns = self._columns(top, folder, default)
        files: dict[str, bytes] = {}
        if not isinstance(columns, DataError):
            folders = {name: self._subfolder(name, folder) for name in _FOLDERS}
            names = list_files(columns)
            for name in names:
                self._open(name, folders[name.partition("/")[0]], _most(name))
            files = {name: self._read(name) for name in names if name in self.opened}
        settled = self._settled()
        self._look_again(settled=settled)
        return ProfileFiles(columns, files, self.digests, self.marks, settled)

    def _columns(self, top: int, folder: int, default: ProfileMap) -> ProfileMap | DataError:
        for name, place in ((COLUMNS_FILE, folder), (_SHARED_COLUMNS, top)):
            self._open(name, place, COLUMNS_FILE_BYTES)
            if name in self.opened:
                try:
                    return read_columns(self._read(name), name)
                except DataError as fault:
                    return fault
        return default

    def _subfolder(self, name: str, parent: int) -> int | None:
        """Open a folder of the profile; None where it is not there."""
        try:
            found = self.stack.enter_context(_folder(name, parent))
        except OSError as fault:
            if fault.errno == errno.ENOENT:
                self.marks[name] = None
                return None
            is_other = fault.errno in _NO_FOLDER
            raise refusal(name, "file.kind" if is_other else "file.unreadable") from fault
        self.marks[name] = _Folder.of(os.fstat(found))
        return found

    def _open(self, name: str, folder: int | None, most: int) -> None:
        """Open a file if it is there, and mark its state."""
        self.marks[name] = None
        if folder is None:
            return
        base = name.rpartition("/")[2]
        try:
            # some devices do things when they are opened
            if not is_file(os.stat(base, dir_fd=folder, follow_symlinks=False)):
                raise refusal(name, "file.kind")
            descriptor = os.open(base, READ_FLAGS, dir_fd=folder)
        except FileNotFoundError:
            return
        except OSError as fault:
            is_link = fault.errno == errno.ELOOP
            raise refusal(name, "file.kind" if is_link else "file.unreadable") from fault
        self.stack.callback(os.close, descriptor)
        self.opened[name] = descriptor
        found = os.fstat(descriptor)
        if not is_file(found):
            raise refusal(name, "file.kind")
        if found.st_size > most:
            raise refusal(name, "file.size")
        self.marks[name] = FileState.of(found)

    def _read(self, name: str) -> bytes:
        data = self._bytes(name)
        self.digests[name] = hashlib.sha256(data).digest()
        return data

    def _bytes(self, name: str) -> bytes:
        """Read a file to its marked size; one byte more or less is a change."""
        mark = self.marks[name]
        size = mark.size if isinstance(mark, FileState) else 0
        try:
            data = b"".join(_chunks(self.opened[name], size + 1))
        except OSError as fault:
            raise refusal(name, "file.unreadable") from fault
        if len(data) != size:
            raise ChangedMeanwhile
        return data

    def _settled(self) -> bool:
        states = (mark for mark in self.marks.values() if isinstance(mark, FileState))
        return all(state.has_settled(self.now) for state in states)

    def _look_again(self, *, settled: bool) -> None:
        if not settled:
            for name, digest in self.digests.items():
                if hashlib.sha256(self._bytes(name)).digest() != digest:
                    raise ChangedMeanwhile
        try:
            marks = look(self.folder, self.marks)
        except OSError as fault:
            raise ChangedMeanwhile from fault
        if marks != self.marks:
            raise ChangedMeanwhile


@contextmanager
def _folder(name: str | Path, parent: int | None) -> Iterator[int]:
    """Open a folder; only the root may be a link."""
    flags = _FOLDER_FLAGS if parent is not None else _FOLDER_FLAGS & ~getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(name, flags, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _chunks(descriptor: int, most: int) -> Iterator[bytes]:
    """Give a file from its start, at most so many bytes."""
    at = 0
    while at < most and (chunk := os.pread(descriptor, most - at, at)):
        yield chunk
        at += len(chunk)


def _mark(path: Path) -> Mark:
    try:
        found = path.lstat()
    except OSError as fault:
        if fault.errno in _MISSING:
            return None
        raise
    return _Folder.of(found) if stat.S_ISDIR(found.st_mode) else FileState.of(found)


def _most(name: str) -> int:
    return limits.SNAPSHOT_FILE_BYTES if name == SNAPSHOT_FILE else limits.CSV_FILE_BYTES
