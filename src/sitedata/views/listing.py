"""Problems as a table that notebooks show.

Invariant *nothing is markup*: whatever a snapshot holds, it is shown as text; URLs are no links.
Invariant *short*: at most so many rows as asked for are shown, and how many there are is told.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from purewire.html_table import html_table
from purewire.svg.text import truncate
from sitedata.reading.models import Problem, Snapshot

__all__ = ["Listing", "listing"]

_ROWS: Final = 20
_LENGTH: Final = 80  # code points of a cell


@attrs.frozen(repr=False)
class Listing:
    """Problems, and how many of them are shown."""

    problems: tuple[Problem, ...]
    most: int

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    def __len__(self) -> int:
        return len(self.problems)

    def __repr__(self) -> str:
        return f"<Listing of {len(self)} problems>"

    def _repr_html_(self) -> str:
        shown = self.problems[: self.most]
        rest = f", {len(shown)} shown" if len(shown) < len(self) else ""
        head = ("platform", "title", "language", "submitted at", "path")
        return html_table(f"{len(self)} problems{rest}", head, map(_row, shown))


def listing(problems: Snapshot | Iterable[Problem], *, most: int = _ROWS) -> Listing:
    """Make a table of the problems of a snapshot, or of any."""
    found = problems.problems if isinstance(problems, Snapshot) else problems
    return Listing(tuple(found), most)


def _row(problem: Problem) -> tuple[str, ...]:
    cells = problem.platform, problem.title, problem.language, problem.submitted_at, problem.path
    return tuple(truncate(cell or "", _LENGTH, _LENGTH - 1) for cell in cells)
