"""Compare two snapshots: problems that were added, removed or changed.

Problems are identified by path.  If a path occurs several times, the first occurrence in one list
is compared with the first in the other, the second with the second.

Invariant *a delta leads from old to new*: the old problems without the removed ones, with the
changed ones replaced and the added ones, are the new ones in some order.
"""

from collections import Counter
from collections.abc import Iterable

import attrs

from sitedata.reading.models import Problem, Snapshot

_Occurrence = tuple[str, int]


@attrs.frozen
class Change:
    """A changed problem; both versions have the same path."""

    old: Problem
    new: Problem

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the fields that differ, in the order of the model."""
        fields = (field.name for field in attrs.fields(Problem) if field.eq)
        return tuple(name for name in fields if getattr(self.old, name) != getattr(self.new, name))


@attrs.frozen(repr=False)
class Delta:
    """Difference between two lists of problems.

    Attributes:
        added: in the order of the new list.
        removed: in the order of the old list.
        changed: in the order of the new list.

    """

    added: tuple[Problem, ...] = ()
    removed: tuple[Problem, ...] = ()
    changed: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def __repr__(self) -> str:
        parts = len(self.added), len(self.removed), len(self.changed)
        return "<Delta: {} added, {} removed, {} changed>".format(*parts)


def delta(old: Snapshot | Iterable[Problem], new: Snapshot | Iterable[Problem]) -> Delta:
    """Compare two snapshots, or lists of problems."""
    before, after = _occurrences(old), _occurrences(new)
    return Delta(
        tuple(problem for key, problem in after.items() if key not in before),
        tuple(problem for key, problem in before.items() if key not in after),
        tuple(
            Change(before[key], problem)
            for key, problem in after.items()
            if key in before and before[key] != problem
        ),
    )


def _occurrences(problems: Snapshot | Iterable[Problem]) -> dict[_Occurrence, Problem]:
    """Key each problem by its path and the number of earlier occurrences of that path."""
    listed = problems.problems if isinstance(problems, Snapshot) else problems
    seen: Counter[str] = Counter()
    occurrences: dict[_Occurrence, Problem] = {}
    for problem in listed:
        occurrences[problem.path, seen[problem.path]] = problem
        seen[problem.path] += 1
    return occurrences
