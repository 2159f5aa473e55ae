"""The order of problems for display.

Source: site-data specification, "Semantics"; rulings under "Site-data file".

Invariant *unknown last*: a problem without a time comes after all that have one, in both orders.
Invariant *total*: equal instants are ordered by path, in the order of code points; problems that
are alike in both keep the order in which they came.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final

from sitedata.reading.models import Problem

__all__ = ["ordered"]

_INSTANT: Final = attrgetter("instant")
_PATH: Final = attrgetter("path")


def ordered(problems: Iterable[Problem], *, newest_first: bool = True) -> tuple[Problem, ...]:
    """Order problems by instant, the newest or the oldest first."""
    known: list[Problem] = []
    unknown: list[Problem] = []
    for problem in problems:
        (unknown if problem.instant is None else known).append(problem)
    known.sort(key=_INSTANT, reverse=newest_first)
    for start, stop in _ties(list(map(_INSTANT, known))):
        known[start:stop] = sorted(known[start:stop], key=_PATH)
    unknown.sort(key=_PATH)
    return (*known, *unknown)


def _ties(instants: list[Any]) -> Iterator[tuple[int, int]]:
    """Give where equal instants stand, as first and one past the last.

    Few instants are equal, so to order those by path is quicker than to compare instants and paths.
    """
    stop = 0
    for start in [place for place, (one, other) in enumerate(pairwise(instants)) if one == other]:
        if start < stop:
            continue
        stop = start + 1
        while stop < len(instants) and instants[stop] == instants[start]:
            stop += 1
        yield start, stop
