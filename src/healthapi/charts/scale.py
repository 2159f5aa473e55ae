"""Where days and values lie in a plot, in whole units of a tenth of a px.

Invariant *by date*: the first period of a chart lies at its left edge, the last at its right, and
between them the distance of two periods is in proportion to the days between their beginnings.
Invariant *its own scale*: the least value of a metric lies at the bottom, the greatest at the top,
a value that never changes in the middle; so a line shows a shape, not an amount.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

import attrs

from healthapi.catalog_keys import Granularity
from healthapi.rows.days import bounds

__all__ = ["UNITS", "Periods", "heights", "periods_of", "steps"]

UNITS: Final = 10
"""Units of one px."""

_Number = int | float


@attrs.frozen(repr=False)
class Periods:
    """The first and the last day of each period, as ordinals."""

    starts: Sequence[int]
    ends: Sequence[int]


def periods_of(labels: Sequence[str], granularity: Granularity) -> Periods:
    """Read days, weeks or months, which must be such; raises ValueError otherwise."""
    if granularity == "daily":  # a chart may have a million of them
        days = list(map(date.toordinal, map(date.fromisoformat, labels)))
        return Periods(days, days)
    both = [bounds(label) for label in labels]
    return Periods([start for start, _ in both], [end for _, end in both])


def steps(ordinals: Iterable[int], first: int, last: int, most: int) -> list[int]:
    """Give the nearest of `most + 1` steps that lead from a first to a last day, for each day.

    Where first and last are one day, that day is the step in the middle.
    """
    span = last - first
    if not span:
        return [most // 2 for _ in ordinals]
    slope, whole = 2 * most, 2 * span
    rest = span - slope * first  # a half, to round to the nearest
    return [(slope * day + rest) // whole for day in ordinals]


def heights(values: Iterable[_Number], least: _Number, greatest: _Number, height: int) -> list[int]:
    """Give how far below the top of a plot of some height each value lies, in units."""
    span = greatest - least
    if not span:
        return [height // 2 for _ in values]
    return [round((greatest - value) / span * height) for value in values]
