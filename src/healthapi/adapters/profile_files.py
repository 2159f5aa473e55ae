"""Read the files of one profile in one state; POSIX only.

Invariant *one state*: all files are opened, then read, then compared with their states on the disk;
they are returned only if nothing has changed.  While the times of a file have not settled, its
content is compared as well.
Invariant *inside the folder*: each folder and file is opened relative to its open parent, and none
is a symbolic link.  Only regular files are read; a hard link cannot be distinguished from one.
Invariant *nothing else is opened*: the tables of the column mapping, the account snapshot, the
report of imports and the two locations of `columns.toml`; never `auth/`.
"""

import errno
import hashlib
import os
import stat
import time
from collections.abc import Collection, Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final, Literal

import attrs

from healthapi import limits
from healthapi.adapters.column_mapping import COLUMNS_FILE, COLUMNS_FILE_BYTES, parse_column_mapping
from healthapi.errors import DataError
from healthapi.omissions import REPORT_BYTES, REPORT_FILE
from healthapi.profile import list_files
from healthapi.rows.mapping import ProfileMap
from healthapi.snapshot import SNAPSHOT_FILE
from status_contracts.adapters.clocks import MILLISECOND_NS
from status_contracts.adapters.files import READ_FLAGS, FileState, is_file
from status_contracts.findings import Finding, pointer

_FOLDER_FLAGS: Final = READ_FLAGS | getattr(os, "O_DIRECTORY", 0)
_PAUSES_SECONDS: Final = (0, 0.01, 0.04, 0.16)  # before each attempt while files are changed
_SHARED_COLUMNS: Final = f"../{COLUMNS_FILE}"  # of profiles without a mapping of their own
_MAX_BYTES: Final = {
    SNAPSHOT_FILE: limits.SNAPSHOT_FILE_BYTES,
    REPORT_FILE: REPORT_BYTES,
    COLUMNS_FILE: COLUMNS_FILE_BYTES,
}
_OTHER_KIND: Final = frozenset({errno.ENOTDIR, errno.ELOOP, errno.ENXIO})  # file, link, socket

FileRule = Literal["file.kind", "file.size", "file.unreadable", "file.changed"]
_MESSAGES: Final[dict[FileRule, str]] = {
    "file.kind": "must be a regular file in a folder of the profile",
    "file.size": "must not exceed the limit of its kind of file: a table 16 MiB, a snapshot 4 MiB,"
    " a report of imports 1 MiB, a column mapping 64 KiB",
    "file.unreadable": "cannot be read",
    "file.changed": "was being written while it was read",
}


@attrs.frozen(eq=False, repr=False)
class ProfileFiles:
    """The state of the files of a profile."""

    columns: ProfileMap
    digests: Mapping[str, bytes]  # of the existing files and the column mapping
    states: Mapping[str, FileState | None]  # of what may exist; None if it does not
    settled: bool  # any later change will alter the states
    written: int  # when the last table was, in ms since the epoch; 0 without tables

    def are_current(self, folder: Path) -> bool:
        """Check whether the folder of the profile certainly has these files."""
        return self.settled and _stat(folder, self.states) == self.states


def file_error(name: str, rule: FileRule) -> DataError:
    """Return the error for a file of a profile; for its folder if the name is empty."""
    path = pointer(name.split("/")) if name else ""
    return DataError(Finding(path, rule, _MESSAGES[rule]))


def read_files(
    root: Path, profile_id: str, columns: ProfileMap, now: int, without: Collection[str] = ()
) -> tuple[ProfileFiles, Mapping[str, bytes]] | None:
    """Return the files of a profile below the root, and bytes by name; None without its folder.

    `columns` is the column mapping if there is no `columns.toml`, `now` in ms since the epoch.
    Files of the names in `without` are not opened.
    Raises DataError if a file exists and cannot be read, or changes during each attempt to read it,
    and OSError if the root cannot be read.
    """
    for pause in _PAUSES_SECONDS:
        time.sleep(pause)
        with ExitStack() as stack:
            top = os.open(root, os.O_RDONLY)  # the root may be a link
            stack.callback(os.close, top)
            attempt = _Attempt(stack, {"..": top})
            if not attempt.open("", profile_id, top, _FOLDER_FLAGS):
                return None
            files = attempt.files(root / profile_id, columns, now, without)
        if files is not None:
            return files
    raise file_error("", "file.changed")


@attrs.frozen(eq=False)
class _Attempt:
    """One attempt to read; all files stay open until it ends, so that no inode is reused."""

    stack: ExitStack
    opened: dict[str, int]
    states: dict[str, FileState | None] = attrs.field(factory=dict)

    def files(
        self, folder: Path, default: ProfileMap, now: int, without: Collection[str]
    ) -> tuple[ProfileFiles, Mapping[str, bytes]] | None:
        """Return all files; None if one has changed meanwhile."""
        file = next(filter(self.open_file, (COLUMNS_FILE, _SHARED_COLUMNS)), None)
        mapping = b"" if file is None else self.read(file)
        columns = default if file is None else parse_column_mapping(mapping, file)
        for name in ("csv", "cache"):
            self.open(name, name, self.opened[""], _FOLDER_FLAGS)
        names = [name for name in list_files(columns) if name not in without]
        names = list(filter(self.open_file, names))  # all, before one is read
        contents = {name: self.read(name) for name in names}
        settled = all(state.has_settled(now) for state in self.states.values() if state)
        is_other = not settled and any(self.read(name) != data for name, data in contents.items())
        if is_other or _stat(folder, self.states) != self.states:
            return None
        every = {COLUMNS_FILE: mapping, **contents}.items()
        digests = {name: hashlib.sha256(data).digest() for name, data in every}
        times = (state.modified for name, state in self.states.items() if state and "csv/" in name)
        written = max(times, default=0) // MILLISECOND_NS
        return ProfileFiles(columns, digests, self.states, settled, written), contents

    def open_file(self, name: str) -> bool:
        """Open a file of any of the folders; return False if it does not exist."""
        place, _, base = name.rpartition("/")
        self.states[name] = None
        if place not in self.opened or not self.open(name, base, self.opened[place], READ_FLAGS):
            return False
        status = os.fstat(self.opened[name])
        if not is_file(status):
            raise file_error(name, "file.kind")
        if status.st_size > _MAX_BYTES.get(name.removeprefix("../"), limits.CSV_FILE_BYTES):
            raise file_error(name, "file.size")
        return True

    def open(self, name: str, base: str, parent: int, flags: int) -> bool:
        """Open a file or folder of an open folder, and record its state, if it exists."""
        self.states[name] = None
        try:
            descriptor = os.open(base, flags, dir_fd=parent)
        except FileNotFoundError:
            return False
        except OSError as error:
            is_other = error.errno in _OTHER_KIND
            raise file_error(name, "file.kind" if is_other else "file.unreadable") from error
        self.stack.callback(os.close, descriptor)
        self.opened[name], self.states[name] = descriptor, _state_of(os.fstat(descriptor))
        return True

    def read(self, name: str) -> bytes:
        """Read a file of the recorded size; if it has another one, the states differ."""
        state = self.states[name]
        try:
            return os.pread(self.opened[name], state.size if state else 0, 0)
        except OSError as error:
            raise file_error(name, "file.unreadable") from error


def _stat(folder: Path, names: Iterable[str]) -> Mapping[str, FileState | None]:
    states: dict[str, FileState | None] = dict.fromkeys(names)
    for name in states:
        with suppress(OSError):  # what cannot be looked at has changed
            states[name] = _state_of(os.lstat(f"{folder}/{name}"))
    return states


def _state_of(status: os.stat_result) -> FileState:
    """Return a state; of a folder only device and inode, because it may have other files."""
    if stat.S_ISDIR(status.st_mode):
        return FileState(status.st_dev, status.st_ino, 0, 0, 0, 0)
    return FileState.of(status)
