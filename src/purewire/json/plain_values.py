"""What a plain value must be to be JSON text: the judgement of values that are kept as they are.

Invariant *any value*: a value is walked without recursion; parts that it holds in many places are
judged once for each depth, and one that holds itself is too deep.
Invariant *writable*: what is not too deep to be judged is not too deep to be written.
"""

from math import isfinite
from typing import Final

from purewire.text import has_surrogate

__all__ = ["DEPTH_MOST", "fault_in"]

DEPTH_MOST: Final = 500
"""Arrays and objects inside each other: about half of what an interpreter builds by itself."""

_LEAST, _MOST = -(10**400), 10**400
"""What has more digits is an integer beyond every double; `purewire.json.codec` keeps none."""


def fault_in(value: object) -> str | None:
    """Give the id of a rule that a value breaks; None where it is JSON."""
    layer = [value]
    for _ in range(DEPTH_MOST + 1):
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
            elif (rule := _scalar_fault(part)) is not None:
                return rule
        if not inside:
            return None
        layer = list(inside.values())
    return "json.depth"


def _scalar_fault(value: object) -> str | None:
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        return "text.surrogate" if has_surrogate(value) else None
    if isinstance(value, int):
        return None if _LEAST < value < _MOST else "number.finite"
    if isinstance(value, float):
        return None if isfinite(value) else "number.finite"
    return "type"
