"""Determine the commit that dates each path from the changes of all commits, newest first.

Commits are read to the end, or until every path is dated.  A path is searched under the name that
it had at the time, so a name may stand for several paths of the tree, for example after two
branches renamed one file differently.

Invariant *bulk changes are ignored for dating*: they count as if they did not exist; paths that
they renamed are searched under their old names.
Invariant *nothing before a boundary*: a path that a boundary commit seems to add is dated by that
commit, never by an older one.
"""

from collections.abc import Iterable
from typing import Protocol

import attrs

from sitedata.adapters.git_reading.changes import Change
from sitedata.building.history import CommitDate

__all__ = ["Dater", "FirstAdded", "LastTouched"]


class Dater(Protocol):
    """Dates paths from commits, which are added newest first."""

    @property
    def is_done(self) -> bool:
        """Check whether older commits would date nothing."""

    def add(self, date: CommitDate, changes: Iterable[Change]) -> None:
        """Add a commit and its changes."""

    def add_bulk(self, changes: Iterable[Change]) -> None:
        """Add the changes of a bulk change."""

    def dates(self) -> dict[bytes, CommitDate]:
        """Return the dated paths."""


@attrs.define(eq=False, repr=False)
class _Names:
    """The names that are searched, each with the paths of the tree that it stands for."""

    paths: dict[bytes, tuple[bytes, ...]]

    def move(self, renames: Iterable[tuple[bytes, bytes]]) -> None:
        """Search paths under their old names; `renames` are pairs of new and old name."""
        moved = [(old, self.paths.pop(new)) for new, old in renames if new in self.paths]
        for old, paths in moved:
            self.paths[old] = self.paths.get(old, ()) + paths


def _renames(changes: Iterable[Change]) -> list[tuple[bytes, bytes]]:
    return [(change.name, change.old) for change in changes if change.kind == "R"]


class LastTouched:
    """Dates a path by the newest commit that changed it."""

    def __init__(self, paths: Iterable[bytes]) -> None:
        self._names = _Names({path: (path,) for path in paths})
        self._dates: dict[bytes, CommitDate] = {}

    @property
    def is_done(self) -> bool:
        """Check whether every path is dated."""
        return not self._names.paths

    def add(self, date: CommitDate, changes: Iterable[Change]) -> None:
        """Date the paths that a commit changed and no newer commit did."""
        searched = self._names.paths
        for change in changes:
            for path in searched.pop(change.name, ()):
                self._dates[path] = date

    def add_bulk(self, changes: Iterable[Change]) -> None:
        """Follow the renames of a bulk change."""
        self._names.move(_renames(changes))

    def dates(self) -> dict[bytes, CommitDate]:
        """Return the dated paths."""
        return self._dates


class FirstAdded:
    """Dates a path by the oldest commit that added it, under any name.

    Commits before the removal of a name belong to another file.  If several branches added a name,
    the oldest addition counts.
    """

    def __init__(self, paths: Iterable[bytes]) -> None:
        self._names = _Names({path: (path,) for path in paths})
        self._added: dict[bytes, CommitDate] = {}
        """Name to the oldest commit so far that added it."""
        self._dates: dict[bytes, CommitDate] = {}

    @property
    def is_done(self) -> bool:
        """Check whether the first commit of every path was found."""
        return not self._names.paths

    def add(self, date: CommitDate, changes: Iterable[Change]) -> None:
        """Record additions of a commit, close removed names, and follow renames."""
        listed = list(changes)
        searched = self._names.paths
        for change in listed:
            if change.kind == "A" and change.name in searched:
                self._added[change.name] = date
                if date.is_boundary:
                    self._close(change.name)
            elif change.kind in {"D", "R"}:
                self._close(change.old)
        renames = _renames(listed)
        for name, _ in renames:
            self._added.pop(name, None)
        self._names.move(renames)

    def add_bulk(self, changes: Iterable[Change]) -> None:
        """Follow the renames of a bulk change."""
        self._names.move(_renames(changes))

    def dates(self) -> dict[bytes, CommitDate]:
        """Return the dated paths; no older commits follow."""
        for name in list(self._added):
            self._close(name)
        return self._dates

    def _close(self, name: bytes) -> None:
        """Date the paths of a name whose first commit is known."""
        added = self._added.pop(name, None)
        if added is not None:
            self._dates |= dict.fromkeys(self._names.paths.pop(name), added)
