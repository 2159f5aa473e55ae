"""Decode JSON text (RFC 8259) to plain values, encode plain values, and describe broken text.

Plain values are dict, list, str, int, float, bool and None.  One leading byte order mark is
dropped; of members with the same name the last one counts.

Invariant *three results*: each body has plain values, or is broken text (`JsonTextError`), or is
nested deeper than this interpreter can build (`JsonDepthError`), broken or not.  The caller's stack
depth affects only whether it is the last.  No body raises anything else or costs more than linear
time.
Invariant *numbers keep their value*: digits alone are exact integers, other numbers IEEE 754
doubles.  A number beyond the doubles, or an integer of more than 400 digits, becomes an infinity or
an integer beyond every double; every rule rejects both.
Invariant *errors contain no input*: the errors of parsers contain the body, so the errors here are
raised outside of their handlers and have no context.  A description quotes at most one byte.
Invariant *any plain value*: `broken_rule` has no recursion.  A part that occurs in many places is
checked once for each depth, and a value that contains itself is too deep.
Invariant *text is Unicode*: bytes that are not UTF-8, and escaped lone surrogates, are broken text.
"""

import json
import re
from json import JSONDecodeError
from math import isfinite
from typing import Final, NoReturn

import msgspec

from status_contracts.primitives import ABSENT, has_surrogate

__all__ = [
    "BOM", "JSON_ERRORS", "MAX_DEPTH", "JsonDepthError", "JsonTextError", "broken_rule",
    "decode", "describe_syntax_error", "encode", "member_at",
]  # fmt: skip

BOM: Final = b"\xef\xbb\xbf"
"""The UTF-8 byte order mark, which may precede a body: `body.removeprefix(BOM)` drops it."""

_MAX_INTEGER_DIGITS: Final = 400
"""More digits than any double has, and below every limit that an interpreter may set on int()."""
_PAIRED: Final = re.compile(
    r"""(?: [^\\]++
          | \\(?!u[dD][89a-fA-F]).
          | \\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}
        )*+""",
    re.DOTALL | re.VERBOSE,
)
"""JSON text up to an escaped surrogate without a pair."""


class JsonTextError(ValueError):
    """The body is not JSON text."""


class JsonDepthError(ValueError):
    """The body is nested too deep."""


JSON_ERRORS: Final = (JsonTextError, JsonDepthError)
"""What `decode` raises, for an `except` clause."""


encode: Final = msgspec.json.encode
"""Returns the compact UTF-8 JSON text of plain values whose numbers are finite."""
_decode: Final = msgspec.json.Decoder(float_hook=float).decode
"""With `float`: msgspec itself takes 10 us for a number near the largest or smallest doubles."""
_members: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
"""Returns name to JSON text of the members of an object."""


def decode(body: bytes) -> object:
    """Return the plain value of a body.

    Raises:
        JsonTextError: the body is not JSON text.
        JsonDepthError: the body is nested too deep.

    """
    body = body.removeprefix(BOM)
    try:
        return _decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass  # the standard parser decides whether the body is broken
    error: ValueError = JsonTextError("not JSON text")
    try:
        text = body.decode()
        value = _parse(text)
        if _find_lone_surrogate(text) is None:
            return value
    except RecursionError:
        error = JsonDepthError("nested too deep")
    except ValueError:
        pass  # raised below, outside of the handler
    raise error


def member_at(body: bytes, *path: str) -> object:
    """Return the plain value of one member of a body, without the cost of the others.

    `ABSENT` if there is none.  Only what leads to it is checked: the rest may be broken text.
    """
    text: bytes | msgspec.Raw = body.removeprefix(BOM)
    try:
        for name in path:
            text = _members(text)[name]
        return _decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError, KeyError):
        return ABSENT


def _parse(text: str) -> object:
    """Parse text by the standard parser; raise ValueError for NaN and infinities as well."""
    return json.loads(text, parse_int=_parse_integer, parse_constant=_reject_constant)


def _find_lone_surrogate(text: str) -> int | None:
    """Return the index of the first escaped surrogate of JSON text that has no pair; else None."""
    match = _PAIRED.match(text)
    end = match.end() if match else 0
    return end if end < len(text) else None


def _parse_integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else float(digits)


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(name)


MAX_DEPTH: Final = 500
"""Levels of arrays and objects: about half of the depth that an interpreter can build."""

_LOWEST, _HIGHEST = -(10**400), 10**400
"""Integers of up to 400 digits, as `decode` returns them."""


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
                inside.update((id(member), member) for member in part.values())
            elif isinstance(part, list):
                inside.update((id(element), element) for element in part)
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


_CONSTANT: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|(?P<constant>NaN|-?Infinity)', re.DOTALL)
"""A string, or a number that JSON does not have."""


def describe_syntax_error(body: bytes) -> str:
    """Return where and why a body is broken, such as `line 1, column 4: expected a value`.

    Raises:
        ValueError: the body is JSON text.

    """
    body = body.removeprefix(BOM)
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        start = error.start
        position = _position(body[:start].decode())
        return f"{position} (byte {start}): expected UTF-8, found the byte 0x{body[start]:02X}"
    at, fault = _find(text)
    return f"{_position(text[:at])}: {fault}"


def _find(text: str) -> tuple[int, str]:
    try:
        _parse(text)
    except JSONDecodeError as error:
        fault = error.msg.removesuffix(" at").removesuffix(" starting")
        return error.pos, fault.replace("Expecting", "expected a")
    except RecursionError:
        return 0, "nested too deep"
    except ValueError:  # the parser stopped at the first one
        constants = (match for match in _CONSTANT.finditer(text) if match["constant"])
        return next(constants).start(), "NaN and infinities are not JSON"
    at = _find_lone_surrogate(text)
    if at is None:
        raise ValueError("the body is JSON text")
    return at, "expected a pair of surrogates"


def _position(before: str) -> str:
    column = len(before) - before.rfind("\n")
    return f"line {before.count(chr(10)) + 1}, column {column}"
