"""Read the history of a git repository: its tree, the dates of its paths, its commits by day.

    from sitedata.adapters.git import read_history

    history = read_history("practice", "main")

Git itself reads the objects, because nothing is faster.  A path is dated from the changes of all
commits, newest first, and is searched under the name that it had at the time; so a name may stand
for several paths of the tree, for example after two branches renamed one file differently.

Invariant *nothing is changed, run or fetched*: see `sitedata.adapters.git_process`.
Invariant *all or an error*: a repository that cannot be read completely raises `RepositoryError`.
Invariant *bulk changes date last*: one that is named counts as if it did not exist; one that is
recognized dates only what it added and what no other commit changed.
Invariant *renames do not date*: renamed paths are searched under their old names.
Invariant *nothing before a boundary*: a path that a boundary commit seems to add is dated by that
commit, never by an older one.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import attrs

from sitedata.adapters.files import CONFIG_FILE, CONFIG_FILE_BYTES
from sitedata.adapters.git_commits import (
    PathChange,
    bulk_commits,
    read_boundaries,
    read_commits,
    similar_changes,
)
from sitedata.adapters.git_process import Git, RepositoryCode, RepositoryError
from sitedata.adapters.git_repository import (
    open_repository,
    read_root_file,
    read_tree,
    remote_url,
    resolve,
)
from sitedata.adapters.git_words import read_words
from sitedata.building.history import CommitDate, Dates, History, TreeFile, is_bulk
from sitedata.building.settings import BuildSettings
from sitedata.building.tree import listed_names
from status_contracts.adapters.zones import days_in

__all__ = [
    "Progress",
    "RepositoryCode",
    "RepositoryError",
    "RepositoryFiles",
    "history_of",
    "list_files",
    "read_history",
    "read_settings_text",
]

Progress = Callable[[int, int], None]
"""Called with the number of commits done and of all commits; the last call has all of both."""


@attrs.frozen(repr=False)
class RepositoryFiles:
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


def list_files(repository: str | os.PathLike[str], ref: str = "HEAD") -> RepositoryFiles:
    """List the files of a repository at a reference, without its history; raise RepositoryError."""
    with _opened(repository, ref) as (git, commit, branch):
        files = read_tree(git, commit)
        return RepositoryFiles(branch, _folder_name(git.folder), remote_url(git), files)


def read_settings_text(repository: str | os.PathLike[str], ref: str = "HEAD") -> bytes | None:
    """Return `site-data.toml` in the root of a reference; None if there is no such regular file.

    A file of the work tree is not read.  Arguments and errors are those of `read_history`.
    """
    with _opened(repository, ref) as (git, commit, _):
        return read_root_file(git, commit, CONFIG_FILE, CONFIG_FILE_BYTES)


@contextmanager
def _opened(repository: str | os.PathLike[str], ref: str) -> Iterator[tuple[Git, str, str]]:
    with tempfile.TemporaryDirectory(prefix="sitedata-") as scratch:
        git = open_repository(repository, Path(scratch))
        yield git, *resolve(git, ref)


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
    reads_files: bool = False,
    progress: Progress | None = None,
) -> History:
    """Read a repository at a reference.

    Args:
        repository: a bare repository, a work tree, or a folder inside one.
        ref: branch, tag or hash.
        dates: which commit dates a path.
        bulk: commits that are ignored for dating: hashes, or at least their first seven digits.
        listed: returns the names of the files that are dated; None dates all.
        zone: the time zone in which commits are counted by day: an IANA name, or an offset such as
            `+09:00`.
        reads_files: whether the listed files, and READMEs beside them, are read for their links.
        progress: called as the reading advances; an exception that it raises ends the reading.

    Raises:
        RepositoryError: the repository cannot be read; its `code` names the reason.

    """
    try:
        day_of = days_in(zone)
    except LookupError:
        raise RepositoryError("zone.unknown") from None
    with _opened(repository, ref) as (git, commit, branch):
        boundaries = read_boundaries(git)
        named = bulk_commits(git, bulk, is_shallow=bool(boundaries))
        # the tree first: one that is too large is rejected before git compares it with others
        files = read_tree(git, commit)
        names = {file.name for file in files} if listed is None else listed(files)
        is_first = dates == "first-added"
        dating = Dating(git, named, names, None if is_first else LastTouched(names))
        total = 0
        if progress is not None:
            (number,) = git.stream("rev-list", "--count", commit, "--")
            total = int(number)
        count, is_shallow, days = 0, False, Counter[str]()
        offsets, since = Counter[int](), None
        with closing(
            read_commits(
                git,
                commit,
                boundaries,
                renames="similar" if is_first else "exact",
                is_strict=is_first,
            )
        ) as commits:
            for date, changes in commits:
                if progress is not None and count % _STEP == 0:
                    progress(count, total)
                dating.add(date, changes)
                count += 1
                is_shallow |= date.is_boundary
                since = date.seconds - _YEAR_SECONDS if since is None else since
                if date.seconds > since:
                    offsets[date.offset] += 1
                with suppress(OverflowError, ValueError):  # a time outside the calendar
                    days[day_of(date.seconds)] += 1
        if progress is not None:
            progress(total, total)
        return History(
            ref=ref,
            branch=branch,
            commit=commit,
            remote=remote_url(git),
            files=files,
            commit_dates=(dating.touched or dating.added).dates(),
            commit_count=count,
            contributions=dict(days),
            is_shallow=is_shallow,
            bulk=tuple(dating.bulk),
            additions={} if dating.touched is None else dating.added.dates(),
            offsets=dict(offsets),
            words=read_words(git, commit, names) if reads_files else {},
        )


_STEP: Final = 256
"""Commits between two reports of progress."""
_YEAR_SECONDS: Final = 365 * 86_400


def history_of(
    repository: str | os.PathLike[str],
    ref: str,
    settings: BuildSettings,
    progress: Progress | None = None,
) -> History:
    """Read a repository as `read_history` does, with the dates and the zone of settings."""
    return read_history(
        repository,
        ref,
        dates=settings.dates,
        bulk=sorted(settings.bulk),
        listed=partial(listed_names, settings=settings),
        zone=settings.zone,
        reads_files=settings.reads_files,
        progress=progress,
    )


class _Search:
    """Dates paths from commits, which are added newest first."""

    def __init__(self, paths: Iterable[bytes]) -> None:
        self._searched: dict[bytes, tuple[bytes, ...]] = {path: (path,) for path in paths}
        """Each name that is searched, and the paths of the tree that it stands for."""
        self._dates: dict[bytes, CommitDate] = {}

    def follow_renames(self, changes: Iterable[PathChange]) -> None:
        """Search renamed paths under their old names; this is all that a named bulk change does."""
        moved = [
            (change.old, self._searched.pop(change.name))
            for change in changes
            if change.kind == "R" and change.name in self._searched
        ]
        for old, paths in moved:
            self._searched[old] = self._searched.get(old, ()) + paths


class LastTouched(_Search):
    """Dates a path by the newest commit that changed its content or added it."""

    def __init__(self, paths: Iterable[bytes]) -> None:
        super().__init__(paths)
        self._bulk_dates: dict[bytes, CommitDate] = {}

    def add(
        self, date: CommitDate, changes: Sequence[PathChange], *, in_bulk: bool = False
    ) -> None:
        """Date the paths that a commit changed and no newer commit did.

        Of a recognized bulk change, paths that it did not add may have older dates.
        """
        for change in changes:
            if change.kind == "A" or (change.kind != "R" and not in_bulk):
                self._dates |= dict.fromkeys(self._searched.pop(change.name, ()), date)
            elif change.kind == "M":
                for path in self._searched.get(change.name, ()):
                    self._bulk_dates.setdefault(path, date)
        self.follow_renames(changes)

    def dates(self) -> dict[bytes, CommitDate]:
        """Return the dated paths; no older commits follow."""
        return self._bulk_dates | self._dates


class FirstAdded(_Search):
    """Dates a path by the oldest commit that added it, under any name.

    Commits before the removal of a name belong to another file.  If several branches added a name,
    the oldest addition counts.
    """

    def __init__(self, paths: Iterable[bytes]) -> None:
        super().__init__(paths)
        self._added: dict[bytes, CommitDate] = {}
        """Name to the oldest commit so far that added it."""

    def count_changed(self, changes: Iterable[PathChange]) -> int:
        """Return how many paths the next commit adds or changes, under the names of its time."""
        names = (change.name for change in changes if change.kind in {"A", "M"})
        return sum(len(self._searched.get(name, ())) for name in names)

    def add(self, date: CommitDate, changes: Sequence[PathChange]) -> None:
        """Record additions of a commit, close removed names, and follow renames."""
        for change in changes:
            if change.kind == "A" and change.name in self._searched:
                self._added[change.name] = date
                if date.is_boundary:
                    self._close(change.name)
            elif change.kind in {"D", "R"}:
                self._close(change.old)
        for change in changes:
            if change.kind == "R":
                self._added.pop(change.name, None)
        self.follow_renames(changes)

    def dates(self) -> dict[bytes, CommitDate]:
        """Return the dated paths; no older commits follow."""
        for name in list(self._added):
            self._close(name)
        return self._dates

    def _close(self, name: bytes) -> None:
        """Date the paths of a name whose first commit is known."""
        added = self._added.pop(name, None)
        if added is not None:
            self._dates |= dict.fromkeys(self._searched.pop(name), added)


class Dating:
    """Dates the paths of a tree; `touched` is None where the first additions date them."""

    def __init__(
        self,
        git: Git,
        named: frozenset[str],
        names: Collection[bytes],
        touched: LastTouched | None,
    ) -> None:
        self._git, self._named, self._listed_count = git, named, len(names)
        self.added, self.touched = FirstAdded(names), touched
        self.bulk: list[tuple[str, int]] = []
        """The bulk commits that were recognized, with the number of listed files they changed."""

    def add(self, date: CommitDate, changes: list[PathChange]) -> None:
        """Add the next older commit."""
        added, touched = self.added, self.touched
        if date.commit in self._named:
            changes = self._similar(date.commit, changes)
            for search in filter(None, (added, touched)):
                search.follow_renames(changes)
            return
        in_bulk = False
        if touched is not None and not date.is_boundary:
            count = added.count_changed(changes)
            in_bulk = is_bulk(count, self._listed_count)
            if in_bulk:
                self.bulk.append((date.commit, count))
                changes = self._similar(date.commit, changes)
        added.add(date, changes)
        if touched is not None:
            touched.add(date, changes, in_bulk=in_bulk)

    def _similar(self, commit: str, changes: list[PathChange]) -> list[PathChange]:
        """Return the changes of a bulk commit with renames of similar files.

        A partial clone lacks their contents, so there renames are those of equal files, unless the
        commit is named.
        """
        is_named = commit in self._named
        has_pairs = {"A", "D"} <= {change.kind for change in changes}
        if self.touched is not None and (has_pairs or is_named):  # of a rename a merge may show "M"
            try:
                return similar_changes(self._git, commit)
            except RepositoryError as error:
                if error.code != "repository.partial" or is_named:
                    raise
        return changes
