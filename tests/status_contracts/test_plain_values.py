"""Values that are kept as they are: what is JSON and what is not."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts import json_text
from status_contracts.json_text import MAX_DEPTH, broken_rule

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
        assert broken_rule(value) is None

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
    @pytest.mark.parametrize("depth", [0, 1, 2, MAX_DEPTH])
    def test_what_is_no_json_is_found_at_any_depth(
        self, value: object, rule: str, depth: int
    ) -> None:
        assert broken_rule(nested(depth, value)) == rule

    @pytest.mark.parametrize(
        ("name", "rule"),
        [(1, "type"), (None, "type"), (b"a", "type"), ("a\udfff", "text.surrogate")],
    )
    def test_names_are_text(self, name: object, rule: str) -> None:
        assert broken_rule({name: 1}) == rule
        assert broken_rule([{"a": {name: 1}}]) == rule

    @pytest.mark.parametrize("number", [10**400 - 1, 1 - 10**400, 1e308, True])
    def test_large_numbers_that_a_text_can_hold(self, number: float) -> None:
        assert broken_rule(number) is None

    def test_the_first_rule_of_the_outermost_part_counts(self) -> None:
        assert broken_rule([[math.nan], b""]) == "type"


class TestDepth:
    """Invariant *any plain value*."""

    def test_the_limit_is_included(self) -> None:
        assert broken_rule(nested(MAX_DEPTH)) is None
        assert broken_rule(nested(MAX_DEPTH + 1)) == "json.depth"

    def test_what_is_not_too_deep_is_written_and_read(self) -> None:
        value = nested(MAX_DEPTH)
        assert json_text.decode(json_text.encode(value)) == value
        assert json.loads(json.dumps(value)) == value

    def test_a_value_inside_itself_is_too_deep(self) -> None:
        looped: dict[str, Any] = {}
        looped["a"] = [looped]
        assert broken_rule(looped) == "json.depth"

    def test_what_is_held_twice_is_checked_once(self) -> None:
        """Two to the hundredth parts, if each were read."""
        value: list[Any] = [1]
        for _ in range(100):
            value = [value, value]
        assert broken_rule(value) is None
