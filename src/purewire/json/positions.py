"""Find the line and column at which JSON text is broken.

Lines and columns count from 1, columns in code points; a byte order mark has no column.  The
description is only for people; `purewire.json.codec` decides what is JSON text.

Invariant *any body*: the scan has no recursion, and its cost is linear in the size of the body.
Invariant *one character*: a description quotes at most one character, or one escape, of the body.
"""

import re
from typing import Final

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
    end, expected = _scan(text)
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


def _scan(text: str) -> tuple[int, str]:
    """Return the end of the legal tokens, and what is expected behind them."""
    around = [""]
    expected, end = _VALUE, 0
    while (token := _TOKEN.match(text, end)) is not None:
        kind = token[1] or token[2] or _SCALAR
        if kind not in _ALLOWED[expected]:
            break
        end = token.end()
        if kind in _AFTER_OPENING:
            around.append(kind)
            expected = _AFTER_OPENING[kind]
        elif kind == ",":
            expected = _AFTER_COMMA[around[-1]]
        elif kind == ":":
            expected = _VALUE
        elif kind == '"' and expected in {_NAME, _FIRST_MEMBER}:
            expected = _COLON
        else:
            if kind in {"]", "}"}:
                around.pop()
            expected = _AFTER_VALUE[around[-1]]
    return end, expected


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
