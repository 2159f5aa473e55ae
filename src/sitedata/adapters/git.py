"""Read the history of a git repository: its tree, the dates of its paths, its commits by day.

    from sitedata.adapters.git import read_history

    history = read_history("practice", "main")

Git itself reads the objects, because nothing is faster: the changes of commits on all processors.

Invariant *nothing is changed, run or fetched*: see `sitedata.adapters.git_reading.process`.
Invariant *all or an error*: a repository that cannot be read completely raises `RepositoryError`.
"""

import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from purewire.adapters.zones import days_in
from sitedata.adapters.config import CONFIG_FILE, CONFIG_FILE_BYTES
from sitedata.adapters.git_reading.commits import (
    Renames,
    boundaries,
    bulk_commits,
    list_commits,
    read_changes,
)
from sitedata.adapters.git_reading.dating import Dating, FirstAdded, LastTouched
from sitedata.adapters.git_reading.errors import RepositoryCode, RepositoryError
from sitedata.adapters.git_reading.process import Git
from sitedata.adapters.git_reading.references import (
    Reference,
    read_root_file,
    read_tree,
    remote_url,
    resolve,
)
from sitedata.adapters.git_reading.repository import open_repository
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
    """List the files of a repository at a reference, without its history; raise RepositoryError."""
    with _opened(repository, ref) as (git, reference):
        files = read_tree(git, reference.commit)
        return Listing(reference.branch, _folder_name(git.folder), remote_url(git), files)


def read_settings_text(repository: str | os.PathLike[str], ref: str = "HEAD") -> bytes | None:
    """Return `site-data.toml` in the root of a reference; None if there is no such regular file.

    A file of the work tree is not read.  Arguments and errors are those of `read_history`.
    """
    with _opened(repository, ref) as (git, reference):
        return read_root_file(git, reference.commit, CONFIG_FILE, CONFIG_FILE_BYTES)


@contextmanager
def _opened(repository: str | os.PathLike[str], ref: str) -> Iterator[tuple[Git, Reference]]:
    with tempfile.TemporaryDirectory(prefix="sitedata-") as scratch:
        git = open_repository(repository, Path(scratch))
        yield git, resolve(git, ref)


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
    with _opened(repository, ref) as (git, reference):
        ends = boundaries(git)
        ignored = bulk_commits(git, bulk, is_shallow=bool(ends))
        is_first = dates == "first-added"
        commits = list_commits(git, reference.commit, ends, day_of, is_strict=is_first)
        # the tree first: one that is too large is rejected before git compares it with others
        files = read_tree(git, reference.commit)
        renames: Renames = "similar" if is_first else "exact"
        with read_changes(git, commits.parts, renames=renames) as changed:
            names = {file.name for file in files} if listed is None else listed(files)
            added = FirstAdded(names)
            touched = None if is_first else LastTouched(names)
            dating = Dating(git, commits, ignored, names, added, touched)
            recognized = dating.run(changed, progress)
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
