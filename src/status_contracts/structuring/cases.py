"""Cases of the values of models, derived from the constraints of their members.

For each member they are the valid values at each limit and, for each rule that a value can break,
the wrong values with the rule and the path of the finding.  The first wrong values of a rule are
the nearest to its limits.  Rules between members are not known here: products add cases of those.

Invariant *one fault, one rule*: a valid value with the wrong value of one case in it has one
finding, with the rule and the path of the case.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from status_contracts.json_text import MAX_DEPTH
from status_contracts.structuring import constraints, value_types

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
_LARGEST_FRACTION: Final = 4503599627370495.5
"""The largest double that is not integral."""
_CONTROLS: Final = tuple(map(chr, (*range(0x20), 0x7F)))
_SURROGATES: Final = tuple(map(chr, (0xD800, 0xDBFF, 0xDC00, 0xDFFF)))
_CHARACTERS: Final = "x\u00e9\u6f22\U0001f3b5"
_UNUSUAL_TEXTS: Final = (
    *(" ", "\u00a0", " x  x ", "e\u0301"),
    "\"\\/<>&'\u0080\u0085\u2028\u202e\ufeff\uffff\U0001f468\u200d\U0001f4bb",
)
"""Allowed text that is often changed or refused: blanks, not normalized, quotes, C1, joiners."""
_UNKNOWN: Final = ("unknown", "expires_at", "ttl", "", "__class__")
_UNKNOWN_VALUES: Final[_Plains] = (None, 0, "", [[]], {})
_NOT_INSTANTS: Final = (
    *("2026-01-01T12:00:00.0000Z", "2026-01-01T12:00:00.000+00:00", "", "2026-01-01T12:00:00.000"),
    *("2026-01-01T12:00:00.000z", "2026-01-01 12:00:00.000Z", "2026-01-01T12:00:00.Z"),
    *("2026-01-01T12:00Z", "2026-01-01T12:00:60.000Z", "2026-01-01T24:00:00.000Z"),
    *("2026-13-01T12:00:00.000Z", "2026-02-29T12:00:00.000Z", "0000-01-01T12:00:00.000Z"),
    *("+2026-01-01T12:00:00.000Z", "12026-01-01T12:00:00.000Z", "2026-01-01T12:00:00.000Z\n"),
    *("202\uff16-01-01T12:00:00.000Z", "2026-01-01T12:00:00Z", "2026-01-01T12:00:00.0Z"),
)
"""Text that is not a timestamp; the last two are valid in UTC form."""


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

    def of(self, model: value_types.Annotation) -> Iterator[Case]:
        """Generate the cases of a model; items of lists are at index 0."""
        of = value_types.value_type(model)
        cases = self._of_kind(of.kind)
        if of.is_nullable:
            yield from _cases("", (None,))
            cases = (case for case in cases if case.at or case.value is not None)
        yield from cases

    def simplest(self, model: value_types.Annotation) -> Plain:
        """Return a plain value that breaks no constraint, with the required members alone."""
        of = value_types.value_type(model)
        if of.is_nullable:
            return None
        match of.kind:
            case value_types.Object(members=members):
                required = {name: it for name, it in members.items() if not it.is_optional}
                return {name: self.simplest(it.type.annotation) for name, it in required.items()}
            case value_types.Array(limits, items):
                return [self.simplest(items.annotation)] * limits.min_length
            case constraints.Predicate(rule=key) | constraints.Pattern(name=key):
                return self.texts[key][0]
            case constraints.TimestampFormat():
                return "2026-01-01T12:00:00.000Z"
        return next(case.value for case in self._of_kind(of.kind) if not (case.rule or case.at))

    def place(self, model: value_types.Annotation, value: Plain, case: Case) -> Plain:
        """Return a plain value with a case in it; parents that it lacks are the simplest ones."""
        return self._place(value_types.value_type(model), value, case.at, case.value)

    def _of_kind(self, kind: value_types.Kind) -> Iterator[Case]:
        match kind:
            case value_types.Object():
                yield from self._object(kind)
            case value_types.Array():
                yield from self._array(kind)
            case value_types.Map():
                yield from self._map(kind)
            case value_types.Constants(values):
                yield from _cases("", values)
                yield from _cases("constant", _unlike(values))
            case constraints.Anything():
                yield from _anything()
            case constraints.Number() | constraints.Integer():
                yield from _numbers(kind)
            case constraints.TimestampFormat():
                is_exact = kind is constraints.TimestampFormat.MILLISECOND
                yield from _cases("time.format", _NOT_INSTANTS[: None if is_exact else -2])
                yield from _cases("type", _NOT_TEXT)
            case constraints.Text():
                yield from _texts(kind)
                yield from _NO_UNICODE_TEXT
            case constraints.Predicate(rule=key) | constraints.Pattern(name=key):
                yield from _cases(kind.rule, self.texts[key][1:])
                yield from _NO_UNICODE_TEXT
            case _:
                yield from _cases("", (True, False))
                yield from _cases("type", _NOT_BOOLEAN)

    def _place(self, of: Any, value: Plain, at: Steps, placed: Plain) -> Plain:  # noqa: ANN401 - None at the end
        if not at:
            return placed
        step, rest, inside = at[0], at[1:], of.at(at[0])
        changed = value.copy()
        if placed is DROPPED and not rest:
            changed.pop(step, None)
            return changed
        has_step = step in (value if isinstance(value, dict) else range(len(value)))
        part = value[step] if has_step else self.simplest(inside.annotation) if rest else None
        part = self._place(inside, part, rest, placed)
        if isinstance(value, list) and not has_step:
            changed.append(part)
        else:
            changed[step] = part
        return changed

    def _object(self, kind: value_types.Object) -> Iterator[Case]:
        yield from _cases("type", _NOT_OBJECT)
        for name, member in kind.members.items():
            yield Case((name,), DROPPED, "" if member.is_optional else "required", (name,))
            yield from (case.below(name) for case in self.of(member.type.annotation))
        if kind.extra is not None:
            yield from (case.below("unknown") for case in _anything())
            return
        others = {name + " " for name in kind.members} | {name.title() for name in kind.members}
        for name in (*_UNKNOWN, *sorted(others)):
            yield from (case.below(name) for case in _cases("unknown", _UNKNOWN_VALUES))

    def _array(self, kind: value_types.Array) -> Iterator[Case]:
        item = self.simplest(kind.items.annotation)
        least, most = kind.limits.min_length, kind.limits.max_length
        yield from _cases("type", _NOT_ARRAY)
        if most is not None:
            items: _Plains = (item, None, "", {})
            yield from _cases("items.count", [[element] * (most + 1) for element in items])
        if most is not None and isinstance(item, str):
            yield from _cases("", ([f"{item}{number}" for number in range(most)],))
        yield from _cases("items.count" if least else "", ([item] * max(0, least - 1),))
        if kind.limits.unique:
            yield Case((), [item, item], "items.unique", (1,))
        yield from (case.below(0) for case in self.of(kind.items.annotation))

    def _map(self, kind: value_types.Map) -> Iterator[Case]:
        rule = kind.names.rule if kind.names else ""
        simplest = self.simplest(kind.values.annotation)
        name, *wrong = self.texts[rule] if rule else ["name"]
        yield from _cases("type", _NOT_OBJECT)
        yield from _cases("", ({},))
        for case in self.of(kind.values.annotation):
            value = self._place(kind.values, simplest, case.at, case.value)
            yield Case((), {name: value}, case.rule, (name, *case.path))
        for text in wrong:
            yield Case((), {text: simplest}, rule, (text,))


def _cases(rule: str, values: Iterable[Plain]) -> Iterator[Case]:
    return (Case((), value, rule, ()) for value in values)


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


def _numbers(constraint: constraints.Number | constraints.Integer) -> Iterator[Case]:
    minimum, maximum = constraint.minimum, constraint.maximum
    largest = minimum if maximum is None else maximum
    yield from _cases("", (minimum, float(minimum), largest))
    if isinstance(constraint, constraints.Number):
        yield from _cases("", (minimum + 1 / 3, largest - 0.1))
    beyond = (largest + 1, minimum - 1, minimum - 0.5, minimum - 5e-324, largest + 0.5)
    far = (10**40, -(10**40), 1.7e308)
    outside = [n for n in (*beyond, *far) if n < minimum or (maximum is not None and n > maximum)]
    yield from _cases("number.range", outside)
    yield from _cases("number.finite", _NOT_FINITE)
    yield from _cases("type", _NOT_NUMBER)
    if isinstance(constraint, constraints.Integer):
        fractions = (minimum + 0.5, minimum + 1.0000000000000002, _LARGEST_FRACTION)
        inside = [n for n in fractions if maximum is None or n < maximum]
        yield from _cases("number.integral", [n for n in inside if not n.is_integer()])


def _texts(constraint: constraints.Text) -> Iterator[Case]:
    least, most = constraint.min_length, constraint.max_length
    unusual = [text for text in _UNUSUAL_TEXTS if least <= len(text) <= (most or len(text))]
    longest = [] if most is None else ["\U0001f3b5" * most, "\u00e9" * most]
    yield from _cases("", ("x" * least, *longest, *unusual))
    too_long = () if most is None else (most + 1, most + 2, most + 3)
    yield from _cases("text.length", [sign * n for n in too_long for sign in _CHARACTERS])
    if least:
        yield from _cases("text.length", ("x" * (least - 1),))
    if not constraint.controls:
        yield from _cases("text.control", _containing(_CONTROLS))


def _containing(characters: Iterable[str]) -> list[str]:
    around = (("x", "x"), ("", ""), ("x", ""), ("", "x"))
    return [f"{before}{character}{after}" for before, after in around for character in characters]


_NO_UNICODE_TEXT: Final = (
    *_cases("type", _NOT_TEXT),
    *_cases("text.surrogate", _containing(_SURROGATES)),
)
