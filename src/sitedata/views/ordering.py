"""The order of problems for display.

Source: site-data specification, "Semantics"; rulings under "Site-data file".

Invariant *unknown last*: a problem without a time comes after all that have one, in both orders.
Invariant *total*: equal instants are ordered by path, in the order of code points; problems that
are alike in both keep the order in which they came.
"""

from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from sitedata.reading.models import Problem

__all__ = ["ordered"]

_PATH: Final = attrgetter("path")


def ordered(problems: Iterable[Problem], *, newest_first: bool = True) -> tuple[Problem, ...]:
    """Order problems by instant, the newest or the oldest first."""
    found = tuple(problems)
    known = [problem for problem in found if problem.instant is not None]
    unknown = [problem for problem in found if problem.instant is None]
    known.sort(key=_PATH)  # two stable sorts by one member each are quicker than one by pairs
    known.sort(key=attrgetter("instant"), reverse=newest_first)
    unknown.sort(key=_PATH)
    return (*known, *unknown)
