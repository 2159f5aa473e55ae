"""Problems as views count them: several files of one problem are one, and problems have sites.

Invariant *one problem*: files are of one problem exactly if they have the same https `problem_url`;
a file without one is a problem by itself.

Contract: SD-VIEW-10, SD-VIEW-11.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

import attrs

from sitedata.reading.checking import https_host
from sitedata.reading.models import Problem

Grouping = Literal["platform", "site"]

NO_SITE: Final = "no site"
"""Site of a problem whose link is that of its own file, or no https URL."""
_HTTPS: Final = "https://"
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
        return _distinct([each.language for each in self.files])

    @property
    def platforms(self) -> tuple[str, ...]:
        """The platforms of the files, sorted."""
        return _distinct([each.platform for each in self.files])

    @property
    def site(self) -> str:
        """The site of the problem."""
        return site_of(self.first)


def _distinct(names: list[str]) -> tuple[str, ...]:
    return tuple(names if len(names) == 1 else sorted(set(names)))


def solved(problems: Iterable[Problem]) -> tuple[SolvedProblem, ...]:
    """Return the problems of files, in the order of their first files."""
    found: dict[object, list[Problem]] = {}
    for number, each in enumerate(problems):
        url = each.problem_url
        found.setdefault(url if url.startswith(_HTTPS) else number, []).append(each)
    return tuple(SolvedProblem(tuple(files)) for files in found.values())


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

    That is where most files are in folders of languages, years or single problems, and a site is
    known.
    """
    segments: dict[str, list[Problem]] = {}
    for each in problems:
        segments.setdefault(each.platform, []).append(each)
    total = sum(map(len, segments.values()))
    others = sum(len(files) for name, files in segments.items() if _is_no_platform(name, files))
    has_site = any(site_of(each) != NO_SITE for files in segments.values() for each in files)
    return "site" if has_site and 2 * others > total else "platform"


def _is_no_platform(segment: str, files: list[Problem]) -> bool:
    """Check whether a first segment is a language, a number such as a year, or one problem."""
    name = _key(segment)
    if name.isdecimal():
        return True
    languages = {_key(each.language) for each in files}
    language = name.rstrip("0123456789")
    if _ALIASES.get(language, language) in languages or name in map(_extension, files):
        return True
    title = _key(files[0].title)
    is_one = all(each.problem_url == files[0].problem_url for each in files)
    return is_one and len(title) >= _MIN_TITLE and title in name


def _extension(problem: Problem) -> str:
    return problem.path.rpartition("/")[2].rpartition(".")[2].lower()


def _key(text: str) -> str:
    """Return the letters, digits, `+` and `#` of a text in lower case."""
    return _NOT_KEY.sub("", text.lower())
