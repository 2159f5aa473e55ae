"""An example problem and snapshot, and functions that change them."""

from typing import Any

import attrs

from sitedata import Problem, Repository, Snapshot
from status_contracts.structuring.converter import unstructure

PROBLEM = Problem(
    "AtCoder/abc/a.py",
    "AtCoder",
    "Python",
    "Two Sums",
    "https://judge.example/abc/a",
    "https://code.example/someone/practice/blob/main/AtCoder/abc/a.py",
    "https://raw.example/someone/practice/main/AtCoder/abc/a.py",
    "2026-01-31T12:00:00+01:00",
)
SNAPSHOT = Snapshot(
    Repository("someone", "practice", "main"),
    1_769_857_200_000,
    "main",
    3,
    {"2026-01-30": 1, "2026-01-31": 2},
    (PROBLEM,),
    {"atcoder": None},
)
PLAIN: dict[str, Any] = unstructure(SNAPSHOT)


def problem(path: str = PROBLEM.path, time: str | None = None, **members: Any) -> Problem:
    """Return a problem with a path and a time or None; its platform is the first segment.

    Its URL is another one for each path.
    """
    url = f"https://judge.example/{path}"
    members = {"platform": path.partition("/")[0], "problem_url": url} | members
    return attrs.evolve(PROBLEM, path=path, submitted_at=time, **members)


def at(instant: int, path: str = PROBLEM.path) -> Problem:
    """Return a problem with an instant in seconds after the epoch, less than an hour."""
    return problem(path, f"1970-01-01T00:{instant // 60:02}:{instant % 60:02}Z")


def plain(**members: Any) -> dict[str, Any]:
    """Return the plain snapshot with other members."""
    return PLAIN | members


def snapshot(**members: Any) -> Snapshot:
    """Return the snapshot with other members."""
    return attrs.evolve(SNAPSHOT, **members)
