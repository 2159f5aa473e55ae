"""The constraints that models state on their fields, and the types that they state.

A model states `Annotated[str, Text(1, 200)]` once.  `value_type` reads the annotations of a model
into a tree; decoders, encoders, schemas, cases and strategies are derived from that tree, so they
cannot differ.  A model's fields are constants (`Literal`), models, `bool`, text and numbers with a
constraint (`Annotated`), tuples and mappings with a constraint, and any of these or null or absent.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, ClassVar, Final, Literal, Union, get_args, get_origin

import attrs

from purewire.instants import parse_millisecond, parse_utc
from purewire.primitives import ABSENT, Absent

NAME: Final = "purewire.name"
"""Field metadata: the name of the JSON member, if it differs from the name of the field."""
EXTRA: Final = "purewire.extra"
"""Field metadata, true: the field contains the members that the model does not name, unchanged.

A model without such a field rejects them.
"""


@attrs.frozen
class Text:
    """Text of `min_length` to `max_length` code points; ASCII controls only if `controls`."""

    min_length: int = 0
    max_length: int | None = None
    controls: bool = False


@attrs.frozen
class Predicate:
    """Text that `check` accepts; it is kept unchanged.

    Attributes:
        check: raises ValueError for text that it rejects.
        rule: id of the rule that `check` applies.
        name: the expected text, in words for messages.
        by_model: whether the model's constructor checks the text too and raises ValueError.  The
            fast decoder then leaves the check to the constructor.

    """

    check: Callable[[str], object]
    rule: str
    name: str
    by_model: bool = False


@attrs.frozen
class MapOf:
    """An object with any member names that `names` accepts: a mapping from name to value."""

    names: Predicate | None = None


@attrs.frozen
class Anything:
    """Any JSON value, kept unchanged."""


@attrs.frozen
class Pattern:
    """Text that `expression` matches in full: a `Predicate` that schemas can state."""

    expression: re.Pattern[str]
    name: str
    rule: ClassVar[str] = "text.pattern"
    by_model: ClassVar[bool] = False

    def check(self, text: str) -> None:
        """Raise ValueError for text that the expression does not match."""
        if self.expression.fullmatch(text) is None:
            raise ValueError(self.name)


@attrs.frozen
class Number:
    """A finite number from `minimum` to `maximum`, both included; booleans are not numbers."""

    minimum: int
    maximum: int


@attrs.frozen
class Integer:
    """A number with an integral value (`1`, `1.0` and `1e0` alike) from `minimum` to `maximum`."""

    minimum: int
    maximum: int | None = None


@attrs.frozen
class Items:
    """A list of `min_length` to `max_length` items, all different where `unique` is set."""

    max_length: int | None = None
    unique: bool = False
    min_length: int = 0


@attrs.frozen
class FieldOverride:
    """An object whose member `name` has the narrower type `annotation` here."""

    name: str
    annotation: object


class TimestampFormat(Enum):
    """Timestamp text that the model stores as integer milliseconds since the epoch (UTC)."""

    MILLISECOND = "YYYY-MM-DDTHH:MM:SS.mmmZ"
    UTC = "YYYY-MM-DDTHH:MM:SS[.mmm]Z, with 0 to 3 fractional digits"

    @property
    def parse(self) -> Callable[[str], int]:
        """The function that returns the instant of a text, or raises ValueError."""
        return parse_millisecond if self is TimestampFormat.MILLISECOND else parse_utc


RULES: Final = {
    "type": "must have the JSON type of the field",
    "required": "must be present",
    "unknown": "must be a member that the object has",
    "constant": "must be the constant, or one of the listed constants",
    "text.length": "must have a number of code points within the limits",
    "text.control": "must not contain an ASCII control character (U+0000 to U+001F, U+007F)",
    "text.surrogate": "must not contain a lone surrogate: text is Unicode scalar values",
    "text.pattern": "must have the form that the field requires",
    "number.finite": "must be finite",
    "number.integral": "must have an integral value",
    "number.range": "must be within the limits, both included",
    "items.count": "must have a number of items within the limits",
    "items.unique": "must differ from all items before",
    "time.format": "must have the exact form of a timestamp and be a real instant",
}
"""Rule id to what must be, for the faults that constraints can report."""

Annotation = Any
"""A type annotation; typing has no type for it."""


@attrs.frozen
class Boolean:
    """True or false."""


@attrs.frozen
class Plain:
    """A type without a constraint, which only schemas and `to_builtins` know."""

    type: Annotation


@attrs.frozen
class Constants:
    """One of some constants."""

    values: tuple[Any, ...]


@attrs.frozen
class Array:
    """A list: its limits, and the type of each item."""

    limits: Items
    items: "ValueType"


@attrs.frozen
class Map:
    """An object with any names that `names` accepts: the type of each member."""

    names: Predicate | None
    values: "ValueType"


@attrs.frozen
class Member:
    """A member of an object: its type, the field of the model that stores it, and its presence."""

    field: str
    type: "ValueType"
    is_optional: bool


@attrs.frozen
class Object:
    """The JSON object of a model.

    Attributes:
        members: the members that the model names, in order.
        extra: the field that contains all other members; None if the model rejects them.
        overridden: names of the members that have another type here than in the model.

    """

    model: type[attrs.AttrsInstance]
    members: Mapping[str, Member]
    extra: str | None
    overridden: tuple[str, ...]


Scalar = Text | Predicate | Pattern | Number | Integer | TimestampFormat | Anything
Kind = Boolean | Plain | Constants | Array | Map | Object | Scalar


@attrs.frozen(eq=False)
class ValueType:
    """The JSON values that an annotation allows: those of a kind, and perhaps null."""

    kind: Kind
    is_nullable: bool = False

    def at(self, step: str | int) -> "ValueType | None":
        """Return the type of a member or item; None if there is none."""
        match self.kind:
            case Object(members=members):
                return members[str(step)].type if step in members else None
            case Array(items=inner) | Map(values=inner):
                return inner
        return None

    def walk(self) -> Iterator["ValueType"]:
        """Generate the type and the types of all parts."""
        yield self
        match self.kind:
            case Object(members=members):
                for member in members.values():
                    yield from member.type.walk()
            case Array(items=inner) | Map(values=inner):
                yield from inner.walk()


@cache
def value_type(annotation: Annotation) -> ValueType:
    """Return the type that an annotation states; raise ValueError for a union of two real types."""
    origin: object = get_origin(annotation)
    if origin in (Union, UnionType):
        members = get_args(annotation)
        (inner,) = [member for member in members if member not in (type(None), Absent)]
        return ValueType(_kind(inner), is_nullable=type(None) in members)
    return ValueType(_kind(annotation))


def _kind(annotation: Annotation) -> Kind:
    origin: object = get_origin(annotation)
    if origin is Annotated:
        base, constraint, *_ = get_args(annotation)
        return _constrained(base, constraint)
    if origin is Literal:
        return Constants(get_args(annotation))
    if attrs.has(annotation):
        return _object(annotation, {})
    return Boolean() if annotation is bool else Plain(annotation)


def _constrained(base: Annotation, constraint: Any) -> Kind:  # noqa: ANN401 - any constraint
    match constraint:
        case Items():
            return Array(constraint, value_type(get_args(base)[0]))
        case MapOf(names):
            return Map(names, value_type(get_args(base)[1]))
        case FieldOverride(name, override):
            return _object(base, {name: override})
    scalar: Scalar = constraint
    return scalar


def _object(model: type[attrs.AttrsInstance], overrides: Mapping[str, Annotation]) -> Object:
    fields = [field for field in attrs.fields(model) if field.init]
    members = {
        field.metadata.get(NAME, field.name): Member(
            field.name,
            value_type(overrides.get(field.name, field.type)),
            is_optional=field.default is ABSENT,
        )
        for field in fields
        if not field.metadata.get(EXTRA)
    }
    extra = next((field.name for field in fields if field.metadata.get(EXTRA)), None)
    return Object(model, members, extra, tuple(overrides))
