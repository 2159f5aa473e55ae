"""Read members of untrusted JSON; a missing or unexpected value is None.

Values are plain JSON: dict, list, str, int, float, bool, None.  No function raises, and each takes
at most time linear in the size of the value.

Invariant *one coercion only*: JSON types are not converted, except that a number may be text
(`"70.5"`), as in some goals of accounts, in the notation of `rows.cells`.

Contract: HA-SNAPSHOT-04.
"""

from typing import Any, Final

from healthapi import limits
from healthapi.redaction.text import REMOVED
from healthapi.rows.cells import Unreadable, decimal
from healthapi.rows.days import is_day
from purewire.primitives import canonical

_EMPTY_TEXTS: Final = ("", REMOVED)
_DAY_LENGTH: Final = len("YYYY-MM-DD")


def member(value: object, *names: str) -> object:
    """Return the value at a path of member names; None if there is none."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def items(value: object) -> list[object]:
    """Return the items of a list; an empty list for other values."""
    return value if isinstance(value, list) else []


def objects(value: object) -> list[dict[str, Any]]:
    """Return the items of a list that are objects."""
    return [item for item in items(value) if isinstance(item, dict)]


def listed(value: object, name: str) -> list[object] | None:
    """Return a list, or the list in the named member of an object; None if there is none."""
    found = member(value, name) if isinstance(value, dict) else value
    return found if isinstance(found, list) else None


def text(value: object) -> str | None:
    """Return trimmed text; None if it is blank, not text, or redacted as a whole."""
    found = value.strip() if isinstance(value, str) else ""
    return None if found in _EMPTY_TEXTS else found


def words(value: object) -> tuple[str, ...]:
    """Return the texts of a list, or the words of a text."""
    parts: list[Any] = value.split() if isinstance(value, str) else items(value)
    return tuple(part for part in map(text, parts) if part is not None)


def day(value: object) -> str | None:
    """Return the day with which a text begins, as `2026-01-31`; a time may follow."""
    found = (text(value) or "")[:_DAY_LENGTH]
    return found if is_day(found) else None


def number(value: object) -> int | float | None:
    """Return a number, from a JSON number or from text."""
    if isinstance(value, str):
        value = _parse_number(value)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return canonical(value) if -limits.LARGEST_NUMBER <= value <= limits.LARGEST_NUMBER else None


def integer(value: object) -> int | None:
    """Return a number rounded half to even."""
    found = number(value)
    return None if found is None else round(found)


def first_number(value: object, *paths: tuple[str, ...]) -> int | float | None:
    """Return the number at the first of some paths that has one."""
    found = (number(member(value, *path)) for path in paths)
    return next((each for each in found if each is not None), None)


def any_number(value: object) -> int | float | None:
    """Return the first JSON number in a value at any depth, in document order."""
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


def _parse_number(value: str) -> float | None:
    try:
        return decimal(value)
    except Unreadable:
        return None
