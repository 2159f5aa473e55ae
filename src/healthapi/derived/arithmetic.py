"""Means and rounding of columns of numbers.

Rounding is Python's: of binary floats, half to even.

Invariant *one last digit*: a sum is rounded once, so that it depends neither on the order of its
terms nor on the version of the interpreter.
Invariant *no minus zero*: a result that is rounded to zero is 0, never -0.0.

Contract: HA-PERIOD-10, HA-PERIOD-13.
"""

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Final

_SAFE_DISTANCE: Final = 0.4999
"""Up to this distance from a whole number of tenths, rounding is unambiguous."""
_SAFE_SIZE: Final = 1e9
"""Up to this size, tenths are exact to far more digits than `_SAFE_DISTANCE` has."""
_SHIFT: Final = 1.5 * 2.0**52
"""Adding this to a double drops its fraction, rounded half to even."""


def mean(values: Sequence[float]) -> float | None:
    """Return the arithmetic mean; None if there are no values."""
    return fmean(values) if values else None


def rounded(value: float | None, digits: int = 1) -> float | None:
    """Round a binary float to decimal digits, half to even; integers and None are unchanged."""
    return None if value is None else round(value, digits) + 0


def round_to_tenths(values: Iterable[float]) -> list[float]:
    """Return `round(value, 1) + 0.0` of each finite number, in a part of its time.

    Ten times the value, rounded, is the right number of tenths unless it is near a half or large.
    An integer divided by ten is the double nearest to the quotient.
    """
    return [
        whole / 10.0
        if -_SAFE_SIZE < (scaled := value * 10.0) < _SAFE_SIZE
        and -_SAFE_DISTANCE < scaled - (whole := scaled + _SHIFT - _SHIFT) < _SAFE_DISTANCE
        else round(value, 1) + 0.0
        for value in values
    ]


def round_to_integers(values: Iterable[float]) -> list[float]:
    """Return `float(round(value))` of each finite number, in a part of its time."""
    return [
        value + _SHIFT - _SHIFT if -_SAFE_SIZE < value < _SAFE_SIZE else float(round(value))
        for value in values
    ]
