"""Compare JSON values: the first difference by its pointer; show received values in messages."""

from collections.abc import Iterator
from typing import Final

import attrs

from purewire.findings import Step, pointer
from purewire.json import codec
from purewire.primitives import ABSENT, Absent

_SHOWN_CHARACTERS: Final = 300
"""How many characters of a received value a message quotes."""
_TOO_LONG: Final = 80
"""How many characters of an object or array a message quotes."""

NO_MEMBER: Final = "no such member"
"""Text of a message for a member that is missing."""


@attrs.frozen
class Difference:
    """A member in which two JSON values differ.

    Attributes:
        pointer: JSON pointer (RFC 6901) of the member; empty for the whole value.
        expected: the value that it must have; ABSENT if there must be no such member.
        actual: the value that it has; ABSENT if it is missing.

    """

    pointer: str
    expected: object
    actual: object


def first_difference(expected: object, actual: object) -> Difference | None:
    """Return the first difference of two JSON values, in the order of the expected one."""
    return next(differences(expected, actual), None)


def differences(
    expected: object, actual: object, path: tuple[Step, ...] = ()
) -> Iterator[Difference]:
    """Generate the differences of two JSON values, in the order of the expected one.

    Numbers are equal if their values are; true is not 1.
    """
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in dict.fromkeys((*expected, *actual)):
            one, other = expected.get(name, ABSENT), actual.get(name, ABSENT)
            if one is not other:
                yield from differences(one, other, (*path, name))
    elif isinstance(expected, list) and isinstance(actual, list):
        for index in range(max(len(expected), len(actual))):
            one, other = (
                items[index] if index < len(items) else ABSENT for items in (expected, actual)
            )
            if one is not other:
                yield from differences(one, other, (*path, index))
    elif not _are_equal(expected, actual):
        yield Difference(pointer(path), expected, actual)


def _are_equal(one: object, other: object) -> bool:
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def value_at(value: object, path: str) -> object:
    """Return the member that a JSON pointer names; ABSENT if there is none."""
    for token in path.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name, ABSENT)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return ABSENT
    return value


def json_text(value: object) -> str:
    """Return a JSON value for a message: objects and arrays in 80 characters, others in 300."""
    if isinstance(value, Absent):
        return NO_MEMBER
    most = _TOO_LONG if isinstance(value, dict | list) else _SHOWN_CHARACTERS
    return shorten(codec.encode(value), most)


def shorten(value: object, most: int = _SHOWN_CHARACTERS) -> str:
    """Return a received value as text for a message, with at most so many characters of it."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace") or "nothing"
    text = value if isinstance(value, str) else repr(value)
    if len(text) <= most:
        return text
    return f"{text[:most]}… ({len(text)} characters)"
