"""Absent members, canonical numbers, and the arguments that functions accept as bytes."""

import math
from typing import assert_type

import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.primitives import ABSENT, Absent, is_finite, is_octets, to_bytes
from status_contracts.structuring.fast_decoder import canonical

finite = st.integers() | st.floats(allow_nan=False, allow_infinity=False)


class TestAbsent:
    def test_it_is_false(self) -> None:
        assert not ABSENT

    def test_it_shows_its_name_only(self) -> None:
        assert repr(ABSENT) == "ABSENT"

    def test_type_checkers_narrow_by_identity(self) -> None:
        def narrowed(value: str | Absent | None) -> str | None:
            if value is ABSENT:
                return "absent"
            assert_type(value, str | None)
            return value

        assert [narrowed(ABSENT), narrowed(None), narrowed("")] == ["absent", None, ""]


class TestCanonical:
    @pytest.mark.parametrize(
        ("number", "held"), [(50.0, "50"), (-0.0, "0"), (1e16, "10000000000000000"), (0.5, "0.5")]
    )
    def test_an_integral_value_is_held_as_int(self, number: float, held: str) -> None:
        assert repr(canonical(number)) == held

    @given(finite)
    def test_the_value_is_the_same(self, number: float) -> None:
        assert canonical(number) == number


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


class TestToBytes:
    @pytest.mark.parametrize("value", [b"ab", bytearray(b"ab"), memoryview(b"ab")])
    def test_bytes_of_any_type_are_taken(self, value: bytes) -> None:
        assert to_bytes(value) == b"ab"
        assert type(to_bytes(value)) is bytes

    def test_text_needs_an_encoding(self) -> None:
        with pytest.raises(TypeError, match="bytes are needed, not str: encode the text as UTF-8"):
            to_bytes("ab")

    @pytest.mark.parametrize("value", [5, None, [1, 2], {"a": 1}])
    def test_nothing_else_is_taken(self, value: object) -> None:
        """Python would make five zero bytes of 5."""
        with pytest.raises(TypeError, match=f"bytes are needed, not {type(value).__name__}$"):
            to_bytes(value)


class TestIsOctets:
    def test_other_values_are_not_bytes(self) -> None:
        assert is_octets(b"")
        assert not is_octets({})
