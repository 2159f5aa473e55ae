"""The types that the annotations of models state, read once into a tree.

Decoders, encoders, schemas, cases and strategies are derived from that tree, so they cannot
differ.  A model's fields are constants (`Literal`), models, `bool`, text and numbers with a
constraint (`Annotated`), tuples and mappings with a constraint, and any of these or null or absent.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring import constraints

Annotation = Any
"""A type annotation; typing has no type for it."""


@attrs.frozen
class Boolean:
    """True or false."""


@attrs.frozen
class Plain:
    """A type without a constraint, which only schemas and `unstructure` know."""

    type: Annotation


@attrs.frozen
class Constants:
    """One of some constants."""

    values: tuple[Any, ...]


@attrs.frozen
class Array:
    """A list: its limits, and the type of each item."""

    limits: constraints.Items
    items: "ValueType"


@attrs.frozen
class Map:
    """An object with any names that `names` accepts: the type of each member."""

    names: constraints.Predicate | None
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


Kind = Boolean | Plain | Constants | Array | Map | Object | constraints.Scalar


@attrs.frozen(eq=False)
class ValueType:
    """The JSON values that an annotation allows: those of a kind, and perhaps null."""

    annotation: Annotation
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
        return ValueType(annotation, _kind(inner), is_nullable=type(None) in members)
    return ValueType(annotation, _kind(annotation))


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
        case constraints.Items():
            return Array(constraint, value_type(get_args(base)[0]))
        case constraints.MapOf(names):
            return Map(names, value_type(get_args(base)[1]))
        case constraints.FieldOverride(name, override):
            return _object(base, {name: override})
    scalar: constraints.Scalar = constraint
    return scalar


def _object(model: type[attrs.AttrsInstance], overrides: Mapping[str, Annotation]) -> Object:
    fields = [field for field in attrs.fields(model) if field.init]
    members = {
        field.metadata.get(constraints.NAME, field.name): Member(
            field.name,
            value_type(overrides.get(field.name, field.type)),
            is_optional=field.default is ABSENT or field.metadata.get(constraints.OPTIONAL, False),
        )
        for field in fields
        if not field.metadata.get(constraints.EXTRA)
    }
    extra = next((field.name for field in fields if field.metadata.get(constraints.EXTRA)), None)
    return Object(model, members, extra, tuple(overrides))
