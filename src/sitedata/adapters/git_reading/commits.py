"""List the commits that a reference reaches with their times, in files instead of memory.

The order is that of `git log`, the newest first.  If a clock was wrong, a parent may come before
its child, unless the strict order is requested.

Invariant *a root is not a boundary*: git also lists commits at the depth of a shallow clone that
have no parents; the history is incomplete only before commits that have parents.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

import attrs

from sitedata.adapters.git_reading.errors import RepositoryError
from sitedata.adapters.git_reading.process import Git
from sitedata.adapters.git_reading.repository import small_file
from sitedata.building.history import CommitDate

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
    found = _TIME.fullmatch(text)
    if found is None:
        return _NO_TIME
    seconds, sign, offset = found.groups()
    hours, minutes = divmod(int(offset), 100)
    return int(seconds), (hours * 60 + minutes) * (-1 if sign == "-" else 1)


def boundaries(git: Git) -> frozenset[str]:
    """Return the hashes of the commits whose parents are missing in a shallow clone."""
    path = Path(os.fsdecode(git.output("rev-parse", "--git-path", "shallow").removesuffix(b"\n")))
    hashes = (small_file(path) or b"").split()
    if not all(len(each) in _HASH_LENGTHS and each.isalnum() for each in hashes):
        raise RepositoryError("repository.corrupt")
    if not hashes:
        return frozenset()
    return _with_parents(git.output("cat-file", "--batch", given=b"\n".join(hashes) + b"\n"))


def _with_parents(objects: bytes) -> frozenset[str]:
    """Return the commits that name a parent; each object is a header line, bytes, a line feed."""
    found, start = set(), 0
    while start < len(objects):
        end = objects.index(b"\n", start)
        commit, kind, *size = objects[start:end].split(b" ")
        # a missing object has neither bytes nor their line feed
        length = int(size[0]) if size else -1
        header = objects[end + 1 : end + 1 + max(length, 0)].split(b"\n\n")[0]
        if kind == b"commit" and b"\nparent " in header:
            found.add(commit.decode())
        start = end + 1 + length + 1
    return frozenset(found)
