"""Show problems as an HTML table in notebooks.

Invariant *escaped*: all values of a snapshot are shown as text; URLs are not links.
Invariant *bounded*: at most the requested number of rows is shown, together with the total.
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
    """A sequence of problems with an HTML table; `max_rows` limits the rows that are shown."""

    problems: tuple[Problem, ...]
    max_rows: int

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    def __len__(self) -> int:
        return len(self.problems)

    def __repr__(self) -> str:
        return f"<Listing of {len(self)} problems>"

    def _repr_html_(self) -> str:
        shown = self.problems[: self.max_rows]
        rest = f", {len(shown)} shown" if len(shown) < len(self) else ""
        head = ("platform", "title", "language", "submitted at", "path")
        return html_table(f"{len(self)} problems{rest}", head, map(_row, shown))


def listing(problems: Snapshot | Iterable[Problem], *, max_rows: int = _ROWS) -> Listing:
    """Return a table of the problems of a snapshot, or of any problems."""
    found = problems.problems if isinstance(problems, Snapshot) else problems
    return Listing(tuple(found), max_rows)


def _row(problem: Problem) -> tuple[str, ...]:
    cells = problem.platform, problem.title, problem.language, problem.submitted_at, problem.path
    return tuple(truncate(cell or "", _LENGTH, _LENGTH - 1) for cell in cells)
