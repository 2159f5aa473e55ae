"""Rounding to one decimal, as the built-in `round` does it and in half its time.

Source: health facts, section 5: rounding is Python's, of binary floats, half to even.
"""

from typing import Final

__all__ = ["tenths"]

_CLEAR: Final = 0.4999
"""Farther than this from a whole number of tenths, the half may be on either side."""
_LARGE: Final = 1e9
"""Tenths up to here are known to far more digits than `_CLEAR` has."""


def tenths(value: float) -> float:
    """Give what `round(value, 1)` gives, for finite numbers, without the sign of a zero.

    Ten times the value, rounded, is the right number of tenths unless it lies near a half or is
    large; and a whole number divided by ten is the double that is nearest to it.
    """
    scaled = value * 10.0
    if -_LARGE < scaled < _LARGE:
        whole = round(scaled)
        if -_CLEAR < scaled - whole < _CLEAR:
            return whole / 10
    return round(value, 1) + 0.0
