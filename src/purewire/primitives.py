"""The sentinel for absent members, canonical numbers, and arguments that are bytes.

Invariant *absent is not null*: a missing member of a JSON object is `ABSENT`, a null member is
`None`; a round trip through bytes keeps the difference.
Invariant *canonical numbers*: a number with an integral value is an int, so that equal models have
equal bytes: `50.0`, `5e1` and `50` are 50, and `-0.0` is 0.
"""

from enum import Enum
from math import isfinite
from typing import Final, Literal, TypeGuard

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


def canonical(number: float) -> int | float:
    """Return a finite number, as int if its value is integral."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def is_finite(number: float) -> bool:
    """Check whether a number is finite; an integer too large for any double is not."""
    return number.bit_length() <= _DOUBLE_BITS if isinstance(number, int) else isfinite(number)


def is_integral(number: float) -> bool:
    """Check whether a number is finite and has an integral value."""
    return isinstance(number, int) or number.is_integer()


def is_octets(value: object) -> TypeGuard[Octets]:
    """Check whether a value is bytes; raise TypeError for text, which has an encoding to choose."""
    if isinstance(value, str):
        raise TypeError("bytes are needed, not str: encode the text as UTF-8 first")
    return isinstance(value, Octets)


def to_bytes(value: object) -> bytes:
    """Return bytes as `bytes`; raise TypeError for all others, which `bytes()` may accept."""
    if not is_octets(value):
        raise TypeError(f"bytes are needed, not {type(value).__name__}")
    return bytes(value)
