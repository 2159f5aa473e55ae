"""Compute Pearson correlations of pairs of metrics.

Invariant *from -1 to 1*: for any finite values a coefficient is a finite number in that range or
None, and it is the same for the pair in either order.

Contract: HA-CORRELATION-01 to 07.
"""

from collections.abc import Sequence
from statistics import StatisticsError, correlation
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
    """Return Pearson's coefficient; None for fewer than 3 pairs, or if either side is constant.

    Differences of which doubles cannot hold the squares count as none.
    """
    if len(xs) < _MIN_POINTS:
        return None
    try:
        found = correlation(_centred(xs), _centred(ys))
    except StatisticsError:
        return None
    return max(-1.0, min(found, 1.0))


def _centred(values: Sequence[float]) -> list[float]:
    """Return the distances from the middle of the range: the mean of large values is inexact."""
    middle = (min(values) + max(values)) / 2
    return [value - middle for value in values]


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
