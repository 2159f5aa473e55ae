"""Values that describe a repository at a reference: its tree, the dates of its paths, its commits.

`sitedata.adapters.git` creates these values, and the builder makes a snapshot of them.
"""

from collections.abc import Mapping
from typing import Literal

import attrs

FileKind = Literal["file", "symlink", "submodule"]
Dates = Literal["last-touched", "first-added"]
"""Which commit dates a path: the newest that touched it, or the oldest that added it, across
renames."""


@attrs.frozen
class TreeFile:
    """An entry of the tree; `name` is its path from the root, as the bytes that git stores."""

    name: bytes
    kind: FileKind = "file"


@attrs.frozen
class CommitDate:
    """A commit that dates a path, in seconds since the epoch and minutes from UTC.

    `is_boundary`: whether a shallow history ends here though the commit has parents.  It seems to
    add all its files, so its time is ignored for dating.
    """

    commit: str
    seconds: int
    offset: int
    is_boundary: bool = False


@attrs.frozen(repr=False)
class History:
    """A repository at a reference.

    Attributes:
        ref: the requested reference.
        branch: its short name.
        commit: hash of the commit that it names.
        remote: URL of the cloned repository, without credentials; None if unknown.
        files: the tree, sorted by name.
        commit_dates: name to the commit that dates it; a missing name was changed by named bulk
            commits only, or is not listed.
        commit_count: number of commits that the reference reaches.
        contributions: day (`YYYY-MM-DD`) to the number of commits with a committer time on it.
        is_shallow: whether the history is incomplete, so counts and dates are partial.
        bulk: commits that were recognized as bulk commits, with the number of listed files that
            each changed, newest first.
        additions: name to the commit that first added it, across renames of equal files; empty if
            that is what dates files.

    """

    ref: str
    branch: str
    commit: str
    remote: str | None
    files: tuple[TreeFile, ...]
    commit_dates: Mapping[bytes, CommitDate]
    commit_count: int
    contributions: Mapping[str, int]
    is_shallow: bool = False
    bulk: tuple[tuple[str, int], ...] = ()
    additions: Mapping[bytes, CommitDate] = attrs.field(factory=dict)

    def __repr__(self) -> str:
        return f"<History of {self.ref}: {len(self.files)} files, {self.commit_count} commits>"
