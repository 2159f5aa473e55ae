"""Convert models to plain values, as their annotations state.

Instants become text of the millisecond form, tuples lists, and models dicts in the order of their
members.  A member that is ABSENT is omitted; one that is None stays.  Members that a model keeps
without naming them come last, and never replace a named one.  Numbers have the canonical form of
`purewire.numbers`, so that equal models have equal bytes.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import attrs

from purewire.absent import ABSENT
from purewire.instants import format_instant
from purewire.numbers import canonical
from purewire.structuring.annotations import (
    Annotation,
    ObjectType,
    split_annotated,
    split_container,
    split_object,
    split_union,
)
from purewire.structuring.constraints import Integer, Items, Number, TimestampFormat

__all__ = ["to_builtins"]

_Convert = Callable[[Any], Any]


def to_builtins(model: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the plain value of a model.

    Raises:
        ValueError: an instant is outside the years 0001 to 9999.
        TypeError, AttributeError: the type of a field's value is not the one annotated.

    """
    convert = _convert(type(model))
    plain: dict[str, Any] = convert(model) if convert else {}
    return plain


@cache
def _convert(annotation: Annotation) -> _Convert | None:
    """Return the function from a member to its plain value; None if it is plain already."""
    if union := split_union(annotation):
        return _convert(union.inner)
    if found := split_object(annotation):
        return _object(found)
    if container := split_container(annotation):
        inner = _convert(container.inner)
        return _items(inner) if isinstance(container.constraint, Items) else _entries(inner)
    _, constraint = split_annotated(annotation) or (annotation, None)
    if isinstance(constraint, TimestampFormat):
        return format_instant
    return canonical if isinstance(constraint, Number | Integer) else None


def _object(found: ObjectType) -> _Convert:
    members = [(each.name, each.field, _convert(each.annotation)) for each in found.members]
    names = {name for name, _, _ in members}

    def convert(value: object) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, field, inner in members:
            member = getattr(value, field)
            if member is not ABSENT:
                plain[name] = member if inner is None or member is None else inner(member)
        if found.extra is not None:
            others = getattr(value, found.extra)
            plain |= {name: others[name] for name in others if name not in names}
        return plain

    return convert


def _entries(inner: _Convert | None) -> _Convert:
    def convert(entries: Mapping[str, object]) -> dict[str, object]:
        return {name: each if inner is None else inner(each) for name, each in entries.items()}

    return convert


def _items(inner: _Convert | None) -> _Convert:
    def convert(items: tuple[object, ...]) -> list[object]:
        if type(items) is not tuple:
            raise TypeError("the items of a model must be a tuple")
        return list(items) if inner is None else [inner(each) for each in items]

    return convert
