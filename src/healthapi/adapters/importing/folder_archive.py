"""Read the files of an export that is unpacked already.

Invariant *inside the folder*: links are reported and not followed, and only regular files are
opened.
"""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from healthapi.adapters.importing.members import MAX_ENTRIES, ArchiveError, Member, refuse_link
from purewire.adapters.files import READ_FLAGS


def folder_members(folder: Path) -> Iterator[Member]:
    """Yield the files of a folder, sorted by path; raise ArchiveError or OSError."""
    found: list[tuple[str, int, bool]] = []
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                else:
                    is_regular = entry.is_file(follow_symlinks=False)
                    size = entry.stat(follow_symlinks=False).st_size if is_regular else 0
                    found.append((entry.path, size, is_regular))
                if len(found) + len(waiting) > MAX_ENTRIES:
                    raise ArchiveError("archive.entries")
    done = 0
    for path, size, is_regular in sorted(found):
        name = Path(path).relative_to(folder).as_posix()
        yield Member(name, size, done, partial(_open, path) if is_regular else refuse_link)
        done += size


def _open(path: str) -> IO[bytes]:
    return os.fdopen(os.open(path, READ_FLAGS), "rb")
