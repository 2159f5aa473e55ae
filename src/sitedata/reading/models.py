"""A snapshot of a practice repository: the repository, its problems, its compatibility fields.

Source: site-data specification, "Resources and their fields"; rulings under "Site-data file".  The
classes hold values and state their limits; the doors that check are `sitedata.parse` and
`sitedata.check`.

Invariant *nothing is lost*: members that the specification does not name are kept in `extra`, in
the order in which they were read, and are written again.
Invariant *no invalid date*: a problem cannot be made with a time that is none; so whatever is
sorted or filtered by time has an instant, or says that it has none.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import attrs

from purewire.html_table import html_table
from purewire.instants import format_instant
from purewire.structuring.constraints import (
    EXTRA,
    NAME,
    Anything,
    Integer,
    Items,
    MapOf,
    Predicate,
    Text,
    TimestampFormat,
)
from sitedata.reading.times import Instant, instant_of, read_day

__all__ = ["Problem", "Repository", "Snapshot"]

_Words = Annotated[str, Text(controls=True)]
_Time = Annotated[
    str,
    Predicate(
        instant_of, "time.format", "a real time with an offset, as RFC 3339 has it", by_model=True
    ),
]
_Instant = Annotated[int, TimestampFormat.MILLISECOND]
_Contributions = Annotated[
    Mapping[str, Annotated[int, Integer(0)]],
    MapOf(Predicate(read_day, "date.real", "named by days of the calendar, as YYYY-MM-DD")),
]
_Ratings = Annotated[Mapping[str, Annotated[Any, Anything()]], MapOf()]
_EXTRA: Final = {EXTRA: True}
"""Of the field that holds the members without a place of their own."""


@attrs.frozen
class Repository:
    """The repository that the snapshot was taken of; `extra`: what else the object says."""

    owner: _Words
    name: _Words
    branch: _Words
    extra: Mapping[str, Any] = attrs.field(
        factory=dict, kw_only=True, hash=False, repr=False, metadata=_EXTRA
    )


def _instant_of(problem: "Problem") -> Instant | None:
    time = problem.submitted_at
    return None if time is None else instant_of(time)


@attrs.frozen
class Problem:
    """One solved problem: a file of the repository.

    Attributes:
        path: path of the file in the repository, with `/` between its segments.
        platform: the judge; an open set.
        language: programming language.
        title: what is displayed.
        problem_url: URL of the statement.
        github_url: URL of the file in the repository's web view.
        raw_url: URL of the raw file.
        submitted_at: commit time of the entry with its offset, as it was read; None: unknown.
        extra: what else the object says.
        instant: that time in ms since the epoch; a Decimal where the text is finer than ms.

    Raises ValueError for a `submitted_at` that is no time.

    """

    path: _Words
    platform: _Words
    language: _Words
    title: _Words
    problem_url: _Words = attrs.field(metadata={NAME: "problemUrl"})
    github_url: _Words = attrs.field(metadata={NAME: "githubUrl"})
    raw_url: _Words = attrs.field(metadata={NAME: "rawUrl"})
    submitted_at: _Time | None = attrs.field(metadata={NAME: "submittedAt"})
    extra: Mapping[str, Any] = attrs.field(
        factory=dict, kw_only=True, hash=False, repr=False, metadata=_EXTRA
    )
    instant: Instant | None = attrs.field(
        init=False,
        eq=False,
        repr=False,
        default=attrs.Factory(_instant_of, takes_self=True),
    )


@attrs.frozen
class Snapshot:
    """Everything that is published of a repository at one time.

    Attributes:
        repository: which one.
        generated_at: when the snapshot was built, ms since the epoch.
        source_ref: the reference it was built from.
        commit_count: commits of that reference; a compatibility field.
        contributions: day (`YYYY-MM-DD`) to the number of commits on it; a compatibility field.
        problems: the problems, in no order that means anything.
        ratings: judge to what was kept of its rating, mostly None; a compatibility field.
        extra: what else the object says.

    """

    repository: Repository
    generated_at: Annotated[int, TimestampFormat.MILLISECOND] = attrs.field(
        metadata={NAME: "generatedAt"}
    )
    source_ref: _Words = attrs.field(metadata={NAME: "sourceRef"})
    commit_count: Annotated[int, Integer(0)] = attrs.field(metadata={NAME: "commitCount"})
    contributions: _Contributions = attrs.field(hash=False)
    problems: Annotated[tuple[Problem, ...], Items()] = attrs.field()
    ratings: _Ratings = attrs.field(hash=False)
    extra: Mapping[str, Any] = attrs.field(
        factory=dict, kw_only=True, hash=False, repr=False, metadata=_EXTRA
    )

    def __repr__(self) -> str:
        return f"<Snapshot of {self._name} at {self.source_ref}: {len(self.problems)} problems>"

    def _repr_html_(self) -> str:
        """Show what notebooks show: a table of one row, in which nothing is markup."""
        head = ("repository", "branch", "reference", "generated at", "problems", "commits")
        cells = (
            self._name,
            self.repository.branch,
            self.source_ref,
            format_instant(self.generated_at),
        )
        return html_table(
            "Snapshot", head, [(*cells, str(len(self.problems)), str(self.commit_count))]
        )

    @property
    def _name(self) -> str:
        return f"{self.repository.owner}/{self.repository.name}"
