"""The arithmetic of columns."""

import pytest

from healthapi.derived.statistics import (
    mean,
    rounded,
)


class TestMean:
    def test_none_of_nothing(self) -> None:
        assert mean([]) is None

    def test_the_sum_is_rounded_once(self) -> None:
        """One after the other these sum to 0.9999999999999999."""
        assert mean([0.1] * 10) == 0.1

    def test_small_values_next_to_large_ones_count(self) -> None:
        assert mean([2**53, 1.0, -(2**53), 1.0]) == 0.5


class TestRounded:
    @pytest.mark.parametrize(
        ("value", "shown"),
        [
            (0.25, 0.2),  # a tie in binary too: half to even
            (0.75, 0.8),
            (2.35, 2.4),  # 2.35000000000000008882
            (1.15, 1.1),  # 1.14999999999999991118
            (82.349, 82.3),
        ],
    )
    def test_it_is_half_to_even_on_the_binary_value(self, value: float, shown: float) -> None:
        assert rounded(value) == shown

    def test_integers_stay_integers(self) -> None:
        assert repr(rounded(8398)) == "8398"
        assert repr(rounded(8398.0)) == "8398.0"

    def test_there_is_no_minus_zero(self) -> None:
        assert repr(rounded(-0.04)) == "0.0"

    def test_none_stays_none(self) -> None:
        assert rounded(None) is None

    def test_the_number_of_digits_is_an_argument(self) -> None:
        assert rounded(0.12345, 3) == 0.123
