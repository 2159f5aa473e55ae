"""Convert models to plain values, as their annotations state.

Instants become text of the millisecond form, tuples lists, and models dicts in the order of their
members.  A member that is ABSENT is omitted; one that is None stays.  Members that a model keeps
without naming them come last, and never replace a named one.  Numbers have the canonical form of
`purewire.primitives`, so that equal models have equal bytes.

Models check nothing when they are built: a list may be where a tuple must be.  `to_builtins` then
raises; `to_checkable` returns a `Misfit` in its place, of which the validator makes a finding.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import attrs

from purewire.instants import format_instant
from purewire.primitives import ABSENT, canonical
from purewire.structuring.constraints import (
    Annotation,
    Integer,
    Items,
    Member,
    Number,
    ObjectType,
    TimestampFormat,
    split_annotated,
    split_container,
    split_object,
    split_union,
)

_Convert = Callable[[Any], Any]


class Misfit:
    """In a plain value: the place of a part of a model that has none; `message` says why."""

    def __init__(self, message: str) -> None:
        self.message = message


def to_builtins(model: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the plain value of a model."""
    convert = _convert(type(model))
    plain: dict[str, Any] = convert(model) if convert else {}
    return plain


def to_checkable(model: attrs.AttrsInstance) -> object:
    """Return the plain value of a model, with a `Misfit` for each part that has none."""
    convert = _convert(type(model), lenient=True)
    return convert(model) if convert else {}


@cache
def _convert(annotation: Annotation, *, lenient: bool = False) -> _Convert | None:
    """Return the function from a member to its plain value; None if it is plain already."""
    if union := split_union(annotation):
        return _convert(union.inner, lenient=lenient)
    convert = _strict(annotation, lenient=lenient)
    return _or_misfit(convert) if lenient and convert else convert


def _or_misfit(convert: _Convert) -> _Convert:
    def lenient(value: object) -> object:
        try:
            return convert(value)
        except (AttributeError, TypeError, ValueError) as error:
            return Misfit(str(error))

    return lenient


def _strict(annotation: Annotation, *, lenient: bool) -> _Convert | None:
    if object_type := split_object(annotation):
        return _object(object_type, lenient=lenient)
    if container := split_container(annotation):
        inner = _convert(container.inner, lenient=lenient)
        return _items(inner) if isinstance(container.constraint, Items) else _entries(inner)
    _, constraint = split_annotated(annotation) or (annotation, None)
    if isinstance(constraint, TimestampFormat):
        return _instant
    return canonical if isinstance(constraint, Number | Integer) else None


def _instant(value: object) -> str:
    if type(value) is not int:
        raise _misfit("an int of milliseconds since the epoch", value, _INSTANT_REMEDIES)
    try:
        return format_instant(value)
    except ValueError as error:
        raise ValueError(f"must be milliseconds since the epoch, not {error}") from None


_INSTANT_REMEDIES: Final = {float: "pass int(value)", datetime: "pass from_datetime(value)"}


def _misfit(
    expected: str, value: object, remedies: Mapping[type, str] = MappingProxyType({})
) -> TypeError:
    remedy = remedies.get(type(value))
    problem = f"must be {expected}, not {type(value).__name__}"
    return TypeError(f"{problem}: {remedy}" if remedy else problem)


def _has_null(member: Member) -> bool:
    union = split_union(member.annotation)
    return union is not None and union.null


def _object(object_type: ObjectType, *, lenient: bool) -> _Convert:
    members = [
        (member.name, member.field, _convert(member.annotation, lenient=lenient), _has_null(member))
        for member in object_type.members
    ]
    names = {name for name, *_ in members}
    model = object_type.model
    remedies: dict[type, str] = {dict: f"pass {model.__name__}(**value)"}

    def convert(value: object) -> dict[str, Any]:
        if not isinstance(value, model):
            raise _misfit(f"an instance of {model.__name__}", value, remedies)
        plain: dict[str, Any] = {}
        for name, field, inner, null in members:
            member = getattr(value, field)
            if member is not ABSENT:
                plain[name] = (
                    member if inner is None or (member is None and null) else inner(member)
                )
        if object_type.extra is not None:
            others = getattr(value, object_type.extra)
            if not isinstance(others, Mapping):
                raise _misfit(f"an object with a mapping as its `{object_type.extra}`", others)
            plain |= {name: others[name] for name in others if name not in names}
        return plain

    return convert


def _entries(inner: _Convert | None) -> _Convert:
    def convert(entries: object) -> dict[str, object]:
        if not isinstance(entries, Mapping):
            raise _misfit("a mapping", entries)
        return {
            name: member if inner is None else inner(member) for name, member in entries.items()
        }

    return convert


def _items(inner: _Convert | None) -> _Convert:
    def convert(items: object) -> list[object]:
        if type(items) is not tuple:
            raise _misfit("a tuple", items, {list: "pass tuple(value)"})
        return list(items) if inner is None else [inner(element) for element in items]

    return convert
