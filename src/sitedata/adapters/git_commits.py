"""List the commits that a reference reaches, with their times and the paths that each changed.

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
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Final, Literal, NamedTuple

import attrs

from sitedata.adapters.git_process import Git, RepositoryError, fields, outputs
from sitedata.adapters.git_repository import small_file
from sitedata.building.history import CommitDate
from sitedata.limits import MAX_HISTORY_PATHS, MAX_PATHS

_COMMIT: Final = re.compile(r"[0-9a-fA-F]{7,64}")
_TIME: Final = re.compile(r"([0-9]+) [0-9]+ ([+-])([0-9]+)")
_PART: Final = 4096
"""Commits of one part: enough to make the start of a process cheap compared with its work."""
_NO_TIME: Final = -(1 << 62), 0
"""For a time that git cannot parse: an instant outside of any calendar, so it is ignored."""
_HASH_LENGTHS: Final = (40, 64)


@attrs.frozen(eq=False, repr=False)
class Commits:
    """The commits of a history.

    `parts` are files with one hash a line, each of a part of the history; `contributions` has no
    times outside the calendar.
    """

    parts: tuple[Path, ...]
    count: int
    contributions: dict[str, int]
    is_shallow: bool
    _listing: Path
    _boundaries: frozenset[str]

    def dates(self) -> Generator[CommitDate]:
        """Yield the dates of all commits, in order."""
        with self._listing.open(encoding="ascii") as lines:
            for line in lines:
                commit, _, time = line.rstrip("\n").partition(" ")
                yield CommitDate(commit, *_time(time), is_boundary=commit in self._boundaries)


def list_commits(
    git: Git,
    commit: str,
    boundaries: frozenset[str],
    day_of: Callable[[int], str],
    *,
    is_strict: bool = False,
) -> Commits:
    """List a commit and all its ancestors; those in `boundaries` lack their parents.

    With `is_strict` every commit comes before its parents, whatever its time.
    """
    listing = git.scratch / "commits"
    order = ("--date-order",) if is_strict else ()
    raw = ("--no-commit-header", "--encoding=UTF-8", "--date=raw", "--format=%H %ct %cd")
    git.save(listing, "rev-list", *order, *raw, commit, "--")
    days: Counter[str] = Counter()
    parts: list[Path] = []
    count, is_shallow = 0, False
    with listing.open(encoding="ascii") as lines:
        while part := list(islice(lines, _PART)):
            names = [line.partition(" ")[0] for line in part]
            parts.append(git.scratch / f"part-{len(parts)}")
            parts[-1].write_text("\n".join(names) + "\n", encoding="ascii")
            count += len(names)
            is_shallow |= not boundaries.isdisjoint(names)
            days.update(_days(part, day_of))
    return Commits(tuple(parts), count, dict(days), is_shallow, listing, boundaries)


def _days(lines: list[str], day_of: Callable[[int], str]) -> Iterator[str]:
    """Yield the day of each commit, except for times outside the calendar."""
    for line in lines:
        with suppress(OverflowError, ValueError):
            yield day_of(_time(line.rstrip("\n").partition(" ")[2])[0])


def _time(text: str) -> tuple[int, int]:
    """Parse seconds since the epoch (`%ct`) and minutes from UTC (of the raw `%cd`)."""
    match = _TIME.fullmatch(text)
    if match is None:
        return _NO_TIME
    seconds, sign, offset = match.groups()
    hours, minutes = divmod(int(offset), 100)
    return int(seconds), (hours * 60 + minutes) * (-1 if sign == "-" else 1)


def boundaries(git: Git) -> frozenset[str]:
    """Return the hashes of the commits whose parents are missing in a shallow clone."""
    path = Path(os.fsdecode(git.output("rev-parse", "--git-path", "shallow").removesuffix(b"\n")))
    hashes = (small_file(path) or b"").split()
    if not all(len(digest) in _HASH_LENGTHS and digest.isalnum() for digest in hashes):
        raise RepositoryError("repository.corrupt")
    if not hashes:
        return frozenset()
    return _with_parents(git.output("cat-file", "--batch", stdin=b"\n".join(hashes) + b"\n"))


def _with_parents(objects: bytes) -> frozenset[str]:
    """Return the commits that name a parent; each object is a header line, bytes, a line feed."""
    commits, start = set(), 0
    while start < len(objects):
        end = objects.index(b"\n", start)
        commit, kind, *size = objects[start:end].split(b" ")
        # a missing object has neither bytes nor their line feed
        length = int(size[0]) if size else -1
        header = objects[end + 1 : end + 1 + max(length, 0)].split(b"\n\n")[0]
        if kind == b"commit" and b"\nparent " in header:
            commits.add(commit.decode())
        start = end + 1 + length + 1
    return frozenset(commits)


Renames = Literal["exact", "similar"]
"""Which renames are detected: of equal files, or as git does of files that are similar by half."""
_RENAMES: Final[dict[Renames, tuple[str, ...]]] = {
    "exact": ("--find-renames=100%",),  # compares hashes, so it needs no contents
    "similar": ("--find-renames=50%", "-l1000"),
}
_COMMAND: Final = (
    *("diff-tree", "--stdin", "-r", "-z", "--name-status", "--root", "--always"),
    *("-c", "--combined-all-paths", "--ignore-submodules=none", "--no-relative"),
    *("--no-ext-diff", "--no-textconv"),
)


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


_KINDS: Final = {b"A": "A", b"D": "D", b"M": "M", b"T": "M"}
_ALIKE: Final = ({"A"}, {"D"})

Changed = tuple[str, list[PathChange]]
"""Hash of a commit, and its changes."""


@contextmanager
def read_changes(
    git: Git, parts: Iterable[Path], *, renames: Renames
) -> Iterator[Iterator[Changed]]:
    """Yield the changes of commits, in the order in which they are listed.

    Git is stopped when the block is left.  Iterating raises RepositoryError if an object is
    missing, and `repository.too_large` if there are too many changes.
    """
    with outputs(git, (*_COMMAND, *_RENAMES[renames]), parts) as output:
        yield _by_commit(fields(output))


def _by_commit(tokens: Iterator[bytes]) -> Iterator[Changed]:
    commit, changes, total = "", list[PathChange](), 0
    for token in tokens:
        if len(changes) > MAX_PATHS or total > MAX_HISTORY_PATHS:
            raise RepositoryError("repository.too_large")
        kind = _KINDS.get(token)
        if kind is not None:
            name = next(tokens)
            changes.append(PathChange(kind, name, name))
        elif token[:1].isupper():
            changes.append(_change(token.decode(), tokens))
        else:
            if commit:
                yield commit, changes
            total += len(changes)
            commit, changes = token.decode(), []
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
    return PathChange(status[0] if set(status) in _ALIKE else "M", name, name)


def bulk_commits(git: Git, texts: Iterable[str], *, is_shallow: bool) -> frozenset[str]:
    """Return the full hashes of commits that are named by at least their first seven digits.

    Raise RepositoryError: `bulk.ambiguous`, or `bulk.unknown` unless the history is incomplete.
    """
    bulk: set[str] = set()
    for text in texts:
        commits = _commits_by_prefix(git, text) if _COMMIT.fullmatch(text) else []
        if len(commits) > 1:
            raise RepositoryError("bulk.ambiguous")
        if not commits and not is_shallow:
            raise RepositoryError("bulk.unknown")
        bulk.update(commits)
    return frozenset(bulk)


def changes_with_renames(git: Git, commits: frozenset[str]) -> dict[str, list[PathChange]]:
    """Return the changes of each commit, renames included."""
    if not commits:
        return {}
    hashes = git.scratch / "bulk"
    hashes.write_text("".join(f"{commit}\n" for commit in sorted(commits)), encoding="ascii")
    with read_changes(git, [hashes], renames="similar") as changed:
        return dict(changed)


def _commits_by_prefix(git: Git, text: str) -> list[str]:
    """Return the commits whose hash begins with a text; names of branches are ignored."""
    objects = git.output("rev-parse", f"--disambiguate={text.lower()}")
    if not objects:
        return []
    kinds = git.output("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=objects)
    return [line.split()[0] for line in kinds.decode().splitlines() if line.endswith(" commit")]
