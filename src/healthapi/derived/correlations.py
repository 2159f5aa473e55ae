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

from healthapi.catalog_keys import CORRELATIONS, METRICS, Metric
from healthapi.derived.means import rounded
from healthapi.rows.measured import together
from healthapi.rows.records import DailyRow, Rows

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
_LEAST_SQUARES: Final = 1e-6
"""The least variance, in squares of the mean, beside which the rest is no digit of a double: that
is at most some 2**-53 of the mean for each value."""
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
    across, up = _Spread(xs), _Spread(ys)
    covariance = fsum(map(mul, across.distances, up.distances)) - across.rest * up.rest / count
    variances = across.squares * up.squares
    if variances < _LEAST_VARIANCES:
        return None
    return max(-1.0, min(covariance / sqrt(variances), 1.0))


def _constant(values: Sequence[float]) -> bool:
    first = values[0]
    return values[-1] == first and values.count(first) == len(values)


class _Spread:
    """The distances of values from their mean, or from a double next to it.

    They sum to nearly 0; what remains is taken out of the products, where it can be seen in them.
    """

    def __init__(self, values: Sequence[float]) -> None:
        centre = fsum(values) / len(values)
        self.distances = [value - centre for value in values]
        self.squares = fsum(map(mul, self.distances, self.distances))
        self.rest = 0.0
        if self.squares <= centre * centre * _LEAST_SQUARES * len(values):
            self.rest = fsum(self.distances)
            self.squares -= self.rest**2 / len(values)


def _correlation(daily: Rows[DailyRow], one: Metric, other: Metric) -> Correlation:
    xs, ys = together(daily.measured(one.key), daily.measured(other.key))
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
