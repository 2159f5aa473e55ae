"""Compute the usual range of a metric, how long it has been outside, and the scale of its lane.

These are statistics of one person's own values.  They are no norm, no diagnosis and no advice.

Values are compared as they are shown: rounded to `Metric.decimals`.

Invariant *values, not days*: a range is formed of the last measured values, however old they are;
a day without a value is neither inside nor outside.
Invariant *only what is known*: too few values have no range, and a day without a value ends a run.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import quantiles
from typing import Final, Literal

import attrs

from purewire.svg.labels import format_number

RANGE_VALUES: Final = 90
"""Values of a usual range: the last so many."""
LEAST_VALUES: Final = 30
"""Fewer values have no usual range."""
GROWING: Final = frozenset({"steps", "active_minutes", "active_zone_minutes", "calories_out"})
"""Metrics that grow during a day; their value of a day that is not over is not compared."""

_TENTHS: Final = 10
_CUT_WIDTHS: Final = 1.5

Side = Literal["below", "above"]


@attrs.frozen
class Range:
    """Two values, `low` at most `high`."""

    low: float
    high: float

    @property
    def text(self) -> str:
        """The range as text, with one number of decimals: `36.2 to 48.0`."""
        ends = [format_number(end) for end in (self.low, self.high)]
        if any("." in end for end in ends):
            ends = [end if "." in end else f"{end}.0" for end in ends]
        return " to ".join(ends)

    def side(self, value: float) -> Side | None:
        """Return on which side of the range a value is; None for one within, ends included."""
        if value < self.low:
            return "below"
        return "above" if value > self.high else None


def find_range(values: Sequence[float], decimals: int = 1) -> Range | None:
    """Return the usual range: the 10th to the 90th percentile of the last `RANGE_VALUES` values.

    Percentiles are interpolated linearly between values and rounded to `decimals`, as the values
    are.  Fewer than `LEAST_VALUES` values have no range.
    """
    recent = values[-RANGE_VALUES:]
    return _middle(recent, decimals) if len(recent) >= LEAST_VALUES else None


def _middle(values: Sequence[float], decimals: int) -> Range:
    # Rounding also removes the error of interpolating between two equal values.
    first, *_, last = quantiles(values, n=_TENTHS, method="inclusive")
    return Range(round(first, decimals), round(last, decimals))


def count_days_outside(
    days: Sequence[int], values: Sequence[float], usual: Range
) -> tuple[Side | None, int]:
    """Return the side of the range on which the last value is, and for how many days.

    Args:
        days: ordinals of the days of the values, ascending.
        values: one for each day.
        usual: the range; a last value within it gives None and 0.

    The days follow each other without a day between them that has no value.

    """
    side = usual.side(values[-1]) if values else None
    if side is None:
        return None, 0
    count = 1
    backwards = zip(pairwise(reversed(days)), reversed(values[:-1]), strict=True)
    for (later, day), value in backwards:
        if later - day > 1 or usual.side(value) != side:
            break
        count += 1
    return side, count


def find_scale(
    values: Sequence[float], usual: Range | None = None, decimals: int = 1
) -> Range | None:
    """Return the ends of a lane that shows values and a usual range; None without any value.

    A value is cut where it lies farther outside the 10th to the 90th percentile of the shown
    values than one and a half times the distance of these.  The ends are the least and the
    greatest value that is not cut, and those of the usual range.  Values that are mostly equal
    are never cut.
    """
    if not values:
        return None
    inner = list(values)
    if len(inner) > 1 and (middle := _middle(inner, decimals)).high > middle.low:
        reach = _CUT_WIDTHS * (middle.high - middle.low)
        inner = [each for each in inner if middle.low - reach <= each <= middle.high + reach]
    if usual is not None:
        inner += (usual.low, usual.high)
    return Range(min(inner), max(inner))
