"""Models to plain values: the way out, derived from the models' own annotations.

Instants become text of the millisecond form, tuples lists, models dicts in the order of their
members; a member that is ABSENT is left out, one that is None stays, and what a model keeps of
members that it does not name comes last, and stands for none that it names.  Numbers leave in the
one spelling of `purewire.numbers`, so that equal models have equal bytes.
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
    alternatives,
    entry,
    item,
    members_of,
    rest_of,
    shaped,
)
from purewire.structuring.constraints import Integer, Items, MapOf, Number, TimestampFormat

__all__ = ["to_plain"]

_Convert = Callable[[Any], Any]


def to_plain(model: attrs.AttrsInstance) -> dict[str, Any]:
    """Give the plain value of a model; raises ValueError for an instant without a text.

    A model that holds values of other types than its annotations say may raise TypeError or
    AttributeError.
    """
    plain: dict[str, Any] = _object(type(model))(model)
    return plain


@cache
def _object(model: type[attrs.AttrsInstance]) -> _Convert:
    members = [(each.name, each.field, _convert(each.annotation)) for each in members_of(model, {})]
    names = {name for name, _, _ in members}
    rest = rest_of(model)

    def convert(value: object) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, field, inner in members:
            member = getattr(value, field)
            if member is not ABSENT:
                plain[name] = member if inner is None or member is None else inner(member)
        if rest is not None:
            others = getattr(value, rest)
            plain |= {name: others[name] for name in others if name not in names}
        return plain

    return convert


def _convert(annotation: Annotation) -> _Convert | None:
    """Give the step from a member to its plain value; None where it is plain already."""
    if union := alternatives(annotation):
        return _convert(union.inner)
    if found := shaped(annotation):
        base, shape = found
        if isinstance(shape, TimestampFormat):
            return format_instant
        if isinstance(shape, Number | Integer):
            return canonical
        if isinstance(shape, MapOf):
            return _entries(base)
        return _items(base) if isinstance(shape, Items) else _convert(base)
    return _object(annotation) if attrs.has(annotation) else None


def _entries(annotation: Annotation) -> _Convert:
    inner = _convert(entry(annotation))

    def convert(entries: Mapping[str, object]) -> dict[str, object]:
        return {name: each if inner is None else inner(each) for name, each in entries.items()}

    return convert


def _items(annotation: Annotation) -> _Convert:
    inner = _convert(item(annotation))

    def convert(items: tuple[object, ...]) -> list[object]:
        if type(items) is not tuple:
            raise TypeError("the items of a model are a tuple")
        return list(items) if inner is None else [inner(each) for each in items]

    return convert
