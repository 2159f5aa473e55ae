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
    extra_field,
    item_type,
    model_members,
    split_annotated,
    split_union,
    value_type,
)
from purewire.structuring.constraints import Integer, Items, MapOf, Number, TimestampFormat

__all__ = ["to_builtins"]

_Convert = Callable[[Any], Any]


def to_builtins(model: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the plain value of a model.

    Raises:
        ValueError: an instant is outside the years 0001 to 9999.
        TypeError, AttributeError: the type of a field's value is not the one annotated.

    """
    plain: dict[str, Any] = _object(type(model))(model)
    return plain


@cache
def _object(model: type[attrs.AttrsInstance]) -> _Convert:
    members = [
        (each.name, each.field, _convert(each.annotation)) for each in model_members(model, {})
    ]
    names = {name for name, _, _ in members}
    extra = extra_field(model)

    def convert(value: object) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, field, inner in members:
            member = getattr(value, field)
            if member is not ABSENT:
                plain[name] = member if inner is None or member is None else inner(member)
        if extra is not None:
            others = getattr(value, extra)
            plain |= {name: others[name] for name in others if name not in names}
        return plain

    return convert


def _convert(annotation: Annotation) -> _Convert | None:
    """Return the function from a member to its plain value; None if it is plain already."""
    if union := split_union(annotation):
        return _convert(union.inner)
    if found := split_annotated(annotation):
        base, constraint = found
        if isinstance(constraint, TimestampFormat):
            return format_instant
        if isinstance(constraint, Number | Integer):
            return canonical
        if isinstance(constraint, MapOf):
            return _entries(base)
        return _items(base) if isinstance(constraint, Items) else _convert(base)
    return _object(annotation) if attrs.has(annotation) else None


def _entries(annotation: Annotation) -> _Convert:
    inner = _convert(value_type(annotation))

    def convert(entries: Mapping[str, object]) -> dict[str, object]:
        return {name: each if inner is None else inner(each) for name, each in entries.items()}

    return convert


def _items(annotation: Annotation) -> _Convert:
    inner = _convert(item_type(annotation))

    def convert(items: tuple[object, ...]) -> list[object]:
        if type(items) is not tuple:
            raise TypeError("the items of a model must be a tuple")
        return list(items) if inner is None else [inner(each) for each in items]

    return convert
