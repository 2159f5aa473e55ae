"""Values of all contracts: absent members, numbers, bytes, and text.

Lengths of text are `len`: code points, not UTF-16 units and not bytes.

Invariant *absent is not null*: a missing member of a JSON object is `ABSENT`, a null member is
`None`; a round trip through bytes keeps the difference.
Invariant *linear*: matching a pattern takes time linear in the length of the text, because
`fnmatch` searches each part between two stars once, from the end of the part before it.
"""

import fnmatch
import re
from enum import Enum
from math import isfinite
from typing import Final, Literal, TypeGuard

__all__ = [
    "ABSENT", "DEFAULT_IGNORABLE", "WHITE_SPACE", "Absent", "Octets", "check_type", "glob",
    "has_control", "has_surrogate", "is_finite", "is_octets", "is_trimmed", "is_visible",
    "plural", "printable_xml", "to_bytes",
]  # fmt: skip

Octets = bytes | bytearray | memoryview

_DOUBLE_BITS: Final = 1024
"""The number of bits of the largest integers in the range of doubles."""


class Absent(Enum):
    """The type of the single value `ABSENT`; type checkers narrow `X | Absent` with `is ABSENT`."""

    ABSENT = 0

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT


def is_finite(number: float) -> bool:
    """Check whether a number is finite; an integer too large for any double is not."""
    return number.bit_length() <= _DOUBLE_BITS if isinstance(number, int) else isfinite(number)


def is_octets(value: object) -> TypeGuard[Octets]:
    """Check whether a value is bytes; raise TypeError for text, which has an encoding to choose."""
    if isinstance(value, str):
        raise TypeError("bytes are needed, not str: encode the text as UTF-8 first")
    return isinstance(value, Octets)


def check_type(name: str, value: object, of: type, remedy: str) -> None:
    """Raise TypeError, with the remedy, if an argument is of another type."""
    if not isinstance(value, of):
        kind = type(value).__name__
        raise TypeError(f"{name}: must be of type {of.__name__}, not {kind}: {remedy}")


def to_bytes(value: object) -> bytes:
    """Return bytes as `bytes`; raise TypeError for all others, which `bytes()` may accept."""
    if not is_octets(value):
        raise TypeError(f"bytes are needed, not {type(value).__name__}")
    return bytes(value)


WHITE_SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The characters that ECMAScript's `trim` removes: Unicode White_Space and U+FEFF, not U+0085."""

_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""The complement of XML's `Char`, which compiles 20 times as fast as its negation."""

DEFAULT_IGNORABLE: Final = tuple(
    range(first, last + 1)
    for first, last in (
        *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160)),
        *((0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E)),
        *((0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
        *((0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A)),
        (0xE0000, 0xE0FFF),
    )
)
"""Code points with the property Default_Ignorable_Code_Point, which are invisible.

Source: Unicode 16.0, DerivedCoreProperties.txt (4174 code points).
"""

_INVISIBLE: Final = re.compile(
    f"[{WHITE_SPACE}\x00-\x20\x7f-\x9f\u2800"
    + "".join(f"{chr(codes[0])}-{chr(codes[-1])}" for codes in DEFAULT_IGNORABLE)
    + "]*"
)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def has_control(text: str) -> bool:
    """Check whether the text contains an ASCII control character (U+0000 to U+001F, U+007F)."""
    return _CONTROL.search(text) is not None


def has_surrogate(text: str) -> bool:
    """Check whether the text contains a surrogate code point, which UTF-8 cannot encode."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def is_visible(text: str) -> bool:
    """Check whether a reader sees any of the text: not only spaces, controls and the like."""
    return _INVISIBLE.fullmatch(text) is None


def is_trimmed(text: str) -> bool:
    """Check whether ECMAScript trimming leaves the text unchanged."""
    return not text or (text[0] not in WHITE_SPACE and text[-1] not in WHITE_SPACE)


def printable_xml(text: str) -> str:
    """Return text with U+FFFD for each character that XML 1.0 cannot contain."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def plural(number: int, noun: str) -> str:
    """Write a count: `1 gap`, `2 gaps`, `2,048 events`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def glob(pattern: str) -> re.Pattern[str]:
    """Return the pattern of whole texts in which each star stands for any text."""
    only_stars = pattern.replace("[", "[[]").replace("?", "[?]")
    return re.compile(fnmatch.translate(only_stars))
