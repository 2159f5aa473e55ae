"""Bytes to plain values by RFC 8259 exactly, and back: the one place that knows parsers' quirks.

Plain values are dict, list, str, int, float, bool and None.  One leading byte order mark is
dropped; of members with the same name the last one counts.

Invariant *three verdicts*: every body is either plain values, or broken text (`JsonTextError`),
or well-formed but nested deeper than this interpreter can build (`JsonDepthError`); which of the
three does not depend on how deep the caller's stack is, except between the first and the last, and
no body raises anything else or costs more than linear time.
Invariant *numbers keep their meaning*: digits alone are exact integers, other numbers IEEE 754
doubles; a number that is too large for either purpose (no double, or more than 400 digits) becomes
an infinity, or stays an integer beyond every double, which no rule accepts either.
Invariant *errors hold no text*: parsers' errors have the body in them, so ours are raised outside
of their handlers, and have no context.
Invariant *text is Unicode*: bytes that are not UTF-8, and lone surrogates as escapes, are broken
text.
"""

import json
import re
from typing import Final, NoReturn

import msgspec

__all__ = ["JsonDepthError", "JsonTextError", "decode", "encode", "strip_mark"]

_MARK: Final = b"\xef\xbb\xbf"
_BROKEN: Final = object()

_LONGEST_INTEGER: Final = 400
"""Digits: more than any double has, and below every limit an interpreter may set on int()."""

_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_PAIRED: Final = re.compile(
    r"""(?: [^\\]++
          | \\[^u]
          | \\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}
          | \\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}
        )*+""",
    re.VERBOSE | re.DOTALL,
)

_STRING: Final = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
_SCALAR: Final = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null"
_TOKENS: Final = re.compile(rf"(?:[ \t\n\r]++|[\[\]{{}},:]++|{_STRING}|{_SCALAR})*+")
_STRINGS: Final = re.compile(_STRING)
_SCALARS: Final = re.compile(_SCALAR)
_BLANKS: Final = str.maketrans("", "", " \t\n\r")

# What may follow in each place: v a value, s a string, and the punctuation itself.
_VALUE: Final = {"v": ">", "s": ">", "[": "first", "{": "name0"}
_GRAMMAR: Final = {
    "value": _VALUE,
    "first": {**_VALUE, "]": "<"},
    "name0": {"s": "colon", "}": "<"},
    "name": {"s": "colon"},
    "colon": {":": "value"},
    "[": {",": "value", "]": "<"},
    "{": {",": "name", "}": "<"},
    "end": {},
}


class JsonTextError(ValueError):
    """The body is not JSON text."""


class JsonDepthError(ValueError):
    """The body is JSON text, nested too deep to be built."""


def strip_mark(body: bytes) -> bytes:
    """Drop one leading UTF-8 byte order mark."""
    return body.removeprefix(_MARK)


def decode(body: bytes) -> object:
    """Give the plain value of a body; raises JsonTextError or JsonDepthError."""
    body = strip_mark(body)
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass  # the way with all care says whether it really is broken
    return _decode_with_care(body)


def encode(value: object) -> bytes:
    """Give the compact UTF-8 JSON text of plain values whose numbers are finite."""
    return msgspec.json.encode(value)


def _decode_with_care(body: bytes) -> object:
    is_deep = False
    value: object = _BROKEN
    try:
        text = body.decode("utf-8")
        value = json.loads(text, parse_int=_integer, parse_constant=_no_constant)
    except RecursionError:
        is_deep = True
    except ValueError:
        pass  # said below
    if is_deep:
        _check_grammar(text)
        raise JsonDepthError("nested too deep")
    if value is _BROKEN:
        raise JsonTextError("not JSON text")
    if _SURROGATE_ESCAPE.search(text) and not _PAIRED.fullmatch(text):
        raise JsonTextError("an escaped lone surrogate")
    return value


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _check_grammar(text: str) -> None:
    """Tell broken text from deep text without recursion: tokens first, then their order."""
    if not _TOKENS.fullmatch(text) or not _PAIRED.fullmatch(text):
        raise JsonTextError("not JSON text")
    tokens = _SCALARS.sub("v", _STRINGS.sub("s", text)).translate(_BLANKS)
    place, inside = "value", ["end"]
    for sign in tokens:
        follow = _GRAMMAR[place].get(sign)
        if follow is None:
            raise JsonTextError("not JSON text")
        if follow == "<":
            inside.pop()
            follow = ">"
        elif sign in "[{":
            inside.append(sign)
        place = inside[-1] if follow == ">" else follow
    if place != "end":
        raise JsonTextError("not JSON text")
