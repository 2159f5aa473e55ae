"""Read the files of an export that is unpacked already.

Invariant *inside the folder*: links are not followed, and only regular files are opened.
"""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from healthapi.adapters.importing.members import MAX_ENTRIES, ArchiveError, Member
from purewire.adapters.files import READ_FLAGS

__all__ = ["folder_members"]


def folder_members(folder: Path) -> Iterator[Member]:
    """Yield the regular files of a folder, sorted by path; raise ArchiveError or OSError."""
    found: list[tuple[str, int]] = []
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    found.append((entry.path, entry.stat(follow_symlinks=False).st_size))
                if len(found) + len(waiting) > MAX_ENTRIES:
                    raise ArchiveError("archive.entries")
    done = 0
    for path, size in sorted(found):
        name = Path(path).relative_to(folder).as_posix()
        yield Member(name, size, done, partial(_open, path))
        done += size


def _open(path: str) -> IO[bytes]:
    return os.fdopen(os.open(path, READ_FLAGS), "rb")
