"""The arithmetic of columns: which cells are numbers, their mean and median, how it is rounded.

Source: health facts, sections 8 to 10.

Invariant *one last digit*: a sum is rounded once, whatever the order of its terms and the version
of the interpreter.
Invariant *no minus zero*: what is rounded to nothing is 0.
"""

from collections.abc import Sequence
from math import fsum
from typing import Final, TypeGuard

from healthapi.rows.records import Cell

__all__ = ["is_number", "mean", "median", "rounded"]

_NUMBERS: Final = frozenset((int, float))


def is_number(cell: Cell) -> TypeGuard[float]:
    """Tell whether something was measured; None, ABSENT and text are no numbers."""
    return type(cell) in _NUMBERS


def mean(values: Sequence[float]) -> float | None:
    """Give the arithmetic mean; None of no values."""
    return fsum(values) / len(values) if values else None


def median(values: Sequence[float]) -> float | None:
    """Give the middle value, of an even count the mean of the two in the middle; None of none."""
    if not values:
        return None
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def rounded(value: float | None, digits: int = 1) -> float | None:
    """Round a binary float to decimal digits, half to even; integers stay, and so does None."""
    return None if value is None else round(value, digits) + 0
