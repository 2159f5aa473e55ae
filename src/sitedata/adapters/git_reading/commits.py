"""The commits that a reference reaches, with their times, kept in a file and not in memory.

The order is that of `git log`, the newer first; where a clock was wrong a parent may stand before
a child of it, unless the strict order is asked for.
"""

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

import attrs

from sitedata.adapters.git_reading.commands import Git
from sitedata.building.history import Touch

__all__ = ["Commits", "list_commits"]

_TIME: Final = re.compile(r"([0-9]+) [0-9]+ ([+-])([0-9]+)")
_PART: Final = 4096
"""Commits of a stretch: enough to make the start of a command small beside its work."""
_NO_TIME: Final = -(1 << 62), 0
"""For what git cannot read as a time: an instant that no calendar has, so that it dates nothing."""


@attrs.frozen(eq=False, repr=False)
class Commits:
    """What is known of all commits at once.

    Attributes:
        parts: files with a hash a line, each of a stretch of the history.
        count: how many commits there are.
        contributions: day to the commits on it; a time outside of the calendar is on no day.
        is_shallow: whether the history is cut off before one of them.

    """

    parts: tuple[Path, ...]
    count: int
    contributions: dict[str, int]
    is_shallow: bool
    _listing: Path
    _boundaries: frozenset[str]

    def touches(self) -> Generator[Touch]:
        """Give each commit as what dates paths, in order."""
        with self._listing.open(encoding="ascii") as lines:
            for line in lines:
                commit, _, time = line.rstrip("\n").partition(" ")
                yield Touch(commit, *_time(time), is_boundary=commit in self._boundaries)


def list_commits(
    git: Git,
    commit: str,
    boundaries: frozenset[str],
    day_of: Callable[[int], str],
    *,
    is_strict: bool = False,
) -> Commits:
    """List the commits that one reaches, itself included.

    Raises RepositoryError where one of them cannot be read.

    Args:
        git: the repository.
        commit: hash of the newest.
        boundaries: hashes of the commits where the history is cut off.
        day_of: gives the day of seconds since the epoch.
        is_strict: whether every commit stands before its parents, whatever the clocks said.

    """
    listing = git.scratch / "commits"
    order = ("--date-order",) if is_strict else ()
    raw = ("--no-commit-header", "--encoding=UTF-8", "--date=raw", "--format=%H %ct %cd")
    git.save(listing, "rev-list", *order, *raw, commit, "--")
    days: Counter[str] = Counter()
    parts: list[Path] = []
    count, is_shallow = 0, False
    with listing.open(encoding="ascii") as lines:
        while stretch := list(islice(lines, _PART)):
            names = [line.partition(" ")[0] for line in stretch]
            parts.append(git.scratch / f"part-{len(parts)}")
            parts[-1].write_text("\n".join(names) + "\n", encoding="ascii")
            count += len(names)
            is_shallow |= not boundaries.isdisjoint(names)
            days.update(_days(stretch, day_of))
    return Commits(tuple(parts), count, dict(days), is_shallow, listing, boundaries)


def _days(lines: list[str], day_of: Callable[[int], str]) -> Iterator[str]:
    """Give the day of each commit, but for times outside of the years that the calendar has."""
    for line in lines:
        with suppress(OverflowError, ValueError):
            yield day_of(_time(line.rstrip("\n").partition(" ")[2])[0])


def _time(text: str) -> tuple[int, int]:
    """Read seconds since the epoch and minutes from UTC: `%ct`, and `%cd` as git has it raw."""
    found = _TIME.fullmatch(text)
    if found is None:
        return _NO_TIME
    seconds, sign, offset = found.groups()
    hours, minutes = divmod(int(offset), 100)
    return int(seconds), (hours * 60 + minutes) * (-1 if sign == "-" else 1)
