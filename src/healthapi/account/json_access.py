"""Looking things up in JSON that others wrote: what is not there, or not as expected, is None.

Values are plain JSON: dict, list, str, int, float, bool, None.  Nothing here raises, whatever the
value is, and nothing costs more than time linear in what is looked at.

Invariant *no coercion but one*: a JSON type is never taken for another, except that a number may
be written as text (`"70.5"`), as accounts write some goals: in the notation of `cells`.
Invariant *numbers that can be reckoned with*: a number is finite, its size is at most
`limits.LARGEST_NUMBER`, and `70.0` is 70.
"""

import re
from typing import Any, Final

from healthapi import limits
from healthapi.redaction.text import REMOVED
from healthapi.rows.cells import Unreadable, decimal
from healthapi.rows.days import is_day
from purewire.numbers import canonical

__all__ = [
    "any_number",
    "day",
    "first_number",
    "integer",
    "is_hardware_address",
    "items",
    "listed",
    "member",
    "number",
    "objects",
    "text",
    "words",
]

_NOTHING: Final = ("", REMOVED)
_DAY_LENGTH: Final = len("YYYY-MM-DD")
_HARDWARE_ADDRESS: Final = re.compile(r"[0-9A-Fa-f]{2}(?:[ .:_-]?[0-9A-Fa-f]{2}){5,7}")


def member(value: object, *names: str) -> object:
    """Give what lies below the names, one object in the other; None where there is nothing."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def items(value: object) -> list[object]:
    """Give the items of a list; none of anything else."""
    return value if isinstance(value, list) else []


def objects(value: object) -> list[dict[str, Any]]:
    """Give the items of a list that are objects."""
    return [item for item in items(value) if isinstance(item, dict)]


def listed(value: object, name: str) -> list[object] | None:
    """Give a list, or the list that an object has under the name; None where there is none."""
    found = member(value, name) if isinstance(value, dict) else value
    return found if isinstance(found, list) else None


def text(value: object) -> str | None:
    """Give trimmed text; None where it is blank, no text, or nothing but removed."""
    found = value.strip() if isinstance(value, str) else ""
    return None if found in _NOTHING else found


def words(value: object) -> tuple[str, ...]:
    """Give the texts of a list, or the words of a text."""
    parts: list[Any] = value.split() if isinstance(value, str) else items(value)
    return tuple(part for part in map(text, parts) if part is not None)


def day(value: object) -> str | None:
    """Give the day that a text begins with, as `2026-01-31`; a time may follow."""
    found = (text(value) or "")[:_DAY_LENGTH]
    return found if is_day(found) else None


def number(value: object) -> int | float | None:
    """Give a number, be it written as number or as text."""
    if isinstance(value, str):
        value = _written(value)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return canonical(value) if -limits.LARGEST_NUMBER <= value <= limits.LARGEST_NUMBER else None


def integer(value: object) -> int | None:
    """Give a number, rounded half to even."""
    found = number(value)
    return None if found is None else round(found)


def first_number(value: object, *paths: tuple[str, ...]) -> int | float | None:
    """Give the number at the first of the paths that lead to one."""
    found = (number(member(value, *path)) for path in paths)
    return next((each for each in found if each is not None), None)


def any_number(value: object) -> int | float | None:
    """Give the first number in a value, at any depth, in the order of the text; no text counts."""
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            pending.extend(reversed(each.values()))
        elif isinstance(each, list):
            pending.extend(reversed(each))
        elif not isinstance(each, str) and (found := number(each)) is not None:
            return found
    return None


def is_hardware_address(value: str) -> bool:
    """Tell whether text looks like the address of a network device: 6 to 8 bytes in hex."""
    return _HARDWARE_ADDRESS.fullmatch(value) is not None


def _written(value: str) -> float | None:
    try:
        return decimal(value)
    except Unreadable:
        return None
