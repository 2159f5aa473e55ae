"""The fast path: bytes straight into models, through closed classes derived from them.

For every model a msgspec Struct is derived from the model's own annotations
(`purewire.structuring.constraints`);
it refuses unknown members and values of the wrong JSON type while it decodes.  What msgspec cannot
say (patterns, instants, uniqueness) is checked while the model is built from the Struct.

Invariant *accept or defer*: what this path accepts, `purewire.structuring.validator` accepts
with an equal model;
what it does not accept is undecided, so it may be blunt: `1.0` for an integer, members given twice
and escaped control characters are all left to the other path.  It holds for the items of lists as
well (`settle`), each by itself, where a body as a whole is undecided.
Invariant *certain faults*: of a body that decodes, but of which no model can be built, the other
path names a fault as well; what an early judgement refuses, the rules of the model refuse.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Annotated, Any, Final, Generic, TypeVar

import attrs
import msgspec
from msgspec import NODEFAULT, Meta

from purewire.absent import ABSENT
from purewire.findings import Step
from purewire.instants import parse_millisecond, parse_utc
from purewire.json.codec import strip_mark
from purewire.json.costly_numbers import has_costly_numbers
from purewire.json.plain_values import fault_in
from purewire.numbers import canonical
from purewire.structuring.annotations import (
    Alternatives,
    Annotation,
    alternatives,
    entry,
    item,
    members_of,
    shaped,
)
from purewire.structuring.constraints import (
    Anything,
    FieldOverride,
    Integer,
    Items,
    MapOf,
    Number,
    Pattern,
    Predicate,
    Text,
    TimestampFormat,
)
from purewire.structuring.constructors import WhereGiven, assembler
from purewire.structuring.undecided import CertainFault, Undecided

__all__ = ["FastDecoder"]

M = TypeVar("M")
_Convert = Callable[[Any], Any]
_Plan = tuple[Annotation, _Convert | None]

_DELETE: Final = b"\x7f"
_ESCAPED_CONTROL: Final = re.compile(rb"\\(?:[bfnrt]|u00(?:[01]|7[fF]))")
_LARGEST: Final = 2**63 - 1
"""Integers beyond, where there is no limit, are left to the other path as well."""
_UNFIT: Final = (msgspec.MsgspecError, ValueError, RecursionError)
_PLACE: Final = re.compile(r" - at `\$([^`]*)`$")
_STEP: Final = re.compile(r"\.([A-Za-z_0-9]+)|\[([0-9]+)\]")
_PARSE: Final = {TimestampFormat.MILLISECOND: parse_millisecond, TimestampFormat.UTC: parse_utc}


class FastDecoder(Generic[M]):
    """Decodes bodies into one model class.

    Args:
        model: the attrs class.
        settled: the type of the lists that `settle` gives.
        suits: an early judgement of what was decoded: an object with the fields of the model, in
            which instants are still text.  What it refuses, no rule of the model may accept.

    """

    def __init__(
        self,
        model: type[M],
        *,
        settled: type[list[Any]] = list,
        suits: Callable[[Any], bool] | None = None,
    ) -> None:
        struct, build = _plan(model)
        self._decode = msgspec.json.Decoder(struct).decode
        self._refuses_controls = not all(text.controls for text in _texts(model))
        self._build = build or _same
        self._settle = _settling(model, settled)
        self._suits = suits

    def decode(self, body: bytes) -> M:
        """Return the model of a body; raises Undecided or CertainFault, and nothing else."""
        body = strip_mark(body)
        if has_costly_numbers(body) or (self._refuses_controls and _has_control(body)):
            raise Undecided
        try:
            struct = self._decode(body)
        except msgspec.ValidationError as error:
            where = _place(str(error))
        except _UNFIT:
            where = ()
        else:
            return self._built(struct)
        raise Undecided(where)  # here, for parsers' errors have the body in them

    def _built(self, struct: object) -> M:
        if self._suits is not None and not self._suits(struct):
            raise CertainFault
        try:
            model: M = self._build(struct)
        except ValueError:
            raise CertainFault from None
        return model

    def settle(self, body: bytes, plain: object) -> object:
        """Take what can be taken of the plain value of a body that is undecided as a whole.

        In its lists of objects, which become lists of the type `settled`, each item that this path
        accepts is a model; so what is sound need not be read again.
        """
        if self._settle is None or (self._refuses_controls and _has_control(body)):
            return plain
        return self._settle(plain)


def _texts(annotation: Annotation) -> Iterator[Text]:
    """Give the shapes of all texts that a value holds."""
    if found := shaped(annotation):
        base, shape = found
        if isinstance(shape, Text):
            yield shape
        elif isinstance(shape, Items | MapOf):
            yield from _texts(item(base) if isinstance(shape, Items) else entry(base))
        elif isinstance(shape, FieldOverride):
            yield from chain(_texts(base), _texts(shape.annotation))
    elif union := alternatives(annotation):
        yield from _texts(union.inner)
    elif attrs.has(annotation):
        for member in members_of(annotation, {}):
            yield from _texts(member.annotation)


def _has_control(body: bytes) -> bool:
    """Tell whether a control character may stand in a text; those below U+0020 are escaped."""
    return _DELETE in body or (b"\\" in body and _ESCAPED_CONTROL.search(body) is not None)


def _place(message: str) -> tuple[Step, ...]:
    """Read where a value does not fit from the message of msgspec, as far as steps are plain."""
    steps: list[Step] = []
    found = _PLACE.search(message)
    end = 0
    while found and (step := _STEP.match(found[1], end)):
        name, index = step.groups()
        steps.append(int(index) if name is None else name)
        end = step.end()
    return tuple(steps)


def _same(value: M) -> M:
    return value


def _plan(annotation: Annotation) -> _Plan:
    """Give the type that msgspec decodes and the step from its value to the model's."""
    if found := shaped(annotation):
        base, shape = found
        return _SHAPES[type(shape)](base, shape)
    if union := alternatives(annotation):
        return _union(union)
    if attrs.has(annotation):
        return _object(annotation, {})
    return annotation, None


def _union(union: Alternatives) -> _Plan:
    inner, convert = _plan(union.inner)
    if union.null:
        inner = inner | None
    if union.absent:
        inner = inner | msgspec.UnsetType
    if convert is None or convert is canonical:  # which keeps what is no number
        return inner, convert
    return inner, WhereGiven(convert, null=union.null, absent=union.absent)


def _text(_base: Annotation, shape: Text) -> _Plan:
    if shape.controls and shape.min_length == 0 and shape.max_length is None:
        return str, None
    return Annotated[str, Meta(min_length=shape.min_length, max_length=shape.max_length)], None


def _pattern(_base: Annotation, shape: Pattern) -> _Plan:
    matches = shape.expression.fullmatch

    def check(text: str) -> str:
        if matches(text) is None:
            raise ValueError(shape.name)
        return text

    return str, check


def _checked(_base: Annotation, shape: Predicate) -> _Plan:
    if shape.by_model:
        return str, None

    def check(text: str) -> str:
        shape.check(text)
        return text

    return str, check


def _anything(_base: Annotation, _shape: Anything) -> _Plan:
    def check(value: object) -> object:
        if fault_in(value) is not None:
            raise ValueError("no JSON value")
        return value

    return Any, check


def _entries(base: Annotation, shape: MapOf) -> _Plan:
    inner, convert = _plan(entry(base))
    check = None if shape.names is None else shape.names.check

    def build(entries: dict[str, Any]) -> dict[str, Any]:
        if check is not None:
            for name in entries:
                check(name)
        if convert is None:
            return entries
        return {name: convert(each) for name, each in entries.items()}

    return dict[str, inner], build  # type: ignore[valid-type]


def _number(_base: Annotation, shape: Number) -> _Plan:
    limits = Meta(ge=shape.minimum, le=shape.maximum)
    return Annotated[int, limits] | Annotated[float, limits], canonical


def _integer(_base: Annotation, shape: Integer) -> _Plan:
    maximum = _LARGEST if shape.maximum is None else shape.maximum
    return Annotated[int, Meta(ge=shape.minimum, le=maximum)], None


def _instant(_base: Annotation, shape: TimestampFormat) -> _Plan:
    return str, _PARSE[shape]


def _items(base: Annotation, shape: Items) -> _Plan:
    inner, convert = _plan(item(base))
    listed = Annotated[
        tuple[inner, ...], Meta(min_length=shape.min_length, max_length=shape.max_length)
    ]  # type: ignore[valid-type]

    def build(items: tuple[Any, ...]) -> tuple[Any, ...]:
        if shape.unique and len(set(items)) < len(items):
            raise ValueError("an item stands twice")
        return items if convert is None else tuple(map(convert, items))

    return listed, build if shape.unique or convert else None


def _narrowed(base: Annotation, shape: FieldOverride) -> _Plan:
    return _object(base, {shape.name: shape.annotation})


def _object(
    model: type[attrs.AttrsInstance], narrowed: dict[str, Any]
) -> tuple[Annotation, _Convert]:
    """Derive the Struct of a model and the step that builds the model from it."""
    members = members_of(model, narrowed)
    plans = {member.field: _plan(member.annotation) for member in members}
    struct = msgspec.defstruct(
        model.__name__,
        [
            (each.field, plans[each.field][0], ABSENT if each.default is ABSENT else NODEFAULT)
            for each in members
        ],
        forbid_unknown_fields=True,
        kw_only=True,
        gc=False,
        rename={member.field: member.name for member in members},
    )
    return struct, assembler(model, {field: convert for field, (_, convert) in plans.items()})


def _settling(annotation: Annotation, settled: type[list[Any]]) -> _Convert | None:
    """Give the step that settles a plain value; None where it has no lists of objects."""
    if found := shaped(annotation):
        base, shape = found
        if isinstance(shape, Items) and attrs.has(item(base)):
            return _settling_items(base, shape, settled)
        if isinstance(shape, FieldOverride):
            return _settling_members(base, {shape.name: shape.annotation}, settled)
        return None
    if union := alternatives(annotation):
        return _settling(union.inner, settled)
    return _settling_members(annotation, {}, settled) if attrs.has(annotation) else None


def _settling_members(
    model: Annotation, narrowed: dict[str, Any], settled: type[list[Any]]
) -> _Convert | None:
    members = members_of(model, narrowed)
    steps = {member.name: _settling(member.annotation, settled) for member in members}
    inside = [(name, step) for name, step in steps.items() if step]

    def settle(plain: object) -> object:
        if not isinstance(plain, dict):
            return plain
        return {**plain, **{name: step(plain[name]) for name, step in inside if name in plain}}

    return settle if inside else None


def _settling_items(base: Annotation, shape: Items, settled: type[list[Any]]) -> _Convert:
    inner, build = _object(item(base), {})

    def settle_item(plain: object) -> object:
        try:
            return build(msgspec.convert(plain, inner))
        except _UNFIT:
            return plain

    def settle(plain: object) -> object:
        # Of a list that is too long no item is looked at.
        if not isinstance(plain, list) or (
            shape.max_length is not None and len(plain) > shape.max_length
        ):
            return plain
        return settled(map(settle_item, plain))

    return settle


_SHAPES: Final[dict[type, Callable[[Any, Any], _Plan]]] = {
    Text: _text,
    Predicate: _checked,
    Anything: _anything,
    MapOf: _entries,
    Pattern: _pattern,
    Number: _number,
    Integer: _integer,
    TimestampFormat: _instant,
    Items: _items,
    FieldOverride: _narrowed,
}
