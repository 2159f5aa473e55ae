"""Find the line and column of values in JSON text by their JSON pointers.

Invariant *any body*: the scan has no recursion, and its cost is linear in the size of the body.
"""

import re
from collections.abc import Iterable
from typing import Final

from purewire.findings import pointer
from purewire.json import codec

_TOKEN: Final = re.compile(
    r"""[ \t\n\r]*+ (?: ([\[\]{},:]) | ("(?:[^"\\]|\\.)*+") | [^\[\]{},:" \t\n\r]++ )""",
    re.VERBOSE | re.DOTALL,
)
_CLOSING: Final = {"]", "}"}
_SEPARATORS: Final = {",", ":"}
_MAX_DEPTH: Final = 64
"""Deeper values have no position of their own."""
_TOO_DEEP: Final = "no pointer"


def find_positions(body: bytes, pointers: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return line and column, from 1 and in code points, of the values that pointers name.

    A value that is absent has the position of the closest object or array around it.
    """
    pointers = list(pointers)
    text = codec.strip_bom(body).decode("utf-8", "replace")
    found = _offsets(text, {part for each in pointers for part in _with_parents(each)})
    positions: dict[str, tuple[int, int]] = {}
    for each in pointers:
        offset = next((found[part] for part in _with_parents(each) if part in found), 0)
        column = offset - text.rfind("\n", 0, offset)
        positions[each] = (text.count("\n", 0, offset) + 1, column)
    return positions


def _with_parents(path: str) -> list[str]:
    """Return a pointer and those of the objects and arrays around it, innermost first."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]


def _offsets(text: str, wanted: set[str]) -> dict[str, int]:
    """Return the offsets of wanted values; of repeated members the last one counts."""
    found: dict[str, int] = {}
    around: list[_Container] = []
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        sign, string = match[1], match[2]
        inner = around[-1] if around else None
        if sign in _CLOSING:
            del around[-1:]
        elif sign in _SEPARATORS:
            if inner is not None:
                inner.separate(sign)
        elif inner is not None and inner.expects_name and string is not None:
            inner.name = string
        else:
            path = "" if inner is None else inner.child()
            if path in wanted:
                found[path] = match.end() - len(sign or match[0].lstrip(" \t\n\r"))
            if sign is not None:
                around.append(_Container(path if len(around) < _MAX_DEPTH else _TOO_DEEP, sign))
    return found


class _Container:
    """An object or array whose end has not been read."""

    def __init__(self, path: str, sign: str) -> None:
        self._path, self._is_object = path, sign == "{"
        self.expects_name = self._is_object
        self.name, self._index = "", 0

    def separate(self, sign: str) -> None:
        """Note a comma or colon."""
        self.expects_name = self._is_object and sign == ","
        self._index += sign == ","

    def child(self) -> str:
        """Return the pointer of the value that follows."""
        if self._path == _TOO_DEEP:
            return _TOO_DEEP
        step = _decoded(self.name) if self._is_object else self._index
        return self._path + pointer([step])


def _decoded(name: str) -> str:
    try:
        return str(codec.decode(name.encode()))
    except ValueError:  # broken escapes: the text ends here as JSON
        return ""
