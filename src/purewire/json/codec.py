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

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final, NoReturn

from purewire.json.costly_numbers import has_costly_numbers

__all__ = ["JsonDepthError", "JsonTextError", "decode", "encode", "strip_mark"]

_MARK: Final = b"\xef\xbb\xbf"
_BROKEN: Final = object()

_LONGEST_INTEGER: Final = 400
"""Digits: more than any double has, and below every limit an interpreter may set on int()."""

_SURROGATE_ESCAPE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_SHORT_ESCAPES: Final = tuple(b"\\%c" % letter for letter in b'\\"/bfnrt')
"""The backslash comes first: what follows an escaped one begins no escape."""
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
"""Sets words apart by blanks, and takes one digit for all that are alike: few words are left."""
_SCALARS: Final = re.compile(
    rb"""(?: (?: -?+ (?:0|[1-9][0-9]*+) (?:\.[0-9]++)?+ (?:[eE][+-]?+[0-9]++)?+
               | true | false | null )
             (?:[ ]|\Z)
         )*+""",
    re.VERBOSE,
)
_PIECE: Final = 8192
"""Bytes that are split at once: parts take far more room than their text."""

# Tokens as signs: `v` is a value, also an empty array or object; `(` is an opened object and `;` a
# comma within one, each with the name after it and its colon.  So there is one place for each sign:
# where a value is due (`d`) or behind one (`b`); and one that it leaves for the next.
_VALUES: Final = bytes.maketrans(b"-+.0123456789eEtrufalsn", b"v" * 23)
_SIGNS_OF_A_WORD: Final = tuple(b"v" * length for length in (512, 16, 4, 2))
"""Long runs first: of two signs alone, a long word would take a round for each power of two."""
_JOINED: Final = ((b'{":', b"("), (b',":', b";"), (b"{}", b"v"), (b"[]", b"v"), (b'"', b"v"))
_COMES: Final = bytes.maketrans(b"v[(,;]}", b"dddbbbb")
_LEAVES: Final = bytes.maketrans(b"v[(,;]}", b"bddddbb")
_AS_BRACKETS: Final = ((b",", b"]["), (b";", b"}("))
"""A comma as what it stands for: an array, or an object, that is closed and opened again."""
_OPENED: Final = bytes.maketrans(b"]}", b"[(")
_RUNS: Final = re.compile(rb"([\[(]*+)([\]}]*+)")
_WORTH_IT: Final = 0.89
"""What is left after a round that leads to another; each takes off one level."""


class JsonTextError(ValueError):
    """The body is not JSON text."""


class JsonDepthError(ValueError):
    """The body is JSON text, nested too deep to be built."""


def strip_mark(body: bytes) -> bytes:
    """Drop one leading UTF-8 byte order mark."""
    return body.removeprefix(_MARK)


def decode(body: bytes) -> object:
    """Return the plain value of a body; raises JsonTextError or JsonDepthError."""
    body = strip_mark(body)
    msgspec = _msgspec()
    try:
        return _costly_decoder()(body) if has_costly_numbers(body) else msgspec.json.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass  # the way with all care says whether it really is broken
    return _decode_with_care(body)


def encode(value: object) -> bytes:
    """Give the compact UTF-8 JSON text of plain values whose numbers are finite."""
    text: bytes = _msgspec().json.encode(value)
    return text


# Parsers take long to import: each is imported with the first text that needs it.


@cache
def _msgspec() -> ModuleType:
    return import_module("msgspec")


@cache
def _costly_decoder() -> Callable[[bytes], object]:
    """Return a decoder that reads numbers by `float`, which is fast for any exponent."""
    decode: Callable[[bytes], object] = _msgspec().json.Decoder(float_hook=float).decode
    return decode


@cache
def _loads() -> Callable[..., object]:
    loads: Callable[..., object] = import_module("json").loads
    return loads


def _decode_with_care(body: bytes) -> object:
    is_deep = False
    value: object = _BROKEN
    try:
        value = _loads()(body.decode(), parse_int=_integer, parse_constant=_no_constant)
    except RecursionError:
        is_deep = True
    except ValueError:
        pass  # said below
    if is_deep and _is_well_formed(body):
        raise JsonDepthError("nested too deep")
    if value is _BROKEN:
        raise JsonTextError("not JSON text")
    if _SURROGATE_ESCAPE.search(body) and not _LONG_ESCAPES.fullmatch(_bare(body)):
        raise JsonTextError("an escaped lone surrogate")
    return value


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _is_well_formed(body: bytes) -> bool:
    """Judge a body of UTF-8 without recursion: tokens first, then their order.

    Each step goes over the whole text at once, or over different words, or over runs of brackets.
    """
    bare = _bare(body)
    if bare.count(b'"') % 2 or not _LONG_ESCAPES.fullmatch(bare):
        return False
    outside = b"".join(_outside_texts(bare))
    if _count(bare, _CONTROLS) != _count(outside, _CONTROLS):
        return False  # one is within a text
    if not _are_scalars(outside.translate(_WORDS)):
        return False
    signs = _signs(outside)
    return _is_in_order(signs) and _is_balanced(_brackets(signs))


def _bare(body: bytes) -> bytes:
    """Put marks in place of short escapes; they are no word where no text is."""
    for escape in _SHORT_ESCAPES if b"\\" in body else ():
        body = body.replace(escape, b"??")
    return body


def _count(text: bytes, some: bytes) -> int:
    return len(text) - len(text.translate(None, some))


def _pieces(text: bytes, before: bytes = b"") -> Iterator[bytes]:
    """Give a text in pieces, each cut before what is given."""
    start = 0
    while start < len(text):
        end = text.find(before, start + _PIECE)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end


def _outside_texts(bare: bytes) -> Iterator[bytes]:
    """Give what stands outside of texts, and a quote for each text, a piece at a time."""
    is_inside = False
    for piece in _pieces(bare):
        parts = piece.split(b'"')
        if is_inside and len(parts) > 1:
            yield b'"'
        yield b'"'.join(parts[is_inside::2])
        is_inside ^= len(parts) % 2 == 0


def _are_scalars(words: bytes) -> bool:
    """Tell whether all words are numbers or literals, of which each piece has few that differ."""
    return all(
        _SCALARS.fullmatch(b" ".join({*piece.split()})) for piece in _pieces(words, before=b" ")
    )


def _signs(outside: bytes) -> bytes:
    signs = outside.translate(_VALUES)
    for run in _SIGNS_OF_A_WORD:
        while run in signs:
            signs = signs.replace(run, b"v")
    signs = signs.translate(None, _BLANKS)
    for tokens, sign in _JOINED:
        signs = signs.replace(tokens, sign)
    return signs


def _is_in_order(signs: bytes) -> bool:
    """Tell whether each sign stands in its place; what is no sign, as a lone colon, has none."""
    return b"d" + signs.translate(_LEAVES) == signs.translate(_COMES) + b"b"


def _brackets(signs: bytes) -> bytes:
    """Give signs that are in order as brackets, which match if each comma is where it belongs."""
    signs = signs.translate(None, b"v")
    for comma, brackets in _AS_BRACKETS:
        signs = signs.replace(comma, brackets)
    return signs


def _is_balanced(brackets: bytes) -> bool:
    """Tell whether brackets match: pairs vanish while they are many, the rest goes by runs."""
    size = 2 * len(brackets)
    while len(brackets) < size * _WORTH_IT:
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
