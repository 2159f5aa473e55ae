"""Columns of one px: where an interval lies among them, and runs of columns that show the same.

Invariant *never unseen*: an interval has one column at least, however short it is.
Invariant *bounded*: a lane has as many columns as px, however many intervals it has.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, TypeVar

from devicestatus.engine.intervals import Interval
from devicestatus.rendering.layout import Layout

__all__ = ["columns_of", "runs"]

V = TypeVar("V")


def columns_of(interval: Interval[Any], place: Layout) -> range:
    """Give the columns in which an interval lies."""
    left = min(place.x(interval.start), place.right - 1)
    return range(left, max(place.x(interval.end), left + 1))


def runs(columns: Mapping[int, V]) -> Iterator[tuple[range, V]]:
    """Give neighbouring columns that show the same, in one; the columns must ascend."""
    places = enumerate(columns.items())
    for _, run in groupby(places, key=lambda each: (each[1][0] - each[0], each[1][1])):
        (_, (first, value)), *others = run
        yield range(first, first + 1 + len(others)), value
