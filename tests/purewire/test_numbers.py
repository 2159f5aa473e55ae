"""Invariant *canonical numbers*: one number, one serialization."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purewire.numbers import canonical, is_finite, is_integral

finite = st.integers() | st.floats(allow_nan=False, allow_infinity=False)


class TestCanonical:
    @pytest.mark.parametrize(
        ("number", "held"),
        [
            (50.0, "50"),
            (50, "50"),
            (-0.0, "0"),
            (0, "0"),
            (1e16, "10000000000000000"),
            (0.5, "0.5"),
            (5e-324, "5e-324"),
            (-1.0, "-1"),
        ],
    )
    def test_an_integral_value_is_held_as_int(self, number: float, held: str) -> None:
        assert repr(canonical(number)) == held

    @pytest.mark.parametrize("number", [math.inf, -math.inf])
    def test_an_infinity_stays_what_it_is(self, number: float) -> None:
        assert canonical(number) == number

    def test_not_a_number_stays_what_it_is(self) -> None:
        assert math.isnan(canonical(math.nan))

    @given(finite)
    def test_the_value_is_the_same(self, number: float) -> None:
        assert canonical(number) == number

    @given(finite)
    def test_it_is_idempotent(self, number: float) -> None:
        assert repr(canonical(canonical(number))) == repr(canonical(number))

    @given(finite, finite)
    def test_equal_numbers_have_one_spelling(self, one: float, other: float) -> None:
        assert (one == other) == (repr(canonical(one)) == repr(canonical(other)))


class TestIntegral:
    @pytest.mark.parametrize("number", [0, 1, -1, 10**400, 1.0, -0.0, 1e300])
    def test_it_is(self, number: float) -> None:
        assert is_integral(number)

    @pytest.mark.parametrize("number", [0.5, 1e-300, math.inf, -math.inf, math.nan])
    def test_it_is_not(self, number: float) -> None:
        assert not is_integral(number)

    @given(finite)
    def test_it_agrees_with_the_canonical_form(self, number: float) -> None:
        assert is_integral(number) == isinstance(canonical(number), int)


class TestIsFinite:
    @pytest.mark.parametrize("number", [0, -0.0, 1e308, 10**308, -(10**308), 2**1024 - 1])
    def test_it_is(self, number: float) -> None:
        assert is_finite(number)

    @pytest.mark.parametrize(
        "number", [math.inf, -math.inf, math.nan, 2**1024, -(2**1024), 10**400], ids=repr
    )
    def test_it_is_not(self, number: float) -> None:
        """An integer that no double is near counts as infinite."""
        assert not is_finite(number)

    @given(st.floats())
    def test_of_floats_it_is_the_usual_notion(self, number: float) -> None:
        assert is_finite(number) == math.isfinite(number)
