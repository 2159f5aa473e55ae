"""The constraints that models state on their fields, and functions that read annotations.

A model states `Annotated[str, Text(1, 200)]` once.  Decoders, schemas and cases are derived from it
with the functions here, so they cannot differ.  A model's fields are constants (`Literal`), models,
`bool`, text and numbers with a constraint (`Annotated`), tuples and mappings with a constraint, and
any of these or null or absent.
"""

import re
from collections.abc import Callable
from enum import Enum
from types import UnionType
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, Union, get_args, get_origin

import attrs

from purewire.instants import parse_millisecond, parse_utc
from purewire.primitives import Absent

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


class UnionParts(NamedTuple):
    """The parts of a union: one annotation `inner`, and whether null and absent are allowed."""

    inner: Annotation
    null: bool
    absent: bool


class Container(NamedTuple):
    """An array or a map: its constraint, and the annotation of each item or value."""

    constraint: Items | MapOf
    inner: Annotation


class Member(NamedTuple):
    """A member of a JSON object: its name, and the field of the model that stores it."""

    name: str
    field: str
    annotation: Annotation
    default: object


class ObjectType(NamedTuple):
    """A JSON object.

    Attributes:
        members: the members that the model names, in order.
        extra: the field that contains all other members; None if the model rejects them.

    """

    model: Annotation
    members: tuple[Member, ...]
    extra: str | None


def split_annotated(annotation: Annotation) -> tuple[Annotation, object] | None:
    """Return the type and the constraint of an `Annotated` annotation, else None."""
    if _origin(annotation) is not Annotated:
        return None
    base, constraint, *_ = get_args(annotation)
    return base, constraint


def split_object(annotation: Annotation) -> ObjectType | None:
    """Return the object of a model, or of a model with a `FieldOverride`; else None."""
    model, constraint = split_annotated(annotation) or (annotation, None)
    overrides: dict[str, Annotation] = {}
    if isinstance(constraint, FieldOverride):
        overrides[constraint.name] = constraint.annotation
    elif constraint is not None or not attrs.has(model):
        return None
    fields = [field for field in attrs.fields(model) if field.init]
    members = tuple(
        Member(
            field.metadata.get(NAME, field.name),
            field.name,
            overrides.get(field.name, field.type),
            field.default,
        )
        for field in fields
        if not field.metadata.get(EXTRA)
    )
    extra = next((field.name for field in fields if field.metadata.get(EXTRA)), None)
    return ObjectType(model, members, extra)


def split_container(annotation: Annotation) -> Container | None:
    """Return the parts of a constrained `tuple[X, ...]` or `Mapping[str, X]`, else None."""
    base, constraint = split_annotated(annotation) or (annotation, None)
    if not isinstance(constraint, Items | MapOf):
        return None
    return Container(constraint, get_args(base)[isinstance(constraint, MapOf)])


def split_union(annotation: Annotation) -> UnionParts | None:
    """Return the parts of a union, else None; raise ValueError for two real types."""
    if _origin(annotation) not in (Union, UnionType):
        return None
    members = get_args(annotation)
    (inner,) = [member for member in members if member not in (type(None), Absent)]
    return UnionParts(inner, null=type(None) in members, absent=Absent in members)


def literal_values(annotation: Annotation) -> tuple[object, ...] | None:
    """Return the constants of a `Literal`, else None."""
    return get_args(annotation) if _origin(annotation) is Literal else None


def annotation_at(annotation: Annotation, step: str | int) -> Annotation | None:
    """Return the annotation of a member of an object or of an item; None if there is none."""
    if union := split_union(annotation):
        return annotation_at(union.inner, step)
    if container := split_container(annotation):
        return container.inner if isinstance(step, int) else None
    members = object_type.members if (object_type := split_object(annotation)) else ()
    return next((member.annotation for member in members if member.name == step), None)


def _origin(annotation: Annotation) -> object:
    """Return the origin of an annotation; type checkers think that `get_origin` excludes some."""
    return get_origin(annotation)
