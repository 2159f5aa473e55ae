"""Cleaning plain JSON of secrets, and of what says who a person is, before anything is kept of it.

Source: health-data specification, "Authentication"; rulings on the snapshot and on privacy; health
facts, section 18.1.  The rules are listed in `RULES` and in the documentation.

Invariant *any depth*: objects, lists, pairs of names and values, and JSON inside texts are cleaned
alike, however deep they are nested.
Invariant *structure stays*: a member that is condemned is removed; all else keeps its type, its
place and its length, and what no rule condemns is equal to what was given.
Invariant *idempotent*: a value that was cleaned is clean.
Invariant *fails closed*: what cannot be looked into is removed.
Invariant *linear*: cleaning takes time linear in the size of the value, and no stack for its depth.
"""

import json
import math
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain, count
from typing import Any, Final

import attrs

from healthapi.sanitise.names import (
    NAME_RULES,
    ORDINARY,
    Verdict,
    judge,
    judge_label,
    may_be_innocent,
)
from healthapi.sanitise.text import REMOVED, TEXT_RULES, redacted, without_parameters
from purewire.text import has_surrogate

__all__ = ["PRIVATE", "REMOVED", "RULES", "Disclosure", "clean", "clean_text"]


@attrs.frozen(kw_only=True)
class Disclosure:
    """What the owner of a profile publishes about who they are; nothing unless said.

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
        """Give the ids of the rules that do not hold."""
        return frozenset(rule for rule, name in _DISCLOSES.items() if getattr(self, name))


_DISCLOSES: Final = {
    "identity.name": "full_name",
    "identity.birth": "birth_date",
    "identity.email": "email",
    "identity.phone": "phone",
    "identity.address": "address",
    "identity.region": "address",
    "identity.country": "country",
    "identity.account": "encoded_id",
}
"""Rule to the member of a disclosure that lifts it."""

PRIVATE: Final = Disclosure()
"""The disclosure of those who have not said anything."""

RULES: Final[dict[str, str]] = {
    **{rule.id: rule.about for rule in NAME_RULES},
    "identity.region": "a state, province, region or county beside another identity",
    "member.name": "a secret that stands as the name of a member",
    "pair.value": 'the value beside a condemned name: `{"name": …, "value": …}`',
    "pair.item": 'the item of a list behind a condemned name: `["Authorization", …]`',
    "picture.url": "credentials, query and fragment of the URL of a picture of the person",
    **{rule.id: rule.about for rule in TEXT_RULES},
    "text.encoded": "a text in base64 that holds what these rules condemn, however often encoded",
    "json.text": "what these rules condemn in JSON inside a text, also when it is encoded again",
    "json.depth": "a text that is JSON nested too deep, or encoded too often, to be looked into",
}
"""Rule id to the rule in words; ids are added, never renamed."""

_SCALARS: Final = frozenset({int, float, bool, type(None)})
_ENCODINGS: Final = 8
"""How often a text may be JSON inside JSON; producers do it once or twice."""
_DEPTH: Final = 200
"""Nesting of JSON inside a text; real ones have ten levels."""
_LONGEST_INTEGER: Final = 400
"""Digits of an integer in JSON inside a text; no number has more."""

_PAIR: Final = 2
_SEAMS: Final = ("=", ":", "=>", "->", "is")
"""Items that may stand between a name and its value."""
_NOTHING: Final[AbstractSet[str]] = frozenset()
_PLANS: Final = 1024
"""Sets of names whose plan is remembered within one value; real ones have some sixty."""
_SHORT: Final = 64
"""Characters of a name or a clean text that is remembered."""
_TEXTS: Final = 4096
"""Clean texts that are remembered within one value, for the same ones stand in it often."""

_BLANK: Final = " \t\r\n\ufeff"
_OPENING: Final = frozenset(f'{{["{_BLANK}')
_CLOSING: Final = {"{": "}", "[": "]", '"': '"'}
_BRACKET: Final = re.compile(r"[\[\]{}]")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)


def clean(value: Any, disclosure: Disclosure = PRIVATE) -> Any:  # noqa: ANN401 # plain JSON
    """Give a plain JSON value without what the rules condemn; the value given stays as it is.

    Raises TypeError where the value is not plain JSON: dict with text as names, list, str, int,
    float, bool and None, of these very types.  Containers that hold themselves are no JSON.
    """
    return _Cleaner(disclosure.disclosed_rules()).cleaned(value)


def clean_text(text: str, disclosure: Disclosure = PRIVATE) -> str:
    """Give a text without what the rules condemn in it; one that is JSON is cleaned as such."""
    return str(clean(text, disclosure))


class _Cleaner:
    """Cleans one value, by the rules that are not lifted."""

    def __init__(self, disclosed: frozenset[str], encoding: int = 0) -> None:
        self._disclosed = disclosed
        self._encoding = encoding
        self._pending: list[tuple[Any, Any, bool]] = []
        self._plans: dict[tuple[str, ...], _Plan] = {}
        self._clean_texts: set[str] = set()
        self.changed = False

    def cleaned(self, value: object) -> object:
        """Give the value without what is condemned in it."""
        result = self._successor(value, in_picture=False)
        while self._pending:
            source, target, in_picture = self._pending.pop()
            if type(source) is dict:
                self._fill_object(source, target, in_picture=in_picture)
            else:
                self._fill_list(source, target, in_picture=in_picture)
        return result

    def _withheld(self, rule: str) -> bool:
        return rule not in self._disclosed

    def _successor(self, value: object, *, in_picture: bool) -> object:
        """Give what stands in the place of a value; a container is filled later."""
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
        if plan is _NO_PLAN:
            known = _NOTHING if in_picture else self._clean_texts
            for name, value in source.items():
                kind = type(value)
                stays = kind in _SCALARS or (kind is str and value in known)
                target[name] = value if stays else self._successor(value, in_picture=in_picture)
            return
        gone = plan.contents if self._is_labelled(source, plan) else _NOTHING
        self.changed = self.changed or plan.changes or bool(gone)
        for name, kept in plan.names.items():
            if name not in gone:
                picture = in_picture or name in plan.pictures
                target[kept] = self._successor(source[name], in_picture=picture)

    def _plan_of(self, names: tuple[str, ...]) -> "_Plan":
        plan = self._plans.get(names)
        if plan is None:
            plan = self._planned(names)
            if len(self._plans) < _PLANS:
                self._plans[names] = plan
        return plan

    def _planned(self, names: tuple[str, ...]) -> "_Plan":
        known = {name: found for name in names if (found := _known(name)) is not None}
        gone = self._gone(known)
        kept = [name for name in names if name not in gone]
        odd = {name for name in kept if name in known and self._is_odd(name, known[name])}
        marks = _marks(set(kept) - odd)
        verdicts = {name: known[name].verdict for name in kept if name in known}
        labels = tuple(name for name, verdict in verdicts.items() if verdict.label)
        contents = frozenset(name for name, verdict in verdicts.items() if verdict.content)
        plan = _Plan(
            names={name: next(marks) if name in odd else name for name in kept},
            pictures=frozenset(name for name, verdict in verdicts.items() if verdict.picture),
            labels=labels,
            contents=contents,
            others=tuple(name for name in kept if name not in labels and name not in contents),
            changes=bool(gone or odd),
        )
        return plan if plan.does_anything else _NO_PLAN

    def _is_odd(self, name: str, found: "_Name") -> bool:
        return found.odd and redacted(name, self._withheld) != name

    def _gone(self, known: dict[str, "_Name"]) -> set[str]:
        """Give the names of the members that are removed, whatever their values are."""
        rules = {name: found.verdict.rule for name, found in known.items() if found.verdict.rule}
        gone = {name for name, rule in rules.items() if self._withheld(rule.id)}
        identity = any(rule.id.startswith("identity.") for rule in rules.values())
        if identity and self._withheld("identity.region"):
            gone |= {name for name, found in known.items() if found.verdict.region}
        return gone

    def _is_labelled(self, source: dict[str, Any], plan: "_Plan") -> bool:
        """Tell whether an object names what it holds as something condemned."""
        if not plan.contents:
            return False
        if any(self._is_label(source[name]) for name in plan.labels):
            return True
        others = (source[name] for name in plan.others)
        return any(_names_secret(each) for each in others if type(each) is str)

    def _is_label(self, label: object) -> bool:
        """Tell whether a value names something condemned; a list of names, a secret."""
        if isinstance(label, list):
            return any(_names_secret(each) for each in label if type(each) is str)
        rule = judge_label(label) if isinstance(label, str) else None
        return rule is not None and self._withheld(rule.id)

    def _fill_list(self, source: list[Any], target: list[Any], *, in_picture: bool) -> None:
        """Fill a list; what stands behind the name of a secret is hidden."""
        in_pair = len(source) == _PAIR
        label: str | None = None
        for value in source:
            if label is not None and value in _SEAMS:
                target.append(value)
            elif label is not None and _hides(label, value, in_pair=in_pair):
                self.changed = self.changed or value != REMOVED
                target.append(REMOVED)
                label = None
            else:
                target.append(self._successor(value, in_picture=in_picture))
                label = value if type(value) is str else None

    def _text(self, text: str, *, in_picture: bool) -> str:
        if text in self._clean_texts and not in_picture:
            return text
        cleaned = self._cleaned_text(text, in_picture=in_picture)
        if cleaned != text:
            self.changed = True
        elif len(text) <= _SHORT and len(self._clean_texts) < _TEXTS:
            self._clean_texts.add(text)
        return cleaned

    def _cleaned_text(self, text: str, *, in_picture: bool) -> str:
        given = without_parameters(text) if in_picture else text
        inside = self._json(given) if given and given[0] in _OPENING else None
        return redacted(given, self._withheld) if inside is None else inside

    def _json(self, text: str) -> str | None:
        """Clean a text that is JSON; None where it is no object, no list and no text in JSON."""
        bare = text.strip(_BLANK)
        if len(bare) < len("[]") or _CLOSING.get(bare[0]) != bare[-1]:
            return None
        if self._encoding == _ENCODINGS or _is_deep(bare):
            return REMOVED
        document = _Document(bare)
        if document.value is None:
            return None
        inner = _Cleaner(self._disclosed, self._encoding + 1)
        value = inner.cleaned(document.value)
        if not inner.changed and not document.repeats:
            return text
        plain = json.dumps(value, ensure_ascii=False)
        return json.dumps(value) if text.isascii() or has_surrogate(plain) else plain


class _Document:
    """What a text is as JSON: its value, None where it is none; whether a name stands twice."""

    def __init__(self, text: str) -> None:
        self.repeats = False
        self.value: object = None
        try:
            self.value = json.loads(
                text,
                object_pairs_hook=self._object,
                parse_int=_integer,
                parse_float=_double,
                parse_constant=_double,
            )
        except ValueError:
            return

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        self.repeats = self.repeats or len(members) < len(pairs)
        return members


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_INTEGER:
        raise ValueError("more digits than any number has")
    return int(digits)


def _double(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("no number of JSON")
    return value


def _is_deep(text: str) -> bool:
    """Tell whether the brackets of a text nest deeper than is looked into."""
    if text.count("[") + text.count("{") <= _DEPTH:
        return False
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > _DEPTH:
            return True
    return False


def _names_secret(label: str) -> bool:
    """Tell whether a text is the name of a secret, and hardly a word of prose."""
    rule = judge_label(label)
    if rule is None or rule.id.startswith("identity."):
        return False
    return not (rule.soft and may_be_innocent(label))


def _hides(label: str, content: object, *, in_pair: bool) -> bool:
    """Tell whether an item of a list is hidden for the name before it; a pair hides more."""
    if content is None or isinstance(content, bool):
        return False
    if not in_pair:
        return isinstance(content, str) and _names_secret(label)
    rule = judge_label(label)
    return rule is not None and not rule.id.startswith("identity.")


@attrs.frozen
class _Name:
    """What is known of a name, and whether it holds a secret itself."""

    verdict: Verdict
    odd: bool


@attrs.frozen
class _Plan:
    """What becomes of the members of all objects whose members have the same names.

    Attributes:
        names: the members that stay, each with the name that it has from now on.
        pictures: those whose value is a picture of the person.
        labels: those whose value may name what the object holds.
        others: those whose value may be the name of a secret all the same.
        contents: those that are removed where it names something condemned.
        changes: whether a member goes or gets another name.

    """

    names: dict[str, str]
    pictures: frozenset[str]
    labels: tuple[str, ...]
    others: tuple[str, ...]
    contents: frozenset[str]
    changes: bool

    @property
    def does_anything(self) -> bool:
        """Whether the members are more than copied."""
        return bool(self.changes or self.pictures or self.contents)


_NO_PLAN: Final = _Plan({}, frozenset(), (), (), frozenset(), changes=False)


def _judged(name: str) -> _Name | None:
    """Give what is known of a name; None for the many of which nothing is."""
    found = _Name(judge(name), redacted(name, _everything) != name)
    return None if found.verdict is ORDINARY and not found.odd else found


_remembered: Final = lru_cache(maxsize=4096)(_judged)


def _known(name: str) -> _Name | None:
    if type(name) is not str:
        raise TypeError("not plain JSON")
    return _remembered(name) if len(name) <= _SHORT else _judged(name)


def _everything(_: str) -> bool:
    return True


def _marks(taken: set[str]) -> Iterator[str]:
    """Give names that stand for removed ones: `[removed]`, `[removed] 2`, and so on."""
    marks = chain((REMOVED,), (f"{REMOVED} {number}" for number in count(2)))
    return (mark for mark in marks if mark not in taken)
