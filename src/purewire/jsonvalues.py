"""What a plain value must be to be JSON text: the judgement of values that are kept as they are.

Invariant *as deep as memory*: a value is walked without recursion, each part of it once.
"""

from math import isfinite

from purewire.text import has_surrogate

__all__ = ["fault_in"]

_LEAST, _MOST = -(10**400), 10**400
"""What has more digits is an integer beyond every double; `purewire.jsontext` keeps none."""


def fault_in(value: object) -> str | None:
    """Give the id of a rule that a value breaks; None where it is JSON."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting += part
            waiting += part.values()
            if not all(type(name) is str for name in part):
                return "type"
        elif isinstance(part, list):
            waiting += part
        elif (rule := _scalar_fault(part)) is not None:
            return rule
    return None


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
