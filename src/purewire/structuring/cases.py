"""Cases of the values of models, derived from the constraints of their members.

For each member they are the valid values at each limit and, for each rule that a value can break,
the wrong values with the rule and the path of the finding.  The first wrong values of a rule are
the nearest to its limits.  Rules between members are not known here: products add cases of those.

Invariant *one fault, one rule*: a valid value with the wrong value of one case in it has one
finding, with the rule and the path of the case.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import attrs

from purewire.instants import parse_millisecond, parse_utc
from purewire.json.codec import MAX_DEPTH
from purewire.primitives import ABSENT
from purewire.structuring.constraints import (
    Annotation,
    Anything,
    Container,
    Integer,
    MapOf,
    Number,
    ObjectType,
    Pattern,
    Predicate,
    Text,
    TimestampFormat,
    annotation_at,
    literal_values,
    split_annotated,
    split_container,
    split_object,
    split_union,
)

__all__ = ["DROPPED", "UNUSUAL_TEXTS", "Case", "Cases"]

DROPPED: Final = object()
"""In place of a value: the member is removed."""

Steps = tuple[str | int, ...]
Plain = Any
"""A plain JSON value, which may contain a lone surrogate or a number that is not finite."""
_Plains = tuple[Plain, ...]

_NOT_BOOLEAN: Final[_Plains] = (None, 0, 1, "true", "", [], {})
_NOT_TEXT: Final[_Plains] = (None, 0, 1.5, True, [], {}, ["x"])
_NOT_NUMBER: Final[_Plains] = (None, "1", "", True, False, [], {}, [1])
_NOT_OBJECT: Final[_Plains] = (None, 0, True, "", "{}", [], [{}])
_NOT_ARRAY: Final[_Plains] = (None, 0, False, "", "[]", {}, {"0": "x"})
_NOT_CONSTANT: Final[_Plains] = (None, "", "other", 0, 3, 1.5, True, [])
_NOT_FINITE: Final = (float("inf"), float("-inf"), float("nan"), 10**309, -(10**399))
_FAR: Final = (10**40, -(10**40), 1.7e308)
_LARGEST_FRACTION: Final = 4503599627370495.5
"""The largest double that is not integral."""
_CONTROLS: Final = tuple(map(chr, (*range(0x20), 0x7F)))
_SURROGATES: Final = tuple(map(chr, (0xD800, 0xDBFF, 0xDC00, 0xDFFF, *range(0xD801, 0xE000, 97))))
_CHARACTERS: Final = "x\u00e9\u6f22\U0001f3b5"
UNUSUAL_TEXTS: Final = (
    " ",
    "\u00a0",
    " x  x ",
    "e\u0301",
    "\"\\/<>&'\u0080\u0085\u2028\u202e\ufeff\uffff\U0001f468\u200d\U0001f4bb",
)
"""Allowed text that is often changed or refused: blanks, not normalized, quotes, C1, joiners."""
_UNKNOWN: Final = ("unknown", "expires_at", "ttl", "", "__class__")
_UNKNOWN_VALUES: Final[_Plains] = (None, 0, "", [[]], {})
_INSTANT: Final = "2026-01-01T12:00:00.000Z"
_NOT_INSTANTS: Final = (
    "2026-01-01T12:00:00.0000Z",
    "2026-01-01T12:00:00.000+00:00",
    "",
    "2026-01-01",
    "2026-01-01T12:00:00.000",
    "2026-01-01T12:00:00.000z",
    "2026-01-01t12:00:00.000Z",
    "2026-01-01 12:00:00.000Z",
    "2026-01-01T12:00:00.Z",
    "2026-01-01T12:00:00,000Z",
    "2026-01-01T12:00Z",
    "2026-01-01T12:00:60.000Z",
    "2026-01-01T24:00:00.000Z",
    "2026-01-01T12:60:00.000Z",
    "2026-00-01T12:00:00.000Z",
    "2026-13-01T12:00:00.000Z",
    "2026-01-00T12:00:00.000Z",
    "2026-02-29T12:00:00.000Z",
    "2026-04-31T12:00:00.000Z",
    "0000-01-01T12:00:00.000Z",
    "+2026-01-01T12:00:00.000Z",
    "12026-01-01T12:00:00.000Z",
    " 2026-01-01T12:00:00.000Z",
    "2026-01-01T12:00:00.000Z\n",
    "2026-01-01T12:00:00.000Z\u0000",
    "202\uff16-01-01T12:00:00.000Z",
    "2026-01-01T12:00:00.00\u0660Z",
    "2026-01-01T12:00:\u00b2\u00b2.000Z",
    "2026-01-01T12:00:00Z",
    "2026-01-01T12:00:00.0Z",
    "2026-01-01T12:00:00.00Z",
)
"""Text that is not a timestamp; the last three are valid in UTC form."""


@attrs.frozen
class Case:
    """A value in one place of another value.

    Attributes:
        at: the place, as names and indexes.
        value: what belongs there; `DROPPED` removes the member.
        rule: id of the rule that it breaks; empty for a valid value.
        path: where the finding is, as names and indexes.

    """

    at: Steps
    value: Plain
    rule: str
    path: Steps

    @property
    def has_text(self) -> bool:
        """Check whether the value has a JSON text: its numbers are finite, its text is Unicode."""
        try:
            json.dumps(self.value, default=str, ensure_ascii=False, allow_nan=False).encode()
        except ValueError:
            return False
        return True

    def below(self, step: str | int) -> "Case":
        """Return the case of the object or list that has this value as a member or item."""
        return Case((step, *self.at), self.value, self.rule, (step, *self.path))


@attrs.frozen
class Cases:
    """Cases of the values of annotations.

    Attributes:
        texts: rule of a `Predicate`, or name of a `Pattern`, to texts: the first one is valid, the
            others are not.

    """

    texts: Mapping[str, Sequence[str]] = attrs.field(factory=dict)

    def of(self, annotation: Annotation) -> Iterator[Case]:
        """Generate the cases of an annotation; items of lists are at index 0."""
        if union := split_union(annotation):
            cases = self.of(union.inner)
            if union.null:
                yield from _cases("", (None,))
                cases = (case for case in cases if case.at or case.value is not None)
            yield from cases
        elif constants := literal_values(annotation):
            yield from _cases("", constants)
            yield from _cases("constant", _unlike(constants))
        elif container := split_container(annotation):
            yield from self._container(container)
        elif parts := split_object(annotation):
            yield from self._object(parts)
        elif constrained := split_annotated(annotation):
            yield from self._scalar(constrained[1])
        else:
            yield from _cases("", (True, False))
            yield from _cases("type", _NOT_BOOLEAN)

    def simplest(self, annotation: Annotation) -> Plain:
        """Return a plain value that breaks no constraint, with the required members alone."""
        if union := split_union(annotation):
            return None if union.null else self.simplest(union.inner)
        if constants := literal_values(annotation):
            return constants[0]
        if container := split_container(annotation):
            is_map = isinstance(container.constraint, MapOf)
            return {} if is_map else [self.simplest(container.inner)] * _least(container)
        if parts := split_object(annotation):
            return {
                member.name: self.simplest(member.annotation)
                for member in parts.members
                if member.default is not ABSENT
            }
        constrained = split_annotated(annotation)
        return False if constrained is None else self._simplest_scalar(constrained[1])

    def place(self, annotation: Annotation, value: Plain, case: Case) -> Plain:
        """Return a plain value with a case in it; parents that it lacks are the simplest ones."""
        if not case.at:
            return case.value
        (step, *rest), inside = case.at, annotation_at(annotation, case.at[0])
        changed = value.copy()
        if case.value is DROPPED and not rest:
            changed.pop(step, None)
            return changed
        has_step = step in (value if isinstance(value, dict) else range(len(value)))
        part = value[step] if has_step else self.simplest(inside) if rest else None
        part = self.place(inside, part, attrs.evolve(case, at=tuple(rest)))
        if isinstance(value, list) and not has_step:
            changed.append(part)
        else:
            changed[step] = part
        return changed

    def _object(self, parts: ObjectType) -> Iterator[Case]:
        yield from _cases("type", _NOT_OBJECT)
        for member in parts.members:
            rule = "" if member.default is ABSENT else "required"
            yield Case((member.name,), DROPPED, rule, (member.name,))
            yield from (case.below(member.name) for case in self.of(member.annotation))
        if parts.extra is not None:
            yield from (case.below("unknown") for case in _anything())
            return
        names = {member.name for member in parts.members}
        others = {name + " " for name in names} | {name.title() for name in names}
        for name in (*_UNKNOWN, *sorted(others)):
            yield from (case.below(name) for case in _cases("unknown", _UNKNOWN_VALUES))

    def _container(self, container: Container) -> Iterator[Case]:
        constraint, item = container.constraint, self.simplest(container.inner)
        if isinstance(constraint, MapOf):
            yield from self._map(constraint, container.inner)
            return
        least, most = _least(container), constraint.max_length
        yield from _cases("type", _NOT_ARRAY)
        if most is not None:
            items: _Plains = (item, None, "", {})
            yield from _cases("items.count", [[element] * (most + 1) for element in items])
        if most is not None and isinstance(item, str):
            yield from _cases("", ([f"{item}{number}" for number in range(most)],))
        yield from _cases("items.count" if least else "", ([item] * max(0, least - 1),))
        if constraint.unique:
            yield Case((), [item, item], "items.unique", (1,))
        yield from (case.below(0) for case in self.of(container.inner))

    def _map(self, constraint: MapOf, inner: Annotation) -> Iterator[Case]:
        """Generate the cases of a map, with one member each."""
        rule = "" if constraint.names is None else constraint.names.rule
        name, *wrong = self.texts[rule] if rule else ["name"]
        yield from _cases("type", _NOT_OBJECT)
        yield from _cases("", ({},))
        for case in self.of(inner):
            value = self.place(inner, self.simplest(inner), case)
            yield Case((), {name: value}, case.rule, (name, *case.path))
        for text in wrong:
            yield Case((), {text: self.simplest(inner)}, rule, (text,))

    def _simplest_scalar(self, constraint: object) -> Plain:
        match constraint:
            case Predicate(_, key) | Pattern(_, key):
                return self.texts[key][0]
            case Text(minimum):
                return "x" * max(1, minimum)
            case Number(minimum) | Integer(minimum):
                return minimum
        return _INSTANT if isinstance(constraint, TimestampFormat) else None

    def _scalar(self, constraint: Annotation) -> Iterator[Case]:
        if isinstance(constraint, Anything):
            yield from _anything()
        elif isinstance(constraint, Number | Integer):
            yield from _numbers(constraint)
        elif isinstance(constraint, TimestampFormat):
            yield from _cases("time.format", _not_instants(constraint))
            yield from _cases("type", _NOT_TEXT)
        else:
            if isinstance(constraint, Text):
                yield from _texts(constraint)
            elif isinstance(constraint, Predicate):
                yield from _cases(constraint.rule, self.texts[constraint.rule][1:])
            else:
                yield from _cases("text.pattern", self.texts[constraint.name][1:])
            yield from _cases("type", _NOT_TEXT)
            yield from _cases("text.surrogate", _containing(_SURROGATES))


def _cases(rule: str, values: Iterable[Plain]) -> Iterator[Case]:
    return (Case((), value, rule, ()) for value in values)


def _least(container: Container) -> int:
    constraint = container.constraint
    return 0 if isinstance(constraint, MapOf) else constraint.min_length


def _unlike(constants: tuple[object, ...]) -> list[Plain]:
    """Return values that differ from all constants, some of them by case, type or blanks only."""
    near: list[Plain] = [
        form
        for constant in constants
        for form in (f"{constant} ", str(constant).title(), [constant], str(constant))
    ]
    known = [(type(constant), constant) for constant in constants]
    return [value for value in (*near, *_NOT_CONSTANT) if (type(value), value) not in known]


def _anything() -> Iterator[Case]:
    deep: Plain = None
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]
    yield from _cases("", ({}, [[None]]))
    yield from _cases("json.depth", (deep,))
    yield from _cases("number.finite", ([_NOT_FINITE[0]],))
    yield from _cases("text.surrogate", ({"\ud800": None}, "\udfff"))


def _numbers(constraint: Number | Integer) -> Iterator[Case]:
    minimum, maximum = constraint.minimum, constraint.maximum
    largest = minimum if maximum is None else maximum
    yield from _cases("", (minimum, float(minimum), largest))
    if isinstance(constraint, Number):
        yield from _cases("", (minimum + 1 / 3, largest - 0.1))
    beyond = (largest + 1, minimum - 1, minimum - 0.5, minimum - 5e-324, largest + 0.5)
    yield from _cases(
        "number.range",
        [n for n in (*beyond, *_FAR) if n < minimum or (maximum is not None and n > maximum)],
    )
    yield from _cases("number.finite", _NOT_FINITE)
    yield from _cases("type", _NOT_NUMBER)
    if isinstance(constraint, Integer):
        fractions = (minimum + 0.5, minimum + 1.0000000000000002, _LARGEST_FRACTION)
        inside = [n for n in fractions if maximum is None or n < maximum]
        yield from _cases("number.integral", [n for n in inside if not n.is_integer()])


def _texts(constraint: Text) -> Iterator[Case]:
    least, most = constraint.min_length, constraint.max_length
    yield from _cases("", ("x" * least, *(() if most is None else ("\U0001f3b5" * most,))))
    unusual = [text for text in UNUSUAL_TEXTS if least <= len(text) <= (most or len(text))]
    yield from _cases("", (*unusual, *(() if most is None else ("\u00e9" * most,))))
    if most is not None:
        yield from _cases("text.length", ("x" * (most + 1),))
    if least:
        yield from _cases("text.length", ("x" * (least - 1),))
    if most is not None:
        lengths = (most + 1, most + 2, most + 3)
        yield from _cases(
            "text.length", [character * n for n in lengths for character in _CHARACTERS]
        )
    if not constraint.controls:
        yield from _cases("text.control", _containing(_CONTROLS))


def _containing(characters: Iterable[str]) -> list[str]:
    around = (("x", "x"), ("", ""), ("x", ""), ("", "x"))
    return [f"{before}{character}{after}" for before, after in around for character in characters]


def _not_instants(form: TimestampFormat) -> Iterator[str]:
    parse = parse_millisecond if form is TimestampFormat.MILLISECOND else parse_utc
    for text in _NOT_INSTANTS:
        is_instant = False
        with suppress(ValueError):
            parse(text)
            is_instant = True
        if not is_instant:
            yield text
