"""A git repository as a history: its tree, what dates each path, its commits by day.

    from sitedata.adapters.git import read_history

    history = read_history("practice", "main")

Source: rulings under "Site-data file".  Git itself does the reading, for nothing is faster; it is
asked once for the tree, once for the commits, and for what each commit changed, stretch by stretch
on all processors, until every path is dated.

Invariant *nothing is changed, run or fetched*: see `sitedata.adapters.git_reading.commands`.
Invariant *all or an error*: what cannot be read is a `RepositoryError`, never a part of a history.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

import attrs

from sitedata.adapters.git_reading.boundary import boundaries
from sitedata.adapters.git_reading.bulk import bulk_commits, renames_of
from sitedata.adapters.git_reading.changes import Change, Changed, read_changes
from sitedata.adapters.git_reading.commits import Commits, list_commits
from sitedata.adapters.git_reading.dating import Dater, FirstAdded, LastTouched
from sitedata.adapters.git_reading.errors import RepositoryCode, RepositoryError
from sitedata.adapters.git_reading.opening import open_repository
from sitedata.adapters.git_reading.references import resolve
from sitedata.adapters.git_reading.remote import remote_url
from sitedata.adapters.git_reading.tree import read_tree
from sitedata.adapters.zones import days_in
from sitedata.building.history import Dates, History, Touch

__all__ = ["Progress", "RepositoryCode", "RepositoryError", "read_history"]

Progress = Callable[[int, int], None]
"""Called with the commits that were looked at, and all of them; the last time with all of both."""

_STEP: Final = 256
"""Commits between two calls of it."""


def read_history(  # noqa: PLR0913 - all but two are settings, by name
    repository: str | os.PathLike[str],
    ref: str = "HEAD",
    *,
    dates: Dates = "last-touched",
    bulk: Iterable[str] = (),
    suspect: int = 500,
    zone: str = "UTC",
    progress: Progress | None = None,
) -> History:
    """Read a repository at a reference.

    Raises RepositoryError; its `code` says why.

    Args:
        repository: a bare repository, a work tree, or a folder inside one.
        ref: branch, tag or hash.
        dates: which commit dates a path.
        bulk: commits that date nothing: hashes, or at least their first seven digits.
        suspect: a commit that changed more files of the tree than so many is a suspect, unless it
            is listed as bulk; commits older than all that dates anything are not looked at.
        zone: whose days count the commits; an IANA name.
        progress: is told how far the reading is; what it raises ends the reading.

    """
    try:
        day_of = days_in(zone)
    except LookupError:
        raise RepositoryError("zone.unknown") from None
    with tempfile.TemporaryDirectory(prefix="sitedata-") as scratch:
        git = open_repository(repository, Path(scratch))
        reference = resolve(git, ref)
        ends = boundaries(git)
        left_out = bulk_commits(git, bulk, is_cut_off=bool(ends))
        follows = dates == "first-added"
        commits = list_commits(git, reference.commit, ends, day_of, is_strict=follows)
        renamed = {} if follows else renames_of(git, left_out)
        with read_changes(git, commits.parts, renames=follows) as changed:
            files = read_tree(git, reference.commit)
            names = frozenset(file.name for file in files)
            dater: Dater = FirstAdded(names) if follows else LastTouched(names)
            walk = _Walk(commits, names, left_out, renamed, suspect, progress or _tell_nobody)
            suspects = walk.date(dater, changed)
        return History(
            ref=reference.asked,
            branch=reference.branch,
            commit=reference.commit,
            remote=remote_url(git),
            files=files,
            touches=dater.dates(),
            commit_count=commits.count,
            contributions=commits.contributions,
            is_shallow=commits.is_shallow,
            suspects=suspects,
        )


@attrs.frozen(eq=False, repr=False)
class _Walk:
    """The way from the newest commit to the oldest, as far as anything is left to date."""

    commits: Commits
    names: frozenset[bytes]
    bulk: frozenset[str]
    renamed: Mapping[str, list[Change]]
    suspect: int
    progress: Progress

    def date(self, dater: Dater, changed: Iterator[Changed]) -> tuple[tuple[str, int], ...]:
        """Let all commits date what they do; give the suspects."""
        suspects: list[tuple[str, int]] = []
        for touch, changes in self._in_step(changed):
            if touch.commit in self.bulk:
                dater.pass_over(self.renamed.get(touch.commit, changes))
            else:
                dater.take(touch, changes)
                suspects += self._suspected(touch, changes)
            if dater.is_done:
                break
        self.progress(self.commits.count, self.commits.count)
        return tuple(suspects)

    def _in_step(self, changed: Iterator[Changed]) -> Iterator[tuple[Touch, list[Change]]]:
        """Put commits and their changes side by side, and tell how far they are."""
        with closing(self.commits.touches()) as touches:
            for done, (touch, (commit, changes)) in enumerate(zip(touches, changed, strict=True)):
                if touch.commit != commit:
                    raise RepositoryError("repository.corrupt")
                if done % _STEP == 0:
                    self.progress(done, self.commits.count)
                yield touch, changes

    def _suspected(self, touch: Touch, changes: list[Change]) -> list[tuple[str, int]]:
        """Give a commit with the files of the tree that it changed, where these are very many."""
        if len(changes) <= self.suspect or touch.is_boundary:
            return []
        count = sum(change.kind != "D" and change.name in self.names for change in changes)
        return [(touch.commit, count)] if count > self.suspect else []


def _tell_nobody(done: int, count: int) -> None:
    """Take no notice of how far the reading is."""
