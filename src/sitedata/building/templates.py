"""Templates of titles and URLs: text with fields, and sections that may be left out.

    https://judge.example/contest/{contest}/{index:lower}
    {contest}{index:upper}[ - {title:words}]

A field stands for what a pattern captured, changed by a filter where one is named.  Brackets around
a field make a section, which is left out where one of its fields has no value; brackets around mere
text are text.

Invariant *whole or nothing*: a template all of whose fields outside sections have values gives
text, any other gives None.
Invariant *values stay values*: in a URL every value is percent-encoded, the template's own text is
not.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import attrs

from sitedata.building.paths import quoted
from sitedata.reading.publishing_rules import is_https

__all__ = ["FILTERS", "Template", "check_template", "check_url"]

_Values = Mapping[str, str | None]
_Change = Callable[[str], str]

_FIELD: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*+)(?::([a-z]++))?\}")
_SECTION: Final = re.compile(r"\[([^\[\]{}]*+(?:\{[^\[\]{}]*+\}[^\[\]{}]*+)++)\]")
_URL: Final = re.compile(
    r"""(https://[a-z0-9.-]++(?::[0-9]++)?/)[^"'<>\\^`|\[\]\x00-\x20\x7f-\U0010ffff]*+"""
)
_NOT_WORD: Final = re.compile(r"[^a-z0-9]++")
_SPACE: Final = re.compile(r"\s")
_DASHES: Final = re.compile(r"[_-]++")
_APOSTROPHES: Final = re.compile("['\u2019]")
_NUMERALS: Final = frozenset(["ii", "iii", "iv", "vi", "vii", "viii", "ix"])


def _number(text: str) -> str:
    return text.lstrip("0") or text[:1]


def _ordinal(text: str) -> str:
    return str(ord(text.lower()) - ord("a") + 1) if text.isascii() and text.isalpha() else text


def _slug(text: str) -> str:
    return _NOT_WORD.sub("-", _APOSTROPHES.sub("", text).lower()).strip("-")


def _words(text: str) -> str:
    if _SPACE.search(text):
        return text
    words = _DASHES.sub(" ", text).strip()
    return " ".join(map(_capital, words.split(" "))) if words.islower() else words


def _capital(word: str) -> str:
    return word.upper() if word in _NUMERALS else word[:1].upper() + word[1:]


FILTERS: Final[Mapping[str, _Change]] = {
    "lower": str.lower,
    "upper": str.upper,
    "number": _number,
    "ordinal": _ordinal,
    "snake": lambda text: text.lower().replace("-", "_"),
    "slug": _slug,
    "words": _words,
}
"""Filter to what it does: without leading zeros; a letter's place in the alphabet; lower case with
underscores for dashes; lower case with dashes for all that is no letter and no digit; dashes and
underscores as spaces, with capitals where there are none, unless there are spaces already."""


@attrs.frozen
class _Piece:
    """Text with a `%s` for each field and filter; whether it may be left out as a whole."""

    form: str
    fields: tuple[tuple[str, _Change | None], ...]
    optional: bool

    def give(self, values: _Values, encode: _Change | None) -> str | None:
        found = []
        for name, change in self.fields:
            value = values.get(name)
            if value and change is not None:
                value = change(value)
            if not value:
                return "" if self.optional else None
            found.append(value if encode is None else encode(value))
        return self.form % tuple(found)


@attrs.frozen
class Template:
    """A template.

    Attributes:
        text: as it is written.
        fields: the names of its fields.

    Raises ValueError for text that is none.

    """

    text: str
    fields: frozenset[str] = attrs.field(init=False, eq=False, repr=False)
    _pieces: tuple[_Piece, ...] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        pieces = tuple(_pieces(self.text))
        fields = frozenset(name for piece in pieces for name, _ in piece.fields)
        object.__setattr__(self, "_pieces", pieces)
        object.__setattr__(self, "fields", fields)

    def title(self, values: _Values) -> str | None:
        """Give text with the values as they are."""
        return self._give(values, None)

    def url(self, values: _Values) -> str | None:
        """Give text with the values percent-encoded."""
        return self._give(values, quoted)

    def _give(self, values: _Values, encode: _Change | None) -> str | None:
        whole = ""
        for piece in self._pieces:
            text = piece.give(values, encode)
            if text is None:
                return None
            whole += text
        return whole


def check_template(text: str) -> None:
    """Raise ValueError unless text is a template of titles."""
    Template(text)


def check_url(text: str) -> None:
    """Raise ValueError unless text is a template of absolute https URLs.

    Scheme and host stand in it as they are.
    """
    found = _URL.fullmatch(text)
    if found is None or not is_https(found[1]):
        raise ValueError("no template of an https URL")
    Template(text)


def _pieces(text: str) -> Iterator[_Piece]:
    for index, piece in enumerate(_SECTION.split(text)):
        if piece:
            yield _piece(piece, optional=index % 2 == 1)


def _piece(text: str, *, optional: bool) -> _Piece:
    # what splits is literal text, name and filter in turn
    literals, names, filters = (_FIELD.split(text)[start::3] for start in range(3))
    if any("{" in literal or "}" in literal for literal in literals):
        raise ValueError("a brace that begins or ends no field")
    if not FILTERS.keys() >= set(filters) - {None}:
        raise ValueError("no such filter")
    changes = (FILTERS[each] if each else None for each in filters)
    form = "%s".join(literal.replace("%", "%%") for literal in literals)
    return _Piece(form, tuple(zip(names, changes, strict=True)), optional)
