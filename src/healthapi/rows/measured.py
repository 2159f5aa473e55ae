"""The numbers of a column, and where they stand.

Invariant *only numbers count*: None, ABSENT, text and truths are no numbers, 0 is one.
"""

from collections.abc import Sequence
from itertools import accumulate, compress
from operator import and_
from typing import Final, cast

import attrs

__all__ = ["Measured", "measured_in", "together"]

_NUMBERS: Final = frozenset((int, float))


@attrs.frozen(eq=False)
class Measured:
    """What was measured.

    Attributes:
        numbers: the numbers, in the order of the column.
        which: for each cell 1 where it is a number, else 0; None where all are.
        before: for each cell, and for the end, how many numbers stand before it.

    """

    numbers: Sequence[float]
    which: bytes | None
    before: Sequence[int]


def measured_in(cells: Sequence[object]) -> Measured:
    """Give the numbers of a column."""
    if _NUMBERS.issuperset(map(type, cells)):
        return Measured(cast("Sequence[float]", cells), None, range(len(cells) + 1))
    which = bytes(map(_NUMBERS.__contains__, map(type, cells)))
    numbers = cast("tuple[float, ...]", tuple(compress(cells, which)))
    return Measured(numbers, which, tuple(accumulate(which, initial=0)))


def together(one: Measured, other: Measured) -> tuple[Sequence[float], Sequence[float]]:
    """Give the numbers of two columns of one length, where both have one."""
    if one.which == other.which:
        return one.numbers, other.numbers
    if one.which is None or other.which is None:
        both = one.which or other.which or b""
    else:
        both = bytes(map(and_, one.which, other.which))
    return _kept(one, both), _kept(other, both)


def _kept(column: Measured, both: bytes) -> Sequence[float]:
    """Give the numbers that stand where both columns have one."""
    places = both if column.which is None else compress(both, column.which)
    return tuple(compress(column.numbers, places))
