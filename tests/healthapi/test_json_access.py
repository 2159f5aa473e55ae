import math
from typing import Any

import pytest

from healthapi import snapshot


class TestNumber:
    """Invariant *one coercion only*: only a number may be written as text."""

    @pytest.mark.parametrize(
        ("value", "number"),
        [
            *((7, "7"), (70.5, "70.5"), ("70.5", "70.5"), (" 7e1 ", "70"), ("-.5", "-0.5")),
            *((70.0, "70"), ("70.0", "70"), (-0.0, "0"), ("-0", "0"), (-(2**53), str(-(2**53)))),
        ],
    )
    def test_numbers_are_canonical_and_may_be_written_as_text(
        self, value: object, number: str
    ) -> None:
        assert repr(snapshot.number(value)) == number

    @pytest.mark.parametrize(
        "value", [math.inf, -math.inf, math.nan, 2**53 + 1, 1e300, 10**400, "1e999", "9" * 5000]
    )
    def test_numbers_beyond_the_limit_are_none(self, value: object) -> None:
        assert snapshot.number(value) is None

    @pytest.mark.parametrize(("value", "integer"), [(2.5, 2), (3.5, 4), ("465.0", 465), (-0.4, 0)])
    def test_integers_are_rounded_half_to_even(self, value: object, integer: int) -> None:
        assert snapshot.integer(value) == integer


class TestFirstNumber:
    def test_the_first_path_that_leads_to_a_number_counts(self) -> None:
        paths = ("goals", "steps"), ("goal", "steps"), ("steps",)
        assert snapshot.first_number({"goal": {"steps": "7"}, "steps": 8}, *paths) == 7
        assert snapshot.first_number({"goals": {"steps": None}, "steps": 8}, *paths) == 8
        assert snapshot.first_number({"goals": 5}, *paths) is None


class TestAnyNumber:
    def test_the_first_in_the_order_of_the_text_counts(self) -> None:
        assert snapshot.any_number({"a": {"b": ["9", True, None, [1.5]]}, "c": 2}) == 1.5

    def test_without_any_there_is_none(self) -> None:
        assert snapshot.any_number({"a": ["9", {}], "b": math.inf}) is None

    def test_depth_does_not_matter(self) -> None:
        value: Any = 7
        for _ in range(10_000):
            value = [value]
        assert snapshot.any_number(value) == 7
        while isinstance(value, list):  # so that freeing it needs no deep recursion either
            (value,) = value
