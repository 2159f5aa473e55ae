"""Convert models to plain values, as their annotations state.

Instants become text of the millisecond form, tuples lists, and models dicts in the order of their
members.  A member that is ABSENT is omitted; one that is None stays.  Members that a model keeps
without naming them come last, and never replace a named one.

Models check nothing when they are built: a list may be where a tuple must be.  `to_builtins` then
raises; `to_checkable` returns a `Misfit` in its place, of which the validator makes a finding.

Invariant *canonical numbers*: a number with an integral value is an int, so that equal models have
equal bytes: `50.0`, `5e1` and `50` are 50, and `-0.0` is 0.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, NoReturn

import attrs

from status_contracts.instants import format_instant
from status_contracts.primitives import ABSENT
from status_contracts.structuring.constraints import Integer, Number, TimestampFormat
from status_contracts.structuring.value_types import (
    Array,
    Map,
    Object,
    ValueType,
    value_type,
)

__all__ = ["Misfit", "canonical", "to_builtins", "to_checkable"]

_Convert = Callable[[Any], Any]
_Report = Callable[[Exception], Any]
"""Returns what stands in place of a part that has no plain value, or raises the error."""


class Misfit:
    """In a plain value: the place of a part of a model that has none; `message` says why."""

    def __init__(self, error: Exception) -> None:
        self.message = str(error)


def canonical(number: float) -> int | float:
    """Return a finite number, as int if its value is integral."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def to_builtins(model: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the plain value of a model; raise TypeError or ValueError if a part has none."""
    plain: dict[str, Any] = _converter(type(model), _raise)(model)
    return plain


def to_checkable(model: attrs.AttrsInstance) -> object:
    """Return the plain value of a model, with a `Misfit` for each part that has none."""
    return _converter(type(model), Misfit)(model)


def _raise(error: Exception) -> NoReturn:
    raise error


@cache
def _converter(model: type[attrs.AttrsInstance], report: _Report) -> _Convert:
    kind: Any = value_type(model).kind
    return _object(kind, report)


def _convert(of: ValueType, report: _Report) -> _Convert | None:
    """Return the function from a member to its plain value; None if it is plain already."""
    match of.kind:
        case Object():
            return _object(of.kind, report)
        case Array(items=items):
            return _array(_convert(items, report), report)
        case Map(values=values):
            return _map(_convert(values, report), report)
        case TimestampFormat():
            return lambda value: _instant(value, report)
        case Number() | Integer():
            return canonical
    return None


def _instant(value: object, report: _Report) -> Any:  # noqa: ANN401 - text, or of `report`
    if type(value) is not int:
        expected = "an int of milliseconds since the epoch"
        return report(_wrong_type(expected, value, _INSTANT_REMEDIES.get(type(value))))
    try:
        return format_instant(value)
    except ValueError as error:
        return report(ValueError(f"must be milliseconds since the epoch, not {error}"))


_INSTANT_REMEDIES: Final = {float: "pass int(value)", datetime: "pass from_datetime(value)"}


def _wrong_type(expected: str, value: object, remedy: str | None = None) -> TypeError:
    problem = f"must be {expected}, not {type(value).__name__}"
    return TypeError(f"{problem}: {remedy}" if remedy else problem)


def _object(kind: Object, report: _Report) -> _Convert:
    model, extra = kind.model, kind.extra
    members = [
        (name, member.field, _convert(member.type, report), member.type.is_nullable)
        for name, member in kind.members.items()
    ]

    def convert(value: object) -> Any:  # noqa: ANN401 - a dict, or of `report`
        if not isinstance(value, model):
            remedy = f"pass {model.__name__}(**value)" if isinstance(value, dict) else None
            return report(_wrong_type(f"an instance of {model.__name__}", value, remedy))
        plain: dict[str, Any] = {}
        for name, field, inner, is_nullable in members:
            member = getattr(value, field)
            if member is not ABSENT:
                plain[name] = (
                    member if inner is None or (member is None and is_nullable) else inner(member)
                )
        if extra is not None:
            others = getattr(value, extra)
            if not isinstance(others, Mapping):
                return report(_wrong_type(f"an object with a mapping as its `{extra}`", others))
            plain |= {name: others[name] for name in others if name not in kind.members}
        return plain

    return convert


def _map(inner: _Convert | None, report: _Report) -> _Convert:
    def convert(entries: object) -> Any:  # noqa: ANN401 - a dict, or of `report`
        if not isinstance(entries, Mapping):
            return report(_wrong_type("a mapping", entries))
        return {
            name: member if inner is None else inner(member) for name, member in entries.items()
        }

    return convert


def _array(inner: _Convert | None, report: _Report) -> _Convert:
    def convert(items: object) -> Any:  # noqa: ANN401 - a list, or of `report`
        if type(items) is not tuple:
            remedy = "pass tuple(value)" if isinstance(items, list) else None
            return report(_wrong_type("a tuple", items, remedy))
        return list(items) if inner is None else [inner(element) for element in items]

    return convert
