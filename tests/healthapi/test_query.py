"""Query parameters: any bytes are parsed, and results are within their ranges."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healthapi import limits
from healthapi.catalog_keys import METRICS
from healthapi.http import query
from healthapi.limits import IntegerRange

FIVE = IntegerRange(1, 1000, 5)
OFFSET = limits.OFFSET


class TestFirstValues:
    def test_the_first_of_a_repeated_parameter_counts(self) -> None:
        assert query.first_values(b"limit=3&limit=4")["limit"] == "3"

    def test_a_blank_first_value_counts_as_well(self) -> None:
        assert query.first_values(b"limit=&limit=4")["limit"] == ""

    def test_a_name_without_a_value_has_the_empty_one(self) -> None:
        assert query.first_values(b"limit")["limit"] == ""

    def test_names_are_exact(self) -> None:
        values = query.first_values(b"Limit=1&limit%20=2&LIMIT=3&limit;=4")
        assert "limit" not in values

    def test_names_and_values_are_percent_decoded(self) -> None:
        assert query.first_values(b"%6cimit=%31%30")["limit"] == "10"

    def test_plus_is_a_space_and_an_encoded_plus_is_a_plus(self) -> None:
        assert query.first_values(b"a=+1&b=%2B1") == {"a": " 1", "b": "+1"}

    def test_a_semicolon_separates_nothing(self) -> None:
        assert query.first_values(b"a=1;b=2") == {"a": "1;b=2"}

    def test_only_the_first_equals_sign_separates(self) -> None:
        assert query.first_values(b"a=b=c") == {"a": "b=c"}

    def test_bytes_that_are_not_utf8_are_replaced(self) -> None:
        assert query.first_values(b"a=\xff%fe")["a"] == "\ufffd\ufffd"

    def test_the_empty_query_has_no_named_parameter(self) -> None:
        assert query.first_values(b"").keys() <= {""}

    @given(st.binary(max_size=60))
    def test_any_bytes_are_read(self, raw: bytes) -> None:
        """Invariant *no query is refused*."""
        for value in query.first_values(raw).values():
            value.encode()


class TestParseInteger:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("7", 7),
            (" 7\t", 7),
            ("+7", 7),
            ("007", 7),
            ("1_0", 10),
            ("1_0_0", 100),
            ("\u0667", 7),
            ("\uff11\uff10", 10),
        ],
    )
    def test_integers_of_python_are_parsed(self, text: str, expected: int) -> None:
        assert query.parse_integer(text, FIVE) == expected == int(text.strip())

    @pytest.mark.parametrize(
        "text",
        [None, "", "  ", "ten", "1.0", "1e3", "0x10", "--1", "+-1", "_1", "1_", "1__0", "1 0", "²"],
    )
    def test_anything_else_is_the_default(self, text: str | None) -> None:
        assert query.parse_integer(text, FIVE) == 5
        assert query.parse_integer(text, limits.POINTS_LIMIT) is None

    @pytest.mark.parametrize(
        ("bounds", "text", "expected"),
        [
            (limits.DATASET_LIMIT, "0", 1),
            (limits.DATASET_LIMIT, "-4", 1),
            (limits.DATASET_LIMIT, "1", 1),
            (limits.DATASET_LIMIT, "1000", 1000),
            (limits.DATASET_LIMIT, "1001", 1000),
            (limits.TABLE_LIMIT, "1001", 1000),
            (limits.POINTS_LIMIT, "0", 1),
            (limits.POINTS_LIMIT, "1001", 1000),
            (limits.OFFSET, "-1", 0),
            (limits.OFFSET, "100000", 100_000),
            (limits.OFFSET, "100001", 100_000),
            (limits.CHART_WIDTH, "359", 360),
            (limits.CHART_WIDTH, "360", 360),
            (limits.CHART_WIDTH, "1920", 1920),
            (limits.CHART_WIDTH, "1921", 1920),
            (limits.CHART_HEIGHT, "219", 220),
            (limits.CHART_HEIGHT, "220", 220),
            (limits.CHART_HEIGHT, "1080", 1080),
            (limits.CHART_HEIGHT, "1081", 1080),
        ],
    )
    def test_out_of_range_is_clamped(self, bounds: IntegerRange, text: str, expected: int) -> None:
        assert query.parse_integer(text, bounds) == expected

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
    def test_order_and_repetitions_of_the_request_are_kept(self) -> None:
        assert query.parse_metrics("steps, hrv ,steps") == ("steps", "hrv", "steps")

    def test_unknown_names_are_ignored(self) -> None:
        assert query.parse_metrics("Steps,,date,__class__,hrv") == ("hrv",)

    def test_distinct_metrics_keep_their_first_position(self) -> None:
        assert query.parse_distinct_metrics("steps,hrv,steps,x") == ("steps", "hrv")

    @pytest.mark.parametrize("text", [None, "", ",", "nothing"])
    def test_without_known_names_the_result_is_empty(self, text: str | None) -> None:
        assert query.parse_metrics(text) == ()

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
    def test_transparent_is_transparent(self) -> None:
        assert query.parse_theme("transparent") == "transparent"

    @pytest.mark.parametrize("text", [None, "", "light", "dark", "Transparent", "\u2028"])
    def test_anything_else_is_light(self, text: str | None) -> None:
        assert query.parse_theme(text) == "light"
