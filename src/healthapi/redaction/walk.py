"""Remove secrets and identities from plain JSON.

Source: health-data specification, "Authentication"; decisions on the snapshot and on privacy;
health facts, section 18.1.  `docs/reference/redaction.md` lists the rules.

Invariant *any depth*: objects, lists, pairs of names and values, and JSON inside texts are cleaned
alike, at any depth.
Invariant *structure stays*: a redacted member is removed.  Every other value keeps its type, its
place and its length; a value to which no rule applies is equal to the given one.
Invariant *idempotent*: cleaning a clean value changes nothing.
Invariant *fails closed*: what cannot be searched is removed.
Invariant *linear*: cleaning takes time linear in the size of the value, and no recursion.

Contract: HA-PRIVACY-01 to 03, HA-PRIVACY-05, HA-PRIVACY-08 to 10, HA-PRIVACY-13.
"""

import json
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, count
from typing import Any, Final

import attrs

from healthapi.redaction.named_values import is_food
from healthapi.redaction.names import (
    ORDINARY,
    Meaning,
    NameRule,
    Role,
    classify,
    classify_label,
    has_health_word,
    is_ordinary,
    may_be_innocent,
)
from healthapi.redaction.text import REMOVED, Redactor, is_plain, without_parameters
from purewire.text import has_surrogate

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
_MAX_INTEGER_DIGITS: Final = 400
"""Digits of an integer in JSON inside a text; no number has more."""
_PAIR: Final = 2
_SEPARATORS: Final = ("=", ":", "=>", "->", "is")
"""Items that may be between a name and its value."""
_MAX_PLANS: Final = 1024
"""Sets of names whose plan is cached for one value; real ones have some sixty."""
_MAX_CACHED: Final = 64
"""Characters of a name or a clean text that is cached."""
_MAX_TEXTS: Final = 4096
"""Clean texts that are cached for one value, for the same ones occur often."""

_MAX_NAMES: Final = 4096
"""Names that are counted once in one value."""
_NAME_COST: Final = 16
"""Characters that a name counts more than a text of its length."""

_BLANK: Final = " \t\r\n\ufeff"
_OPENING: Final = frozenset(f'{{["{_BLANK}')
_CLOSING: Final = {"{": "}", "[": "]", '"': '"'}
_BRACKET: Final = re.compile(r"[\[\]{}]")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_JWK: Final = frozenset({"k", "d", "p", "q", "dp", "dq", "qi", "oth"})
"""Members of a JSON web key that are secret; an object with `kty` is one."""
_PLACES: Final = frozenset(
    (
        *("beach", "gym", "home", "indoor", "indoors", "outdoor", "outdoors", "park", "pool"),
        *("road", "track", "trail", "treadmill", "left", "right", "wrist"),
    )
)
"""Words of a `location` that is no address."""


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
    """The meaning of a name, and whether the name itself contains a secret."""

    meaning: Meaning
    has_secret: bool


@attrs.frozen
class _Plan:
    """The treatment of the members of all objects with the same names.

    Attributes:
        names: the members that may stay, each with its new name.
        roles: the roles of those that have one.
        doubtful: the members that are removed unless their value is health data.
        changes: whether a member is removed or renamed.

    """

    names: dict[str, str]
    roles: dict[str, Role]
    doubtful: frozenset[str]
    changes: bool


class _Cleaner:
    """Cleans one value by the rules that are not disclosed."""

    def __init__(self, disclosed: frozenset[str], redactor: Redactor, encoding: int = 0) -> None:
        self._disclosed = disclosed
        self._redactor = redactor
        self._encoding = encoding
        self._pending: list[tuple[Any, Any, bool]] = []
        self._plans: dict[tuple[str, ...], _Plan | None] = {}
        self._clean_texts: set[str] = set()
        self._names: set[str] = set()
        self.changed = False

    def cleaned(self, value: object) -> object:
        """Return the value without what is redacted in it."""
        result = self._cleaned_later(value, in_picture=False)
        while self._pending:
            source, target, in_picture = self._pending.pop()
            fill = self._fill_object if type(source) is dict else self._fill_list
            fill(source, target, in_picture=in_picture)
        return result

    def _applies(self, rule: NameRule | None) -> bool:
        return rule is not None and rule.id not in self._disclosed

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
        plan = self._plan_of(tuple(source))
        if plan is None:
            known = frozenset[str]() if in_picture else self._clean_texts
            for name, value in source.items():
                kind = type(value)
                stays = kind in _SCALARS or (kind is str and value in known)
                target[name] = value if stays else self._cleaned_later(value, in_picture=in_picture)
            return
        gone = {name for name in plan.doubtful if not _is_health_data(name, source[name])}
        if self._is_labelled(source, plan):
            gone |= {name for name, role in plan.roles.items() if role == "content"}
        self.changed = self.changed or plan.changes or bool(gone)
        for name, new_name in plan.names.items():
            if name not in gone:
                picture = in_picture or plan.roles.get(name) == "picture"
                target[new_name] = self._cleaned_later(source[name], in_picture=picture)

    def _plan_of(self, names: tuple[str, ...]) -> _Plan | None:
        if names in self._plans:
            return self._plans[names]
        plan = self._planned(names)
        if len(self._plans) < _MAX_PLANS:
            self._plans[names] = plan
        return plan

    def _planned(self, names: tuple[str, ...]) -> _Plan | None:
        """Return the plan for objects with these names; None if all members stay."""
        suspect = [name for name in names if not _is_ordinary(name)]
        searched = [name for name in suspect if self._may_search(name)]
        known = {name: found for name in searched if (found := _known(name)) is not None}
        removed = set(suspect).difference(searched)
        if not (known or removed) and "kty" not in names:
            return None
        doubtful = frozenset(name for name, found in known.items() if self._is_doubtful(found))
        removed |= self._removed(known) - doubtful
        if "kty" in names:
            removed |= _JWK.intersection(names)
        kept = [name for name in names if name not in removed]
        renamed = {
            name
            for name in kept
            if name in known and known[name].has_secret and self._redactor.redacted(name) != name
        }
        marks = _marks(set(kept) - renamed)
        roles = {
            name: role for name in kept if name in known and (role := known[name].meaning.role)
        }
        return _Plan(
            names={name: next(marks) if name in renamed else name for name in kept},
            roles=roles,
            doubtful=doubtful.difference(removed),
            changes=bool(removed or renamed),
        )

    def _may_search(self, name: str) -> bool:
        """Count a name that is new in this value; return whether it may be searched."""
        if name in self._names:
            return True
        if len(name) <= _MAX_CACHED and len(self._names) < _MAX_NAMES:
            self._names.add(name)
        return self._redactor.may_search(len(name) + _NAME_COST)

    def _is_doubtful(self, name: _Name) -> bool:
        return self._applies(name.meaning.rule) and _may_be_health_data(name.meaning.rule)

    def _removed(self, known: dict[str, _Name]) -> set[str]:
        """Return the names of the members that are removed."""
        rules = {name: found.meaning.rule for name, found in known.items() if found.meaning.rule}
        removed = {name for name, rule in rules.items() if self._applies(rule)}
        is_person = any(rule.id.startswith("identity.") for rule in rules.values())
        if is_person and "identity.region" not in self._disclosed:
            removed |= {name for name, found in known.items() if found.meaning.role == "region"}
        return removed

    def _is_labelled(self, source: dict[str, Any], plan: _Plan) -> bool:
        """Check whether a member contains the name of what is redacted in another one."""
        if "content" not in plan.roles.values():
            return False
        for name in plan.names:
            role, value = plan.roles.get(name), source[name]
            if role == "label" and self._is_label(value):
                return True
            if role not in {"label", "content"} and type(value) is str and _names_secret(value):
                return True
        return False

    def _is_label(self, label: object) -> bool:
        """Check whether a value names what is redacted; a list of names, a secret."""
        if isinstance(label, list):
            return any(_names_secret(each) for each in label if type(each) is str)
        return isinstance(label, str) and self._applies(classify_label(label))

    def _fill_list(self, source: list[Any], target: list[Any], *, in_picture: bool) -> None:
        """Fill a list; what follows the name of a secret is hidden."""
        in_pair = len(source) == _PAIR
        label: str | None = None
        for value in source:
            if label is not None and value in _SEPARATORS:
                target.append(value)
            elif label is not None and _hides(label, value, in_pair=in_pair):
                self.changed = self.changed or value != REMOVED
                target.append(REMOVED)
                label = None
            else:
                target.append(self._cleaned_later(value, in_picture=in_picture))
                label = value if type(value) is str else None

    def _text(self, text: str, *, in_picture: bool) -> str:
        if text in self._clean_texts and not in_picture:
            return text
        given = without_parameters(text) if in_picture else text
        inside = self._json(given) if given and given[0] in _OPENING else None
        cleaned = self._redactor.redacted(given) if inside is None else inside
        if cleaned != text:
            self.changed = True
        elif len(text) <= _MAX_CACHED and len(self._clean_texts) < _MAX_TEXTS:
            self._clean_texts.add(text)
        return cleaned

    def _json(self, text: str) -> str | None:
        """Clean a text that is JSON; None where it is no object, no list and no text in JSON."""
        bare = text.strip(_BLANK)
        if len(bare) < len("[]") or _CLOSING.get(bare[0]) != bare[-1]:
            return None
        if self._encoding == _MAX_ENCODINGS or _is_deep(bare):
            return REMOVED
        repeats = False

        def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            nonlocal repeats
            found = dict(pairs)
            repeats = repeats or len(found) < len(pairs)
            return found

        try:
            given = json.loads(
                bare,
                object_pairs_hook=members,
                parse_int=_integer,
                parse_float=_double,
                parse_constant=_double,
            )
        except ValueError:
            return None
        inner = _Cleaner(self._disclosed, self._redactor, self._encoding + 1)
        value = inner.cleaned(given)
        if not inner.changed and not repeats:
            return text
        plain = json.dumps(value, ensure_ascii=False)
        return json.dumps(value) if text.isascii() or has_surrogate(plain) else plain


def _integer(digits: str) -> int:
    if len(digits) > _MAX_INTEGER_DIGITS:
        raise ValueError("more digits than any number has")
    return int(digits)


def _double(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("no number of JSON")
    return value


def _is_deep(text: str) -> bool:
    """Check whether the brackets of a text nest deeper than is searched."""
    if text.count("[") + text.count("{") <= _MAX_DEPTH:
        return False
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > _MAX_DEPTH:
            return True
    return False


def _may_be_health_data(rule: NameRule | None) -> bool:
    return rule is not None and rule.id in {"name.session", "name.cookie", "identity.address"}


def _is_health_data(name: str, value: object) -> bool:
    """Check whether `sessions` are workouts, `cookies` are food, and a `location` is no address."""
    name = name.lower()
    if name == "location":
        return isinstance(value, str) and _PLACES.issuperset(value.lower().split())
    if name in {"session", "sessions"}:
        return isinstance(value, list) and _have_health_words(value)
    if name != "cookies":
        return False
    if isinstance(value, str):
        return is_food(value)
    found = value if isinstance(value, list) else [value]
    return type(value) in {int, float} or _have_health_words(found)


def _have_health_words(values: list[Any]) -> bool:
    """Check whether all items are objects with members of workouts or foods, without secrets."""
    return bool(values) and all(
        isinstance(each, dict)
        and any(map(has_health_word, each))
        and not any((rule := classify(name).rule) and rule.id.startswith("name.") for name in each)
        for each in values
    )


def _names_secret(label: str) -> bool:
    """Check whether a text is the name of a secret, and hardly a word of prose."""
    rule = classify_label(label)
    if rule is None or rule.id.startswith("identity."):
        return False
    return not (rule.soft and may_be_innocent(label))


def _hides(label: str, content: object, *, in_pair: bool) -> bool:
    """Check whether an item of a list is hidden for the name before it; a pair hides more."""
    if content is None or isinstance(content, bool):
        return False
    if not in_pair:
        return isinstance(content, str) and _names_secret(label)
    rule = classify_label(label)
    if rule is None or rule.id.startswith("identity."):
        return False
    return not (_may_be_health_data(rule) and _is_health_data(label, content))


def _described(name: str) -> _Name | None:
    """Return the meaning of a name; None for most names."""
    found = _Name(classify(name), Redactor(lambda _: True).redacted(name) != name)
    return None if found.meaning is ORDINARY and not found.has_secret else found


_cached: Final = lru_cache(maxsize=4096)(_described)


def _known(name: str) -> _Name | None:
    return _cached(name) if len(name) <= _MAX_CACHED else _described(name)


def _is_ordinary(name: str) -> bool:
    if type(name) is not str:
        raise TypeError("not plain JSON")
    return is_plain(name) and is_ordinary(name)


def _marks(taken: set[str]) -> Iterator[str]:
    """Yield names that replace removed ones: `[removed]`, `[removed] 2`, and so on."""
    marks = chain((REMOVED,), (f"{REMOVED} {number}" for number in count(2)))
    return (mark for mark in marks if mark not in taken)
