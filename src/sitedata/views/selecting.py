"""Which problems are shown: filters, groups and counts.

Source: site-data specification, "What the service does" (filtering is the caller's); rulings under
"Site-data file".  Platforms and languages compare exactly; a month is that of the day which the
entry's own text names, in its own offset.

Invariant *order is kept*: what is selected, and what is in a group, stands as it stood.
Invariant *unknown time is no time*: a problem without a time is in no span and in the month None.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final, Literal

import attrs

from sitedata.reading.models import Problem

__all__ = ["Counts", "GroupBy", "Groups", "counts", "group", "select"]

GroupBy = Literal["platform", "language", "month"]

_Test = Callable[[Problem], bool]
_SHOWN: Final = 6
_MONTH: Final = len("YYYY-MM")
_INSTANT: Final = attrgetter("instant")


def select(
    problems: Iterable[Problem],
    *,
    platforms: str | Collection[str] | None = None,
    languages: str | Collection[str] | None = None,
    since: int | None = None,
    until: int | None = None,
    text: str | None = None,
) -> tuple[Problem, ...]:
    """Give the problems that pass every filter that is given.

    Args:
        problems: any.
        platforms: one, or several of which a problem has one; none for an empty collection.
        languages: the same for languages.
        since: the earliest instant, ms since the epoch.
        until: the first instant after the span, ms since the epoch.
        text: stands in the title or in the path, in capitals or not.

    """
    tests: list[_Test] = []
    if platforms is not None:
        named = _several(platforms)
        tests.append(lambda problem: problem.platform in named)
    if languages is not None:
        spoken = _several(languages)
        tests.append(lambda problem: problem.language in spoken)
    if since is not None or until is not None:
        tests.append(lambda problem: _is_within(problem, since, until))
    if text is not None:
        wanted = _folded(text)
        tests.append(lambda problem: wanted in _folded(problem.title + "\n" + problem.path))
    return tuple(problem for problem in problems if all(test(problem) for test in tests))


def _several(names: str | Collection[str]) -> Collection[str]:
    return {names} if isinstance(names, str) else frozenset(names)


def _is_within(problem: Problem, since: int | None, until: int | None) -> bool:
    instant = problem.instant
    if instant is None:
        return False
    return (since is None or since <= instant) and (until is None or instant < until)


def _folded(text: str) -> str:
    """Fold capitals, and letters with marks into one form: some systems name files in the other."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


@attrs.frozen(repr=False)
class Groups(Mapping[str | None, tuple[Problem, ...]]):
    """Problems by what they have in common, in the order of the names, None last."""

    by: GroupBy
    members: Mapping[str | None, tuple[Problem, ...]] = attrs.field(hash=False)

    def __getitem__(self, name: str | None) -> tuple[Problem, ...]:
        return self.members[name]

    def __iter__(self) -> Iterator[str | None]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __repr__(self) -> str:
        sizes = {name: len(found) for name, found in self.members.items()}
        return f"<Groups by {self.by}: {_listed(sizes)}>"


def group(problems: Iterable[Problem], by: GroupBy) -> Groups:
    """Group problems by platform, language or month (`YYYY-MM`)."""
    name_of = _NAMES[by]
    found: dict[str | None, list[Problem]] = {}
    for problem in problems:
        found.setdefault(name_of(problem), []).append(problem)
    return Groups(by, {name: tuple(found[name]) for name in sorted(found, key=_none_last)})


def _month(problem: Problem) -> str | None:
    return None if problem.submitted_at is None else problem.submitted_at[:_MONTH]


_NAMES: Final[Mapping[GroupBy, Callable[[Problem], str | None]]] = {
    "platform": lambda problem: problem.platform,
    "language": lambda problem: problem.language,
    "month": _month,
}


def _none_last(name: str | None) -> tuple[bool, str]:
    return name is None, name or ""


@attrs.frozen(repr=False)
class Counts:
    """How many problems there are.

    Attributes:
        total: of all.
        platforms: name to number, the largest first, equal ones by name.
        languages: the same for languages.
        dated: how many have a time.
        undated: how many have none.
        first: the problem with the earliest time; None where none has a time.
        last: the one with the latest.

    """

    total: int
    platforms: Mapping[str, int] = attrs.field(hash=False)
    languages: Mapping[str, int] = attrs.field(hash=False)
    dated: int
    undated: int
    first: Problem | None
    last: Problem | None

    def __repr__(self) -> str:
        span = ""
        if self.first is not None and self.last is not None:
            span = f", {self.first.submitted_at} to {self.last.submitted_at}"
        return (
            f"<Counts: {self.total} problems ({_listed(self.platforms)};"
            f" {_listed(self.languages)}), {self.undated} undated{span}>"
        )


def counts(problems: Iterable[Problem]) -> Counts:
    """Count problems; of several with the earliest or latest time the first counts."""
    everything = tuple(problems)
    dated: Sequence[Problem] = [each for each in everything if each.instant is not None]
    return Counts(
        total=len(everything),
        platforms=_ranked(problem.platform for problem in everything),
        languages=_ranked(problem.language for problem in everything),
        dated=len(dated),
        undated=len(everything) - len(dated),
        first=min(dated, key=_INSTANT, default=None),
        last=max(dated, key=_INSTANT, default=None),
    )


def _ranked(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def _listed(sizes: Mapping[str | None, int] | Mapping[str, int]) -> str:
    shown = [f"{name or 'unknown'} {size}" for name, size in list(sizes.items())[:_SHOWN]]
    more = [f"{len(sizes) - _SHOWN} more"] if len(sizes) > _SHOWN else []
    return ", ".join(shown + more) or "none"
