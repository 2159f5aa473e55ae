"""Distribute the values of a long history to the columns of a plot, and compute their means.

A column contains the values whose periods are nearest to it.

Invariant *extremes are kept*: in each column, and so in the chart, the least and the greatest
value are those of all points.
Invariant *gaps are kept*: a line joins two columns only where no period between their values is
missing or without value, or where they are neighbours, between which no gap would be visible.
Invariant *only days with a value*: a mean of a day is that of the values that exist in the seven
days that end with it; a day without value has no mean and adds nothing to the others.
Invariant *linear*: the time is linear in the number of points.

Contract: HA-CHART-14, HA-CHART-26.
"""

from collections.abc import Sequence
from datetime import date
from itertools import compress, pairwise
from typing import Final

import attrs

from healthapi.catalog_keys import Granularity
from healthapi.derived.series import Value
from healthapi.rows.days import bounds

MEAN_DAYS: Final = 7
"""Days of a mean."""


@attrs.frozen(repr=False)
class Periods:
    """The first and the last day of each period, as ordinals."""

    starts: Sequence[int]
    ends: Sequence[int]


@attrs.frozen(repr=False)
class Columns:
    """The columns of a plot that contain a value.

    Attributes:
        steps: the place of each, in steps from the left.
        slices: the values of each.
        runs: the columns that are joined, as first and one past the last, in order.

    """

    steps: Sequence[int]
    slices: Sequence[slice]
    runs: Sequence[tuple[int, int]]


def parse_periods(labels: Sequence[str], granularity: Granularity) -> Periods:
    """Parse days, weeks or months; raises ValueError for other text."""
    if granularity == "daily":  # a chart may have a million of them
        days = list(map(date.toordinal, map(date.fromisoformat, labels)))
        return Periods(days, days)
    both = [bounds(label) for label in labels]
    return Periods([start for start, _ in both], [end for _, end in both])


def build_columns(periods: Periods, steps: Sequence[int]) -> Columns:
    """Distribute values to columns, by their periods and the steps at which they lie."""
    last_of = dict(zip(steps, range(len(steps)), strict=True))
    cuts = [0, *(last + 1 for last in last_of.values())]
    slices = [slice(start, stop) for start, stop in pairwise(cuts)]
    breaks = [  # the columns that are not joined with the one before
        column
        for column, (before, step) in enumerate(pairwise(last_of), 1)
        if step - before > 1 and periods.starts[cuts[column]] - periods.ends[cuts[column] - 1] > 1
    ]
    return Columns(list(last_of), slices, list(pairwise([0, *breaks, len(slices)])))


def present_only(
    values: Sequence[Value], periods: Periods, steps: Sequence[int]
) -> tuple[Periods, Sequence[int]]:
    """Return the periods and steps of the values that are not missing."""
    is_present = [value is not None for value in values]
    starts = ends = list(compress(periods.starts, is_present))
    if periods.ends is not periods.starts:
        ends = list(compress(periods.ends, is_present))
    return Periods(starts, ends), list(compress(steps, is_present))


def extremes(present: Sequence[float], columns: Columns) -> tuple[Sequence[float], Sequence[float]]:
    """Return the least and the greatest value of each column; one object if all have one value."""
    if len(present) == len(columns.slices):
        return present, present
    parts = list(map(present.__getitem__, columns.slices))
    return list(map(min, parts)), list(map(max, parts))


def mean_until(present: Sequence[float], days: Sequence[int], last: int) -> float:
    """Return the mean of the values in the seven days that end with that of the `last` value."""
    first = max(last + 1 - MEAN_DAYS, 0)
    window = [
        value
        for value, day in zip(present[first : last + 1], days[first : last + 1], strict=True)
        if days[last] - day < MEAN_DAYS
    ]
    # Rounding must not lead out of the range of the values.
    return min(max(sum(window) / len(window), min(window)), max(window))
