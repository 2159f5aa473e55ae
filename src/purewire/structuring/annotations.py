"""Reading the annotations of models: the shape, the alternatives, the choices that they state.

The three readers of annotations (`closed`, `strict`, `plain`) see them through these functions
only.  A model's members are constants (`Literal`), models, `bool`, text and numbers with a shape
(`Annotated`), tuples with a shape, and any of these or null or absent.
"""

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

from purewire.absent import Absent
from purewire.structuring.constraints import EXTRA, NAME, FieldOverride, Items

__all__ = [
    "Alternatives",
    "Annotation",
    "Member",
    "alternatives",
    "choices",
    "entry",
    "item",
    "members_of",
    "part",
    "rest_of",
    "shaped",
]

Annotation = Any
"""What typing reflects has no type of its own."""


@attrs.frozen
class Alternatives:
    """A member that may be null or absent, or else is of the one annotation `inner`."""

    inner: Annotation
    null: bool
    absent: bool


@attrs.frozen
class Member:
    """A member of an object, and the field of the model that holds it.

    Attributes:
        name: name of the member.
        field: name of the field.
        annotation: what the field's type says.
        default: the field's default.
        constant: whether the field can only be given by keyword.

    """

    name: str
    field: str
    annotation: Annotation
    default: object
    constant: bool


def members_of(model: Annotation, narrowed: Mapping[str, Annotation]) -> list[Member]:
    """Give the members that a model names; of some fields the annotation is another."""
    return [
        Member(
            field.metadata.get(NAME, field.name),
            field.name,
            narrowed.get(field.name, field.type),
            field.default,
            field.kw_only,
        )
        for field in attrs.fields(model)
        if field.init and not field.metadata.get(EXTRA)
    ]


def rest_of(model: Annotation) -> str | None:
    """Give the field that holds all other members; None where there may be none."""
    found = (field.name for field in attrs.fields(model) if field.metadata.get(EXTRA))
    return next(found, None)


def shaped(annotation: Annotation) -> tuple[Annotation, object] | None:
    """Give the base and the shape of an `Annotated` annotation, else None."""
    if _origin(annotation) is not Annotated:
        return None
    base, shape, *_ = get_args(annotation)
    return base, shape


def alternatives(annotation: Annotation) -> Alternatives | None:
    """Give the alternatives of a union, else None; raises ValueError for two real types."""
    if _origin(annotation) not in (Union, UnionType):
        return None
    members = get_args(annotation)
    (inner,) = [member for member in members if member not in (type(None), Absent)]
    return Alternatives(inner, null=type(None) in members, absent=Absent in members)


def choices(annotation: Annotation) -> tuple[object, ...] | None:
    """Give the constants of a `Literal`, else None."""
    return get_args(annotation) if _origin(annotation) is Literal else None


def item(annotation: Annotation) -> Annotation:
    """Give the annotation of the items of a `tuple[X, ...]`."""
    return get_args(annotation)[0]


def entry(annotation: Annotation) -> Annotation:
    """Give the annotation of the values of a `Mapping[str, X]`."""
    return get_args(annotation)[1]


def part(annotation: Annotation, step: str | int) -> Annotation | None:
    """Give the annotation of a member of an object or of an item; None where there is none."""
    narrowed: Mapping[str, Annotation] = {}
    if union := alternatives(annotation):
        return part(union.inner, step)
    if found := shaped(annotation):
        annotation, shape = found
        if isinstance(shape, Items):
            return item(annotation) if isinstance(step, int) else None
        narrowed = {shape.name: shape.annotation} if isinstance(shape, FieldOverride) else {}
    if not attrs.has(annotation):
        return None
    members = members_of(annotation, narrowed)
    return next((member.annotation for member in members if member.name == step), None)


def _origin(annotation: Annotation) -> object:
    return get_origin(annotation)
