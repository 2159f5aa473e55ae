"""Cells: text to value, or the rule that it breaks.  Invariant *parsed or reported*."""

from typing import Any

import pytest

from healthapi.rows.cells import (
    MAX_CACHED_TEXTS,
    CachedConverter,
    Unreadable,
    boolean,
    decimal,
    integer,
    try_parse_numbers,
)
from support.checks.costs import assert_linear

MISSING = ["", " ", "\t", "nan", "NaN", "NAN", "none", "None", "null", "NULL", "NaT", " nat "]
NO_NUMBER = [
    "inf",
    "-inf",
    "Infinity",
    "-nan",
    "+nan",
    "1_234",
    "1,234",
    "1 234",
    "1.234.5",
    "0x10",
    "1e",
    "e5",
    ".",
    "-",
    "+-1",
    "１２",
    "٣",
    "=1+1",
    '=HYPERLINK("x")',
    "@SUM(1)",
    "1\x00",
    "\x00",
    "12 min",
    "true",
    "n/a",
]


def rule_of(convert: Any, text: str) -> str:
    with pytest.raises(Unreadable) as caught:
        convert(text)
    return str(caught.value.rule)


class TestDecimal:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("61", 61.0),
            ("61.0", 61.0),
            (" 61.5 ", 61.5),
            ("\u00a061\u00a0", 61.0),
            ("+5", 5.0),
            ("-5.25", -5.25),
            (".5", 0.5),
            ("5.", 5.0),
            ("007", 7.0),
            ("9.1e3", 9100.0),
            ("1E-2", 0.01),
            ("1e-400", 0.0),
            ("9007199254740992", 2.0**53),
            ("9007199254740992.000", 2.0**53),
            ("0.9007199254740992e16", 2.0**53),
            ("9007199254740991.9", 2.0**53),
            ("9007199254740991", 2.0**53 - 1),
            ("-9007199254740992", -(2.0**53)),
        ],
    )
    def test_plain_notation_is_a_number(self, text: str, value: float) -> None:
        assert decimal(text) == value

    @pytest.mark.parametrize("text", MISSING)
    def test_blank_cells_and_words_for_missing_values_are_missing(self, text: str) -> None:
        assert decimal(text) is None

    @pytest.mark.parametrize("text", NO_NUMBER)
    def test_other_text_is_unreadable(self, text: str) -> None:
        assert rule_of(decimal, text) == "number.form"

    @pytest.mark.parametrize(
        "text",
        [
            *("1e400", "-1e400", "9007199254740994", "1e16", "9" * 5000),
            # The nearest double to these is the largest number.
            *("9007199254740993", "-9007199254740993", "+9007199254740992.5"),
            f"9007199254740992.{'0' * 400}1",
            f"9007199254740993{'0' * 400}e-400",
        ],
    )
    def test_a_number_beyond_the_limit_is_out_of_range(self, text: str) -> None:
        assert rule_of(decimal, text) == "number.range"

    @pytest.mark.parametrize("text", ["-0", "-0.0", "-1e-400"])
    def test_zero_has_no_sign(self, text: str) -> None:
        assert str(decimal(text)) == "0.0"

    def test_not_measured_is_compared_before_the_factor(self) -> None:
        assert decimal("-1", 100.0, not_measured=-1) is None
        assert decimal("-0.01", 100.0, not_measured=-1) == -1

    def test_a_product_has_no_rounding_error(self) -> None:
        assert 0.57 * 100 != 57
        assert decimal("0.57", 100.0) == 57
        assert decimal("32820000", 1 / 60_000) == 547

    def test_a_factor_comes_before_the_limit(self) -> None:
        assert decimal("9007199254740993", 0.001) == 9007199254740.992

    def test_a_product_must_be_in_range(self) -> None:
        assert rule_of(lambda text: decimal(text, 100.0), "1e15") == "number.range"

    def test_long_text_costs_linear_time(self) -> None:
        for sign in ("9", "0", ".", "e", " ", "x", "-"):
            assert_linear(_result_of, sign.__mul__, 20_000)
        assert_linear(_result_of, lambda size: "0." + "1" * size, 20_000)
        assert_linear(_result_of, lambda size: "9007199254740992." + "0" * size + "1", 20_000)


def _result_of(text: str) -> object:
    try:
        return decimal(text)
    except Unreadable as error:
        return error.rule


class TestPlausible:
    """A number out of the range of what can be measured is no value of its type."""

    @pytest.mark.parametrize("text", ["20", "58.4", "250"])
    def test_within(self, text: str) -> None:
        assert decimal(text, plausible=(20, 250)) == float(text)
        assert try_parse_numbers([text, ""], whole=False, plausible=(20, 250)) is not None

    @pytest.mark.parametrize("text", ["19.9", "250.1", "6000", "0"])
    def test_beyond(self, text: str) -> None:
        with pytest.raises(Unreadable) as refused:
            decimal(text, plausible=(20, 250))
        assert refused.value.rule == "number.implausible"
        assert try_parse_numbers([text, ""], whole=False, plausible=(20, 250)) is None

    def test_no_number_is_in_any_range(self) -> None:
        assert try_parse_numbers(["", ""], whole=True, plausible=(20, 250)) == [None, None]


class TestInteger:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("61.0", 61),
            ("1e3", 1000),
            ("2.5", 2),
            ("3.5", 4),
            ("10000.5", 10000),
            ("-2.5", -2),
            ("0.4", 0),
            ("-0.4", 0),
        ],
    )
    def test_halves_round_to_even(self, text: str, value: int) -> None:
        assert repr(integer(text)) == repr(value)

    def test_a_factor_comes_before_rounding(self) -> None:
        assert integer("90000", 1 / 60_000) == 2
        assert integer("30000", 1 / 60_000) == 0

    def test_the_limit_comes_before_rounding(self) -> None:
        assert integer("9007199254740992") == 2**53
        for text in ("9007199254740993", "9007199254740992.4", "-9007199254740993.0"):
            assert rule_of(integer, text) == "number.range"

    def test_missing_is_missing(self) -> None:
        assert integer("nan") is None


class TestBoolean:
    @pytest.mark.parametrize("text", ["1", "true", "True", "TRUE", "yes", "Y", " y "])
    def test_these_are_true(self, text: str) -> None:
        assert boolean(text) is True

    @pytest.mark.parametrize("text", ["0", "false", "False", "NO", "n", "", "  "])
    def test_these_are_false(self, text: str) -> None:
        assert boolean(text) is False

    @pytest.mark.parametrize("text", ["2", "1.0", "nan", "maybe", "wahr", "t", "-"])
    def test_others_are_unreadable(self, text: str) -> None:
        assert rule_of(boolean, text) == "boolean.form"


class TestColumnsOfNumbers:
    """Invariant *a fast path only*; `tests/property/test_health_rows.py` tries any column."""

    @pytest.mark.parametrize(
        ("cells", "whole", "numbers"),
        [
            (["61", "0", "61.0", "", "", ""], True, [61, 0, 61, None, None, None]),
            (["61.5", "7", "", "0.1"], False, [61.5, 7.0, None, 0.1]),
            ([""], True, [None]),
        ],
    )
    def test_plain_numbers_take_it(self, cells: list[str], whole: bool, numbers: list[Any]) -> None:
        assert repr(try_parse_numbers(cells, whole=whole)) == repr(numbers)

    @pytest.mark.parametrize("whole", [True, False])
    def test_other_text_falls_back_or_is_the_same(self, whole: bool) -> None:
        for text in (
            *(*MISSING, *NO_NUMBER, "1.0.0", "1..0", "2.5", "1.00", "1.", ".5", " 1", "1\t", "-1"),
            *("-0.0", "+1", "007", "1e3", "1E3.0", "1e-1", "1e400", "null.0", "[1]", '"1"', "1]"),
            *("1,2", ",", "9007199254740992", "9007199254740993.0", "9007199254740991.9"),
        ):
            numbers = try_parse_numbers(["1", text, "2"], whole=whole)
            if numbers is not None:
                assert repr(numbers[1]) == repr((integer if whole else decimal)(text)), text


class TestConverted:
    def test_each_text_is_converted_once(self) -> None:
        seen: list[str] = []

        def convert(text: str) -> int:
            seen.append(text)
            return len(text)

        column = CachedConverter(convert, -1).column
        assert column(["a", "bb", "a"]) == [1, 2, 1]
        assert column(["bb", "ccc"]) == [2, 3]
        assert sorted(seen) == ["a", "bb", "ccc"]

    def test_values_are_shared(self) -> None:
        first, second = CachedConverter(decimal, None).column(["61.5", "61.5"])
        assert first is second

    def test_what_cannot_be_read_is_kept_with_its_rule(self) -> None:
        cells = ["1", "x", "1e400", ""]
        converter = CachedConverter(integer, None)
        assert converter.column(cells) == [1, None, None, None]
        assert dict(converter.errors(cells)) == {1: "number.form", 2: "number.range"}

    def test_the_cache_is_bounded(self) -> None:
        converter = CachedConverter(integer, None)
        converter.column(["x", *map(str, range(MAX_CACHED_TEXTS))])
        assert converter.column(["1"]) == [1]
        assert dict(converter) == {"1": 1}
