"""Sanitise an account snapshot, or any other JSON value, by two rules.

*Names*: a member with the name of a secret or an identity is removed with its value; so is the name
and the value of a pair, and the metadata beside a token.  `redaction_names` has the table.
*Texts*: a text that is not ordinary becomes `[removed]` as a whole; see `is_ordinary`.

Everything else keeps its place, order and length; numbers, booleans and null have any value.

Invariant *idempotent*: sanitising a sanitised value changes nothing.
Invariant *any depth*: the walk has a list of what is pending, and no recursion; its time is linear.
"""

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain, count, pairwise
from typing import Any, Final
from unicodedata import category

import attrs

from healthapi.redaction_names import IDENTITIES, KEYS, has_forbidden_name, kind_of, words_of

REMOVED: Final = "[removed]"
"""What stands in the place of a text that is not published."""


@attrs.frozen(kw_only=True, repr=False)
class PrivacySettings:
    """The personal data that the owner of a profile publishes; none by default.

    The full name has its parts, and an address has city and coordinates.  Height and weight are
    those of the profile object, also in the snapshot; logs of the weight are published.  The
    encoded id is the public id of the account at the provider.
    """

    full_name: bool = False
    country: bool = False
    encoded_id: bool = False
    height: bool = False
    weight: bool = False
    birth_date: bool = False
    email: bool = False
    phone: bool = False
    address: bool = False

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}=True" for name, is_on in attrs.asdict(self).items() if is_on)
        return f"PrivacySettings({shown})"


PRIVATE: Final = PrivacySettings()
"""The default: nothing is disclosed."""


def sanitise(
    value: object, privacy: PrivacySettings = PRIVATE
) -> tuple[Any, Mapping[str, int], Mapping[str, int]]:
    """Return a sanitised plain JSON value, and counts of what was removed; change no given value.

    The counts are by the name of removed members, and of members with a removed text, empty for
    none.
    Raises TypeError where the value is not plain JSON: dict with text as names, list, str, int,
    float, bool and None, of these very types.  Containers that contain themselves are no JSON.
    """
    walk = _Walk(privacy)
    return walk.sanitised(value), dict(walk.members), dict(walk.texts)


def clean(value: Any, privacy: PrivacySettings = PRIVATE) -> Any:  # noqa: ANN401 # plain JSON
    """Return a sanitised plain JSON value; as `sanitise`."""
    return sanitise(value, privacy)[0]


def clean_text(text: str) -> str:
    """Return a text if it is ordinary, else `[removed]`."""
    return text if is_ordinary(text) else REMOVED


_MAX_PARTS: Final = 24
_MAX_LETTERS: Final = 24
_AROUND: Final = ".,;:!?…()[]\"'“”„«»‹›‘’¿¡、。，；：！？（）「」『』"  # noqa: RUF001
"""Punctuation around a part."""
_ALONE: Final = frozenset("&-–—%°")  # noqa: RUF001 # as in `Oats & berries`, `50 %`
_WIDE: Final = re.compile("([、。，；：！？])")  # noqa: RUF001
"""Punctuation that separates parts without white space."""
_INSIDE: Final = re.compile("['’‐-]")  # noqa: RUF001
_MARKS: Final = {"Mn", "Mc", "Me"}  # what combines with a letter
_NUMBER: Final = r"[+−-]?(?!(?:\D*\d){16})\d+(?:[.,:/’'–-]\d+)?"  # noqa: RUF001
_DAY: Final = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_TIME: Final = r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?"
_PLACE_WORD: Final = "(?:[A-Z]{2,3}|[A-Z]?[a-z]+(?:[A-Z]{1,2}[a-z]+)?)"
_ZONE: Final = (
    "(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe"
    rf"|Indian|Mexico|Pacific|US)(?:/(?=[^/]{{2,14}}(?:/|$)){_PLACE_WORD}(?:[_-]{_PLACE_WORD})*){{1,2}}"
)
"""The form of zones that are named after places; no names are read from the machine."""
_ORDINARY: Final = re.compile(
    rf"""{_NUMBER}(?:[^\W\d_]{{1,6}}|[%‰°]|°[CF])?
      | {_DAY} | (?:{_DAY}T|T)?{_TIME}(?:Z|[+-]\d\d:?\d\d)?
      | \d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}    # a day as 31.01.2026
      | \d{{1,2}}(?::[0-5]\d){{2,11}}          # split times
      | (?=.{{1,64}}$)[A-Z]{{1,24}}(?:_[A-Z]{{1,24}})*        # a constant
      | {_ZONE} | (?:Etc/)?GMT[+-]?\d{{1,2}} | [A-Z]{{3}}\d[A-Z]{{3}}
      | [a-z]{{2,3}}(?:_[A-Z][a-z]{{3}})?_[A-Z]{{2}}         # a locale
      | https://static[0-9]\.fitbit\.com/[A-Za-z0-9._/-]*  # an image
    """,
    re.VERBOSE,
)
_REASON: Final = re.compile(r"missing_scope:\s*[a-z_]{0,40}")
"""The reason of the producer for which it skipped an endpoint."""
_DISPLAY_NAME: Final = re.compile(r"[\w .-]{1,40}")
_MAX_IDENTITY: Final = 100  # characters of a text that the owner publishes


def is_ordinary(text: str) -> bool:
    """Check whether a text is published.

    It has at most 24 parts between white space, each a word, number, day, time, constant, zone or
    locale, a key or reason of the producer, or an image of the vendor, and no name of a secret.
    """
    if not _REASON.fullmatch(text):
        parts = _WIDE.sub(r"\1 ", text).split(maxsplit=_MAX_PARTS)
        if len(parts) > _MAX_PARTS or not all(map(_is_ordinary_part, parts)):
            return False
    return not has_forbidden_name(text)


def _is_ordinary_part(part: str) -> bool:
    bare = part.strip(_AROUND)
    is_known = not bare or bare in _ALONE or bare in KEYS
    return is_known or _is_word(bare) or _ORDINARY.fullmatch(bare) is not None


def _is_word(text: str) -> bool:
    """Check whether a text is letters, with hyphens and apostrophes inside.

    At most one capital is after a small letter, as in `veryActive` and `kJ`.
    """
    if not text.isalpha():
        pieces = _INSIDE.split(text)
        marks = {sign for piece in pieces for sign in piece if not sign.isalpha()}
        if not all(piece[:1].isalpha() for piece in pieces) or {*map(category, marks)} - _MARKS:
            return False
    humps = sum(first.islower() and second.isupper() for first, second in pairwise(text))
    return len(_INSIDE.sub("", text)) <= _MAX_LETTERS and humps <= 1


_MAX_NAME: Final = 64
_VALUE_IN_NAME: Final = re.compile(r"[@:=]|\d{5}|\d[^\W\d_]+\d")
"""What only a name has that holds a value: an address, an assignment, a number, a token."""
_TOKEN_BLOCK: Final = frozenset({"scope", "scopes", "user id", "expires in", "expires at"})
"""Members that are metadata of a token if they stand beside it."""
_SCALARS: Final = frozenset({int, float, bool, type(None)})


@attrs.frozen
class _Name:
    """A name of a member: its words, its kind, that with a text, and what is published of it."""

    words: str
    kind: str | None
    kind_with_text: str | None
    shown: str


class _Walk:
    """Sanitises one value, and counts what it removes."""

    def __init__(self, privacy: PrivacySettings) -> None:
        settings = attrs.asdict(privacy)
        self._disclosed = {None, *(kind for kind, is_on in settings.items() if is_on)}
        self._pending: list[tuple[Any, Any, _Name | None, bool]] = []
        self._names: dict[str, _Name] = {}
        self._ordinary: dict[str, bool] = {}
        self.members: Counter[str] = Counter()
        self.texts: Counter[str] = Counter()

    def sanitised(self, value: object) -> object:
        """Return the value without what is removed."""
        result = self._child(value, None)
        while self._pending:
            source, target, name, is_item = self._pending.pop()
            if type(source) is dict:
                self._fill_object(source, target)
            else:
                self._fill_list(source, target, name, is_item=is_item)
        return result

    def _child(self, value: object, name: _Name | None, *, is_item: bool = False) -> object:
        """Return what replaces a value, which may be an item of a list; it is filled later."""
        kind = type(value)
        if isinstance(value, str) and kind is str:
            return value if self._is_published(value, name) else self._removed(name)
        if kind in _SCALARS:
            return value
        if kind is not dict and kind is not list:
            raise TypeError("not plain JSON")
        target: object = kind()
        self._pending.append((value, target, name, is_item))
        return target

    def _is_published(self, text: str, name: _Name | None) -> bool:
        if text not in self._ordinary:
            self._ordinary[text] = is_ordinary(text)
        if self._ordinary[text]:
            return True
        if name is None or has_forbidden_name(text):
            return False
        if name.kind is not None:  # An identity that the owner publishes.
            return len(text) <= _MAX_IDENTITY and text.isprintable()
        return name.words == "display name" and _DISPLAY_NAME.fullmatch(text) is not None

    def _removed(self, name: _Name | None) -> str:
        self.texts[name.shown if name else ""] += 1
        return REMOVED

    def _fill_object(self, source: dict[str, Any], target: dict[str, Any]) -> None:
        names = {name: self._name(name) for name in source}
        removed = self._removed_names(source, names)
        # The name of a member whose own is not published: `[removed]`, `[removed] 2`, and so on.
        marks = chain([REMOVED], (f"{REMOVED} {number}" for number in count(2)))
        free = (mark for mark in marks if mark not in source)
        for name, value in source.items():
            meaning = names[name]
            if name in removed:
                self.members[meaning.shown] += 1
            else:
                published = next(free) if meaning.shown == REMOVED != name else name
                target[published] = self._child(value, meaning)

    def _removed_names(self, source: dict[str, Any], names: dict[str, _Name]) -> set[str]:
        removed = {
            name
            for name, value in source.items()
            if (names[name].kind_with_text if type(value) is str else names[name].kind)
            not in self._disclosed
        }
        if any("token" in names[name].words for name in removed):
            removed |= {name for name in names if names[name].words in _TOKEN_BLOCK}
        if values := [name for name in names if names[name].words == "value"]:
            labels = [name for name in names if names[name].words in {"name", "key"}]
            if any(self._is_forbidden(source[name]) for name in labels):
                removed |= {*values, *labels}
        return removed

    def _fill_list(
        self, source: list[Any], target: list[Any], name: _Name | None, *, is_item: bool
    ) -> None:
        """Fill a list; one of two items is a pair if it begins with the name of a secret.

        As an item of a list it is one with the name of an identity too: granted scopes may begin
        with `location`.
        """
        kinds = self._disclosed if is_item else {*self._disclosed, *IDENTITIES}
        match source:
            case [label, _] if self._is_forbidden(label, kinds):
                target += [self._removed(name) for _ in source]
            case _:
                target += [self._child(value, name, is_item=True) for value in source]

    def _name(self, name: str) -> _Name:
        if type(name) is not str:
            raise TypeError("not plain JSON")
        if name not in self._names:
            words = words_of(name)
            is_name = len(name) <= _MAX_NAME and _VALUE_IN_NAME.search(name) is None
            shown = name if is_name or is_ordinary(name) else REMOVED
            kinds = kind_of(words), kind_of(words, is_count=False)
            self._names[name] = _Name(" ".join(words), *kinds, shown)
        return self._names[name]

    def _is_forbidden(self, label: object, allowed: set[str | None] | None = None) -> bool:
        return type(label) is str and kind_of(words_of(label)) not in (allowed or self._disclosed)
