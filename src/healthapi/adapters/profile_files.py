"""Read the files of one profile in one consistent state; POSIX only.

Invariant *one state*: all files are opened, then read, then compared with their state on disk; they
are returned only if nothing has changed.  While the times of a file have not settled, its content
is compared as well.
Invariant *inside the folder*: each path component is opened relative to its open parent folder, and
none is a symbolic link.  Only regular files are opened; a hard link cannot be distinguished from
one.
Invariant *nothing else is opened*: the tables of the column mapping, the account snapshot, the
report of imports and the two locations of `columns.toml`; never `auth/`.
"""

import errno
import hashlib
import os
import stat
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final, Literal

import attrs

from healthapi import limits
from healthapi.account.snapshot import SNAPSHOT_FILE
from healthapi.adapters.column_mapping import COLUMNS_FILE, COLUMNS_FILE_BYTES, parse_column_mapping
from healthapi.errors import DataError
from healthapi.omissions import REPORT_BYTES, REPORT_FILE
from healthapi.profile import list_files
from healthapi.rows.mapping import ProfileMap
from purewire.adapters.clocks import MILLISECOND_NS
from purewire.adapters.files import READ_FLAGS, FileState, is_file
from purewire.findings import Finding, pointer

_FOLDER_FLAGS: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
PAUSES_SECONDS: Final = (0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16)
"""Pause before each attempt to read files that are being changed."""
_FOLDERS: Final = ("csv", "cache")
_SHARED_COLUMNS: Final = f"../{COLUMNS_FILE}"
"""The column mapping of profiles without one of their own, relative to a profile."""
_MISSING: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
_NO_FOLDER: Final = frozenset({errno.ENOTDIR, errno.ELOOP})

FileRule = Literal[
    "file.kind", "file.size", "file.unreadable", "file.changed", "file.failed", "file.reading"
]
_MESSAGES: Final[dict[FileRule, str]] = {
    "file.kind": "must be a regular file in a folder of the profile",
    "file.size": "must not be larger than the limit for its kind of file",
    "file.unreadable": "cannot be read",
    "file.changed": "was being written while it was read",
    "file.failed": "could not be parsed: the process ended early, or failed without a known reason",
    "file.reading": "is being read for the first time",
}


States = Mapping[str, FileState | None]
"""State of each path, relative to the folder of the profile (`.`); None if it does not exist.

Of a folder only device and inode, because it may have other files.
"""


class FilesChanged(Exception):
    """Raised when a file was written, replaced or removed during reading."""


class FilesTooLarge(Exception):
    """Raised when the files of a profile are larger than the caller accepts."""


@attrs.frozen(eq=False, repr=False)
class ProfileFiles:
    """The files of a profile in one state.

    Attributes:
        files: file name, as in `healthapi.profile`, to bytes.
        digests: name to SHA-256 of everything that was read, column mappings included.
        settled: whether any later change will alter the states.

    """

    columns: ProfileMap | DataError
    files: Mapping[str, bytes]
    digests: Mapping[str, bytes]
    states: States
    settled: bool

    @property
    def written(self) -> int | None:
        """When the last of the tables was written, in ms since the epoch; None without tables."""
        tables = filter(None, (self.states[name] for name in self.files if name.startswith("csv/")))
        return max((state.modified // MILLISECOND_NS for state in tables), default=None)


def file_error(name: str, rule: FileRule) -> DataError:
    """Return the error for a file of a profile; for its folder if the name is empty."""
    path = pointer(name.split("/")) if name else ""
    return DataError(findings=(Finding(path, rule, _MESSAGES[rule]),))


def stat_files(folder: Path, names: Iterable[str]) -> States:
    """Return the states of paths below the folder of a profile; raise OSError."""
    return {name: _state_of(f"{folder}/{name}") for name in names}


def read_files(
    root: Path, profile_id: str, columns: ProfileMap, now: int, max_bytes: int
) -> ProfileFiles | None:
    """Return the files of a profile below the root; None if there is no such folder.

    `columns` is the column mapping if there is no `columns.toml`, `now` in ms since the epoch.

    Raises:
        DataError: a file exists and cannot be read.
        FilesChanged: a file changed during each attempt to read it.
        FilesTooLarge: the files together have more than `max_bytes`.
        OSError: the root cannot be read.

    """
    for pause in PAUSES_SECONDS:
        time.sleep(pause)
        with suppress(FilesChanged):
            return _read_once(root, profile_id, columns, now, max_bytes)
    raise FilesChanged


def _read_once(
    root: Path, profile_id: str, columns: ProfileMap, now: int, max_bytes: int
) -> ProfileFiles | None:
    with ExitStack() as stack:
        root_fd = _open_folder(stack, root, None)
        try:
            folder = _open_folder(stack, profile_id, root_fd)
        except OSError as error:
            if error.errno in _MISSING | _NO_FOLDER:
                return None
            raise file_error("", "file.unreadable") from error
        attempt = _ReadAttempt(
            stack, root / profile_id, now, {".": _folder_state(os.fstat(folder))}
        )
        return attempt.profile(root_fd, folder, columns, max_bytes)


@attrs.define(eq=False)
class _ReadAttempt:
    """One attempt to read; all files stay open until it ends, so that no inode is reused."""

    stack: ExitStack
    folder: Path
    now: int
    states: dict[str, FileState | None]
    opened: dict[str, int] = attrs.field(factory=dict)
    digests: dict[str, bytes] = attrs.field(factory=dict)

    def profile(
        self, root_fd: int, folder: int, default: ProfileMap, max_bytes: int
    ) -> ProfileFiles:
        columns = self._columns(root_fd, folder, default)
        files: dict[str, bytes] = {}
        if not isinstance(columns, DataError):
            folders = {name: self._subfolder(name, folder) for name in _FOLDERS}
            folders[""] = folder
            names = list_files(columns)
            for name in names:
                self._open(name, folders[name.rpartition("/")[0]], max_bytes_of(name))
            if sum(state.size for state in filter(None, self.states.values())) > max_bytes:
                raise FilesTooLarge
            files = {name: self._read(name) for name in names if name in self.opened}
        settled = all(state.has_settled(self.now) for state in filter(None, self.states.values()))
        self._check_unchanged(settled=settled)
        return ProfileFiles(columns, files, self.digests, self.states, settled)

    def _columns(self, root_fd: int, folder: int, default: ProfileMap) -> ProfileMap | DataError:
        for name, place in ((COLUMNS_FILE, folder), (_SHARED_COLUMNS, root_fd)):
            self._open(name, place, COLUMNS_FILE_BYTES)
            if name in self.opened:
                try:
                    return parse_column_mapping(self._read(name), name)
                except DataError as error:
                    return error
        return default

    def _subfolder(self, name: str, parent: int) -> int | None:
        """Open a folder of the profile; return None if it does not exist."""
        try:
            descriptor = _open_folder(self.stack, name, parent)
        except OSError as error:
            if error.errno == errno.ENOENT:
                self.states[name] = None
                return None
            is_other = error.errno in _NO_FOLDER
            raise file_error(name, "file.kind" if is_other else "file.unreadable") from error
        self.states[name] = _folder_state(os.fstat(descriptor))
        return descriptor

    def _open(self, name: str, folder: int | None, max_bytes: int) -> None:
        """Open a file if it exists, and record its state."""
        self.states[name] = None
        if folder is None:
            return
        base = name.rpartition("/")[2]
        try:
            # Opening a device can have effects.
            if not is_file(os.stat(base, dir_fd=folder, follow_symlinks=False)):
                raise file_error(name, "file.kind")
            descriptor = os.open(base, READ_FLAGS, dir_fd=folder)
        except FileNotFoundError:
            return
        except OSError as error:
            is_link = error.errno == errno.ELOOP
            raise file_error(name, "file.kind" if is_link else "file.unreadable") from error
        self.stack.callback(os.close, descriptor)
        self.opened[name] = descriptor
        status = os.fstat(descriptor)
        if not is_file(status):
            raise file_error(name, "file.kind")
        if status.st_size > max_bytes:
            raise file_error(name, "file.size")
        self.states[name] = FileState.of(status)

    def _read(self, name: str) -> bytes:
        data = self._bytes(name)
        self.digests[name] = hashlib.sha256(data).digest()
        return data

    def _bytes(self, name: str) -> bytes:
        """Read a file of the recorded size; any other size is a change."""
        state = self.states[name]
        size = state.size if state else 0
        parts: list[bytes] = []
        done = 0
        try:
            while done <= size and (part := os.pread(self.opened[name], size + 1 - done, done)):
                parts.append(part)
                done += len(part)
        except OSError as error:
            raise file_error(name, "file.unreadable") from error
        if done != size:
            raise FilesChanged
        return b"".join(parts)

    def _check_unchanged(self, *, settled: bool) -> None:
        if not settled:
            for name, digest in self.digests.items():
                if hashlib.sha256(self._bytes(name)).digest() != digest:
                    raise FilesChanged
        try:
            states = stat_files(self.folder, self.states)
        except OSError as error:
            raise FilesChanged from error
        if states != self.states:
            raise FilesChanged


def _open_folder(stack: ExitStack, name: str | Path, parent: int | None) -> int:
    """Open a folder until the stack ends and return its descriptor; only the root may be a link."""
    flags = _FOLDER_FLAGS if parent is not None else _FOLDER_FLAGS & ~getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(name, flags, dir_fd=parent)
    stack.callback(os.close, descriptor)
    return descriptor


def _state_of(path: str) -> FileState | None:
    try:
        status = os.lstat(path)
    except OSError as error:
        if error.errno in _MISSING:
            return None
        raise
    return _folder_state(status) if stat.S_ISDIR(status.st_mode) else FileState.of(status)


def _folder_state(status: os.stat_result) -> FileState:
    return FileState(status.st_dev, status.st_ino, 0, 0, 0, 0)


def max_bytes_of(name: str) -> int:
    """Return the limit for a file of a profile."""
    if name == REPORT_FILE:
        return REPORT_BYTES
    return limits.SNAPSHOT_FILE_BYTES if name == SNAPSHOT_FILE else limits.CSV_FILE_BYTES
