"""One number, one spelling.

Invariant *canonical numbers*: a number with an integral value is held as int, so that equal models
have equal bytes: `50.0`, `5e1` and `50` are 50, and `-0.0` is 0.
"""

from math import isfinite
from typing import Final

__all__ = ["canonical", "integral", "is_finite"]

_DOUBLE_BITS: Final = 1024
"""Bits of the largest integers that a double can be near to."""


def canonical(number: float) -> int | float:
    """Give a finite number, as int where its value is integral."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def is_finite(number: float) -> bool:
    """Tell whether a number is finite: an integer too large for any double counts as infinite."""
    return number.bit_length() <= _DOUBLE_BITS if isinstance(number, int) else isfinite(number)


def integral(number: float) -> bool:
    """Tell whether a number is finite and has an integral value."""
    return isinstance(number, int) or number.is_integer()
