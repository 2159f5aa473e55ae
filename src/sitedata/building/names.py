"""What names of files and folders say by themselves: nothing, a place for others, or a problem.

A generic name only says that a file is one (`main`, `submission-12`), a structural one which part
of a project it holds (`src`), a bucket which numbers (`1000-1999`).  None is an id or a title.

Invariant *linear*: names, which anybody may choose, are matched in linear time.
"""

import re
from collections.abc import Container
from functools import lru_cache
from typing import Final

from sitedata.parsing import plain_text

_SEPARATORS: Final = re.compile(r"[\s._-]++")
ONE_WORD: Final = "acmicpc"
"""The site with this name; `ACM ICPC` is the contest."""

_LANGUAGES: Final = (
    "bash c++ clojure cpp csharp dart elixir go golang haskell java javascript js julia kotlin lua"
    " php py python python3 rb ruby rust scala sql swift ts typescript"
)
LANGUAGE_WORDS: Final = frozenset(_LANGUAGES.split())
"""Names of folders that hold what is written in one language."""
_STRUCTURE: Final = LANGUAGE_WORDS | {"bin", "lib", "libs", "main", "src"}
_UNTITLED: Final = _STRUCTURE | {"contests"}
_GENERIC_WORDS: Final = (
    "accepted|ac|answers?|ans|attempts?|brute[ _-]?force|brute|checker|codes?|common|correct|debug"
    "|drafts?|final|generator|gen|helpers?|index|lib(?:s|rary)?|main|naive|new|notes?|old|readme"
    "|optimal|optimi[sz]ed|program|prog|scratch|solutions?|solved?|solver|sols?|source|src|std"
    "|stress|submissions?|submit|sub|temp(?:late)?|test(?:ing|er|s)?|tle|tmp|try|untitled"
    "|utils?|wa|working"
)
GENERIC: Final = (
    f"(?:(?:my[ _-]?)?(?:{_GENERIC_WORDS})(?:[ ._-]++(?:{_GENERIC_WORDS}))*+|v(?=[0-9]))"
    r"[ ._-]*+(?:v?[0-9]++(?:[._-][0-9]++)*+|\([0-9]++\))?"
)
"""Pattern of names that only say that a file is a solution, or a part of one."""
_GENERIC: Final = re.compile(GENERIC, re.ASCII | re.IGNORECASE)
_SHORT: Final = "ac at atc euler gym lg nc onlinejudge pe programmers ural vj"
AMBIGUOUS: Final = frozenset(_SHORT.split())
"""Keys of platforms' folders that also have other meanings."""
_OTHER_SITES: Final = re.compile(
    "adventofcode|aoc|binarysearch|codeforcesgym|codewars|codeup|codingame|codingninjas|codility"
    "|ctci|crackingthecodinginterview|edabit|exercism|geeks?forgeeks|gfg|goorm|hackerearth"
    "|interviewbit|jungol|lc(?:ci|of2?|ofii|p|r|s)|lintcode|naukri|rosalind|softeer|swea|topcoder"
    "|usaco|(?:剑指|面试题|程序员面试金典).*+|iceland|nus|(?!open)[a-z0-9]+kattis(?:com)?"
)
_BUCKET: Final = re.compile(r"0*+([0-9]{1,9}+)(?:[ ]?[-~_][ ]?0*+([0-9]{1,9}+)|x{1,9}+)?")
_NUMBER_FIRST: Final = re.compile(r"0*+([0-9]{1,9}+)(?![0-9]).*+", re.DOTALL)
_ATTEMPT: Final = re.compile(
    r"(.*[^\W\d_])[ ._-]*+(?:v?[0-9]{1,2}|\([0-9]{1,2}\))", re.DOTALL | re.IGNORECASE
)
_TEST_END: Final = re.compile(r"(?:[._-](?i:tests?|spec)|(?<=[a-z0-9])(?:Tests?|Spec))\Z")
_TEST_START: Final = re.compile(r"(?i:tests?)[_-]|Test(?=[A-Z])")
_FOUND_BY_NAME: Final = frozenset(
    ["clj", "cr", "dart", "erl", "exs", "gleam", "go", "lua", "py", "rb"]
)
"""Extensions of languages whose tests are found by their names, which are in lower case."""
_LETTER: Final = re.compile(r"[^\W\d_][0-9]?")
_MIN_DIGITS: Final = 3  # of a number in a bucket that is its beginning


@lru_cache(maxsize=4096)
def folder_key(name: str) -> str:
    """Return a folder name without case, spaces, dots, dashes and underscores, for comparison.

    The key of a path has the keys of its segments, joined by slashes; that of `.` is itself.
    """
    folded = plain_text(name).casefold()
    key = _SEPARATORS.sub("", folded)
    return folded if key == ONE_WORD or name == "." else key


def is_other_site(key: str) -> bool:
    """Check whether the key of a folder is a site that is not built in, or a part of another."""
    return _OTHER_SITES.fullmatch(key) is not None


@lru_cache(maxsize=4096)
def is_generic_name(name: str) -> bool:
    """Check whether a name only says that a file is a solution or a part of one."""
    return _GENERIC.fullmatch(name) is not None


def is_structure(name: str) -> bool:
    """Check whether a folder only says which part of a project it holds."""
    return name.casefold() in _STRUCTURE


def is_untitled(folder: str) -> bool:
    """Check whether the name of a folder is no title of what is in it."""
    is_place = folder.casefold() in _UNTITLED or is_range(folder)
    return is_place or is_generic_name(folder)


def is_bare(title: str) -> bool:
    """Check whether a title needs a contest before it: a number, or a letter as `A` and `F1`."""
    return title.isdecimal() or _LETTER.fullmatch(title) is not None


def leading_number(name: str) -> str | None:
    """Return the number at the beginning of a name, without leading zeros."""
    match = _NUMBER_FIRST.fullmatch(name)
    return None if match is None else match[1]


def is_range(folder: str) -> bool:
    """Check whether the name of a folder is a range of numbers: `1000-1999`, `10xx`."""
    match = _BUCKET.fullmatch(folder)
    if match is None:
        return False
    return folder.endswith("x") if match[2] is None else int(match[1]) < int(match[2])


def is_in_bucket(number: str, folder: str) -> bool:
    """Check whether a number lies in the range of a folder, or begins with its number."""
    match = _BUCKET.fullmatch(folder) if number.isdecimal() else None
    if match is None:
        return False
    if match[2] is not None:
        return int(match[1]) <= int(number) <= int(match[2])
    is_longer = len(match[1]) < len(number) >= _MIN_DIGITS
    return is_longer and number.startswith(match[1])


def attempt_of(stem: str, beside: Container[str]) -> str:
    """Return `x` for `x2`, `x_v2` or `x (2)` beside `x`; else the name itself."""
    match = None if stem[-1:].isalpha() else _ATTEMPT.fullmatch(stem)
    if match is None or is_bare(match[1]) or match[1] not in beside:
        return stem
    return match[1]


def is_test(stem: str, extension: str, folder: str, beside: Container[str]) -> bool:
    """Check whether a file is a test, and not a problem such as `IQ Test`.

    `folder` is the name of its folder, and `beside` has the keys of the names in that.
    """
    end, start = _TEST_END.search(stem), _TEST_START.match(stem)
    if end is not None:
        tested = stem[: end.start()]
    elif start is not None:
        tested = stem[start.end() :]
    else:
        return False
    if folder_key(stem) in folder_key(folder):
        return False
    if folder_key(tested) in beside or folder_key(tested) == folder_key(folder):
        return True
    is_usual = stem == stem.lower() and not stem[0].isdecimal()
    return is_usual and extension.lower() in _FOUND_BY_NAME
