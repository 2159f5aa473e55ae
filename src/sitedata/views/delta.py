"""What changed between two snapshots: problems that came, went, or say something else.

A problem is known by its path; where a path stands several times, the first in the one list stands
against the first in the other, the second against the second.

Invariant *nothing changed*: the delta of a list to itself is empty.
Invariant *a delta leads from old to new*: applied to the old problems it gives the new ones, in
some order.
"""

from collections import Counter
from collections.abc import Iterable

import attrs

from sitedata.reading.models import Problem, Snapshot

__all__ = ["Change", "Delta", "delta"]

_Occurrence = tuple[str, int]


@attrs.frozen
class Change:
    """A problem that says something else than before; both have the same path."""

    old: Problem
    new: Problem

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the fields that differ, in the order of the model."""
        fields = (field.name for field in attrs.fields(Problem) if field.eq)
        return tuple(name for name in fields if getattr(self.old, name) != getattr(self.new, name))


@attrs.frozen(repr=False)
class Delta:
    """What is to be done to the old problems.

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

    def applied_to(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Apply the delta; raises ValueError where the problems are not those it starts from."""
        gone = Counter(self.removed)
        turned: dict[Problem, list[Problem]] = {}
        for change in reversed(self.changed):
            turned.setdefault(change.old, []).append(change.new)
        found: list[Problem] = []
        for problem in problems:
            if turned.get(problem):
                found.append(turned[problem].pop())
            elif gone[problem] > 0:
                gone[problem] -= 1
            else:
                found.append(problem)
        if any(turned.values()) or gone.total():
            raise ValueError("the delta starts from other problems")
        return (*found, *self.added)


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
    """Give each problem under its path and how often that path stood before."""
    listed = problems.problems if isinstance(problems, Snapshot) else problems
    seen: Counter[str] = Counter()
    found: dict[_Occurrence, Problem] = {}
    for problem in listed:
        found[problem.path, seen[problem.path]] = problem
        seen[problem.path] += 1
    return found
