"""Columns of binary floats rounded, as the built-in `round` does it and in a part of its time.

Source: health facts, section 5: rounding is Python's, of binary floats, half to even.
"""

from collections.abc import Iterable
from typing import Final

__all__ = ["tenths", "wholes"]

_CLEAR: Final = 0.4999
"""Farther than this from a whole number of tenths, the half may be on either side."""
_LARGE: Final = 1e9
"""Tenths up to here are known to far more digits than `_CLEAR` has."""
_SHIFT: Final = 1.5 * 2.0**52
"""A double that is added to this loses its fraction, half to even."""


def tenths(values: Iterable[float]) -> list[float]:
    """Give what `round(value, 1)` gives of each, for finite numbers, without the sign of a zero.

    Ten times the value, rounded, is the right number of tenths unless it lies near a half or is
    large; and a whole number divided by ten is the double that is nearest to it.
    """
    return [
        whole / 10.0
        if -_LARGE < (scaled := value * 10.0) < _LARGE
        and -_CLEAR < scaled - (whole := scaled + _SHIFT - _SHIFT) < _CLEAR
        else round(value, 1) + 0.0
        for value in values
    ]


def wholes(values: Iterable[float]) -> list[float]:
    """Give what `float(round(value))` gives of each, for finite numbers."""
    return [
        value + _SHIFT - _SHIFT if -_LARGE < value < _LARGE else float(round(value))
        for value in values
    ]
