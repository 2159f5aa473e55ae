"""What is known of a repository at a reference: its tree, when its paths were touched, its commits.

Source: rulings under "Site-data file".  An adapter reads it (`sitedata.adapters.git`), the builder
makes a snapshot of it; between them are these values and nothing else.
"""

from collections.abc import Mapping
from typing import Literal

import attrs

__all__ = ["Dates", "FileKind", "History", "Touch", "TreeFile"]

FileKind = Literal["file", "symlink", "submodule"]
Dates = Literal["last-touched", "first-added"]
"""Which commit dates a path: the newest that touched it, or the oldest that added it, across
renames."""


@attrs.frozen
class TreeFile:
    """An entry of the tree; `name`: its path from the root, as the bytes that git has."""

    name: bytes
    kind: FileKind = "file"


@attrs.frozen
class Touch:
    """A commit that dates a path.

    Attributes:
        commit: its hash.
        seconds: committer time, seconds since the epoch.
        offset: of the committer's zone from UTC, in minutes.
        is_boundary: whether the history ends here though the commit has parents: it seems to add
            all that it has, so its time dates nothing.

    """

    commit: str
    seconds: int
    offset: int
    is_boundary: bool = False


@attrs.frozen(repr=False)
class History:
    """A repository at a reference.

    Attributes:
        ref: the reference as it was asked for.
        branch: its short name.
        commit: hash of the commit it names.
        remote: URL of the repository it was cloned from, without credentials; None: not known.
        files: the tree, sorted by name.
        touches: name to the commit that dates it, bulk commits left out; a name without one was
            touched by bulk commits only.
        commit_count: commits that the reference reaches.
        contributions: day (`YYYY-MM-DD`) to the commits whose committer time falls on it.
        is_shallow: whether the history is cut off, so that counts and dates are of a part only.
        suspects: commits that changed very many paths at once, with how many, newest first.

    """

    ref: str
    branch: str
    commit: str
    remote: str | None
    files: tuple[TreeFile, ...]
    touches: Mapping[bytes, Touch]
    commit_count: int
    contributions: Mapping[str, int]
    is_shallow: bool = False
    suspects: tuple[tuple[str, int], ...] = ()

    def __repr__(self) -> str:
        return f"<History of {self.ref}: {len(self.files)} files, {self.commit_count} commits>"
