"""Which commit dates each path, told from what commits changed, the newest first.

Commits are passed over to the end, or until nothing is left to date.  A path is looked for under
the name that it had at the time, so a name may stand for several paths of the tree: one that two
branches renamed apart is one.

Invariant *bulk changes date nothing*: it is as though they had not been; what they renamed is
looked for under its old name.
Invariant *a cut-off history tells nothing*: what a boundary commit seems to add stays dated by it,
and by nothing older.
"""

from collections.abc import Iterable
from typing import Protocol

import attrs

from sitedata.adapters.git_reading.changes import Change
from sitedata.building.history import Touch

__all__ = ["Dater", "FirstAdded", "LastTouched"]


class Dater(Protocol):
    """Takes commits, newest first, and dates paths."""

    @property
    def is_done(self) -> bool:
        """Whether older commits would date nothing."""

    def take(self, touch: Touch, changes: Iterable[Change]) -> None:
        """Take what a commit changed."""

    def pass_over(self, changes: Iterable[Change]) -> None:
        """Take what a bulk commit changed."""

    def dates(self) -> dict[bytes, Touch]:
        """Give the paths that were dated."""


@attrs.define(eq=False, repr=False)
class _Names:
    """The names that are looked for, each with the paths of the tree that it stands for."""

    paths: dict[bytes, tuple[bytes, ...]]

    def move(self, renames: Iterable[tuple[bytes, bytes]]) -> None:
        """Look for paths under their old names; `renames`: new name and old, all at once."""
        taken = [(old, self.paths.pop(new)) for new, old in renames if new in self.paths]
        for old, paths in taken:
            self.paths[old] = self.paths.get(old, ()) + paths


def _renames(changes: Iterable[Change]) -> list[tuple[bytes, bytes]]:
    return [(change.name, change.old) for change in changes if change.kind == "R"]


class LastTouched:
    """Dates a path by the newest commit that touched it."""

    def __init__(self, paths: Iterable[bytes]) -> None:
        self._names = _Names({path: (path,) for path in paths})
        self._dates: dict[bytes, Touch] = {}

    @property
    def is_done(self) -> bool:
        """Whether all paths are dated."""
        return not self._names.paths

    def take(self, touch: Touch, changes: Iterable[Change]) -> None:
        """Date the paths that a commit changed and no newer one did."""
        looked_for = self._names.paths
        for change in changes:
            for path in looked_for.pop(change.name, ()):
                self._dates[path] = touch

    def pass_over(self, changes: Iterable[Change]) -> None:
        """Follow what a bulk commit renamed."""
        self._names.move(_renames(changes))

    def dates(self) -> dict[bytes, Touch]:
        """Give the paths that were dated."""
        return self._dates


class FirstAdded:
    """Dates a path by the oldest commit that added it, under whatever name.

    A name's life ends where a commit removed it: what is older is of another file.  Where branches
    added a name side by side, the older addition counts.
    """

    def __init__(self, paths: Iterable[bytes]) -> None:
        self._names = _Names({path: (path,) for path in paths})
        self._added: dict[bytes, Touch] = {}
        """By name: the oldest commit so far that added it."""
        self._dates: dict[bytes, Touch] = {}

    @property
    def is_done(self) -> bool:
        """Whether the beginnings of all paths are behind."""
        return not self._names.paths

    def take(self, touch: Touch, changes: Iterable[Change]) -> None:
        """Note what a commit added, and close what it removed; follow what it renamed."""
        listed = list(changes)
        looked_for = self._names.paths
        for change in listed:
            if change.kind == "A" and change.name in looked_for:
                self._added[change.name] = touch
                if touch.is_boundary:
                    self._close(change.name)
            elif change.kind in {"D", "R"}:
                self._close(change.old)
        renames = _renames(listed)
        for name, _ in renames:
            self._added.pop(name, None)
        self._names.move(renames)

    def pass_over(self, changes: Iterable[Change]) -> None:
        """Follow what a bulk commit renamed."""
        self._names.move(_renames(changes))

    def dates(self) -> dict[bytes, Touch]:
        """Give the paths that were dated; nothing is older than what was taken."""
        for name in list(self._added):
            self._close(name)
        return self._dates

    def _close(self, name: bytes) -> None:
        """Date the paths of a name whose life is known to its beginning."""
        added = self._added.pop(name, None)
        if added is not None:
            self._dates |= dict.fromkeys(self._names.paths.pop(name), added)
