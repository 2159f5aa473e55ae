"""Read the commits that a reference reaches, with their times and the paths that each changed.

The order is that of `git log`, the newest first.  If a clock was wrong, a parent may come before
its child, unless the strict order is requested.  The changes of a merge are only those paths that
differ from all its parents.

Invariant *a root is not a boundary*: git also lists commits at the depth of a shallow clone that
have no parents; the history is incomplete only before commits that have parents.
Invariant *names are not confused*: a file may have the name of a commit, because the capital letter
at the beginning of a change determines how many names follow.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from sitedata.adapters.git_process import Git, RepositoryError
from sitedata.adapters.git_repository import small_file
from sitedata.building.history import CommitDate
from sitedata.limits import MAX_HISTORY_PATHS, MAX_PATHS
from status_contracts.adapters.zones import known_zone

_TIME: Final = re.compile(r"([0-9]+) [0-9]+ ([+-][0-9]+)")
_OFFSET: Final = re.compile("[+-][01][0-9]:[0-5][0-9]")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NO_TIME: Final = -(1 << 62), 0
"""For a time that git cannot parse: an instant outside of any calendar, so it is ignored."""

_EXACT: Final = ("--find-renames=100%",)
"""Finds renames of equal files: it compares hashes, so it needs no contents."""
_SIMILAR: Final = ("--find-renames=50%", "-l1000")
"""Finds renames as git does, of files that are similar by half."""
_LOG: Final = (
    *("log", "-z", "--name-status", "--root", "-c", "--combined-all-paths"),
    *("--format=%H %ct %cd", "--date=raw", "--encoding=UTF-8", "--no-mailmap", "--no-color"),
    *("--ignore-submodules=none", "--no-relative", "--no-ext-diff", "--no-textconv"),
    f"-O{os.devnull}",
)


def days_in(zone: str) -> Callable[[int], str]:
    """Return a function from seconds since the epoch to the day, YYYY-MM-DD, in a zone.

    The zone is an IANA name, or an offset such as `+09:00`.  Raises LookupError for an unknown
    zone; the function raises OverflowError outside the years 0001 to 9999.
    """
    is_offset = _OFFSET.fullmatch(zone) is not None
    rules = datetime.strptime(zone, "%z").tzinfo if is_offset else known_zone(zone)
    return lambda seconds: str((_EPOCH + timedelta(seconds=seconds)).astimezone(rules).date())


class PathChange(NamedTuple):
    """One path that a commit changed.

    Attributes:
        kind: `A` added, `D` deleted, `R` renamed, `M` anything else.
        name: the path; for a rename the new path.
        old: the old path of a rename; otherwise the path.

    """

    kind: str
    name: bytes
    old: bytes


# git ends the line of a commit before its first change
_KINDS: Final = {
    start + letter: kind
    for letter, kind in ((b"A", "A"), (b"D", "D"), (b"M", "M"), (b"T", "M"))
    for start in (b"", b"\n")
}

Changed = tuple[CommitDate, list[PathChange]]
"""A commit, and its changes."""


@contextmanager
def read_commits(
    git: Git, commit: str, boundaries: frozenset[str], *, is_first: bool
) -> Iterator[Iterator[Changed]]:
    """Start reading a commit and all its ancestors; those in `boundaries` lack their parents.

    Where first additions count, renames of similar files are found too, and every commit comes
    before its parents, whatever its time.  Git is stopped at the end of the block.  Raise
    RepositoryError if an object is missing, or if there are too many changes.
    """
    options = (*_SIMILAR, "--date-order") if is_first else _EXACT
    with git.stream(*_LOG, *options, commit, "--") as tokens:
        yield ((_date(line, boundaries), changes) for line, changes in _by_commit(tokens))


def similar_changes(git: Git, commit: str) -> list[PathChange]:
    """Return the changes of one commit, with renames of similar files."""
    with git.stream(*_LOG, *_SIMILAR, "--no-walk", commit, "--") as tokens:
        return next(_by_commit(tokens))[1]


def read_names(git: Git, commit: str) -> set[bytes]:
    """Return the names of the files of a commit's tree."""
    with git.stream("ls-tree", "-rz", "--name-only", "--full-tree", commit) as names:
        return set(names)


def _by_commit(tokens: Iterator[bytes]) -> Iterator[tuple[str, list[PathChange]]]:
    commit, changes, total = "", list[PathChange](), 0
    for token in tokens:
        if len(changes) > MAX_PATHS or total > MAX_HISTORY_PATHS:
            raise RepositoryError("repository.too_large")
        kind = _KINDS.get(token)
        if kind is not None:
            name = next(tokens)
            changes.append(PathChange(kind, name, name))
            continue
        status = token.lstrip(b"\n").decode()
        if status[:1].isupper():
            changes.append(_change(status, tokens))
        elif status:  # not the empty field before the changes of a merge
            if commit:
                yield commit, changes
            total += len(changes)
            commit, changes = status, []
    if commit:
        yield commit, changes


def _change(status: str, tokens: Iterator[bytes]) -> PathChange:
    """Parse the names of a rename, or of a change of a merge, with a letter for each parent."""
    if status[1].isdigit():
        old = next(tokens)
        return PathChange("R", next(tokens), old)
    olds = [next(tokens) for _ in status]
    name = next(tokens)
    if "R" in status:
        return PathChange("R", name, olds[status.index("R")])
    return PathChange(status[0] if set(status) in ({"A"}, {"D"}) else "M", name, name)


def _date(line: str, boundaries: frozenset[str]) -> CommitDate:
    """Parse hash, seconds since the epoch (`%ct`) and minutes from UTC (of the raw `%cd`)."""
    digest, _, time = line.partition(" ")
    match = _TIME.fullmatch(time)
    seconds, offset = _NO_TIME if match is None else (int(match[1]), _offset(match[2]))
    return CommitDate(digest, seconds, offset, is_boundary=digest in boundaries)


@lru_cache  # most commits of a history have few
def _offset(text: str) -> int:
    hours, minutes = divmod(int(text[1:]), 100)
    return (hours * 60 + minutes) * (-1 if text[0] == "-" else 1)


def read_boundaries(git: Git) -> frozenset[str]:
    """Return the hashes of the commits whose parents are missing in a shallow clone."""
    path = os.fsdecode(git.output("rev-parse", "--git-path", "shallow").removesuffix(b"\n"))
    hashes = small_file(Path(path)).split()
    objects = filter(None, git.objects(hashes)) if hashes else ()
    return frozenset(
        digest.decode()
        for digest, kind, data in objects
        if kind == b"commit" and b"\nparent " in data.partition(b"\n\n")[0]
    )
