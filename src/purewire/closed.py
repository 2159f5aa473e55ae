"""The fast path: bytes straight into models, through closed classes derived from them.

For every model a msgspec Struct is derived from the model's own annotations (`purewire.shapes`);
it refuses unknown members and values of the wrong JSON type while it decodes.  What msgspec cannot
say (patterns, instants, uniqueness) is checked while the model is built from the Struct.

Invariant *accept or defer*: what this path accepts, `purewire.strict` accepts with an equal model;
whatever it does not accept is undecided, never refused.  So it may be blunt: `1.0` for an integer,
members given twice and escaped control characters are all left to the other path.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain, starmap
from typing import Annotated, Any, Final, Generic, TypeVar

import attrs
import msgspec
from msgspec import Meta
from msgspec.structs import astuple

from purewire.absent import ABSENT
from purewire.annotations import (
    Alternatives,
    Annotation,
    alternatives,
    choices,
    entry,
    item,
    members_of,
    shaped,
)
from purewire.instants import parse_millisecond, parse_utc
from purewire.jsontext import strip_mark
from purewire.jsonvalues import fault_in
from purewire.numbers import canonical
from purewire.shapes import (
    Anything,
    Checked,
    Entries,
    Integer,
    Items,
    Narrowed,
    Number,
    Pattern,
    Precision,
    Text,
)

__all__ = ["ClosedDecoder", "Undecided"]

M = TypeVar("M")
_Convert = Callable[[Any], Any]
_Model = Callable[..., Any]
_Plan = tuple[Annotation, _Convert | None]

_CONTROL_BYTES: Final = re.compile(rb"\\(?:[bfnrt]|u00(?:[01]|7[fF]))|\x7f")
_LARGEST: Final = 2**63 - 1
"""Integers beyond, where there is no limit, are left to the other path as well."""
_PARSE: Final = {Precision.MILLISECOND: parse_millisecond, Precision.UTC: parse_utc}


class Undecided(Exception):
    """The fast path cannot accept this body; the findings path decides."""


class ClosedDecoder(Generic[M]):
    """Decodes bodies into one model class."""

    def __init__(self, model: type[M]) -> None:
        struct, build = _plan(model)
        self._decode = msgspec.json.Decoder(struct).decode
        self._refuses_controls = not all(text.controls for text in _texts(model))
        self._build = build or _same

    def decode(self, body: bytes) -> M:
        """Give the model of a body; raises Undecided and nothing else."""
        body = strip_mark(body)
        if self._refuses_controls and _CONTROL_BYTES.search(body):
            raise Undecided
        try:
            model: M = self._build(self._decode(body))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise Undecided from None
        return model


def _texts(annotation: Annotation) -> Iterator[Text]:
    """Give the shapes of all texts that a value holds."""
    if found := shaped(annotation):
        base, shape = found
        if isinstance(shape, Text):
            yield shape
        elif isinstance(shape, Items | Entries):
            yield from _texts(item(base) if isinstance(shape, Items) else entry(base))
        elif isinstance(shape, Narrowed):
            yield from chain(_texts(base), _texts(shape.annotation))
    elif union := alternatives(annotation):
        yield from _texts(union.inner)
    elif attrs.has(annotation):
        for member in members_of(annotation, {}):
            yield from _texts(member.annotation)


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
    if convert is None:
        return inner, None
    given = convert
    return inner, lambda value: value if value is None or value is ABSENT else given(value)


def _text(_base: Annotation, shape: Text) -> _Plan:
    if shape.controls and shape.least == 0 and shape.most is None:
        return str, None
    return Annotated[str, Meta(min_length=shape.least, max_length=shape.most)], None


def _pattern(_base: Annotation, shape: Pattern) -> _Plan:
    matches = shape.expression.fullmatch

    def check(text: str) -> str:
        if matches(text) is None:
            raise ValueError(shape.name)
        return text

    return str, check


def _checked(_base: Annotation, shape: Checked) -> _Plan:
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


def _entries(base: Annotation, shape: Entries) -> _Plan:
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
    limits = Meta(ge=shape.least, le=shape.most)
    return Annotated[int, limits] | Annotated[float, limits], canonical


def _integer(_base: Annotation, shape: Integer) -> _Plan:
    most = _LARGEST if shape.most is None else shape.most
    return Annotated[int, Meta(ge=shape.least, le=most)], None


def _instant(_base: Annotation, shape: Precision) -> _Plan:
    return str, _PARSE[shape]


def _items(base: Annotation, shape: Items) -> _Plan:
    inner, convert = _plan(item(base))
    build = _each(convert)

    def build_unique(items: list[Any]) -> tuple[Any, ...]:
        if len(set(items)) < len(items):
            raise ValueError("an item stands twice")
        found: tuple[Any, ...] = build(items)
        return found

    listed = Annotated[list[inner], Meta(min_length=shape.least, max_length=shape.most)]  # type: ignore[valid-type]
    return listed, build_unique if shape.unique else build


def _each(convert: _Convert | None) -> _Convert:
    """Give the step from a list to a tuple."""
    if convert is None:
        return tuple
    if isinstance(convert, _Direct):
        model: _Model = convert.model
        return lambda structs: tuple(starmap(model, map(astuple, structs)))
    return lambda items: tuple(map(convert, items))


def _narrowed(base: Annotation, shape: Narrowed) -> _Plan:
    return _object(base, {shape.name: shape.annotation})


def _object(model: type[attrs.AttrsInstance], narrowed: dict[str, Any]) -> _Plan:
    """Derive the Struct of a model and the step that builds the model from it."""
    members: list[Any] = []
    positions: list[tuple[int, _Convert]] = []
    positional = sorted(members_of(model, narrowed), key=lambda member: member.constant)
    for position, member in enumerate(positional):
        inner, convert = _plan(member.annotation)
        absent = member.default is ABSENT
        members.append((member.field, inner, ABSENT) if absent else (member.field, inner))
        if convert is not None:
            positions.append((position, convert))
    struct = msgspec.defstruct(
        model.__name__,
        members,
        forbid_unknown_fields=True,
        kw_only=True,
        gc=False,
        rename={member.field: member.name for member in positional},
    )
    constants = [member for member in positional if member.constant]
    if any(choices(member.annotation) != (member.default,) for member in constants):
        raise TypeError("keyword-only members must be constants")
    return struct, _builder(model, len(constants), positions)


class _Direct:
    """The step from a Struct whose values are those of the model; many are made at once."""

    def __init__(self, model: _Model) -> None:
        self.model = model

    def __call__(self, struct: msgspec.Struct) -> object:
        return self.model(*astuple(struct))


def _builder(model: _Model, constants: int, positions: list[tuple[int, _Convert]]) -> _Convert:
    """Give the step from a Struct, whose constants come last, to the model."""
    if not positions and not constants:
        return _Direct(model)

    def build(struct: msgspec.Struct) -> object:
        values = list(astuple(struct))
        del values[len(values) - constants :]
        for position, convert in positions:
            values[position] = convert(values[position])
        return model(*values)

    return build


_SHAPES: Final[dict[type, Callable[[Any, Any], _Plan]]] = {
    Text: _text,
    Checked: _checked,
    Anything: _anything,
    Entries: _entries,
    Pattern: _pattern,
    Number: _number,
    Integer: _integer,
    Precision: _instant,
    Items: _items,
    Narrowed: _narrowed,
}
