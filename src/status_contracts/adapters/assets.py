"""Serve the static files of one folder, with validators.

Invariant *inside the root*: only regular files are served, and a symbolic link only if its target
is below the root.  Names are ASCII letters, digits, hyphens and dots, without a leading dot, so no
name contains a separator.
Invariant *whole files*: bytes and validators belong to one state of one file.  A file that is
replaced while it is read is served as it was; one that is written in place raises OSError.
"""

import errno
import os
import re
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

import attrs

from status_contracts.adapters.clocks import MILLISECOND_NS, system_clock
from status_contracts.adapters.files import READ_FLAGS, FileState, is_file
from status_contracts.conditional import http_date
from status_contracts.exchange import Clock
from status_contracts.instants import SECOND_MS
from status_contracts.messages import Asset

_NAME: Final = re.compile(r"[A-Za-z0-9-][A-Za-z0-9.-]{0,254}")


class FolderAssets:
    """An `AssetSource` of the files of a folder.

    ETags are strong digests of the content.  Last-Modified is the file's time; it is omitted while
    another change could have the same second, and for times before 1970.

    Args:
        root: the folder; it may be replaced, or be a link that changes, while in use.

    """

    def __init__(self, root: str | os.PathLike[str], *, clock: Clock = system_clock) -> None:
        self._root = Path(root).absolute()
        self._clock = clock

    def read_asset(self, name: str) -> Asset | None:
        """Return a file, None if there is none; raise OSError if the folder or it is unreadable."""
        if not _NAME.fullmatch(name):
            return None
        descriptor = _open_below(self._root.resolve(strict=True), name)
        if descriptor is None:
            return None
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not is_file(status):
                return None
            body = _read_whole(file, FileState.of(status))
        modified = status.st_mtime_ns // MILLISECOND_NS
        is_past = 0 <= modified // SECOND_MS < self._clock() // SECOND_MS
        date = http_date(modified) if is_past else None
        return Asset(body, f'"{sha256(body).hexdigest()}"', date)


def _open_below(root: Path, name: str) -> int | None:
    """Open a regular file below the root; return None if there is none of that name."""
    if not root.is_dir():
        raise NotADirectoryError("the root of the assets is not a directory")
    path = Path(os.path.realpath(root / name))
    if not path.is_relative_to(root):
        return None
    try:
        return os.open(path, READ_FLAGS) if is_file(path.stat()) else None
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:  # or links in a circle
            return None
        raise


def _read_whole(file: BinaryIO, state: FileState) -> bytes:
    """Read the file; raise OSError if it was written meanwhile."""
    body = file.read()
    after = FileState.of(os.fstat(file.fileno()))
    if after.links < max(state.links, 1):  # replaced: losing its name changes these, even late
        after = attrs.evolve(after, links=state.links, changed=state.changed)
    if after != state or len(body) != state.size:
        raise OSError(errno.EBUSY, "a file was written while it was read")
    return body
