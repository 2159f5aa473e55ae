"""Query parameters: any bytes are parsed, and results are within their ranges."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healthapi import limits
from healthapi.catalog_keys import METRICS
from healthapi.http import query
from healthapi.limits import IntegerRange
from support.vectors.catalog import failures_of
from support.vectors.health import QUERIES

FIVE = IntegerRange(1, 1000, 5)
OFFSET = limits.OFFSET


class TestFirstValues:
    def test_values_are_those_of_the_vectors(self) -> None:
        assert failures_of(QUERIES, "HA-QUERY-02") == []

    def test_names_are_exact(self) -> None:
        values = query.first_values(b"Limit=1&limit%20=2&LIMIT=3&limit;=4")
        assert "limit" not in values

    def test_bytes_that_are_not_utf8_are_replaced(self) -> None:
        assert query.first_values(b"a=\xff%fe")["a"] == "\ufffd\ufffd"

    def test_the_empty_query_has_no_named_parameter(self) -> None:
        assert query.first_values(b"").keys() <= {""}

    @given(st.binary(max_size=60))
    def test_any_bytes_are_read(self, raw: bytes) -> None:
        """Invariant *every query is valid*."""
        for value in query.first_values(raw).values():
            value.encode()


class TestParseInteger:
    def test_integers_are_those_of_the_vectors(self) -> None:
        assert failures_of(QUERIES, "HA-QUERY") == []

    def test_text_that_is_no_integer_is_the_default(self) -> None:
        assert query.parse_integer("1.0", FIVE) == 5
        assert query.parse_integer("1.0", limits.POINTS_LIMIT) is None

    @pytest.mark.parametrize("digits", [599, 600, 601, 4301, 100_000])
    def test_a_long_integer_is_clamped_by_its_sign(self, digits: int) -> None:
        assert query.parse_integer("9" * digits, OFFSET) == 100_000
        assert query.parse_integer("-" + "9" * digits, OFFSET) == 0

    def test_leading_zeros_make_no_integer_long(self) -> None:
        assert query.parse_integer("0" * 5000 + "42", OFFSET) == 42

    def test_the_smallest_limit_of_an_interpreter_is_kept(self) -> None:
        before = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(640)
        try:
            assert query.parse_integer("9" * 640, OFFSET) == 100_000
        finally:
            sys.set_int_max_str_digits(before)

    @given(st.text(max_size=12))
    def test_any_text_is_parsed_as_python_does(self, text: str) -> None:
        try:
            expected = max(0, min(int(text.strip()), 100_000))
        except ValueError:
            expected = 0
        assert query.parse_integer(text, OFFSET) == expected


class TestReadMetrics:
    def test_metrics_are_those_of_the_vectors(self) -> None:
        assert failures_of(QUERIES, "HA-QUERY-16") == []
        assert failures_of(QUERIES, "HA-QUERY-17") == []
        assert failures_of(QUERIES, "HA-QUERY-18") == []

    def test_distinct_metrics_keep_their_first_position(self) -> None:
        assert query.parse_distinct_metrics("steps,hrv,steps,x") == ("steps", "hrv")

    @given(st.text(max_size=20))
    def test_results_are_known_keys(self, text: str) -> None:
        """Invariant *canonical*."""
        assert set(query.parse_metrics(text)) <= METRICS.keys()


class TestReadGranularity:
    @pytest.mark.parametrize("text", ["weekly", " WEEKLY ", "Weekly"])
    def test_case_and_outer_space_do_not_count(self, text: str) -> None:
        assert query.parse_granularity(text) == "weekly"

    @pytest.mark.parametrize("text", [None, "", " "])
    def test_a_blank_is_none(self, text: str | None) -> None:
        assert query.parse_granularity(text) is None

    def test_an_unknown_one_raises(self) -> None:
        with pytest.raises(KeyError):
            query.parse_granularity("hourly")


class TestReadTheme:
    def test_themes_are_those_of_the_vectors(self) -> None:
        assert failures_of(QUERIES, "HA-QUERY-15") == []

    def test_blank_and_odd_text_is_light(self) -> None:
        assert query.parse_theme("") == query.parse_theme("\u2028") == "light"
