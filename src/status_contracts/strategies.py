"""Hypothesis strategies for values of models, derived from the constraints of their members.

Valid ones reach the limits: text of any allowed character at both ends of its length, numbers and
instants at their bounds, lists of maximum length.  Rules between members are not known here: a
product passes strategies for the models that have some.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import attrs
from hypothesis import strategies as st

from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT, SECOND_MS
from status_contracts.primitives import ABSENT
from status_contracts.structuring import constraints, value_types
from status_contracts.structuring.cases import Case, Cases
from status_contracts.structuring.fast_decoder import canonical

_Strategy = st.SearchStrategy[Any]

_UNUSUAL: Final = (
    "\u0080\u0085\u009f\u00a0\u00ad\u0301\u0600\u200d\u200f\u2028\u2029\u202e\u2066\u3000\ufe0f"
    "\ufdd0\ufeff\ufffd\ufffe\uffff\U0001f1e9\U0001f469\U0001f3fd\U0001f3b5\U000e0067\U0010ffff"
    '"\\/<>&~\u00df\u0130\u6f22\u05d0'
)
"""Allowed characters that are often mishandled: C1, bidi marks, joiners, emoji, quotes."""
_PLAIN: Final = st.characters(min_codepoint=32, max_codepoint=126)
_ANY: Final = st.characters(exclude_categories=["Cs"], exclude_characters="\x7f", min_codepoint=32)
_ANY_CONTROL: Final = st.characters(exclude_categories=["Cs"])
_CHARACTERS: Final = st.one_of(_PLAIN, st.sampled_from(_UNUSUAL), _ANY)

_SHORT: Final = 12  # code points
_LISTED: Final = 18  # code points of the stem of names in a long list, so that it fits its body
_FEW: Final = 4  # items
_LARGE_COUNTS: Final = (2**53, 2**64, 10**300)
_LARGEST_EXACT: Final = 2**53
_USUAL: Final = (1_000_000_000_000, 1_900_000_000_000)  # years 2001 to 2030


@attrs.frozen(eq=False)
class Values:
    """Strategies for the values of annotations.

    Attributes:
        known: `Model` or `Model.member` (the name in JSON) to the strategy in place of a derived
            one.
        predicates: rule of a `Predicate` to the strategy for the text that it accepts.

    """

    known: Mapping[str, _Strategy] = attrs.field(factory=dict)
    predicates: Mapping[str, _Strategy] = attrs.field(factory=dict)

    def of(self, annotation: value_types.Annotation) -> _Strategy:
        """Draw values of an annotation; models as models, absent members as `ABSENT`."""
        of = value_types.value_type(annotation)
        drawn = self._of_kind(of.kind)
        return st.none() | drawn if of.is_nullable else drawn

    def _of_kind(self, kind: value_types.Kind) -> _Strategy:
        match kind:
            case value_types.Object():
                return self._object(kind)
            case value_types.Array():
                return self._array(kind)
            case value_types.Map(names, values):
                keys = st.text(max_size=_SHORT) if names is None else self.predicates[names.rule]
                return st.dictionaries(keys, self.of(values.annotation), max_size=_FEW)
            case value_types.Constants(values):
                return st.sampled_from(values)
            case constraints.Anything():
                return json_values()
        return self._scalar(kind)

    def _scalar(self, kind: value_types.Kind) -> _Strategy:
        match kind:
            case constraints.Text():
                return _texts(kind)
            case constraints.Number(minimum, maximum):
                ends = (minimum, maximum, minimum + 0.1, minimum + 5e-324, maximum - 2**-20)
                floats = st.floats(minimum, maximum).map(canonical)
                return st.one_of(st.integers(minimum, maximum), st.sampled_from(ends), floats)
            case constraints.Integer(minimum, maximum):
                large = _LARGE_COUNTS if maximum is None else (maximum - 1, maximum)
                small = st.integers(minimum, min(large[0], minimum + 100))
                return st.one_of(small, st.sampled_from(large), st.integers(minimum, maximum))
            case constraints.Predicate():
                return self.predicates[kind.rule]
            case constraints.Pattern():
                return st.from_regex(kind.expression, fullmatch=True)
        return st.booleans() if isinstance(kind, value_types.Boolean) else instants()

    def _object(self, kind: value_types.Object) -> _Strategy:
        model = kind.model.__name__
        if model in self.known:
            return self.known[model]
        members = {}
        for name, member in kind.members.items():
            known = self.known.get(f"{model}.{name}")
            if known is None:
                known = self.of(member.type.annotation)
                known = st.just(ABSENT) | known if member.is_optional else known
            members[member.field] = known
        if kind.extra is not None:
            unnamed = st.text(max_size=_SHORT).filter(lambda name: name not in kind.members)
            others = st.dictionaries(unnamed, json_values(), max_size=2)
            members[kind.extra] = st.just({}) | others  # mostly none
        return st.builds(kind.model, **members)

    def _array(self, kind: value_types.Array) -> _Strategy:
        limits, inner = kind.limits, self.of(kind.items.annotation)
        most, least = limits.max_length, limits.min_length
        at_most = _FEW if most is None else min(_FEW, most)
        few = st.lists(inner, min_size=least, max_size=at_most, unique=limits.unique)
        text = kind.items.kind
        if most is None or not isinstance(text, constraints.Text):
            return few.map(tuple)
        longest = (text.max_length or _LISTED) - len(str(most))
        full = st.builds(
            lambda stem, count: tuple(f"{stem}{number}" for number in range(count)),
            st.text(_ANY, min_size=1, max_size=min(_LISTED, longest)),
            st.sampled_from((most, max(most - 1, least))),
        )
        return few.map(tuple) | full


def broken_values(
    cases: Cases, model: type, valid: _Strategy, *, as_text: bool = False
) -> dict[str, _Strategy]:
    """Return each rule of the constraints of a model with a strategy for values that break it.

    Valid plain values are broken in one place; `as_text` leaves out what JSON text cannot state.
    """
    by_rule: dict[str, list[Case]] = {}
    for case in cases.of(model):
        if case.rule and case.at and (case.has_text or not as_text):
            by_rule.setdefault(case.rule, []).append(case)
    place = partial(cases.place, model)
    return {
        rule: st.builds(place, valid, st.sampled_from(wrong)) for rule, wrong in by_rule.items()
    }


def instants(first: int = FIRST_INSTANT, last: int = LAST_INSTANT) -> st.SearchStrategy[int]:
    """Draw instants from first to last, both included: usual ones, whole seconds, the ends (ms)."""
    choices = [st.sampled_from((first, last)), st.integers(first, last)]
    low, high = max(first, _USUAL[0]), min(last, _USUAL[1])
    if low <= high:
        usual = st.integers(low, high)
        seconds = usual.map(lambda instant: max(low, instant - instant % SECOND_MS))
        choices = [usual, seconds, *choices]
    return st.one_of(choices)


def _texts(constraint: constraints.Text) -> st.SearchStrategy[str]:
    """Draw texts of one alphabet each, because drawing from a union is slow."""
    least, most = constraint.min_length, constraint.max_length
    any_character = _ANY_CONTROL if constraint.controls else _ANY
    short = [
        st.text(alphabet, min_size=least, max_size=_SHORT if most is None else min(_SHORT, most))
        for alphabet in (_PLAIN, _UNUSUAL, any_character)
    ]
    if most is None:
        return st.one_of(short)
    longest = _CHARACTERS.map(lambda character: character * most)
    return st.one_of(*short, longest, st.sampled_from(" \u3000\ufeff"))


def json_values() -> st.SearchStrategy[Any]:
    """Draw plain JSON values with at most four scalars."""
    numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    scalars = st.none() | st.booleans() | numbers | st.text(max_size=5)
    names = st.text(max_size=12)
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
        max_leaves=4,
    )


class _Repeated(dict[str, Any]):
    """An object whose text has each name twice; the second value counts."""

    def items(self) -> Any:  # noqa: ANN401 - what the JSON encoder iterates over
        return [*((name, [{}]) for name in self), *super().items()]


def json_texts(value: object) -> st.SearchStrategy[bytes]:
    """Draw UTF-8 JSON texts of a plain value whose numbers are finite.

    They have blanks, escapes, integers as `1.0`, members in reverse order or twice, and a byte
    order mark.
    """
    spelled = st.builds(
        partial(_spelled, value),
        as_floats=st.booleans(),
        step=st.sampled_from((1, -1)),
        make=st.sampled_from((dict, dict, _Repeated)),
    )
    text = st.builds(
        json.dumps,
        spelled,
        ensure_ascii=st.booleans(),
        separators=st.sampled_from(((",", ":"), (" ,\n", "\t: "))),
    )
    around = st.sampled_from(("", " \n\t\r"))
    mark = st.sampled_from(("", "\ufeff"))
    return st.builds("{0}{1}{2}{1}".format, mark, around, text).map(str.encode)


def _spelled(value: Any, *, as_floats: bool, step: int, make: type[dict[str, Any]]) -> Any:  # noqa: ANN401 - JSON
    """Return an equal plain value whose text is another one; a zero becomes -0.0."""
    spell = partial(_spelled, as_floats=as_floats, step=step, make=make)
    if isinstance(value, dict):
        return make((name, spell(value[name])) for name in [*value][::step])
    if isinstance(value, list):
        return [spell(item) for item in value]
    if as_floats and type(value) is int and abs(value) <= _LARGEST_EXACT:
        return float(value) or -0.0
    return value
