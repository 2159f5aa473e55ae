"""Decode JSON text (RFC 8259) to plain values, and encode plain values.

Plain values are dict, list, str, int, float, bool and None.  One leading byte order mark is
dropped; of members with the same name the last one counts.

Invariant *three results*: each body has plain values, or is broken text (`JsonTextError`), or is
well-formed but nested deeper than this interpreter can build (`JsonDepthError`).  The caller's
stack depth affects only the choice between the first and the last.  No body raises anything else
or costs more than linear time.
Invariant *numbers keep their value*: digits alone are exact integers, other numbers IEEE 754
doubles.  A number beyond the doubles, or an integer of more than 400 digits, becomes an infinity or
an integer beyond every double; every rule rejects both.
Invariant *errors contain no input*: the errors of parsers contain the body, so the errors here are
raised outside of their handlers and have no context.
Invariant *any plain value*: `broken_rule` has no recursion.  A part that occurs in many places is
checked once for each depth, and a value that contains itself is too deep.
Invariant *text is Unicode*: bytes that are not UTF-8, and escaped lone surrogates, are broken text.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from math import isfinite
from types import ModuleType
from typing import Final, NoReturn

from purewire.primitives import has_surrogate

_BOM: Final = b"\xef\xbb\xbf"
_BROKEN: Final = object()

_MAX_INTEGER_DIGITS: Final = 400
"""More digits than any double has, and below every limit that an interpreter may set on int()."""
_SURROGATE_ESCAPE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class JsonTextError(ValueError):
    """The body is not JSON text."""


class JsonDepthError(ValueError):
    """The body is JSON text, but nested too deep."""


JSON_ERRORS: Final = (JsonTextError, JsonDepthError)
"""What `decode` raises, for an `except` clause."""


def strip_bom(body: bytes) -> bytes:
    """Drop one leading UTF-8 byte order mark."""
    return body.removeprefix(_BOM)


def decode(body: bytes) -> object:
    """Return the plain value of a body.

    Raises:
        JsonTextError: the body is not JSON text.
        JsonDepthError: the body is nested too deep.

    """
    body = strip_bom(body)
    try:
        return _decoder()(body)
    except (_msgspec().MsgspecError, ValueError, RecursionError):
        pass  # the standard parser decides whether the body is broken
    return _decode_by_stdlib(body)


def encode(value: object) -> bytes:
    """Return the compact UTF-8 JSON text of plain values whose numbers are finite."""
    text: bytes = _msgspec().json.encode(value)
    return text


# The parsers are slow to import: each is imported with the first text that needs it.


@cache
def _msgspec() -> ModuleType:
    return import_module("msgspec")


@cache
def _decoder() -> Callable[[bytes], object]:
    """Return a decoder that converts numbers with `float`.

    msgspec itself takes 10 microseconds for a number near the largest or smallest doubles.
    """
    decode: Callable[[bytes], object] = _msgspec().json.Decoder(float_hook=float).decode
    return decode


def _decode_by_stdlib(body: bytes) -> object:
    is_deep = False
    value: object = _BROKEN
    try:
        loads = import_module("json").loads
        value = loads(body.decode(), parse_int=_parse_integer, parse_constant=_reject_constant)
    except RecursionError:
        is_deep = True
    except ValueError:
        pass  # raised below, outside of the handler
    if is_deep and is_well_formed(body):
        raise JsonDepthError("nested too deep")
    if value is _BROKEN:
        raise JsonTextError("not JSON text")
    if _SURROGATE_ESCAPE.search(body) and not has_valid_escapes(body):
        raise JsonTextError("an escaped lone surrogate")
    return value


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


# The standard parser recurses and fails on deep text.  The scan below decides without recursion
# whether such a body is broken or only too deep.  Each step processes the whole text, its distinct
# words or runs of brackets, so the cost is linear.

_SHORT_ESCAPES: Final = tuple(b"\\%c" % letter for letter in b'\\"/bfnrt')
"""The backslash comes first, because an escaped backslash starts no other escape."""
_LONG_ESCAPES: Final = re.compile(
    rb"""(?: [^\\]++
           | \\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}
           | \\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}
         )*+""",
    re.VERBOSE,
)

_CONTROLS: Final = bytes(range(0x20))
_BLANKS: Final = b" \t\n\r"
_WORDS: Final = bytes.maketrans(b'[]{},:"\t\n\r' + b"23456789", b" " * 10 + b"1" * 8)
"""Separates words by blanks and maps the digits 2 to 9 to 1: few distinct words remain."""
_SCALARS: Final = re.compile(
    rb"""(?: (?: -?+ (?:0|[1-9][0-9]*+) (?:\.[0-9]++)?+ (?:[eE][+-]?+[0-9]++)?+
               | true | false | null )
             (?:[ ]|\Z)
         )*+""",
    re.VERBOSE,
)
_PIECE: Final = 8192
"""Bytes that are split at once, because the parts need far more memory than their text."""

# Each token becomes a one-byte sign: `v` is a value, also an empty array or object; `(` starts an
# object and `;` is a comma in one, each with the name after it and the colon.  Each sign is legal
# in one state, "value due" (`d`) or "behind a value" (`b`), and leads to one state.
_VALUES: Final = bytes.maketrans(b"-+.0123456789eEtrufalsn", b"v" * 23)
_RUNS_OF_VALUES: Final = tuple(b"v" * length for length in (512, 16, 4, 2))
"""Long runs come first: with pairs alone, a long word needs a round for each power of two."""
_TOKEN_SIGNS: Final = ((b'{":', b"("), (b',":', b";"), (b"{}", b"v"), (b"[]", b"v"), (b'"', b"v"))
_STATE_BEFORE: Final = bytes.maketrans(b"v[(,;]}", b"dddbbbb")
_STATE_AFTER: Final = bytes.maketrans(b"v[(,;]}", b"bddddbb")
_COMMA_BRACKETS: Final = ((b",", b"]["), (b";", b"}("))
"""A comma counts as a bracket that closes and another that opens."""
_OPENED: Final = bytes.maketrans(b"]}", b"[(")
_RUNS: Final = re.compile(rb"([\[(]*+)([\]}]*+)")
_MAX_REMAINDER: Final = 0.89
"""The fraction that must remain for the next round; each round removes one level."""


def has_valid_escapes(body: bytes) -> bool:
    """Check whether all escapes of a body are legal and no escaped surrogate is alone."""
    return _LONG_ESCAPES.fullmatch(_without_short_escapes(body)) is not None


def is_well_formed(body: bytes) -> bool:
    """Check whether a body of UTF-8 is JSON text: first the tokens, then their order."""
    bare = _without_short_escapes(body)
    if bare.count(b'"') % 2 or not _LONG_ESCAPES.fullmatch(bare):
        return False
    outside = b"".join(_outside_texts(bare))
    if _count(bare, _CONTROLS) != _count(outside, _CONTROLS):
        return False  # a text contains one
    if not _are_scalars(outside.translate(_WORDS)):
        return False
    signs = _signs(outside)
    return _is_in_order(signs) and _is_balanced(_brackets(signs))


def _without_short_escapes(body: bytes) -> bytes:
    """Replace short escapes by `??`, which is no legal word outside of a text."""
    for escape in _SHORT_ESCAPES if b"\\" in body else ():
        body = body.replace(escape, b"??")
    return body


def _count(text: bytes, some: bytes) -> int:
    return len(text) - len(text.translate(None, some))


def _pieces(text: bytes, separator: bytes = b"") -> Iterator[bytes]:
    """Yield a text in pieces of about 8 KiB, each cut before the separator."""
    start = 0
    while start < len(text):
        end = text.find(separator, start + _PIECE)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end


def _outside_texts(bare: bytes) -> Iterator[bytes]:
    """Yield the characters outside of texts, with a quote for each text, piece by piece."""
    is_inside = False
    for piece in _pieces(bare):
        parts = piece.split(b'"')
        if is_inside and len(parts) > 1:
            yield b'"'
        yield b'"'.join(parts[is_inside::2])
        is_inside ^= len(parts) % 2 == 0


def _are_scalars(words: bytes) -> bool:
    """Check whether all words are numbers or literals; each piece has few distinct words."""
    return all(
        _SCALARS.fullmatch(b" ".join({*piece.split()})) for piece in _pieces(words, separator=b" ")
    )


def _signs(outside: bytes) -> bytes:
    signs = outside.translate(_VALUES)
    for run in _RUNS_OF_VALUES:
        while run in signs:
            signs = signs.replace(run, b"v")
    signs = signs.translate(None, _BLANKS)
    for tokens, sign in _TOKEN_SIGNS:
        signs = signs.replace(tokens, sign)
    return signs


def _is_in_order(signs: bytes) -> bool:
    """Check whether each sign is legal in its state; other bytes, as a lone colon, never are."""
    return b"d" + signs.translate(_STATE_AFTER) == signs.translate(_STATE_BEFORE) + b"b"


def _brackets(signs: bytes) -> bytes:
    """Return signs in order as brackets, which match if each comma is in the right container."""
    signs = signs.translate(None, b"v")
    for comma, brackets in _COMMA_BRACKETS:
        signs = signs.replace(comma, brackets)
    return signs


def _is_balanced(brackets: bytes) -> bool:
    """Check whether brackets match: remove pairs while there are many, then compare runs."""
    size = 2 * len(brackets)
    while len(brackets) < size * _MAX_REMAINDER:
        size = len(brackets)
        brackets = brackets.replace(b"[]", b"").replace(b"(}", b"")
    still_open = bytearray()
    for piece in _pieces(brackets):
        for opened, closed in _RUNS.findall(piece):
            still_open += opened
            expected = closed[::-1].translate(_OPENED)
            if not still_open.endswith(expected):
                return False
            del still_open[len(still_open) - len(expected) :]
    return not still_open
