"""Determine the commit that dates each path from the changes of all commits, newest first.

A path is searched under the name that
it had at the time, so a name may stand for several paths of the tree, for example after two
branches renamed one file differently.

Invariant *bulk changes date last*: one that is named counts as if it did not exist; one that is
recognized dates only what it added and what no other commit changed.
Invariant *renames do not date*: renamed paths are searched under their old names.
Invariant *nothing before a boundary*: a path that a boundary commit seems to add is dated by that
commit, never by an older one.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from sitedata.adapters.git_reading.changes import Change
from sitedata.building.history import CommitDate


class Dater(ABC):
    """Dates paths from commits, which are added newest first."""

    def __init__(self, paths: Iterable[bytes]) -> None:
        self._searched: dict[bytes, tuple[bytes, ...]] = {path: (path,) for path in paths}
        """Each name that is searched, and the paths of the tree that it stands for."""
        self._dates: dict[bytes, CommitDate] = {}

    @abstractmethod
    def add(self, date: CommitDate, changes: Sequence[Change]) -> None:
        """Add a commit and its changes."""

    def follow_renames(self, changes: Iterable[Change]) -> None:
        """Search renamed paths under their old names; this is all that a named bulk change does."""
        moved = [
            (change.old, self._searched.pop(change.name))
            for change in changes
            if change.kind == "R" and change.name in self._searched
        ]
        for old, paths in moved:
            self._searched[old] = self._searched.get(old, ()) + paths

    def dates(self) -> dict[bytes, CommitDate]:
        """Return the dated paths; no older commits follow."""
        return self._dates


class LastTouched(Dater):
    """Dates a path by the newest commit that changed its content or added it."""

    def __init__(self, paths: Iterable[bytes]) -> None:
        super().__init__(paths)
        self._bulk_dates: dict[bytes, CommitDate] = {}

    def add(self, date: CommitDate, changes: Sequence[Change]) -> None:
        """Date the paths that a commit changed and no newer commit did."""
        for change in changes:
            if change.kind != "R":
                self._dates |= dict.fromkeys(self._searched.pop(change.name, ()), date)
        self.follow_renames(changes)

    def add_bulk(self, date: CommitDate, changes: Sequence[Change]) -> None:
        """Add a recognized bulk change: other paths than those it added may have older dates."""
        self.add(date, [change for change in changes if change.kind in {"A", "R"}])
        for change in changes:
            for path in self._searched.get(change.name, ()) if change.kind == "M" else ():
                self._bulk_dates.setdefault(path, date)

    def dates(self) -> dict[bytes, CommitDate]:
        """Return the dated paths; no older commits follow."""
        return self._bulk_dates | self._dates


class FirstAdded(Dater):
    """Dates a path by the oldest commit that added it, under any name.

    Commits before the removal of a name belong to another file.  If several branches added a name,
    the oldest addition counts.
    """

    def __init__(self, paths: Iterable[bytes]) -> None:
        super().__init__(paths)
        self._added: dict[bytes, CommitDate] = {}
        """Name to the oldest commit so far that added it."""

    def count_changed(self, changes: Iterable[Change]) -> int:
        """Return how many paths the next commit adds or changes, under the names of its time."""
        names = (change.name for change in changes if change.kind in {"A", "M"})
        return sum(len(self._searched.get(name, ())) for name in names)

    def add(self, date: CommitDate, changes: Sequence[Change]) -> None:
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
