"""Read the history of a git repository: its tree, the dates of its paths, its commits by day.

    from sitedata.adapters.git import read_history

    history = read_history("practice", "main")

Git itself reads the objects, because nothing is faster.  A path is dated from the changes of all
commits, newest first, and is searched under the name that it had at the time; so a name may stand
for several paths of the tree, for example after two branches renamed one file differently.

Invariant *nothing is changed, run or fetched*: see `sitedata.adapters.git_process`.
Invariant *all or an error*: a repository that cannot be read completely raises `RepositoryError`.
Invariant *bulk commits date last*: they date only what they added and what no other commit changed.
Invariant *deletions never date*: a removal on one branch does not end the search on the others.
Invariant *old dates stay*: a commit is measured by the listed files that existed at its time.
Invariant *renames do not date*: renamed paths are searched under their old names.
Invariant *nothing before a boundary*: a path that a boundary commit seems to add is dated by that
commit, never by an older one.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from sitedata.adapters.git_commits import (
    PathChange,
    days_in,
    read_boundaries,
    read_commits,
    read_names,
    similar_changes,
)
from sitedata.adapters.git_process import Git, RepositoryCode, RepositoryError
from sitedata.adapters.git_repository import (
    open_repository,
    read_root_file,
    read_tree,
    read_words,
    remote_url,
    resolve,
)
from sitedata.building.history import (
    BULK_FILES,
    CommitDate,
    Dates,
    History,
    Listing,
    TreeFile,
    is_bulk,
)
from sitedata.building.settings import CONFIG_FILE, CONFIG_FILE_BYTES, BuildSettings
from sitedata.building.tree import list_problems

__all__ = [
    "Opened",
    "RepositoryCode",
    "RepositoryError",
    "history_of",
    "list_files",
    "opened",
    "read_history",
    "read_settings_text",
]


class Opened(NamedTuple):
    """A repository that is open at a reference: git, the reference, its commit, its short name."""

    git: Git
    ref: str
    commit: str
    branch: str

    @property
    def remote(self) -> str | None:
        """Web address of the cloned repository; None if unknown."""
        return remote_url(self.git)

    @property
    def folder(self) -> str:
        """The name of its folder; that of a bare one is its own."""
        store = self.git.folder or Path()
        folders = (folder.parent for folder in (store, *store.parents) if folder.name == ".git")
        return next(folders, store).name.removesuffix(".git")


Repository = str | os.PathLike[str] | Opened
"""A bare repository, a work tree, a folder inside one, or one that is open."""


@contextmanager
def opened(repository: Repository, ref: str = "HEAD") -> Iterator[Opened]:
    """Open a repository at a reference, unless it is open; raise RepositoryError."""
    if isinstance(repository, Opened):
        yield repository
        return
    with tempfile.TemporaryDirectory(prefix="sitedata-") as scratch:
        git = open_repository(repository, Path(scratch))
        yield Opened(git, ref, *resolve(git, ref))


def list_files(repository: Repository, ref: str = "HEAD") -> tuple[TreeFile, ...]:
    """List the files of a repository at a reference, sorted by name; raise RepositoryError."""
    with opened(repository, ref) as at:
        return read_tree(at.git, at.commit)


def read_settings_text(repository: Repository, ref: str = "HEAD") -> bytes | None:
    """Return `site-data.toml` in the root of a reference; None if there is no such regular file.

    A file of the work tree is not read.  Arguments and errors are those of `read_history`.
    """
    with opened(repository, ref) as at:
        return read_root_file(at.git, at.commit, CONFIG_FILE, CONFIG_FILE_BYTES)


def read_history(
    repository: Repository,
    ref: str = "HEAD",
    *,
    dates: Dates = "last-touched",
    listed: Callable[[tuple[TreeFile, ...]], Listing] | None = None,
    zone: str = "UTC",
    reads_files: bool = False,
) -> History:
    """Read a repository at a reference.

    Args:
        repository: a bare repository, a work tree, a folder inside one, or one that is open.
        ref: branch, tag or hash; that of an open repository counts.
        dates: which commit dates a path.
        listed: returns the problems of the files, which are dated; None dates all files.
        zone: the time zone in which commits are counted by day: an IANA name, or an offset such as
            `+09:00`.
        reads_files: whether the listed files, and READMEs beside them, are read for their links.

    Raises:
        RepositoryError: the repository cannot be read; its `code` names the reason.

    """
    try:
        day_of = days_in(zone)
    except LookupError:
        raise RepositoryError("zone.unknown") from None
    with opened(repository, ref) as (git, ref, commit, branch):  # noqa: PLR1704 - of the open one
        boundaries = read_boundaries(git)
        # the tree first: one that is too large is rejected before git compares it with others
        files = read_tree(git, commit)
        is_first = dates == "first-added"
        count, is_shallow, days = 0, False, Counter[str]()
        offsets, since = Counter[int](), None
        with read_commits(git, commit, boundaries, is_first=is_first) as commits:
            # git reads the history while the files are listed
            listing = None if listed is None else listed(files)
            names = {file.name for file in (files if listing is None else listing.entries)}
            dating = Dating(git, names, is_first=is_first)
            for date, changes in commits:
                dating.add(date, changes)
                count += 1
                is_shallow |= date.is_boundary
                since = date.seconds - _YEAR_SECONDS if since is None else since
                if date.seconds > since:
                    offsets[date.offset] += 1
                with suppress(OverflowError, ValueError):  # a time outside the calendar
                    days[day_of(date.seconds)] += 1
        return History(
            ref=ref,
            branch=branch,
            commit=commit,
            remote=remote_url(git),
            files=files,
            commit_dates=dating.dates,
            commit_count=count,
            contributions=dict(days),
            is_shallow=is_shallow,
            bulk=tuple(dating.bulk),
            additions={} if is_first else dating.added,
            offsets=dict(offsets),
            words=read_words(git, commit, names) if reads_files else {},
            listing=listing,
        )


_YEAR_SECONDS: Final = 365 * 86_400


def history_of(repository: Repository, settings: BuildSettings) -> History:
    """Read a repository as `read_history` does, with the dates and the zone of settings."""
    return read_history(
        repository,
        dates=settings.dates,
        listed=partial(list_problems, settings=settings),
        zone=settings.zone,
        reads_files=settings.reads_files,
    )


class Dating:
    """Dates the paths of a tree from commits, which are added newest first.

    A path is searched under its name of the time, whether it has a date or not, because bulk
    commits are measured by the paths that they change.
    """

    def __init__(self, git: Git, paths: Collection[bytes], *, is_first: bool) -> None:
        self._git, self._paths, self._is_first = git, paths, is_first
        self._searched: dict[bytes, tuple[bytes, ...]] = {path: (path,) for path in paths}
        """Each name that is searched, and the paths of the tree that it stands for."""
        self._touched: dict[bytes, CommitDate] = {}
        """Path to the newest commit that changed its content or added it."""
        self._touched_in_bulk: dict[bytes, CommitDate] = {}
        self.added: dict[bytes, CommitDate] = {}
        """Path to the oldest commit so far that added it, under any name."""
        self._first: set[bytes] = set()
        """Paths whose first commit is known; commits before it belong to another file."""
        self.bulk: list[tuple[str, int]] = []
        """The bulk commits that were recognized, with the number of listed files they changed."""

    @property
    def dates(self) -> dict[bytes, CommitDate]:
        """The dated paths, when no older commits follow."""
        return self.added if self._is_first else self._touched_in_bulk | self._touched

    def add(self, date: CommitDate, changes: list[PathChange]) -> None:
        """Add the next older commit."""
        touched = self._touched
        if not (self._is_first or date.is_boundary):
            count, similar = self._bulk_changes(date.commit, changes)
            if count:
                self.bulk.append((date.commit, count))
                changes, touched = similar, self._touched_in_bulk
        for change in changes:
            for path in self._searched.get(change.name, ()):
                if change.kind == "A":
                    self._touched.setdefault(path, date)
                elif change.kind == "M":
                    touched.setdefault(path, date)
        self._add_first(date, changes)
        self._follow_renames(changes)

    def _add_first(self, date: CommitDate, changes: Iterable[PathChange]) -> None:
        """Record additions; where a name was removed, its first commit is known.

        If several branches added a name, the oldest addition counts.
        """
        renamed: list[bytes] = []
        for kind, name, old in changes:
            if kind == "A":
                for path in self._searched.get(name, ()):
                    if path not in self._first:
                        self.added[path] = date
                        if date.is_boundary:
                            self._first.add(path)
            elif kind != "M":
                self._first.update(
                    path for path in self._searched.get(old, ()) if path in self.added
                )
                if kind == "R":
                    renamed += self._searched.get(name, ())
        for path in renamed:
            if path not in self._first:
                self.added.pop(path, None)

    def _follow_renames(self, changes: Iterable[PathChange]) -> None:
        moved = [
            (change.old, self._searched.pop(change.name))
            for change in changes
            if change.kind == "R" and change.name in self._searched
        ]
        for old, paths in moved:
            self._searched[old] = self._searched.get(old, ()) + paths

    def _bulk_changes(self, commit: str, changes: list[PathChange]) -> tuple[int, list[PathChange]]:
        """Return how many listed files a bulk commit changed, and its changes; else 0 and none.

        Renames are those of similar files.  An added file is a changed one only if it is one of
        them, so contents are read where files were added and removed.
        """
        if len(changes) < BULK_FILES:
            return 0, []
        names: dict[str, list[bytes]] = {"A": [], "D": [], "M": [], "R": []}
        for change in changes:
            names[change.kind].append(change.name)
        modified, added = self._count(names["M"]), self._count(names["A"])
        moved = min(added, len(names["D"]))
        if modified + moved < BULK_FILES:
            return 0, []
        before = len(self._paths)
        if not is_bulk(modified + moved, before):
            there = self._searched.keys() & read_names(self._git, commit)
            before = self._count(there) - added + moved
        if moved and is_bulk(modified + moved, before):
            changes = similar_changes(self._git, commit)
            equal = set(names["R"])
            moved = self._count(
                change.name for change in changes if change.kind == "R" and change.name not in equal
            )
        count = modified + moved
        return (count, changes) if is_bulk(count, before) else (0, [])

    def _count(self, names: Iterable[bytes]) -> int:
        """Return how many paths of the tree have one of these names at the time."""
        return sum(len(self._searched.get(name, ())) for name in names)
