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
_PARTS: Final = "bin lib libs main problem problems solution solutions solved src submissions"
_STRUCTURE: Final = LANGUAGE_WORDS.union(_PARTS.split())
_GENERIC_WORDS: Final = (
    "accepted|ac|answers?|ans|attempts?|brute[ _-]?force|brute|checker|codes?|common|correct|debug"
    "|drafts?|final|generator|gen|helpers?|index|kattio|lib(?:s|rary)?|main|naive|new|notes?|old"
    r"|optimal|optimi[sz]ed|problem(?![ ._-]*+[0-9])|program|prog|readme|scratch|solutions?|solved?"
    "|solver|sols?|source|src|std|stress|submissions?|submit|sub|temp(?:late)?|test(?:ing|er|s)?|tle"
    "|tmp|try|untitled|utils?|wa|working|풀이|정답|해답|题解|解答|解法|正解|答案"
)
_GENERIC_WORD: Final = f"(?:my[ _-]?)?(?:{_GENERIC_WORDS})"
_VERSION_END: Final = r"[ ._-]*+(?:v?[0-9]++(?:[._-][0-9]++)*+|\([0-9]++\))?"
GENERIC: Final = f"(?:{_GENERIC_WORD}(?:[ ._-]++(?:{_GENERIC_WORDS}))*+|v(?=[0-9])){_VERSION_END}"
"""Pattern of names that only say that a file is a solution, or a part of one."""
_GENERIC: Final = re.compile(GENERIC, re.ASCII | re.IGNORECASE)
_SHORT: Final = "ac at atc euler gym lg nc onlinejudge pe programmers ural vj"
AMBIGUOUS: Final = frozenset(_SHORT.split())
"""Keys of platforms' folders that also have other meanings."""
_OTHER_SITES: Final = re.compile(
    "acwing|adventofcode|aoc|binarysearchcom|codeforcesgym|codejam|codetree|codewars|codeup|codingame"
    "|codingninjas|codility|csacademy|ctci|crackingthecodinginterview|edabit|exercism|geeks?forgeeks"
    "|gfg|goorm|hackercup|hackerearth|interviewbit|jungol|kickstart|lc(?:ci|of2?|ofii|p|r|s)"
    "|lightoj|lintcode|livearchive|naukri|rosalind|softeer|swea|topcoder|usaco|uvalive|yukicoder|zoj"
    "|(?:剑指|面试题|程序员面试金典).*+|프로그래머스|iceland|nus|(?!open)[a-z0-9]+kattis(?:com)?"
)
_DIGITS: Final = "(?:0++(?=[0-9]))?+([0-9]{1,9}+)"
_BUCKET: Final = re.compile(f"{_DIGITS}(?:[ ]?[-~_][ ]?{_DIGITS}|([xX]{{1,9}}+))?")
_NUMBER_FIRST: Final = re.compile(f"{_DIGITS}(?![0-9]).*+", re.DOTALL)
_VERSION: Final = re.compile(
    r"(?is)(.*[^\W_])[ ._-]++(?:v[0-9]{1,2}|main|naive|optimal|sol|solutions?|submission|template)"
)
_ATTEMPTS: Final = (
    re.compile(r"(?is)(.*[^\W_])(?:(?:[ ._-]*+v|_)[0-9]{1,2}| ?\([0-9]{1,2}\))"),
    re.compile(r"(?is)(.*[^\W\d_])[ ._-]*+[0-9]{1,2}"),
    # one word, the last: with more, each word would be tried with all that follow it
    re.compile(rf"(?is)(.*[^\W_])[ ._-]++(?:{_GENERIC_WORD}|v(?=[0-9])){_VERSION_END}"),
)
_FOLDER_NUMBER: Final = re.compile(r"\A(?!20[0-4][0-9]\Z)[0-9]++[A-Za-z]?(?:[ ._-]++|\Z)")
_WORDS: Final = f"bfs|dfs|dp|greedy|hash(?:[ _-]?map)?|iterative|my|recursive|{_GENERIC_WORDS}"
_ATTEMPT: Final = re.compile(
    rf"(?i)(?:[ ._(-]++(?:(?:{_WORDS})[0-9]{{0,2}}+|v?[0-9]{{1,2}}+)(?![^\W_]))++\)?"
)
"""After the name of a folder: only words that say which solution of its problem it is."""
_TITLE: Final = re.compile(r"(?is)[ ._(-]++(?![0-9]|[a-z][0-9]?(?:[ ._-]|\Z)).++")
"""After the number of a folder: neither another number nor a letter, which may be a task."""
_TEST_END: Final = re.compile(r"(?:[._-](?i:tests?|spec)|(?<=[a-z0-9])(?:Tests?|Spec))\Z")
_TEST_START: Final = re.compile(r"\A(?:(?i:tests?)[_-]|Test(?=[A-Z]))")
_FOUND_BY_NAME: Final = {"clj", "cr", "dart", "erl", "exs", "gleam", "go", "lua", "py", "rb"}
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
    return _GENERIC.fullmatch(plain_text(name)) is not None


def is_structure(name: str) -> bool:
    """Check whether a folder only says which part of a project it holds."""
    return name.casefold() in _STRUCTURE


def is_untitled(folder: str) -> bool:
    """Check whether the name of a folder is no title of what is in it."""
    is_place = is_structure(folder) or folder.casefold() == "contests" or is_range(folder)
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
    return match[3] is not None if match[2] is None else int(match[1]) < int(match[2])


def is_in_bucket(number: str, folder: str) -> bool:
    """Check whether a number lies in the range of a folder, or begins with its number."""
    match = _BUCKET.fullmatch(folder) if number.isdecimal() else None
    if match is None:
        return False
    if match[2] is not None:
        return int(match[1]) <= int(number) <= int(match[2])
    if match[3] is not None:
        return int(number[: -len(match[3])] or "0") == int(match[1])
    is_longer = len(match[1]) < len(number) >= _MIN_DIGITS
    return is_longer and number.startswith(match[1])


def attempt_of(stem: str, beside: Container[str], folder: str = "") -> str:
    """Return `x` for `x_v2` and `x-solution`; for `x2`, `x_2`, `x (2)` and `x_test` beside `x`.

    All but `x2` may also be in a folder `x`.  Another name is returned itself.
    """
    if stem.isalpha():  # most names have neither a number nor another word
        return stem
    if match := _VERSION.fullmatch(stem):
        return match[1]
    for match in filter(None, (pattern.fullmatch(stem) for pattern in _ATTEMPTS)):
        is_own = not stem.isalnum() and folder_key(match[1]) == folder_key(folder)
        if not is_bare(match[1]) and (is_own or match[1] in beside):
            return match[1]
    return stem


def folder_names(folder: str) -> tuple[str, ...]:
    """Return the plain name of a folder and, if it begins with a number, what follows that."""
    plain = plain_text(folder)
    return tuple(dict.fromkeys((plain, _FOLDER_NUMBER.sub("", plain))))


def own_part(stem: str, names: tuple[str, ...]) -> str:
    """Return the part of a stem that is one of the `folder_names`; else empty text.

    After a number may follow an attempt, or the title of that: `1068/1068_2`, `1068/1068 - Weird`.
    """
    stem, key = plain_text(stem), folder_key(stem)
    for name in filter(None, names):
        if folder_key(name) == key:
            return stem
        if len(names) > 1 and stem.casefold().startswith(name.casefold()):
            if _ATTEMPT.fullmatch(stem, len(name)):
                return stem[: len(name)]
            if not names[1] and _TITLE.fullmatch(stem, len(name)):
                return stem
    return ""


def is_test(stem: str, extension: str, folder: str, beside: Container[str]) -> bool:
    """Check whether a file is a test, and not a problem such as `IQ Test`.

    `folder` is the name of its folder, and `beside` has the keys of the names in that.
    """
    tested = _TEST_END.sub("", stem)
    if tested == stem:
        tested = _TEST_START.sub("", stem)
    if tested == stem or folder_key(stem) in folder_key(folder):
        return False
    if folder_key(tested) in beside or folder_key(tested) == folder_key(folder):
        return True
    is_usual = stem == stem.lower() and not stem[0].isdecimal()
    return is_usual and extension.lower() in _FOUND_BY_NAME
