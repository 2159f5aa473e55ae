"""Remove secrets and identities from plain JSON.

`docs/reference/redaction.md` lists the rules.

Invariant *any depth*: objects, lists, pairs of names and values, and JSON inside texts are cleaned
alike, at any depth.
Invariant *structure stays*: a redacted member is removed.  Every other value keeps its type, its
place and its length; a value to which no rule applies is equal to the given one.
Invariant *idempotent*: cleaning a clean value changes nothing.
Invariant *fails closed*: what cannot be searched is removed.
Invariant *linear*: cleaning takes time linear in the size of the value, and no recursion.
"""

import json
import re
from collections.abc import Iterator
from itertools import accumulate, chain, count
from typing import Any, Final

import attrs

from healthapi.redaction.name_rules import NameRule
from healthapi.redaction.named_values import is_food
from healthapi.redaction.names import (
    MAX_LABEL,
    PLACES,
    Meaning,
    Role,
    classify,
    classify_label,
    has_health_word,
    is_ordinary,
    may_be_innocent,
)
from healthapi.redaction.normalize import expanded_length
from healthapi.redaction.text import REMOVED, Redactor, is_plain, without_parameters
from purewire.primitives import has_surrogate

__all__ = ["PRIVATE", "REMOVED", "PrivacySettings", "clean", "clean_text"]


@attrs.frozen(kw_only=True)
class PrivacySettings:
    """The personal data that the owner of a profile publishes; none by default.

    Attributes:
        full_name: the full name and its parts.
        country: the country.
        encoded_id: the public id of the account at the provider.
        height: the height of the profile object.
        weight: the weight of the profile object.
        birth_date: the date of birth.
        email: e-mail addresses.
        phone: telephone numbers.
        address: address, city, coordinates.

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

    def disclosed_rules(self) -> frozenset[str]:
        """Return the ids of the rules that do not apply."""
        return frozenset(rule for rule, name in _SETTING_OF.items() if getattr(self, name))


_SETTING_OF: Final = {
    "identity.name": "full_name",
    "identity.birth": "birth_date",
    "identity.email": "email",
    "identity.phone": "phone",
    "identity.address": "address",
    "identity.region": "address",
    "identity.country": "country",
    "identity.account": "encoded_id",
}
"""Rule id to the attribute of `PrivacySettings` that turns it off."""

PRIVATE: Final = PrivacySettings()
"""The default: nothing is disclosed."""

_SCALARS: Final = frozenset({int, float, bool, type(None)})
_MAX_ENCODINGS: Final = 8
"""How often a text may be JSON inside JSON; producers do it once or twice."""
_MAX_DEPTH: Final = 200
"""Nesting of JSON inside a text; real ones have ten levels."""
_PAIR: Final = 2
_SEPARATORS: Final = ("=", ":", "=>", "->", "is")
"""Items that may be between a name and its value."""
_MAX_CACHED: Final = 64
"""Characters of a name or a clean text that is cached."""
_MAX_TEXTS: Final = 4096
"""Clean texts, and names, that are cached for one value, for the same ones occur often."""
_NAME_COST: Final = 16
"""Characters that a name counts more than a text of its length."""

_BLANK: Final = " \t\r\n\ufeff"
_OPENING: Final = frozenset(f'{{["{_BLANK}')
_CLOSING: Final = {"{": "}", "[": "]", '"': '"'}
_BRACKET: Final = re.compile(r"[\[\]{}]")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_JWK: Final = frozenset({"k", "d", "p", "q", "dp", "dq", "qi", "oth"})
"""Members of a JSON web key that are secret; an object with `kty` is one."""


def clean(value: Any, disclosure: PrivacySettings = PRIVATE) -> Any:  # noqa: ANN401 # plain JSON
    """Return a plain JSON value without what the rules redact; the given value is not changed.

    Raises TypeError where the value is not plain JSON: dict with text as names, list, str, int,
    float, bool and None, of these very types.  Containers that contain themselves are no JSON.
    """
    disclosed = disclosure.disclosed_rules()
    return _Cleaner(disclosed, Redactor(lambda rule: rule not in disclosed)).cleaned(value)


def clean_text(text: str, disclosure: PrivacySettings = PRIVATE) -> str:
    """Return a text without what the rules redact in it; one that is JSON is cleaned as such."""
    return str(clean(text, disclosure))


@attrs.frozen
class _Name:
    """The meaning of a name, and whether it has to be replaced because it contains a secret."""

    meaning: Meaning
    is_secret: bool = False


_UNSEARCHED: Final = _Name(Meaning(NameRule("name.unsearched", "")))
"""A name beyond the limit of what is searched."""


class _Cleaner:
    """Cleans one value by the rules that are not disclosed."""

    def __init__(self, disclosed: frozenset[str], redactor: Redactor, encoding: int = 0) -> None:
        self._disclosed = disclosed
        self._redactor = redactor
        self._encoding = encoding
        self._pending: list[tuple[Any, Any, bool]] = []
        self._names: dict[str, _Name | None] = {}
        self._labels: dict[str, NameRule | None] = {}
        self._clean_texts: set[str] = set()

    def cleaned(self, value: object) -> object:
        """Return the value without what is redacted in it."""
        result = self._cleaned_later(value, in_picture=False)
        while self._pending:
            source, target, in_picture = self._pending.pop()
            fill = self._fill_object if type(source) is dict else self._fill_list
            fill(source, target, in_picture=in_picture)
        return result

    def _cleaned_later(self, value: object, *, in_picture: bool) -> object:
        """Return what replaces a value; containers are filled later."""
        kind = type(value)
        if isinstance(value, str) and kind is str:
            return self._text(value, in_picture=in_picture)
        if kind in _SCALARS:
            return value
        if kind is not dict and kind is not list:
            raise TypeError("not plain JSON")
        target: object = kind()
        self._pending.append((value, target, in_picture))
        return target

    def _fill_object(
        self, source: dict[str, Any], target: dict[str, Any], *, in_picture: bool
    ) -> None:
        names = {
            name: meaning for name in source if (meaning := self._meaning_of(name)) is not None
        }
        members = self._kept(source, names) if names else source
        secret = [name for name in names if names[name].is_secret and name in members]
        new_names = (
            dict(zip(secret, _marks(members.keys() - secret), strict=False)) if secret else {}
        )
        for name, value in members.items():
            is_picture = name in names and names[name].meaning.role == "picture"
            cleaned = self._cleaned_later(value, in_picture=in_picture or is_picture)
            target[new_names.get(name, name)] = cleaned

    def _kept(self, source: dict[str, Any], names: dict[str, _Name]) -> dict[str, Any]:
        """Return the members that are not removed."""
        roles = {name: of.meaning.role for name, of in names.items()}
        removed = _JWK if "kty" in names else frozenset[str]()
        if rules := {name: rule for name in names if (rule := names[name].meaning.rule)}:
            removed |= {
                name
                for name, rule in rules.items()
                if rule.id not in self._disclosed and not _is_health_data(name, source[name])
            }
            is_person = any(not rule.is_secret for rule in rules.values())
            if is_person and "identity.region" not in self._disclosed:
                removed |= {name for name, role in roles.items() if role == "region"}
        if removed:
            source = {name: value for name, value in source.items() if name not in removed}
        if "content" in roles.values() and self._is_labelled(source, roles):
            source = {name: value for name, value in source.items() if roles.get(name) != "content"}
        return source

    def _meaning_of(self, name: str) -> _Name | None:
        """Return what a name means, None for nothing; count and cache a new one."""
        if name in self._names:
            return self._names[name]
        if type(name) is not str:
            raise TypeError("not plain JSON")
        meaning = None
        if not (is_plain(name) and is_ordinary(name) and name != "kty"):
            if not self._may_classify(name):
                return _UNSEARCHED
            meaning = _Name(classify(name), self._redactor.redacted(name) != name)
        if len(name) <= _MAX_CACHED and len(self._names) < _MAX_TEXTS:
            self._names[name] = meaning
        return meaning

    def _may_classify(self, name: str) -> bool:
        """Count a name that is to be classified; return whether it may be."""
        return self._redactor.may_search(expanded_length(name) + _NAME_COST)

    def _rule_of(self, label: object) -> NameRule | None:
        """Return the rule of a value that may be a name, `_UNSEARCHED` if it may not be searched.

        The rules are cached; the limit of what is searched bounds their number.
        """
        if not isinstance(label, str) or len(label) > MAX_LABEL or is_ordinary(label):
            return None
        if label in self._labels:
            return self._labels[label]
        if not self._may_classify(label):
            return _UNSEARCHED.meaning.rule
        return self._labels.setdefault(label, classify_label(label))

    def _names_secret(self, label: object) -> bool:
        """Check whether a value is the name of a secret, and hardly a word of prose."""
        rule = self._rule_of(label)
        if rule is None or not rule.is_secret:
            return False
        return not (rule.soft and may_be_innocent(str(label)))

    def _hides(self, label: str, content: object, *, in_pair: bool) -> bool:
        """Check whether an item of a list is hidden for the name before it; a pair hides more."""
        if content is None or isinstance(content, bool):
            return False
        if not in_pair:
            return isinstance(content, str) and self._names_secret(label)
        rule = self._rule_of(label)
        return rule is not None and rule.is_secret and not _is_health_data(label, content)

    def _is_labelled(self, members: dict[str, Any], roles: dict[str, Role | None]) -> bool:
        """Check whether a member contains the name of what is redacted in another one."""
        for name, value in members.items():
            role = roles.get(name)
            if role == "label" and isinstance(value, str):
                rule = self._rule_of(value)
                if rule is not None and rule.id not in self._disclosed:
                    return True
            elif role == "label" and isinstance(value, list):
                if any(map(self._names_secret, value)):
                    return True
            elif role != "content" and self._names_secret(value):
                return True
        return False

    def _fill_list(self, source: list[Any], target: list[Any], *, in_picture: bool) -> None:
        """Fill a list; what follows the name of a secret is hidden."""
        in_pair = len(source) == _PAIR
        label: str | None = None
        for value in source:
            if label is not None and value in _SEPARATORS:
                target.append(value)
            elif label is not None and self._hides(label, value, in_pair=in_pair):
                target.append(REMOVED)
                # What is hidden after a text that may not be searched may be a name itself.
                label = None if self._redactor.may_search(0) or type(value) is not str else value
            else:
                target.append(self._cleaned_later(value, in_picture=in_picture))
                label = value if type(value) is str else None

    def _text(self, text: str, *, in_picture: bool) -> str:
        if text in self._clean_texts and not in_picture:
            return text
        searched = without_parameters(text) if in_picture else text
        inside = self._json(searched) if searched and searched[0] in _OPENING else None
        cleaned = self._redactor.redacted(searched) if inside is None else inside
        is_cached = len(text) <= _MAX_CACHED and len(self._clean_texts) < _MAX_TEXTS
        if cleaned == text and is_cached:
            self._clean_texts.add(text)
        return cleaned

    def _json(self, text: str) -> str | None:
        """Clean a text that is JSON; None where it is no object, no list and no text in JSON."""
        bare = text.strip(_BLANK)
        if len(bare) < len("[]") or _CLOSING.get(bare[0]) != bare[-1]:
            return None
        if self._encoding == _MAX_ENCODINGS or _is_deep(bare):
            return REMOVED
        repeats: list[str] = []

        def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            members_read = dict(pairs)
            if len(members_read) < len(pairs):
                repeats.extend(members_read)
            return members_read

        try:
            parsed = json.loads(bare, object_pairs_hook=members)
            inner = _Cleaner(self._disclosed, self._redactor, self._encoding + 1)
            value = inner.cleaned(parsed)
            if value == parsed and not repeats:
                return text
            plain = json.dumps(value, ensure_ascii=False, allow_nan=False)
        except ValueError:  # no JSON, or an infinity in it
            return None
        return json.dumps(value) if text.isascii() or has_surrogate(plain) else plain


def _is_deep(text: str) -> bool:
    """Check whether the brackets of a text nest deeper than is searched."""
    if text.count("[") + text.count("{") <= _MAX_DEPTH:
        return False
    brackets = _BRACKET.findall(_STRING.sub("", text))
    depths = accumulate(1 if bracket in "[{" else -1 for bracket in brackets)
    return max(depths, default=0) > _MAX_DEPTH


def _is_health_data(name: str, value: object) -> bool:
    """Check whether `sessions` are workouts, `cookies` are food, and a `location` is no address."""
    name = name.lower()
    if name == "location":
        return isinstance(value, str) and PLACES.issuperset(value.lower().split())
    if name in {"session", "sessions"}:
        return isinstance(value, list) and _have_health_words(value)
    if name != "cookies":
        return False
    if isinstance(value, str):
        return is_food(value)
    values = value if isinstance(value, list) else [value]
    return type(value) in {int, float} or _have_health_words(values)


def _have_health_words(values: list[Any]) -> bool:
    """Check whether all items are objects with members of workouts or foods, without secrets."""
    return bool(values) and all(
        isinstance(record, dict)
        and any(map(has_health_word, record))
        and max(map(len, record)) <= _MAX_CACHED
        and not any((rule := classify(name).rule) and rule.is_secret for name in record)
        for record in values
    )


def _marks(taken: set[str]) -> Iterator[str]:
    """Yield names that replace removed ones: `[removed]`, `[removed] 2`, and so on."""
    marks = chain((REMOVED,), (f"{REMOVED} {number}" for number in count(2)))
    return (mark for mark in marks if mark not in taken)
