"""The order of problems for display.

Source: site-data specification, "Semantics"; rulings under "Site-data file".

Invariant *unknown last*: a problem without a time comes after all that have one, in both orders.
Invariant *total*: equal instants are ordered by path, in the order of code points; problems that
are alike in both keep the order in which they came.
"""

from collections.abc import Iterable
from operator import attrgetter

from sitedata.reading.models import Problem

__all__ = ["ordered"]

def ordered(problems: Iterable[Problem], *, newest_first: bool = True) -> tuple[Problem, ...]:
    """Order problems by instant, the newest or the oldest first."""
    # two stable sorts by one member each are quicker than one that compares pairs
    by_path = sorted(problems, key=attrgetter("path"))
    known = [problem for problem in by_path if problem.instant is not None]
    known.sort(key=attrgetter("instant"), reverse=newest_first)
    return (*known, *(problem for problem in by_path if problem.instant is None))
