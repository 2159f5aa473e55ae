"""Check plain values that a model keeps unchanged: whether they can be written as JSON text.

Invariant *any value*: the walk has no recursion.  A part that occurs in many places is checked once
for each depth, and a value that contains itself is too deep.
Invariant *writable*: a value that is not too deep to be checked is not too deep to be encoded.
"""

from math import isfinite
from typing import Final

from purewire.text import has_surrogate

MAX_DEPTH: Final = 500
"""Levels of arrays and objects: about half of the depth that an interpreter can build."""

_LOWEST, _HIGHEST = -(10**400), 10**400
"""Integers of up to 400 digits, as `purewire.json.codec` decodes them."""


def broken_rule(value: object) -> str | None:
    """Return the id of a rule that a value breaks; None if it is a JSON value."""
    layer = [value]
    for _ in range(MAX_DEPTH + 1):
        inside: dict[int, object] = {}
        for part in layer:
            if isinstance(part, dict):
                if not all(type(name) is str for name in part):
                    return "type"
                if any(map(has_surrogate, part)):
                    return "text.surrogate"
                inside.update((id(each), each) for each in part.values())
            elif isinstance(part, list):
                inside.update((id(each), each) for each in part)
            elif (rule := _scalar_rule(part)) is not None:
                return rule
        if not inside:
            return None
        layer = list(inside.values())
    return "json.depth"


def _scalar_rule(value: object) -> str | None:
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        return "text.surrogate" if has_surrogate(value) else None
    if isinstance(value, int):
        return None if _LOWEST < value < _HIGHEST else "number.finite"
    if isinstance(value, float):
        return None if isfinite(value) else "number.finite"
    return "type"
