"""Where a shallow history ends.

Invariant *a root is no boundary*: git also notes commits where the depth that was asked for ends
though nothing is behind them; only a commit that has parents is one where the history is cut off.
"""

import os
from pathlib import Path
from typing import Final

from sitedata.adapters.git_reading.commands import Git
from sitedata.adapters.git_reading.errors import RepositoryError
from sitedata.adapters.git_reading.paths import small_file

__all__ = ["boundaries"]

_HASH_LENGTHS: Final = (40, 64)


def boundaries(git: Git) -> frozenset[str]:
    """Give the hashes of the commits whose parents were left out."""
    noted = _noted(git)
    if not noted:
        return frozenset()
    asked = "".join(f"{commit}\n" for commit in noted)
    return frozenset(_with_parents(git.output("cat-file", "--batch", given=asked.encode())))


def _noted(git: Git) -> list[str]:
    path = Path(os.fsdecode(git.output("rev-parse", "--git-path", "shallow").removesuffix(b"\n")))
    lines = (small_file(path) or b"").split()
    if not all(len(line) in _HASH_LENGTHS and line.isalnum() for line in lines):
        raise RepositoryError("repository.corrupt")
    return [line.decode("ascii", "replace") for line in lines]


def _with_parents(objects: bytes) -> list[str]:
    """Pick the commits that name a parent; an object is a line about it, its bytes, a line end."""
    found, start = [], 0
    while start < len(objects):
        end = objects.index(b"\n", start)
        commit, kind, *size = objects[start:end].split(b" ")
        length = int(size[0]) if size else -1  # `missing` has no bytes and no line end of theirs
        header = objects[end + 1 : end + 1 + max(length, 0)].split(b"\n\n")[0]
        if kind == b"commit" and b"\nparent " in header:
            found.append(commit.decode())
        start = end + 1 + length + 1
    return found
