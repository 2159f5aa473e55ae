"""How pairs of metrics go together, day by day.

Source: health facts, section 9; health-data rulings on correlations.

Invariant *from -1 to 1*: a coefficient is a finite number in that range or None, whatever finite
values it is made of, and the same for the pair in either order.
"""

from collections.abc import Sequence
from math import fsum, sqrt
from operator import mul
from typing import Final, Literal

import attrs

from healthapi.figures.means import paired, rounded
from healthapi.rows.records import DailyRow, Rows
from healthapi.vocabulary import CORRELATIONS, METRICS, Metric

__all__ = ["STRENGTHS", "Correlation", "Strength", "correlations", "pearson"]

Strength = Literal["strong", "moderate", "weak", "none", "not_enough_data"]

STRENGTHS: Final[dict[Strength, str]] = {
    "strong": "strong",
    "moderate": "moderate",
    "weak": "weak",
    "none": "close to none",
    "not_enough_data": "not enough data",
}
"""Key of a strength to the strength in words."""

_LEAST: Final[tuple[tuple[float, Strength], ...]] = (
    (0.7, "strong"),
    (0.4, "moderate"),
    (0.2, "weak"),
)
"""The least size of a coefficient, before it is rounded, for each strength."""
_LEAST_POINTS: Final = 3
_DECIMALS: Final = 3
_LEAST_VARIANCES: Final = 2.0**-800
"""The least product of both sums of squares: below it doubles lose their digits, and nothing that
is measured differs by so little."""


@attrs.frozen(repr=False)
class Correlation:
    """Pearson's correlation of two metrics of the same day.

    Attributes:
        key: the keys of the two metrics: `sleep_score-hrv`.
        label: the two metrics in words.
        points: days on which both have a value.
        coefficient: -1 to 1, three decimals; None for fewer than 3 points, or where either metric
            never changes.
        strength: how strong it is, of either sign.
        strength_label: the strength in words.

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


def correlations(daily: Rows[DailyRow]) -> tuple[Correlation, ...]:
    """Give the three correlations in their order, whatever the data."""
    return tuple(_correlation(daily, METRICS[one], METRICS[other]) for one, other in CORRELATIONS)


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Give Pearson's coefficient of values that belong together.

    None for fewer than 3 of them, or where either side is all one value.
    """
    count = len(xs)
    if count < _LEAST_POINTS or _constant(xs) or _constant(ys):
        return None
    across, up = _distances(xs), _distances(ys)
    # The distances sum to nearly 0; what remains is taken out of the products.
    rest_across, rest_up = fsum(across), fsum(up)
    covariance = fsum(map(mul, across, up)) - rest_across * rest_up / count
    variances = (fsum(map(mul, across, across)) - rest_across**2 / count) * (
        fsum(map(mul, up, up)) - rest_up**2 / count
    )
    if variances < _LEAST_VARIANCES:
        return None
    return max(-1.0, min(covariance / sqrt(variances), 1.0))


def _constant(values: Sequence[float]) -> bool:
    return values.count(values[0]) == len(values)


def _distances(values: Sequence[float]) -> list[float]:
    """Give the distances from the mean, or from a double next to it."""
    centre = fsum(values) / len(values)
    return [value - centre for value in values]


def _correlation(daily: Rows[DailyRow], one: Metric, other: Metric) -> Correlation:
    xs, ys = paired(daily.columns[one.key], daily.columns[other.key])
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
    return next((key for least, key in _LEAST if abs(coefficient) >= least), "none")
