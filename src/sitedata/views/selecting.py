"""Order, filter, group and count problems, and join the files of one problem.

Texts compare in NFKC with one space between words, names of platforms and languages in their case.
All but `counts` take each file by itself.

Invariant *order is kept*: selected and grouped problems keep their order.
Invariant *one problem*: files are of one problem exactly if they have the same https `problem_url`;
those with the link of their own file, if they have one folder and one title.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Final, Literal

import attrs

from sitedata.models import Problem
from sitedata.parsing import https_host, plain_text
from status_contracts.primitives import check_type, plural

Grouping = Literal["platform", "site"]

NO_SITE: Final = "no site"
"""Site of a problem whose link is that of its own file, or no https URL."""
_PLATFORM_NAMES: Final = {
    name.replace(" ", "").lower(): name
    for name in (
        *("AOJ", "AtCoder", "Baekjoon", "CodeChef", "Codeforces", "CSES", "DMOJ", "HackerRank"),
        *("HDU", "Kattis", "LeetCode", "LOJ", "Luogu", "Nowcoder", "POJ", "Programmers"),
        *("Project Euler", "QOJ", "SPOJ", "Timus", "UVa", "VJudge"),
        *("Advent of Code", "AcWing", "Codewars", "Exercism", "GeeksforGeeks", "HackerEarth"),
        *("LintCode", "NeetCode", "TopCoder", "USACO"),
    )
}
"""Platform in letters and digits to its name as people read it; a search for either finds both."""
_ORIGIN: Final = re.compile(r"https://[^/]+", re.IGNORECASE)
_NOT_KEY: Final = re.compile(r"[^\w+#]|_")
_MIN_TITLE: Final = 2
_ALIASES: Final = {"cplusplus": "c++", "cpp": "c++", "csharp": "c#", "golang": "go"}
"""Names of folders of languages that are neither the language nor its extension."""


@attrs.frozen
class SolvedProblem:
    """A problem and its files, of which the first names and dates it."""

    files: tuple[Problem, ...]

    @property
    def first(self) -> Problem:
        """The first file."""
        return self.files[0]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the files, sorted."""
        return _distinct([plain_text(file.language) for file in self.files])

    @property
    def platforms(self) -> tuple[str, ...]:
        """The platforms of the files, sorted."""
        return _distinct([plain_text(file.platform) for file in self.files])

    @property
    def site(self) -> str:
        """The site of the problem."""
        return site_of(self.first)


def _distinct(names: list[str]) -> tuple[str, ...]:
    return tuple(names if len(names) == 1 else sorted(set(names)))


def solved(problems: Iterable[Problem]) -> tuple[SolvedProblem, ...]:
    """Return the problems of files, in the order of their first files."""
    groups: dict[object, list[Problem]] = {}
    for number, problem in enumerate(problems):
        url = problem.problem_url
        key: object = url if url.startswith("https://") else number
        if url == problem.github_url:
            key = problem.path.rpartition("/")[0], plain_text(problem.title)
        groups.setdefault(key, []).append(problem)
    return tuple(SolvedProblem(tuple(files)) for files in groups.values())


def site_of(problem: Problem) -> str:
    """Return the host of the problem's URL, without `www.`; `NO_SITE` if that is no other page."""
    origin = _ORIGIN.match(problem.problem_url)
    if origin is None or problem.problem_url == problem.github_url:
        return NO_SITE
    return _site(origin[0])


@lru_cache(maxsize=1024)
def _site(origin: str) -> str:
    return (https_host(origin) or NO_SITE).removeprefix("www.")


def grouping_of(problems: Iterable[Problem]) -> Grouping:
    """Return by what views group: by site where the first segments say nothing of the platform.

    That is where most files are in folders of languages, years or single problems.
    """
    segments: dict[str, list[Problem]] = {}
    for problem in problems:
        segments.setdefault(problem.platform, []).append(problem)
    total = sum(map(len, segments.values()))
    others = sum(len(files) for name, files in segments.items() if _is_no_platform(name, files))
    return "site" if 2 * others > total else "platform"


def _is_no_platform(segment: str, files: list[Problem]) -> bool:
    """Check whether a first segment is a language, a number such as a year, or one problem."""
    name = _key(segment)
    if name.isdecimal():
        return True
    languages = {_key(file.language) for file in files}
    language = name.rstrip("0123456789")
    if _ALIASES.get(language, language) in languages or name in map(_extension, files):
        return True
    title = _key(files[0].title)
    is_one = all(file.problem_url == files[0].problem_url for file in files)
    return is_one and len(title) >= _MIN_TITLE and title in name


def platform_name(platform: str) -> str:
    """Return the name of a platform as people read it: `cses 1578` is `CSES 1578`."""
    first, space, rest = platform.partition(" ")
    name = _PLATFORM_NAMES.get(_key(first), first) + space + rest
    return _PLATFORM_NAMES.get(_key(platform), name)


def _extension(problem: Problem) -> str:
    return problem.path.rpartition("/")[2].rpartition(".")[2].lower()


def _key(text: str) -> str:
    """Return the letters, digits, `+` and `#` of a text in lower case."""
    return _NOT_KEY.sub("", text.lower())


GroupBy = Literal["platform", "site", "language"]


def _need_problems(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems; raise TypeError, with the remedy, for a snapshot or what is none."""
    check_type("problems", problems, Iterable, "pass snapshot.problems")
    all_problems = tuple(problems)
    for problem in all_problems:
        check_type("problem", problem, Problem, "pass snapshot.problems")
    return all_problems


def ordered(problems: Iterable[Problem], *, newest_first: bool = True) -> tuple[Problem, ...]:
    """Sort problems by instant, the newest or the oldest first, then by path in code point order.

    Those without a time come last, in both orders.
    """
    by_path = sorted(_need_problems(problems), key=attrgetter("path"))
    known = [problem for problem in by_path if problem.instant is not None]
    unknown = [problem for problem in by_path if problem.instant is None]
    # two stable sorts by one attribute are faster than one by pairs
    known.sort(key=attrgetter("instant"), reverse=newest_first)
    return (*known, *unknown)


def select(
    problems: Iterable[Problem],
    *,
    platforms: str | Collection[str] | None = None,
    sites: str | Collection[str] | None = None,
    languages: str | Collection[str] | None = None,
    text: str | None = None,
) -> tuple[Problem, ...]:
    """Return the problems that pass all given filters.

    Args:
        problems: the problems to filter.
        platforms: one platform, or a collection of allowed ones; an empty one allows none.
        sites: the same for sites, as `site_of` returns them.
        languages: the same for languages.
        text: must occur in the title or in the path, in any case.

    """
    wanted: dict[GroupBy, str | Collection[str] | None] = {
        "platform": platforms,
        "site": sites,
        "language": languages,
    }
    allowed = [
        (_NAMES[by], frozenset(map(plain_text, [names] if isinstance(names, str) else names)))
        for by, names in wanted.items()
        if names is not None
    ]
    searched = None if text is None else _folded(text)
    return tuple(
        problem
        for problem in _need_problems(problems)
        if all(name_of(problem) in names for name_of, names in allowed)
        and (searched is None or searched in _folded(f"{problem.title} {problem.path}"))
    )


def _folded(text: str) -> str:
    """Return plain text without case: full width is found by half width."""
    return plain_text(plain_text(text).casefold())


def group(problems: Iterable[Problem], by: GroupBy) -> dict[str, tuple[Problem, ...]]:
    """Group problems by platform, site (`site_of`) or language, sorted; else raise ValueError."""
    if by not in _NAMES:
        raise ValueError(f"by: there is no {by!r}; choose from {', '.join(_NAMES)}")
    name_of = _NAMES[by]
    groups: dict[str, list[Problem]] = {}
    for problem in _need_problems(problems):
        groups.setdefault(name_of(problem), []).append(problem)
    return {name: tuple(groups[name]) for name in sorted(groups)}


_NAMES: Final[Mapping[GroupBy, Callable[[Problem], str]]] = {
    "platform": lambda problem: plain_text(problem.platform),
    "site": site_of,
    "language": lambda problem: plain_text(problem.language),
}


@attrs.frozen
class Counts:
    """Number of problems, by platform, site and language.

    A problem with several files counts once in the total, and once in each of its languages.

    Attributes:
        total: number of problems.
        files: number of files.
        platforms: platform to number, the largest first, equal numbers by name.
        sites: the same for sites, as `site_of` returns them.
        languages: the same for languages.
        undated: number of problems without a time.

    """

    total: int
    files: int
    platforms: Mapping[str, int] = attrs.field(hash=False)
    sites: Mapping[str, int] = attrs.field(hash=False)
    languages: Mapping[str, int] = attrs.field(hash=False)
    undated: int


def counts(problems: Iterable[Problem]) -> Counts:
    """Count the problems of files."""
    return counts_of_solved(solved(ordered(problems)))


def counts_of_solved(problems: Collection[SolvedProblem]) -> Counts:
    """Return `counts` of files whose problems are known."""
    undated = sum(all(file.instant is None for file in problem.files) for problem in problems)
    return Counts(
        total=len(problems),
        files=sum(len(problem.files) for problem in problems),
        platforms=_ranked(name for problem in problems for name in problem.platforms),
        sites=_ranked(problem.site for problem in problems),
        languages=_ranked(name for problem in problems for name in problem.languages),
        undated=undated,
    )


def format_total(total: int, files: int, noun: str = "problem") -> str:
    """Write the number of problems and, if it is another, that of their files."""
    return plural(total, noun) + ("" if files == total else f" in {plural(files, 'file')}")


def _ranked(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))
