"""Read the history of a git repository: its tree, the dates of its paths, its commits by day.

    from sitedata.adapters.git import read_history

    history = read_history("practice", "main")

Git itself reads the objects, because nothing is faster.  It runs once for the tree, once for the
commits, and for the changes of commits in parallel on all processors, part by part.

Invariant *nothing is changed, run or fetched*: see `sitedata.adapters.git_reading.process`.
Invariant *all or an error*: a repository that cannot be read completely raises `RepositoryError`.
"""

import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

import attrs

from purewire.adapters.zones import days_in
from sitedata.adapters.config import CONFIG_FILE, CONFIG_FILE_BYTES
from sitedata.adapters.git_reading.changes import (
    Change,
    Changed,
    bulk_commits,
    changes_with_renames,
    read_changes,
)
from sitedata.adapters.git_reading.commits import Commits, boundaries, list_commits
from sitedata.adapters.git_reading.dating import Dater, FirstAdded, LastTouched
from sitedata.adapters.git_reading.errors import RepositoryCode, RepositoryError
from sitedata.adapters.git_reading.process import Git
from sitedata.adapters.git_reading.references import (
    read_root_file,
    read_tree,
    remote_url,
    resolve,
)
from sitedata.adapters.git_reading.repository import open_repository
from sitedata.building.dates import is_bulk
from sitedata.building.history import Dates, History, TreeFile

__all__ = [
    "Listing",
    "Progress",
    "RepositoryCode",
    "RepositoryError",
    "list_files",
    "read_history",
    "read_settings_text",
]

Progress = Callable[[int, int], None]
"""Called with the number of commits done and of all commits; the last call has all of both."""

_STEP: Final = 256
"""Commits between two calls of `Progress`."""


@attrs.frozen(repr=False)
class Listing:
    """The files of a repository at a reference.

    Attributes:
        branch: short name of the reference, as `HEAD` if it names no branch or tag.
        folder: name of the folder of the repository.
        remote: URL of the cloned repository, without credentials; None if unknown.
        files: the tree, sorted by name.

    """

    branch: str
    folder: str
    remote: str | None
    files: tuple[TreeFile, ...]


def list_files(repository: str | os.PathLike[str], ref: str = "HEAD") -> Listing:
    """List the files of a repository at a reference, without its history.

    Args:
        repository: a bare repository, a work tree, or a folder inside one.
        ref: branch, tag or hash.

    Raises:
        RepositoryError: the repository cannot be read; its `code` names the reason.

    """
    with tempfile.TemporaryDirectory(prefix="sitedata-") as scratch:
        git = open_repository(repository, Path(scratch))
        reference = resolve(git, ref)
        files = read_tree(git, reference.commit)
        return Listing(reference.branch, _folder_name(git.folder), remote_url(git), files)


def read_settings_text(repository: str | os.PathLike[str], ref: str = "HEAD") -> bytes | None:
    """Return `site-data.toml` in the root of a reference; None if there is no such regular file.

    A file of the work tree is not read.

    Args:
        repository: a bare repository, a work tree, or a folder inside one.
        ref: branch, tag or hash.

    Raises:
        RepositoryError: the repository or the file cannot be read; its `code` names the reason.

    """
    with tempfile.TemporaryDirectory(prefix="sitedata-") as scratch:
        git = open_repository(repository, Path(scratch))
        return read_root_file(git, resolve(git, ref).commit, CONFIG_FILE, CONFIG_FILE_BYTES)


def _folder_name(store: Path | None) -> str:
    """Return the name of the folder that a git folder belongs to; that of a bare one is its own."""
    if store is None:
        return ""
    above = next(
        (folder.parent for folder in (store, *store.parents) if folder.name == ".git"), store
    )
    return above.name.removesuffix(".git")


def read_history(  # noqa: PLR0913 - all but two are settings, by name
    repository: str | os.PathLike[str],
    ref: str = "HEAD",
    *,
    dates: Dates = "last-touched",
    bulk: Iterable[str] = (),
    listed: Callable[[tuple[TreeFile, ...]], Collection[bytes]] | None = None,
    zone: str = "UTC",
    progress: Progress | None = None,
) -> History:
    """Read a repository at a reference.

    Args:
        repository: a bare repository, a work tree, or a folder inside one.
        ref: branch, tag or hash.
        dates: which commit dates a path.
        bulk: commits that are ignored for dating: hashes, or at least their first seven digits.
        listed: returns the names of the files that are dated; None dates all.
        zone: IANA name of the time zone in which commits are counted by day.
        progress: called as the reading advances; an exception that it raises ends the reading.

    Raises:
        RepositoryError: the repository cannot be read; its `code` names the reason.

    """
    try:
        day_of = days_in(zone)
    except LookupError:
        raise RepositoryError("zone.unknown") from None
    with tempfile.TemporaryDirectory(prefix="sitedata-") as scratch:
        git = open_repository(repository, Path(scratch))
        reference = resolve(git, ref)
        ends = boundaries(git)
        ignored = bulk_commits(git, bulk, is_shallow=bool(ends))
        follows = dates == "first-added"
        commits = list_commits(git, reference.commit, ends, day_of, is_strict=follows)
        renamed = {} if follows else changes_with_renames(git, ignored)
        # the tree first: one that is too large is rejected before git compares it with others
        files = read_tree(git, reference.commit)
        with read_changes(git, commits.parts, renames="similar" if follows else "exact") as changed:
            names = {file.name for file in files} if listed is None else listed(files)
            dating = _Dating(git, commits, len(names), ignored, renamed, progress)
            added = FirstAdded(names)
            touched = None if follows else LastTouched(names)
            recognized = dating.run(added, touched, changed)
        return History(
            ref=reference.text,
            branch=reference.branch,
            commit=reference.commit,
            remote=remote_url(git),
            files=files,
            commit_dates=(touched or added).dates(),
            commit_count=commits.count,
            contributions=commits.contributions,
            is_shallow=commits.is_shallow,
            bulk=recognized,
            additions={} if touched is None else added.dates(),
        )


@attrs.frozen(eq=False, repr=False)
class _Dating:
    """Reads commits from the newest to the oldest."""

    git: Git
    commits: Commits
    listed: int
    named: frozenset[str]
    renamed: Mapping[str, list[Change]]
    progress: Progress | None

    def run(
        self, added: FirstAdded, touched: LastTouched | None, changed: Iterator[Changed]
    ) -> tuple[tuple[str, int], ...]:
        """Add all commits to the daters; return the bulk commits that are recognized.

        They are recognized only for `touched`.
        """
        bulk: list[tuple[str, int]] = []
        daters: list[Dater] = [added] if touched is None else [added, touched]
        with closing(self.commits.dates()) as dates:
            for done, (date, (commit, changes)) in enumerate(zip(dates, changed, strict=True)):
                if date.commit != commit:
                    raise RepositoryError("repository.corrupt")
                if done % _STEP == 0:
                    self._report(done)
                count = 0 if touched is None or date.is_boundary else added.count_changed(changes)
                if commit in self.named:
                    for dater in daters:
                        dater.follow_renames(self.renamed.get(commit, changes))
                elif touched is not None and is_bulk(count, self.listed):
                    bulk.append((commit, count))
                    similar = self._similar(commit, changes)
                    added.add(date, similar)
                    touched.add_bulk(date, similar)
                else:
                    for dater in daters:
                        dater.add(date, changes)
        self._report(self.commits.count)
        return tuple(bulk)

    def _similar(self, commit: str, changes: list[Change]) -> list[Change]:
        """Return the changes of a bulk commit with renames of similar files.

        A partial clone lacks their contents, so there renames are those of equal files.
        """
        if {"A", "D"} <= {change.kind for change in changes}:
            try:
                return changes_with_renames(self.git, frozenset([commit]))[commit]
            except RepositoryError as error:
                if error.code != "repository.partial":
                    raise
        return changes

    def _report(self, done: int) -> None:
        if self.progress is not None:
            self.progress(done, self.commits.count)
