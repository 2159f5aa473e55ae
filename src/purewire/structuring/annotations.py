"""Functions that read the annotations of models: members, constraints, unions and literals.

Every other module of this package reads annotations only with these functions.  A model's fields
are constants (`Literal`), models, `bool`, text and numbers with a constraint (`Annotated`), tuples
and mappings with a constraint, and any of these or null or absent.
"""

from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

from purewire.primitives import Absent
from purewire.structuring.constraints import EXTRA, NAME, FieldOverride, Items, MapOf

Annotation = Any
"""A type annotation; typing has no type for it."""


@attrs.frozen
class UnionParts:
    """The parts of a union: one annotation `inner`, and whether null and absent are allowed."""

    inner: Annotation
    null: bool
    absent: bool


@attrs.frozen
class Container:
    """An array or a map: its constraint, and the annotation of each item or value."""

    constraint: Items | MapOf
    inner: Annotation


@attrs.frozen
class Member:
    """A member of a JSON object: its name, and the field of the model that stores it."""

    name: str
    field: str
    annotation: Annotation
    default: object


@attrs.frozen
class ObjectType:
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
    members = found.members if (found := split_object(annotation)) else ()
    return next((member.annotation for member in members if member.name == step), None)


def _origin(annotation: Annotation) -> object:
    """Return the origin of an annotation; type checkers think that `get_origin` excludes some."""
    return get_origin(annotation)
