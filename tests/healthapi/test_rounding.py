"""One decimal, as the built-in rounding gives it."""

import pytest

from healthapi.rows.rounding import tenths


class TestTenths:
    @pytest.mark.parametrize(
        ("value", "rounded"),
        [(7.25, 7.2), (7.35, 7.3), (7.75, 7.8), (0.05, 0.1), (78.449, 78.4), (8398.0, 8398.0)],
    )
    def test_halves_are_those_of_the_binary_number(self, value: float, rounded: float) -> None:
        assert tenths(value) == round(value, 1) == rounded
        assert tenths(-value) == -rounded

    @pytest.mark.parametrize("value", [1e8 + 0.25, 12345678901.25, 2.0**53, 1e300])
    def test_large_numbers_are_rounded_too(self, value: float) -> None:
        assert tenths(value) == round(value, 1)

    @pytest.mark.parametrize("value", [-0.0, -0.04, -1e-300])
    def test_there_is_no_minus_zero(self, value: float) -> None:
        assert str(tenths(value)) == "0.0"

    def test_it_is_a_float(self) -> None:
        assert str(tenths(8)) == "8.0"
