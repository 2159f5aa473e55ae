"""The arithmetic of columns: which cells are numbers, their mean and median, how it is rounded.

Source: health facts, sections 8 to 10.

Invariant *one last digit*: a sum is rounded once, whatever the order of its terms and the version
of the interpreter.
Invariant *no minus zero*: what is rounded to nothing is 0.
"""

from collections.abc import Iterator, Sequence
from itertools import compress
from math import fsum
from operator import and_
from typing import Final, TypeGuard, cast

from healthapi.rows.records import Cell
from purewire.absent import ABSENT

__all__ = ["is_number", "mean", "median", "paired", "rounded"]

_NUMBERS: Final = frozenset((int, float))


def is_number(cell: Cell) -> TypeGuard[float]:
    """Tell whether something was measured; None, ABSENT and text are no numbers."""
    return type(cell) in _NUMBERS


def paired(one: Sequence[Cell], other: Sequence[Cell]) -> tuple[Sequence[float], Sequence[float]]:
    """Give the numbers of two columns of one length, where both have one.

    A column holds numbers, None and ABSENT.
    """
    if not any(missing in cells for cells in (one, other) for missing in (None, ABSENT)):
        return cast("Sequence[float]", one), cast("Sequence[float]", other)
    both = list(map(and_, _measured(one), _measured(other)))
    return _kept(one, both), _kept(other, both)


def _measured(cells: Sequence[Cell]) -> Iterator[bool]:
    """Tell for each cell whether it is a number; no step of it is taken in Python's own loop."""
    return map(_NUMBERS.__contains__, map(type, cells))


def _kept(cells: Sequence[Cell], which: list[bool]) -> list[float]:
    return cast("list[float]", list(compress(cells, which)))


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
