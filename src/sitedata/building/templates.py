"""Patterns of file layouts, and the templates of titles and URLs that use their groups.

    (?P<contest>[0-9]++)/(?P<index>[a-z])(?:[ -]++(?P<title>.++))?

A pattern is a regular expression for each segment, joined by slashes.  It is matched against the
last segments of a path without the file's extension, and each part against the whole of its
segment.  A pattern that begins with a slash is matched against the whole path below the platform's
folder.  Letters match in either case, except in `(?-i:...)`; classes such as `[a-z]` are ASCII
only; a dot is any character.

    https://platform.example/contest/{contest}/{index:lower}
    {contest}{index:upper}[ - {title:words}]

A field of a template is replaced by the text that a group of the pattern matched, after its filter
if it names one.  Brackets around a field make an optional section, which is omitted if one of its
fields has no value.

Invariant *no backtracking*: repetitions are possessive (`*+`, `++`, `{2,3}+`), so names, which
anybody may choose, are matched in linear time.
Invariant *complete or nothing*: the result is None if a field outside optional sections has no
value.
Invariant *one segment stays one*: in a URL every value is percent-encoded, so no name ends a path,
begins a query or becomes another segment.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final
from urllib.parse import quote

_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL


@cache
def segment(part: str) -> re.Pattern[str]:
    """Compile the part of a pattern for one segment, once it is needed."""
    return re.compile(part, _FLAGS)


_Values = Mapping[str, str | None]
_Filter = Callable[[str], str]

_FIELD: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*+)(?::([a-z]++))?\}")
_SECTION: Final = re.compile(r"\[([^\[\]{}]*+(?:\{[^\[\]{}]*+\}[^\[\]{}]*+)++)\]")
_NOT_SLUG: Final = re.compile(r"[^a-z0-9\s_-]++")
_GAPS: Final = re.compile(r"[\s_-]++")
_SPACE: Final = re.compile(r"\s")
_DASHES: Final = re.compile(r"[_-]++")
_CAPITALS: Final = re.compile(
    "[iv]{2,4}+|ix|bfs|bst|cidr|cpu|css|dfs|dna|dp|gcd|html|ipo?|json|kmp|lc[amps]|lfu|lis|lru|mst"
    "|rle|rmq|sql|url|utf|xml|xor"
)
"""Words that have no small letters in titles: Roman numerals and acronyms."""
_SMALL_WORDS: Final = "a an and as at but by for from in into nor of on or the to vs with"
_SMALL: Final = frozenset(_SMALL_WORDS.split())
_DIGITS_FIRST: Final = re.compile("[0-9]++(?=[a-z]{3}|d$)")
"""Digits before the first letter of a word, as in `3sum` and `2d`."""


def _number(text: str) -> str:
    return text.lstrip("0") or text[:1]


def _ordinal(text: str) -> str:
    return str(ord(text.lower()) - ord("a") + 1) if text.isascii() and text.isalpha() else text


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).lower()
    if not _GAPS.search(plain):
        plain = plain.replace(".", " ")
    return _GAPS.sub("-", _NOT_SLUG.sub("", plain)).strip("-")


def _words(text: str) -> str:
    if _SPACE.search(text):
        return _SPACE.sub(" ", text)
    plain = _DASHES.sub(" ", text).strip()
    if not plain.islower():
        return plain
    first, *others = plain.split(" ")
    words = (word if word in _SMALL else _capital(word) for word in others)
    return " ".join([_capital(first), *words])


def _capital(word: str) -> str:
    if _CAPITALS.fullmatch(word):
        return word.upper()
    digits = _DIGITS_FIRST.match(word)
    start = 0 if digits is None else digits.end()
    return word[:start] + word[start : start + 1].upper() + word[start + 1 :]


FILTERS: Final[Mapping[str, _Filter]] = {
    "lower": str.lower,
    "upper": str.upper,
    "number": _number,
    "ordinal": _ordinal,
    "snake": lambda text: text.lower().replace("-", "_"),
    "slug": _slug,
    "words": _words,
}
"""Name of a filter to its function.

`number` removes leading zeros; `ordinal` is the place of a letter in the alphabet; `snake` is lower
case with underscores for dashes; `slug` is lower case with dashes for white space, without what is
neither a letter nor a digit; `words` turns dashes and underscores into spaces, unless there are
spaces already; if there are no capitals, words get them as in a title: `Two Sum of a BFS II`.
"""


_Section = tuple[str, tuple[tuple[str, _Filter | None], ...], bool]
"""Text with a `%s` for each field; the fields; whether it is omitted without a value of one."""


_PLAIN: Final = re.compile(r"[A-Za-z0-9_.~/-]*+")  # fast path for most names


def percent_encode(path: str) -> str:
    """Percent-encode the segments of a path, as UTF-8; slashes are kept."""
    return path if _PLAIN.fullmatch(path) else quote(path, safe="/")


def fill(template: str, values: _Values, encode: _Filter | None = None) -> str | None:
    """Return a template with values, each changed by `encode` at last; None if one is missing."""
    texts = []
    for form, fields, is_optional in _sections(template):
        parts = []
        for name, filter_ in fields:
            value = values.get(name)
            if value and filter_ is not None:
                value = filter_(value)
            if value:
                parts.append(value if encode is None else encode(value))
        if len(parts) == len(fields):
            texts.append(form % tuple(parts))
        elif not is_optional:
            return None
    return "".join(texts)


@cache
def _sections(template: str) -> tuple[_Section, ...]:
    sections = []
    for index, section in enumerate(_SECTION.split(template)):
        # `split` returns literal text, name and filter in turn
        literals, names, filters = (_FIELD.split(section)[start::3] for start in range(3))
        functions = (FILTERS[name] if name else None for name in filters)
        form = "%s".join(literal.replace("%", "%%") for literal in literals)
        sections.append((form, tuple(zip(names, functions, strict=True)), index % 2 == 1))
    return tuple(sections)
