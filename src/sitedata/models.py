"""Models of a snapshot: the repository, its problems, its compatibility fields.

The classes hold values and declare constraints; `sitedata.parse` and `sitedata.check` validate
them.

Invariant *nothing is lost*: members that the specification does not name are kept in `extra`, in
the order in which they were read, and are encoded again.
Invariant *no invalid date*: a problem cannot be created with an invalid time, so sorting and
filtering see an instant or None.
Invariant *instants compare exactly*: two times compare as the instants that they name, whatever
their offsets and their number of digits.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Final

import attrs

from status_contracts.days import parse_day
from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT
from status_contracts.primitives import plural
from status_contracts.structuring.constraints import (
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

Instant = int | Decimal
"""Milliseconds since the epoch; a Decimal where the text is finer."""

_CLOCK: Final = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME: Final = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[Tt]{_CLOCK}:[0-5][0-9](?:\.[0-9]{{1,6}})?"
    rf"(?:[Zz]|[+-]{_CLOCK})"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MS_DIGITS: Final = 3


def parse_instant(text: str) -> Instant:
    """Parse a time to its instant; raise ValueError if the text is not a time.

    A time is RFC 3339 text of a real instant, with at most six digits of a fraction, in the years
    0001 to 9999 in UTC.
    """
    if _TIME.fullmatch(text) is None:
        raise ValueError("not a time")
    microseconds = (datetime.fromisoformat(text.upper()) - _EPOCH) // _MICROSECOND
    instant, finer = divmod(microseconds, 10**_MS_DIGITS)
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        raise ValueError("outside the years 0001 to 9999 in UTC")
    return Decimal(microseconds).scaleb(-_MS_DIGITS) if finer else instant


_Text = Annotated[str, Text(controls=True)]
_Time = Annotated[
    str,
    Predicate(
        parse_instant,
        "time.format",
        "a real time with an offset, as RFC 3339 has it",
        by_model=True,
    ),
]
_Contributions = Annotated[
    Mapping[str, Annotated[int, Integer(0)]],
    MapOf(Predicate(parse_day, "date.real", "named by days of the calendar, as YYYY-MM-DD")),
]
_Ratings = Annotated[Mapping[str, Annotated[Any, Anything()]], MapOf()]
_EXTRA: Final = {EXTRA: True}
"""Metadata of the field that holds undocumented members."""


@attrs.frozen
class Repository:
    """The repository of a snapshot.

    Undocumented members are in `extra`.
    """

    owner: _Text
    name: _Text
    branch: _Text
    extra: Mapping[str, Any] = attrs.field(
        factory=dict, kw_only=True, hash=False, repr=False, metadata=_EXTRA
    )


@attrs.frozen
class Problem:
    """One solved problem: a file of the repository.

    Attributes:
        path: path of the file in the repository, with `/` between its segments.
        platform: where the problem is published; an open set.
        language: programming language.
        title: display title.
        problem_url: URL of the statement.
        github_url: URL of the file in the repository's web view.
        raw_url: URL of the raw file.
        submitted_at: commit time of the entry with its offset, as it was read; None if unknown.
        extra: undocumented members.
        instant: the same time in ms since the epoch; a Decimal where the text is finer than ms.

    Raises:
        ValueError: `submitted_at` is not a time.

    """

    path: _Text
    platform: _Text
    language: _Text
    title: _Text
    problem_url: _Text = attrs.field(metadata={NAME: "problemUrl"})
    github_url: _Text = attrs.field(metadata={NAME: "githubUrl"})
    raw_url: _Text = attrs.field(metadata={NAME: "rawUrl"})
    submitted_at: _Time | None = attrs.field(metadata={NAME: "submittedAt"})
    extra: Mapping[str, Any] = attrs.field(
        factory=dict, kw_only=True, hash=False, repr=False, metadata=_EXTRA
    )
    instant: Instant | None = attrs.field(init=False, eq=False, repr=False)

    @instant.default
    def _instant(self) -> Instant | None:
        return None if self.submitted_at is None else parse_instant(self.submitted_at)


@attrs.frozen
class Snapshot:
    """The published data of a repository at one time.

    Attributes:
        repository: the repository.
        generated_at: build time, ms since the epoch.
        source_ref: git reference from which it was built.
        commit_count: number of commits of that reference; a compatibility field.
        contributions: day (`YYYY-MM-DD`) to the number of commits on it; a compatibility field.
        problems: the problems; their order has no meaning.
        ratings: platform to its rating, mostly None; a compatibility field.
        extra: undocumented members.

    """

    repository: Repository
    generated_at: Annotated[int, TimestampFormat.MILLISECOND] = attrs.field(
        metadata={NAME: "generatedAt"}
    )
    source_ref: _Text = attrs.field(metadata={NAME: "sourceRef"})
    commit_count: Annotated[int, Integer(0)] = attrs.field(metadata={NAME: "commitCount"})
    contributions: _Contributions = attrs.field(hash=False)
    problems: Annotated[tuple[Problem, ...], Items()] = attrs.field()
    ratings: _Ratings = attrs.field(hash=False)
    extra: Mapping[str, Any] = attrs.field(
        factory=dict, kw_only=True, hash=False, repr=False, metadata=_EXTRA
    )

    def __repr__(self) -> str:
        name = f"{self.repository.owner}/{self.repository.name}"
        problems = plural(len(self.problems), "problem")
        return f"<Snapshot of {name} at {self.source_ref}: {problems}>"
