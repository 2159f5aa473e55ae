"""Hypothesis strategies for values of models, derived from the constraints of their members.

Valid ones reach the limits: text of any allowed character at both ends of its length, numbers and
instants at their bounds, lists of maximum length.  Rules between members are not known here: a
product passes strategies for the models that have some.
"""

import json
from collections.abc import Collection, Mapping
from functools import partial
from itertools import chain
from typing import Any, Final, NamedTuple

import attrs
from hypothesis import strategies as st

from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT, SECOND_MS
from status_contracts.primitives import ABSENT
from status_contracts.structuring.cases import Case, Cases
from status_contracts.structuring.constraints import (
    Anything,
    Integer,
    Number,
    Pattern,
    Predicate,
    Text,
)
from status_contracts.structuring.fast_decoder import canonical
from status_contracts.structuring.value_types import (
    Annotation,
    Array,
    Boolean,
    Constants,
    Kind,
    Map,
    Object,
    ValueType,
    value_type,
)

__all__ = ["NOT_JSON", "Values", "broken_values", "instants", "json_texts", "json_values"]

_Strategy = st.SearchStrategy[Any]

_UNUSUAL: Final = (
    "\u0080\u0085\u009f\u00a0\u00ad\u0301\u0600\u200d\u200f\u2028\u2029\u202e\u2066\u3000\ufe0f"
    "\ufdd0\ufeff\ufffd\ufffe\uffff\U0001f1e9\U0001f469\U0001f3fd\U0001f3b5\U000e0067\U0010ffff"
    '"\\/<>&~\u00df\u0130\u6f22\u05d0'
)
"""Allowed characters that are often mishandled: C1, bidi marks, joiners, emoji, quotes."""
_BLANKS: Final = " \u3000\ufeff"
_PLAIN: Final = st.characters(min_codepoint=32, max_codepoint=126)
_ANY: Final = st.characters(exclude_categories=["Cs"], exclude_characters="\x7f", min_codepoint=32)
_ANY_CONTROL: Final = st.characters(exclude_categories=["Cs"])
_CHARACTERS: Final = st.one_of(_PLAIN, st.sampled_from(_UNUSUAL), _ANY)

_SHORT: Final = 12  # code points
_LISTED: Final = 18  # code points of the stem of names in a long list, so that it fits its body
_FEW: Final = 4  # items
_LARGE_COUNTS: Final = (2**53, 2**64, 10**300)
_USUAL: Final = (1_000_000_000_000, 1_900_000_000_000)  # years 2001 to 2030

NOT_JSON: Final = (
    b"",
    b" ",
    b"\xef\xbb\xbf",
    b"{",
    b"nul",
    b"NaN",
    b"[Infinity]",
    b"[-Infinity]",
    b"[01]",
    b"[1.]",
    b"[+1]",
    b"{'a':1}",
    b"{a:1}",
    b'{"a":1,}',
    b"[1,]",
    b"[1]//",
    b'"\t"',
    b'"\x00"',
    b'"\\x41"',
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b'"\xff"',
    b'"\xed\xa0\xbd\xed\xb1\xa9"',
    b'"\xc0\xaf"',
    "{}".encode("utf-16"),
    "{}".encode("utf-16-le"),
    "{}".encode("utf-32"),
    b"\xef\xbb\xbf\xef\xbb\xbf{}",
)
"""Bytes that are not JSON text in UTF-8."""

_SHORT_ESCAPES: Final = {"/": r"\/"} | {text: json.dumps(text)[1:-1] for text in '"\\\b\f\n\r\t'}
_LAST_CONTROL: Final = 0x1F
_LARGEST_EXACT: Final = 2**53
_DUPLICATES: Final = ("null", '"\\u0000"', "-1e999", "[[{}]]", '{"":0}')


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

    def of(self, annotation: Annotation) -> _Strategy:
        """Draw values of an annotation; models as models, absent members as `ABSENT`."""
        return self._of(value_type(annotation))

    def _of(self, of: ValueType) -> _Strategy:
        drawn = self._of_kind(of.kind)
        return st.none() | drawn if of.is_nullable else drawn

    def _of_kind(self, kind: Kind) -> _Strategy:
        match kind:
            case Object():
                return self._object(kind)
            case Array():
                return self._array(kind)
            case Map(names, values):
                keys = st.text(max_size=_SHORT) if names is None else self.predicates[names.rule]
                return st.dictionaries(keys, self._of(values), max_size=_FEW)
            case Constants(values):
                return st.sampled_from(values)
            case Anything():
                return json_values()
        return self._scalar(kind)

    def _scalar(self, kind: Kind) -> _Strategy:
        match kind:
            case Text():
                return _texts(kind)
            case Number(minimum, maximum):
                return _numbers(minimum, maximum)
            case Integer(minimum, maximum):
                return _integers(minimum, maximum)
            case Predicate():
                return self.predicates[kind.rule]
            case Pattern():
                return st.from_regex(kind.expression, fullmatch=True)
        return st.booleans() if isinstance(kind, Boolean) else instants()

    def _object(self, kind: Object) -> _Strategy:
        model = kind.model.__name__
        if model in self.known:
            return self.known[model]
        members = {}
        for name, member in kind.members.items():
            known = self.known.get(f"{model}.{name}")
            if known is None:
                known = self._of(member.type)
                known = st.just(ABSENT) | known if member.is_optional else known
            members[member.field] = known
        if kind.extra is not None:
            members[kind.extra] = _extras(kind.members)
        return st.builds(kind.model, **members)

    def _array(self, kind: Array) -> _Strategy:
        limits, inner = kind.limits, self._of(kind.items)
        most, least = limits.max_length, limits.min_length
        at_most = _FEW if most is None else min(_FEW, most)
        few = st.lists(inner, min_size=least, max_size=at_most, unique=limits.unique)
        text = kind.items.kind
        if most is None or not isinstance(text, Text):
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


def _numbers(minimum: int, maximum: int) -> st.SearchStrategy[int | float]:
    ends = (minimum, maximum, minimum + 0.1, minimum + 5e-324, maximum - 2**-20)
    return st.one_of(
        st.integers(minimum, maximum),
        st.sampled_from(ends),
        st.floats(minimum, maximum).map(canonical),
    )


def _integers(minimum: int, maximum: int | None) -> st.SearchStrategy[int]:
    large = _LARGE_COUNTS if maximum is None else (maximum - 1, maximum)
    return st.one_of(
        st.integers(minimum, min(large[0], minimum + 100)),
        st.sampled_from(large),
        st.integers(minimum, maximum),
    )


def _texts(constraint: Text) -> st.SearchStrategy[str]:
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
    return st.one_of(*short, longest, st.sampled_from(_BLANKS))


def _extras(names: Collection[str]) -> _Strategy:
    """Draw members that a model does not name; mostly none."""
    unnamed = st.text(max_size=_SHORT).filter(lambda name: name not in names)
    return st.just({}) | st.dictionaries(unnamed, json_values(), max_size=2)


class _Style(NamedTuple):
    escape: str
    number: str
    space: str
    order: int
    duplicate: str
    byte_order_mark: bytes


_STYLES: Final = st.builds(
    _Style,
    st.sampled_from(("needed", "short", "upper", "lower", "not ASCII")),
    st.sampled_from(("shortest", "fraction", "exponent", "shifted")),
    st.sampled_from(("", " ", "\n\t\r  ")),
    st.sampled_from((1, -1)),
    st.sampled_from(("", "", *_DUPLICATES)),
    st.sampled_from((b"", b"\xef\xbb\xbf")),
)


def json_values() -> st.SearchStrategy[Any]:
    """Draw plain JSON values with at most four scalars."""
    scalars = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
    )
    names = st.text(max_size=12)
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
        max_leaves=4,
    )


def json_texts(value: object) -> st.SearchStrategy[bytes]:
    """Draw UTF-8 JSON texts of a plain value whose numbers are finite."""
    return _STYLES.map(lambda style: style.byte_order_mark + _text(value, style).encode())


def _text(value: object, style: _Style) -> str:
    if isinstance(value, dict):
        return _join("{}", _members(value, style), style.space)
    if isinstance(value, list):
        return _join("[]", [_text(character, style) for character in value], style.space)
    if isinstance(value, str):
        return f'"{"".join(_character(character, style.escape) for character in value)}"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return _integer(value, style.number)
    if isinstance(value, float):
        return repr(value) if style.number in {"shortest", "fraction"} else f"{value:.16e}"
    raise TypeError("not a plain value")


def _join(brackets: str, parts: list[str], space: str) -> str:
    return f"{space}{brackets[0]}{space}{f'{space},{space}'.join(parts)}{space}{brackets[1]}{space}"


def _members(value: dict[str, Any], style: _Style) -> list[str]:
    names = [(name, _text(name, style)) for name in value][:: style.order]
    members = [f"{text}{style.space}:{_text(value[name], style)}" for name, text in names]
    if not style.duplicate:
        return members
    return list(chain((f"{text}:{style.duplicate}" for _, text in names), members))


def _character(character: str, escape: str) -> str:
    needed = character in '"\\' or ord(character) <= _LAST_CONTROL
    if escape == "short" and character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if needed or escape in {"upper", "lower"} or (escape == "not ASCII" and character > "~"):
        return _units(character, upper=escape == "upper")
    return character


def _units(character: str, *, upper: bool) -> str:
    digits = character.encode("utf-16-be").hex()
    digits = digits.upper() if upper else digits
    return "".join(f"\\u{digits[at : at + 4]}" for at in range(0, len(digits), 4))


def _integer(value: int, style: str) -> str:
    if style == "shortest" or abs(value) > _LARGEST_EXACT:
        return str(value)
    return {"fraction": f"{value}.0", "exponent": f"{value}e0", "shifted": f"{value * 10}E-1"}[
        style
    ]
