r"""Patterns of file layouts, and the templates of titles and URLs that use their groups.

    (?P<contest>[0-9]++)/(?P<index>[a-z])(?:[ -]++(?P<title>.++))?

A pattern is a regular expression for each segment, joined by slashes.  It is matched against the
last segments of a path without the file's extension, and each part against the whole of its
segment.  A pattern that begins with a slash is matched against the whole path below the platform's
folder.  Letters match in either case, except in `(?-i:...)`; classes such as `[a-z]` and `\d` are
ASCII only; a dot is any character.

    https://platform.example/contest/{contest}/{index:lower}
    {contest}{index:upper}[ - {title:words}]

A field of a template is replaced by the text that a group of the pattern matched, after its filter
if it names one.  Brackets around a field make an optional section, which is omitted if one of its
fields has no value.  Brackets around text without fields are literal.

Invariant *no backtracking*: a repetition that could backtrack is refused, so names, which anybody
may choose, are matched in linear time.  `*`, `+` and `{2,3}` must be possessive (`*+`, `++`,
`{2,3}+`); only `?`, and an exact count of one character such as `[0-9]{4}`, need not be.
Invariant *complete or nothing*: the result is None if a field outside optional sections has no
value.
Invariant *one segment stays one*: in a URL every value is percent-encoded, so no name ends a path,
begins a query or becomes another segment.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote

import attrs

from sitedata.parsing import is_https

_TOKEN: Final = re.compile(
    r"""
      (?P<escape>\\.)
    | \[\^?+(?P<set>\]?+(?:\\.|[^\]\\])*+)\]
    | (?P<open>\[)
    | (?P<odd>\(\?(?!:|=|!|<=|<!|>|P<|-i:))
    | (?P<end>\))
    | (?P<optional>\?[?+]?+)
    | (?P<repeat>[*+]|\{(?:(?P<exact>[0-9]++)|[0-9]*+,[0-9]*+)\})(?P<possessive>\+?+)
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_NESTED: Final = re.compile(r"\[|--|&&|~~|\|\|")
"""Later versions of Python will give these another meaning in a set."""
_FLAGS: Final = re.ASCII | re.IGNORECASE | re.DOTALL


def segments(path: str) -> tuple[re.Pattern[str], ...]:
    """Compile the parts of a pattern; raise ValueError unless it is linear."""
    patterns = tuple(_compiled(part) for part in path.removeprefix("/").split("/"))
    group_names(patterns)
    return patterns


def group_names(patterns: Sequence[re.Pattern[str]]) -> frozenset[str]:
    """Return the group names of all parts; raise ValueError if one occurs twice."""
    names = [name for pattern in patterns for name in pattern.groupindex]
    if len(set(names)) < len(names):
        raise ValueError("a group occurs twice")
    return frozenset(names)


def _compiled(part: str) -> re.Pattern[str]:
    _check(part)
    try:
        return re.compile(part, _FLAGS)
    except (re.error, OverflowError, RecursionError):
        raise ValueError("not a regular expression") from None


def _check(part: str) -> None:
    follows_group = False
    for token in _TOKEN.finditer(part):
        if token["open"]:
            raise ValueError("not a regular expression: a set has no end")
        if token["odd"]:
            raise ValueError("this kind of group is not supported")
        if token["set"] and _NESTED.search(token["set"]):
            raise ValueError("a set within a set")
        is_plain_count = token["exact"] and not follows_group
        if token["repeat"] and not token["possessive"] and not is_plain_count:
            raise ValueError("a repetition is not possessive")
        follows_group = token["end"] is not None


_Values = Mapping[str, str | None]
_Filter = Callable[[str], str]

_FIELD: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*+)(?::([a-z]++))?\}")
_SECTION: Final = re.compile(r"\[([^\[\]{}]*+(?:\{[^\[\]{}]*+\}[^\[\]{}]*+)++)\]")
_URL: Final = re.compile(
    r"""(https://[a-z0-9.-]++(?::[0-9]++)?/)[^"'<>\\^`|\[\]\x00-\x20\x7f-\U0010ffff]*+"""
)
_NOT_SLUG: Final = re.compile(r"[^a-z0-9\s_-]++")
_GAPS: Final = re.compile(r"[\s_-]++")
_SPACE: Final = re.compile(r"\s")
_DASHES: Final = re.compile(r"[_-]++")
_CAPITALS: Final = re.compile(
    "[iv]{2,4}+|ix|bfs|bst|cidr|cpu|css|dfs|dna|dp|gcd|html|ipo?|json|kmp|lc[amps]|lfu|lis|lru|mst"
    "|rle|rmq|sql|url|utf|xml|xor"
)
"""Words that have no small letters in titles: Roman numerals and acronyms."""
_SMALL: Final = re.compile("an?|and|as|at|but|by|for|from|in|into|nor|of|on|or|the|to|vs|with")
_FIRST: Final = re.compile("(?:[0-9]++(?=[a-z]{3}|d$))?.", re.DOTALL)
"""What is in capitals at the beginning of a word: its first letter, also in `3sum` and `2d`."""


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
    words = plain.split(" ")
    return " ".join(
        word if at and _SMALL.fullmatch(word) else _capital(word) for at, word in enumerate(words)
    )


def _capital(word: str) -> str:
    if _CAPITALS.fullmatch(word):
        return word.upper()
    return _FIRST.sub(lambda match: match[0].upper(), word, count=1)


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


@attrs.frozen
class _Section:
    """A section: text with a `%s` for each field; `optional` ones may be omitted."""

    form: str
    fields: tuple[tuple[str, _Filter | None], ...]
    optional: bool

    def render(self, values: _Values, encode: _Filter | None) -> str | None:
        texts = []
        for name, filter_ in self.fields:
            value = values.get(name)
            if value and filter_ is not None:
                value = filter_(value)
            if not value:
                return "" if self.optional else None
            texts.append(value if encode is None else encode(value))
        return self.form % tuple(texts)


@attrs.frozen
class Template:
    """A template; `fields` are the names of its fields.  ValueError if the text is none."""

    text: str
    fields: frozenset[str] = attrs.field(init=False, eq=False, repr=False)
    _pieces: tuple[_Section, ...] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        pieces = tuple(_pieces(self.text))
        fields = frozenset(name for piece in pieces for name, _ in piece.fields)
        object.__setattr__(self, "_pieces", pieces)
        object.__setattr__(self, "fields", fields)

    def title(self, values: _Values) -> str | None:
        """Return the text with the values as they are; None if a value is missing."""
        return self._render(values, None)

    def url(self, values: _Values) -> str | None:
        """Return the text with percent-encoded values; None if a value is missing."""
        return self._render(values, percent_encode)

    def _render(self, values: _Values, encode: _Filter | None) -> str | None:
        texts = [piece.render(values, encode) for piece in self._pieces]
        present = [text for text in texts if text is not None]
        return "".join(present) if len(present) == len(texts) else None


_PLAIN: Final = re.compile(r"[A-Za-z0-9_.~/-]*+")  # fast path for most names


def percent_encode(path: str) -> str:
    """Percent-encode the segments of a path, as UTF-8; slashes are kept."""
    return path if _PLAIN.fullmatch(path) else quote(path, safe="/")


def check_url(text: str) -> None:
    """Raise ValueError unless text is a template of an absolute https URL with a literal host."""
    match = _URL.fullmatch(text)
    if match is None or not is_https(match[1]):
        raise ValueError("not a template of an https URL")
    Template(text)


def _pieces(text: str) -> Iterator[_Section]:
    for index, piece in enumerate(_SECTION.split(text)):
        if piece:
            yield _piece(piece, optional=index % 2 == 1)


def _piece(text: str, *, optional: bool) -> _Section:
    # `split` returns literal text, name and filter in turn
    literals, names, filters = (_FIELD.split(text)[start::3] for start in range(3))
    if any("{" in literal or "}" in literal for literal in literals):
        raise ValueError("a brace does not begin or end a field")
    if not FILTERS.keys() >= set(filters) - {None}:
        raise ValueError("a filter is unknown")
    functions = (FILTERS[filter_name] if filter_name else None for filter_name in filters)
    form = "%s".join(literal.replace("%", "%%") for literal in literals)
    return _Section(form, tuple(zip(names, functions, strict=True)), optional)
