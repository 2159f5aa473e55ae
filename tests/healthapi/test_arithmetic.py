"""The arithmetic of columns."""

import pytest

from healthapi.derived.arithmetic import (
    mean,
    round_to_integers,
    round_to_tenths,
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


class TestTenths:
    @pytest.mark.parametrize(
        ("value", "rounded"),
        [(7.25, 7.2), (7.35, 7.3), (7.75, 7.8), (0.05, 0.1), (78.449, 78.4), (8398.0, 8398.0)],
    )
    def test_halves_are_those_of_the_binary_number(self, value: float, rounded: float) -> None:
        assert (
            round_to_tenths([value, -value]) == [round(value, 1), -rounded] == [rounded, -rounded]
        )

    @pytest.mark.parametrize("value", [1e8 + 0.25, 12345678901.25, 2.0**53, 1e300])
    def test_large_numbers_are_rounded_too(self, value: float) -> None:
        assert round_to_tenths([value, -value]) == [round(value, 1), round(-value, 1)]

    @pytest.mark.parametrize("value", [-0.0, -0.04, -0.05, -1e-300])
    def test_there_is_no_minus_zero(self, value: float) -> None:
        assert str(round_to_tenths([value])) in ("[0.0]", "[-0.1]")
        assert str(round_to_tenths([value / 2])) == "[0.0]"

    def test_they_are_floats(self) -> None:
        assert str(round_to_tenths([8, 2**60])) == "[8.0, 1.152921504606847e+18]"


class TestWholes:
    @pytest.mark.parametrize("value", [0.5, 1.5, 2.5, 0.49999999999999994, 7.7, 1e9, 1e9 + 0.5])
    def test_halves_go_to_the_even_side(self, value: float) -> None:
        assert round_to_integers([value, -value]) == [float(round(value)), float(round(-value))]

    @pytest.mark.parametrize("value", [2.0**53, 1e300, -(2.0**52) + 0.5])
    def test_large_numbers_are_rounded_too(self, value: float) -> None:
        assert round_to_integers([value]) == [float(round(value))]

    def test_there_is_no_minus_zero(self) -> None:
        assert str(round_to_integers([-0.0, -0.4, 3])) == "[0.0, 0.0, 3.0]"
