"""Compute Pearson correlations of pairs of metrics.

Invariant *from -1 to 1*: for any finite values a coefficient is a finite number in that range or
None, and it is the same for the pair in either order.

Contract: HA-CORRELATION-01 to 07.
"""

from collections.abc import Sequence
from math import fsum, sqrt
from operator import mul
from typing import Final, Literal

import attrs

from healthapi.catalog_keys import CORRELATIONS, METRICS, Metric
from healthapi.derived.arithmetic import rounded
from healthapi.rows.records import DailyRow, Rows, paired_numbers

Strength = Literal["strong", "moderate", "weak", "none", "not_enough_data"]

STRENGTHS: Final[dict[Strength, str]] = {
    "strong": "strong",
    "moderate": "moderate",
    "weak": "weak",
    "none": "close to none",
    "not_enough_data": "not enough data",
}
"""Key of a strength to its label."""

_THRESHOLDS: Final[tuple[tuple[float, Strength], ...]] = (
    (0.7, "strong"),
    (0.4, "moderate"),
    (0.2, "weak"),
)
"""Least absolute value of a coefficient, before rounding, for each strength."""
_MIN_POINTS: Final = 3
_DECIMALS: Final = 3
_MIN_SQUARES: Final = 1e-6
"""Least variance, relative to the squared mean, for which the sum of the distances is negligible:
that sum is at most about 2**-53 of the mean for each value."""
_MIN_VARIANCES: Final = 2.0**-800
"""Least product of both sums of squares.  Below it doubles lose precision; measured values never
differ by so little."""


@attrs.frozen(repr=False)
class Correlation:
    """Pearson's correlation of two metrics of the same day.

    Attributes:
        key: Keys of the two metrics: `sleep_score-hrv`.
        label: Names of the two metrics.
        points: Number of days on which both have a value.
        coefficient: -1 to 1, three decimals; None for fewer than 3 points, or if either metric is
            constant.
        strength: Strength of the correlation, whatever its sign.

    """

    key: str
    label: str
    points: int
    coefficient: float | None
    strength: Strength
    strength_label: str

    def __repr__(self) -> str:
        shown = "" if self.coefficient is None else f"{self.coefficient:+} "
        return f"<Correlation {self.label}: {shown}({self.strength_label}), {self.points} points>"


def build_correlations(daily: Rows[DailyRow]) -> tuple[Correlation, ...]:
    """Return the three correlations in their order, whether or not there are data."""
    return tuple(_correlation(daily, METRICS[one], METRICS[other]) for one, other in CORRELATIONS)


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Pearson's coefficient; None for fewer than 3 pairs, or if either side is constant."""
    count = len(xs)
    if count < _MIN_POINTS or _constant(xs) or _constant(ys):
        return None
    across, up = _Spread(xs), _Spread(ys)
    covariance = fsum(map(mul, across.distances, up.distances)) - across.rest * up.rest / count
    variances = across.squares * up.squares
    if variances < _MIN_VARIANCES:
        return None
    return max(-1.0, min(covariance / sqrt(variances), 1.0))


def _constant(values: Sequence[float]) -> bool:
    first = values[0]
    return values[-1] == first and values.count(first) == len(values)


class _Spread:
    """The distances of values from their mean, or from a double next to it.

    Their sum is nearly 0.  The rest is subtracted from the products if it is not negligible.
    """

    def __init__(self, values: Sequence[float]) -> None:
        centre = fsum(values) / len(values)
        self.distances = [value - centre for value in values]
        self.squares = fsum(map(mul, self.distances, self.distances))
        self.rest = 0.0
        if self.squares <= centre * centre * _MIN_SQUARES * len(values):
            self.rest = fsum(self.distances)
            self.squares -= self.rest**2 / len(values)


def _correlation(daily: Rows[DailyRow], one: Metric, other: Metric) -> Correlation:
    xs, ys = paired_numbers(daily.numbers(one.key), daily.numbers(other.key))
    coefficient = pearson(xs, ys)
    strength = _strength(coefficient)
    return Correlation(
        key=f"{one.key}-{other.key}",
        label=f"{one.label} and {other.label.lower()}",
        points=len(xs),
        coefficient=rounded(coefficient, _DECIMALS),
        strength=strength,
        strength_label=STRENGTHS[strength],
    )


def _strength(coefficient: float | None) -> Strength:
    if coefficient is None:
        return "not_enough_data"
    return next((key for least, key in _THRESHOLDS if abs(coefficient) >= least), "none")
