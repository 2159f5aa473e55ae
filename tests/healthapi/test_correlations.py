"""The correlations, number by number."""

from collections.abc import Sequence

import pytest

from healthapi.derived.statistics import Correlation, build_correlations, pearson
from healthapi.rows.rows import Cell
from support.healthapi.daily_rows import daily_of

RANKS = [1, 2, 3, 4, 5]


def sleep_and_hrv(scores: Sequence[Cell], hrv: Sequence[Cell]) -> Correlation:
    """Return the correlation of sleep score and heart rate variability."""
    return build_correlations(daily_of(sleep_score=scores, hrv=hrv))[0]


@pytest.mark.rule("HA-CORRELATION-07")
class TestCorrelations:
    @pytest.mark.parametrize(
        ("hrv", "coefficient", "strength", "words"),
        [
            ([1, 2, 3, 4, 5], 1.0, "strong", "strong"),
            ([2, 3, 1, 4, 5], 0.7, "strong", "strong"),
            ([3, 2, 1, 5, 4], 0.5, "moderate", "moderate"),
            ([2, 3, 4, 1, 5], 0.4, "moderate", "moderate"),
            ([2, 4, 3, 1, 5], 0.3, "weak", "weak"),
            ([3, 4, 1, 2, 5], 0.2, "weak", "weak"),
            ([4, 2, 3, 1, 5], 0.1, "none", "close to none"),
            ([4, 2, 1, 3, 5], 0.3, "weak", "weak"),
            ([4, 3, 2, 5, 1], -0.4, "moderate", "moderate"),
            ([4, 3, 5, 2, 1], -0.7, "strong", "strong"),
        ],
    )
    def test_the_coefficient_of_ranks(
        self, hrv: Sequence[Cell], coefficient: float, strength: str, words: str
    ) -> None:
        """Of n = 5 ranks it is 1 - (sum of the squared differences) / 20."""
        found = sleep_and_hrv(RANKS, hrv)
        assert found.coefficient == coefficient
        assert (found.strength, found.strength_label) == (strength, words)

    def test_the_strength_is_of_the_coefficient_before_it_is_rounded(self) -> None:
        """27984 / sqrt(4 * 399980164) is 0.69962."""
        found = sleep_and_hrv([-1, 1, -1, 1], [-14141, -149, 149, 14141])
        assert (found.coefficient, found.strength) == (0.7, "moderate")


class TestPearson:
    def test_a_metric_that_never_changes_has_none(self) -> None:
        """The mean of five times 0.1 may be another double than 0.1."""
        assert pearson([0.1] * 5, RANKS) is pearson(RANKS, [80.1] * 5) is None

    def test_neighbouring_doubles_are_distinct(self) -> None:
        assert pearson([0.1, 0.1, 0.1, 0.10000000000000002], [5, 5, 5, 6]) == 1.0

    def test_differences_too_small_for_doubles_are_none(self) -> None:
        assert pearson([0.0, 5e-324, 1e-323], [1, 2, 3]) is None
        assert pearson([0.0, 1e-200, 2e-200], [1, 2, 3]) is None
