"""Which points of a long line are drawn: of each column of a plot the least and the greatest.

A column holds the values whose periods lie nearest to it.  A line enters a column at the nearer of
the two values and leaves it at the other, so it covers what the line through all points covers,
shifted by less than one column; a column with one value is that point.

Invariant *extremes stay*: in each column, and so in the chart, the least and the greatest value
are those of all points.
Invariant *gaps stay gaps*: a line joins two columns only where no period between their values is
missing or without value, or where they are neighbours, between which nobody could see a gap.
Invariant *linear*: the time grows with the number of points and with nothing else.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import compress, pairwise

import attrs

from healthapi.charts.scale import Periods

__all__ = ["Columns", "Thinned", "columns_of", "of_present", "thin"]

_Number = int | float
_Value = int | float | None


@attrs.frozen(repr=False)
class Columns:
    """The columns of a plot that hold a value.

    Attributes:
        steps: where each lies, in steps from the left.
        shares: which values each holds.
        runs: which columns hang together, as first and one past the last, in order.

    """

    steps: Sequence[int]
    shares: Sequence[slice]
    runs: Sequence[tuple[int, int]]


@attrs.frozen(repr=False)
class Thinned:
    """The least and the greatest value of each column; one and the same where each has one."""

    lows: Sequence[_Number]
    highs: Sequence[_Number]


def columns_of(periods: Periods, steps: Sequence[int]) -> Columns:
    """Share out values among columns, by the periods and the steps at which they lie."""
    last_of = dict(zip(steps, range(len(steps)), strict=True))
    cuts = [0, *(last + 1 for last in last_of.values())]
    shares = [slice(start, stop) for start, stop in pairwise(cuts)]
    parted = [0, *_parted(periods, list(last_of), cuts), len(shares)]
    return Columns(list(last_of), shares, list(pairwise(parted)))


def _parted(periods: Periods, steps: Sequence[int], cuts: Sequence[int]) -> Iterator[int]:
    """Give the columns that do not hang together with the one before."""
    starts, ends = periods.starts, periods.ends
    for column, (before, step) in enumerate(pairwise(steps), 1):
        cut = cuts[column]
        if step - before > 1 and starts[cut] - ends[cut - 1] > 1:
            yield column


def of_present(
    values: Sequence[_Value], periods: Periods, steps: Sequence[int]
) -> tuple[Periods, Sequence[int]]:
    """Give periods and steps of the values that are there."""
    there = [value is not None for value in values]
    starts = ends = list(compress(periods.starts, there))
    if periods.ends is not periods.starts:
        ends = list(compress(periods.ends, there))
    return Periods(starts, ends), list(compress(steps, there))


def thin(present: Sequence[_Number], columns: Columns) -> Thinned:
    """Choose what is drawn of the values that are there."""
    if len(present) == len(columns.shares):
        return Thinned(present, present)
    return Thinned(_of_each(present, columns, min), _of_each(present, columns, max))


def _of_each(
    present: Sequence[_Number], columns: Columns, choose: Callable[[Sequence[_Number]], _Number]
) -> Sequence[_Number]:
    return list(map(choose, map(present.__getitem__, columns.shares)))
