"""Find lines and columns in JSON text: of values by their pointers, and of the place it is broken.

Lines and columns count from 1, columns in code points; a byte order mark has no column.  The
description of broken text is only for people; `purewire.json.codec` decides what is JSON text.

Invariant *any body*: the scans have no recursion, and their cost is linear in the size of the body.
Invariant *one character*: a description quotes at most one character, or one escape, of the body.
"""

import re
from collections.abc import Iterable
from typing import Final

from purewire.findings import pointer
from purewire.json import codec
from purewire.json.codec import strip_bom

_BLANKS: Final = " \t\n\r"
_CHARACTERS: Final = r"""(?: [^"\\\x00-\x1f]++
    | \\["\\/bfnrt]
    | \\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}
    | \\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2} )*+"""
_PART_OF_STRING: Final = re.compile(f'"{_CHARACTERS}', re.VERBOSE)
_TOKEN: Final = re.compile(
    rf"""[ \t\n\r]*+ (?: ([\[\]{{}},:])
    | (") {_CHARACTERS} "
    | (-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+ | true | false | null) )""",
    re.VERBOSE,
)
"""A token after blanks: punctuation, a string with its opening quote, or another scalar."""
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")

_SCALAR: Final = "scalar"
_VALUE: Final = "a value"
_NAME: Final = "a member name in double quotes"
_COLON: Final = '":"'
_END: Final = "the end of the text"
_FIRST_ITEM: Final = 'a value or "]"'
_FIRST_MEMBER: Final = 'a member name in double quotes or "}"'
_AFTER_ITEM: Final = '"," or "]"'
_AFTER_MEMBER: Final = '"," or "}"'

_ALLOWED: Final = {
    _VALUE: {"[", "{", '"', _SCALAR},
    _FIRST_ITEM: {"[", "{", '"', _SCALAR, "]"},
    _AFTER_ITEM: {",", "]"},
    _FIRST_MEMBER: {'"', "}"},
    _NAME: {'"'},
    _COLON: {":"},
    _AFTER_MEMBER: {",", "}"},
    _END: set[str](),
}
"""Expectation to the kinds of tokens that it allows."""
_AFTER_OPENING: Final = {"[": _FIRST_ITEM, "{": _FIRST_MEMBER}
_AFTER_COMMA: Final = {"[": _VALUE, "{": _NAME}
_AFTER_VALUE: Final = {"[": _AFTER_ITEM, "{": _AFTER_MEMBER, "": _END}
"""The last opening bracket, or none, to the expectation behind a value."""


def describe_syntax_error(body: bytes) -> str:
    """Return where and why a body is broken, such as `line 1, column 4: expected ...`.

    Raises:
        ValueError: the body is JSON text.

    """
    body = strip_bom(body)
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        start = error.start
        position = _position(body[:start].decode())
        return f"{position} (byte {start}): expected UTF-8, found the byte 0x{body[start]:02X}"
    end, expected, _ = _scan(text)
    rest = text[end:].lstrip(_BLANKS)
    if not rest and expected == _END:
        raise ValueError("the body is JSON text")
    skipped, expected, actual = _refine(rest, expected)
    return (
        f"{_position(text[: len(text) - len(rest) + skipped])}: expected {expected}, found {actual}"
    )


def _position(before: str) -> str:
    """Return the line and column behind a text."""
    column = len(before) - before.rfind("\n")
    return f"line {before.count(chr(10)) + 1}, column {column}"


class _Container:
    """An object or array whose end has not been read; `step` is the name or index of a value."""

    def __init__(self, kind: str, path: str | None) -> None:
        self.kind, self.path = kind, path
        self.step: str | int = 0

    def child(self) -> str | None:
        """Return the pointer of the value that is next; None if it is too deep for one."""
        return None if self.path is None else self.path + pointer([self.step])


def _scan(text: str, wanted: frozenset[str] = frozenset()) -> tuple[int, str, dict[str, int]]:
    """Return the end of the legal tokens, what is expected behind them, and offsets of values.

    The offsets are those of the wanted pointers; of repeated members the last one counts.
    """
    offsets: dict[str, int] = {}
    around = [_Container("", None)]
    deep = {kind: _Container(kind, None) for kind in _AFTER_OPENING}  # one each: text may be deep
    expected, end = _VALUE, 0
    while (token := _TOKEN.match(text, end)) is not None:
        kind = token[1] or token[2] or _SCALAR
        if kind not in _ALLOWED[expected]:
            break
        end, inner = token.end(), around[-1]
        is_name = expected in {_NAME, _FIRST_MEMBER} and kind == '"'
        path = None
        if wanted and not is_name and kind not in {",", ":", "]", "}"}:
            path = inner.child() if len(around) > 1 else ""
            if path is not None and path in wanted:
                offsets[path] = token.start(token.lastindex or 0)
        if kind in _AFTER_OPENING:
            has_path = path is not None and len(around) <= _MAX_DEPTH
            around.append(_Container(kind, path) if has_path else deep[kind])
            expected = _AFTER_OPENING[kind]
        elif kind == ",":
            inner.step = inner.step + 1 if isinstance(inner.step, int) else ""
            expected = _AFTER_COMMA[inner.kind]
        elif kind == ":":
            expected = _VALUE
        elif is_name:
            inner.step = str(codec.decode(token[0].encode())) if wanted else ""
            expected = _COLON
        else:
            if kind in {"]", "}"}:
                around.pop()
            expected = _AFTER_VALUE[around[-1].kind]
    return end, expected, offsets


def _refine(rest: str, expected: str) -> tuple[int, str, str]:
    """Return the offset of the fault in the rest, what is expected there and what was found."""
    if rest.startswith("-") and _SCALAR in _ALLOWED[expected]:
        return 1, "a digit", _quote(rest, 1)
    string = _PART_OF_STRING.match(rest)
    if string is None or '"' not in _ALLOWED[expected]:
        return 0, expected, _quote(rest, 0)
    at = string.end()
    if _SURROGATE.match(rest, at):
        return at, "a pair of surrogates", f'"{rest[at : at + 6]}"'
    if rest.startswith("\\", at):
        return at + 1, "an escape sequence of JSON", _quote(rest, at + 1)
    return at, "the rest of the string", _quote(rest, at)


def _quote(text: str, at: int) -> str:
    """Return the character at an index, as messages quote it."""
    character = text[at : at + 1]
    if not character:
        return _END
    if character == '"':
        return "'\"'"
    return f'"{character}"' if character.isprintable() else f"U+{ord(character):04X}"


_MAX_DEPTH: Final = 64
"""Deeper values have no position of their own."""


def find_positions(body: bytes, pointers: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return line and column, from 1 and in code points, of the values that pointers name.

    A value that is absent has the position of the closest object or array around it.
    """
    pointers = list(pointers)
    text = codec.strip_bom(body).decode("utf-8", "replace")
    wanted = frozenset(part for path in pointers for part in _with_parents(path))
    *_, offsets = _scan(text, wanted)
    positions: dict[str, tuple[int, int]] = {}
    for path in pointers:
        offset = next((offsets[part] for part in _with_parents(path) if part in offsets), 0)
        column = offset - text.rfind("\n", 0, offset)
        positions[path] = (text.count("\n", 0, offset) + 1, column)
    return positions


def _with_parents(path: str) -> list[str]:
    """Return a pointer and those of the objects and arrays around it, innermost first."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]
