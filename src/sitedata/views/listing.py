"""Show problems as an HTML table in notebooks.

Invariant *escaped*: all values of a snapshot are shown as text; URLs are not links.
Invariant *bounded*: at most the requested number of rows is shown, together with the total.
"""

from collections.abc import Iterable, Iterator

import attrs

from purewire.html_table import MAX_ROWS, html_table
from purewire.text import plural
from sitedata.reading.models import Problem, Snapshot


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
        return f"<Listing of {plural(len(self), 'problem')}>"

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks; all text is escaped."""
        head = ("title", "platform", "language", "submitted at", "path")
        more = max(0, len(self) - self.max_rows)
        shown = map(_row, self.problems[: self.max_rows])
        return html_table(f"Problems: {len(self):,}", head, shown, more=more)


def listing(problems: Snapshot | Iterable[Problem], *, max_rows: int = MAX_ROWS) -> Listing:
    """Return a table of the problems of a snapshot, or of any problems."""
    found = problems.problems if isinstance(problems, Snapshot) else problems
    return Listing(tuple(found), max_rows)


def _row(problem: Problem) -> tuple[str, ...]:
    return (
        problem.title,
        problem.platform,
        problem.language,
        problem.submitted_at or "unknown",
        problem.path,
    )
