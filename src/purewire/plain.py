"""Models to plain values: the way out, derived from the models' own annotations.

Instants become text of the millisecond form, tuples lists, models dicts in the order of their
members; a member that is ABSENT is left out, one that is None stays.  Numbers leave in the one
spelling of `purewire.numbers`, so that equal models have equal bytes.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import attrs

from purewire.absent import ABSENT
from purewire.annotations import Annotation, alternatives, item, shaped
from purewire.instants import format_instant
from purewire.numbers import canonical
from purewire.shapes import Integer, Items, Number, Precision

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
    members = [(field.name, _convert(field.type)) for field in attrs.fields(model)]

    def convert(value: object) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, inner in members:
            member = getattr(value, name)
            if member is not ABSENT:
                plain[name] = member if inner is None or member is None else inner(member)
        return plain

    return convert


def _convert(annotation: Annotation) -> _Convert | None:
    """Give the step from a member to its plain value; None where it is plain already."""
    if union := alternatives(annotation):
        return _convert(union.inner)
    if found := shaped(annotation):
        base, shape = found
        if isinstance(shape, Precision):
            return format_instant
        if isinstance(shape, Number | Integer):
            return canonical
        return _items(base) if isinstance(shape, Items) else _convert(base)
    return _object(annotation) if attrs.has(annotation) else None


def _items(annotation: Annotation) -> _Convert:
    inner = _convert(item(annotation))

    def convert(items: tuple[object, ...]) -> list[object]:
        if type(items) is not tuple:
            raise TypeError("the items of a model are a tuple")
        return list(items) if inner is None else [inner(each) for each in items]

    return convert
