"""Functions that read the annotations of models: members, constraints, unions and literals.

The fast decoder, the validator and `to_builtins` read annotations only with these functions.  A
model's fields are constants (`Literal`), models, `bool`, text and numbers with a constraint
(`Annotated`), tuples with a constraint, and any of these or null or absent.
"""

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

from purewire.absent import Absent
from purewire.structuring.constraints import EXTRA, NAME, FieldOverride, Items

__all__ = [
    "Annotation",
    "Member",
    "UnionParts",
    "annotation_at",
    "extra_field",
    "item_type",
    "literal_values",
    "model_members",
    "split_annotated",
    "split_union",
    "value_type",
]

Annotation = Any
"""A type annotation; typing has no type for it."""


@attrs.frozen
class UnionParts:
    """The parts of a union: one annotation `inner`, and whether null and absent are allowed."""

    inner: Annotation
    null: bool
    absent: bool


@attrs.frozen
class Member:
    """A member of a JSON object, and the field of the model that stores it.

    Attributes:
        name: the name of the member.
        field: the name of the field.
        annotation: the annotation of the field.
        default: the default of the field.
        constant: whether the field is keyword-only.

    """

    name: str
    field: str
    annotation: Annotation
    default: object
    constant: bool


def model_members(model: Annotation, overrides: Mapping[str, Annotation]) -> list[Member]:
    """Return the members that a model names.

    Args:
        model: the attrs class.
        overrides: field name to the annotation that replaces the one of the field.

    """
    return [
        Member(
            field.metadata.get(NAME, field.name),
            field.name,
            overrides.get(field.name, field.type),
            field.default,
            field.kw_only,
        )
        for field in attrs.fields(model)
        if field.init and not field.metadata.get(EXTRA)
    ]


def extra_field(model: Annotation) -> str | None:
    """Return the field that contains all other members; None if the model rejects them."""
    found = (field.name for field in attrs.fields(model) if field.metadata.get(EXTRA))
    return next(found, None)


def split_annotated(annotation: Annotation) -> tuple[Annotation, object] | None:
    """Return the type and the constraint of an `Annotated` annotation, else None."""
    if _origin(annotation) is not Annotated:
        return None
    base, constraint, *_ = get_args(annotation)
    return base, constraint


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


def item_type(annotation: Annotation) -> Annotation:
    """Return the annotation of the items of a `tuple[X, ...]`."""
    return get_args(annotation)[0]


def value_type(annotation: Annotation) -> Annotation:
    """Return the annotation of the values of a `Mapping[str, X]`."""
    return get_args(annotation)[1]


def annotation_at(annotation: Annotation, step: str | int) -> Annotation | None:
    """Return the annotation of a member of an object or of an item; None if there is none."""
    narrowed: Mapping[str, Annotation] = {}
    if union := split_union(annotation):
        return annotation_at(union.inner, step)
    if found := split_annotated(annotation):
        annotation, constraint = found
        if isinstance(constraint, Items):
            return item_type(annotation) if isinstance(step, int) else None
        narrowed = (
            {constraint.name: constraint.annotation}
            if isinstance(constraint, FieldOverride)
            else {}
        )
    if not attrs.has(annotation):
        return None
    members = model_members(annotation, narrowed)
    return next((member.annotation for member in members if member.name == step), None)


def _origin(annotation: Annotation) -> object:
    return get_origin(annotation)
