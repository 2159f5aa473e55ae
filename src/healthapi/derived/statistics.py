"""Means and rounding, correlations of pairs of metrics, and usual ranges of one metric.

Rounding is Python's: of binary floats, half to even.  Usual ranges are of one person's own values,
compared as they are shown (rounded to `Metric.decimals`): no norm, no diagnosis and no advice.

Invariant *one last digit*: a sum is rounded once, so that it depends neither on the order of its
terms nor on the version of the interpreter.
Invariant *no minus zero*: a result that is rounded to zero is 0, never -0.0.
Invariant *from -1 to 1*: for any finite values a coefficient is a finite number in that range or
None, and it is the same for the pair in either order.
Invariant *values, not days*: a range is that of the last measured values, however old they are;
a day without a value is neither inside nor outside.
Invariant *only what is known*: too few values have no range, and a day without a value ends a run.
"""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise, takewhile
from math import fsum, sqrt
from operator import mul
from statistics import fmean, quantiles
from typing import Final, Literal

import attrs

from healthapi.keys import CORRELATIONS, METRICS, Metric
from healthapi.models import ActivityRow, DailyRow
from healthapi.rows.rows import Rows, is_number


def mean(values: Sequence[float]) -> float | None:
    """Return the arithmetic mean; None if there are no values."""
    return fmean(values) if values else None


def rounded(value: float | None, digits: int = 1) -> float | None:
    """Round a binary float to decimal digits, half to even; integers and None are unchanged."""
    return None if value is None else round(value, digits) + 0


Strength = Literal["strong", "moderate", "weak", "none", "not_enough_data"]

STRENGTHS: Final[dict[Strength, str]] = {
    "strong": "strong",
    "moderate": "moderate",
    "weak": "weak",
    "none": "close to none",
    "not_enough_data": "not enough data",
}
"""Key of a strength to its label."""

STRENGTH_THRESHOLDS: Final[dict[Strength, float]] = {"strong": 0.7, "moderate": 0.4, "weak": 0.2}
"""Least absolute value of a coefficient, before rounding, for each strength."""
_MIN_POINTS: Final = 3
_DECIMALS: Final = 3


@attrs.frozen
class Correlation:
    """Pearson's correlation of two metrics of the same day.

    Attributes:
        key: Keys of the two metrics: `sleep_score-hrv`.
        label: Names of the two metrics.
        points: Number of days on which both have a value.
        coefficient: -1 to 1, three decimals; None for fewer than 3 points, or if either metric is
            constant.

    """

    key: str
    label: str
    points: int
    coefficient: float | None
    strength: Strength
    strength_label: str


def build_correlations(daily: Rows[DailyRow]) -> tuple[Correlation, ...]:
    """Return the three correlations in their order, whether or not there are data."""
    return tuple(_correlation(daily, METRICS[one], METRICS[other]) for one, other in CORRELATIONS)


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Pearson's coefficient; None for fewer than 3 pairs, or if either side is constant.

    Differences of which doubles cannot hold the squares count as none.
    """
    if len(xs) < _MIN_POINTS:
        return None
    xs, ys = _centred(xs), _centred(ys)
    square = _product(xs, xs) * _product(ys, ys)
    return max(-1.0, min(_product(xs, ys) / sqrt(square), 1.0)) if square else None


def _centred(values: Sequence[float]) -> list[float]:
    """Return the distances from the mean, found from the middle as large sums are inexact."""
    middle = (min(values) + max(values)) / 2
    distances = [value - middle for value in values]
    offset = fsum(distances) / len(distances)
    return [distance - offset for distance in distances]


def _product(xs: Sequence[float], ys: Sequence[float]) -> float:
    return fsum(map(mul, xs, ys))


def _correlation(daily: Rows[DailyRow], one: Metric, other: Metric) -> Correlation:
    days = zip(daily.cells[one.key], daily.cells[other.key], strict=True)
    pairs = [(x, y) for x, y in days if is_number(x) and is_number(y)]
    coefficient = pearson([x for x, _ in pairs], [y for _, y in pairs])
    strength: Strength = "not_enough_data"
    if coefficient is not None:
        least_values = STRENGTH_THRESHOLDS.items()
        strength = next((key for key, least in least_values if abs(coefficient) >= least), "none")
    return Correlation(
        key=f"{one.key}-{other.key}",
        label=f"{one.label} and {other.label.lower()}",
        points=len(pairs),
        coefficient=rounded(coefficient, _DECIMALS),
        strength=strength,
        strength_label=STRENGTHS[strength],
    )


RANGE_VALUES: Final = 90
"""Values of a usual range: the last so many."""
LEAST_VALUES: Final = 30
"""Fewer values have no usual range."""
GROWING: Final = frozenset(METRICS.keys() & attrs.fields_dict(ActivityRow).keys())
"""Metrics that grow during a day; their value of a day that is not over is not compared."""

Side = Literal["below", "above"]


@attrs.frozen
class Range:
    """Two values, `low` at most `high`."""

    low: float
    high: float

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
    first, *_, last = quantiles(values, n=10, method="inclusive")
    return Range(round(first, decimals), round(last, decimals))


def count_days_outside(
    days: Sequence[date], values: Sequence[float], usual: Range
) -> tuple[Side | None, int]:
    """Return the side of the range on which the last value is, and for how many days.

    `days` are those of the values, ascending; a day between them that has no value ends the run.
    A last value within the range gives None and 0.
    """
    side = usual.side(values[-1]) if values else None
    if side is None:
        return None, 0
    backwards = zip(pairwise(reversed(days)), reversed(values[:-1]), strict=True)
    goes_on = (
        (later - day).days <= 1 and usual.side(value) == side for (later, day), value in backwards
    )
    return side, 1 + sum(takewhile(bool, goes_on))


def find_scale(values: Sequence[float], usual: Range | None = None) -> Range:
    """Return the ends of a lane that shows values, of which there is one, and a usual range.

    Of at least `LEAST_VALUES` those are cut that lie farther outside their 10th to 90th percentile
    than one and a half times the distance of these, if all others would else have less than two
    thirds of the lane.  The ends are the least and the greatest value that is not cut, and those
    of the usual range.  Values that are mostly equal are never cut.
    """
    inner = list(values)
    if len(inner) >= LEAST_VALUES and (middle := _middle(inner, 2)).high > middle.low:
        reach = 1.5 * (middle.high - middle.low)
        kept = [value for value in inner if middle.low - reach <= value <= middle.high + reach]
        is_flat = 3 * (max(kept) - min(kept)) < 2 * (max(inner) - min(inner))
        inner = kept if is_flat else inner
    if usual is not None:
        inner += (usual.low, usual.high)
    return Range(min(inner), max(inner))
