"""Values that are kept as they are: what is JSON and what is not."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purewire.json import codec
from purewire.json.plain_values import DEPTH_MOST, fault_in
from support.checks.costs import assert_linear

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)


def nested(depth: int, value: object = None) -> object:
    for level in range(depth):
        value = [value] if level % 2 else {"": value}
    return value


class TestFaultIn:
    @given(VALUES)
    def test_json_has_none(self, value: object) -> None:
        assert fault_in(value) is None

    @pytest.mark.parametrize(
        ("value", "rule"),
        [
            (math.nan, "number.finite"),
            (math.inf, "number.finite"),
            (-math.inf, "number.finite"),
            (10**400, "number.finite"),
            (-(10**400), "number.finite"),
            ("\ud800", "text.surrogate"),
            (b"", "type"),
            ((), "type"),
            ({1}, "type"),
            (object(), "type"),
            (1j, "type"),
        ],
    )
    @pytest.mark.parametrize("depth", [0, 1, 2, DEPTH_MOST])
    def test_what_is_no_json_is_found_at_any_depth(
        self, value: object, rule: str, depth: int
    ) -> None:
        assert fault_in(nested(depth, value)) == rule

    @pytest.mark.parametrize(
        ("name", "rule"),
        [(1, "type"), (None, "type"), (b"a", "type"), ("a\udfff", "text.surrogate")],
    )
    def test_names_are_text(self, name: object, rule: str) -> None:
        assert fault_in({name: 1}) == rule
        assert fault_in([{"a": {name: 1}}]) == rule

    @pytest.mark.parametrize("number", [10**400 - 1, 1 - 10**400, 1e308, True])
    def test_large_numbers_that_a_text_can_hold(self, number: float) -> None:
        assert fault_in(number) is None

    def test_the_first_rule_of_the_outermost_part_counts(self) -> None:
        assert fault_in([[math.nan], b""]) == "type"


class TestDepth:
    """Invariants *any value* and *writable*."""

    def test_the_limit_is_included(self) -> None:
        assert fault_in(nested(DEPTH_MOST)) is None
        assert fault_in(nested(DEPTH_MOST + 1)) == "json.depth"

    def test_an_empty_list_counts(self) -> None:
        assert fault_in(nested(DEPTH_MOST, [])) is None
        assert fault_in(nested(DEPTH_MOST, [[]])) == "json.depth"

    def test_what_is_not_too_deep_is_written_and_read(self) -> None:
        value = nested(DEPTH_MOST)
        assert codec.decode(codec.encode(value)) == value
        assert json.loads(json.dumps(value)) == value

    def test_a_value_inside_itself_is_too_deep(self) -> None:
        looped: dict[str, Any] = {}
        looped["a"] = [looped]
        assert fault_in(looped) == "json.depth"

    def test_what_is_held_twice_is_judged_once(self) -> None:
        """Two to the hundredth parts, if each were looked at."""
        value: list[Any] = [1]
        for _ in range(100):
            value = [value, value]
        assert fault_in(value) is None

    def test_the_cost_is_linear(self) -> None:
        assert_linear(fault_in, lambda size: [{"a": n} for n in range(size)], 20_000)
