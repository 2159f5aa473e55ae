"""Cells: text to value, or the rule that it breaks.  Invariant *parsed or reported*."""

from typing import Any

import pytest

from healthapi.rows.cells import Unreadable, boolean, day, decimal, integer
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

    @pytest.mark.parametrize("text", ["19.9", "250.1", "6000", "0"])
    def test_beyond(self, text: str) -> None:
        assert (
            rule_of(lambda cell: decimal(cell, plausible=(20, 250)), text) == "number.implausible"
        )

    def test_what_is_missing_is_in_any_range(self) -> None:
        assert integer("", plausible=(20, 250)) is None


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


class TestDay:
    @pytest.mark.parametrize(
        "text", ["2026-01-31", " 2026-01-31 ", "2026-01-31T23:02:00.000", "2026-01-31 x"]
    )
    def test_the_first_ten_characters_count(self, text: str) -> None:
        assert day(text) == "2026-01-31"

    @pytest.mark.parametrize(
        ("rule", "texts"),
        [
            ("date.missing", ["", "  "]),
            (
                "date.form",
                [
                    *("2026/01/31", "20260131", "2026-1-31", "2026-W05-6", "nan", "=2026-01-31"),
                    *("abcd-ef-gh", "２０２６-01-31", "13-10-6202", "2026-01\x00-31"),
                ],
            ),
            ("date.unreal", ["2026-02-30", "0000-01-01", "2026-13-01T00:00"]),
        ],
    )
    def test_other_text_is_unreadable(self, rule: str, texts: list[str]) -> None:
        assert [rule_of(day, text) for text in texts] == [rule] * len(texts)
