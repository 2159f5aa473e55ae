"""Cells: text to value, or the rule that it breaks.  Invariant *parsed or reported*."""

from functools import partial
from typing import Any

import pytest

from healthapi.rows.cells import Unreadable, decimal
from support.checks.costs import assert_linear

LARGEST = 2.0**53
NO_NUMBERS = [
    *("inf", "-inf", "Infinity", "-nan", "+nan", "1_234", "1,234", "1 234", "1.234.5", "0x10"),
    *(
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
    ),
    *("12 min", "true", "n/a", "[1]", '"1"', "null.0", "1..0"),
]
TOO_LARGE = [
    *("1e400", "-1e400", "9007199254740994", "1e16", "9" * 5000),
    # The nearest double to these is the largest number.
    *("9007199254740993", "-9007199254740993", "+9007199254740992.5"),
    f"9007199254740992.{'0' * 400}1",
    f"9007199254740993{'0' * 400}e-400",
]


def result(convert: Any, text: str) -> object:
    """Return the value of a text, or the rule that it breaks."""
    try:
        return convert(text)
    except Unreadable as error:
        return str(error)


class TestDecimal:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            *(("61", 61.0), ("61.0", 61.0), (" 61.5 ", 61.5), ("\u00a061\u00a0", 61.0)),
            *(("+5", 5.0), ("-5.25", -5.25), (".5", 0.5), ("5.", 5.0), ("007", 7.0)),
            *(("9.1e3", 9100.0), ("1E-2", 0.01), ("1e-400", 0.0)),
            *(("-0", 0.0), ("-0.0", 0.0), ("-1e-400", 0.0)),
            *(("9007199254740991.9", LARGEST), ("0.9007199254740992e16", LARGEST)),
            *(("9007199254740992.000", LARGEST), ("-9007199254740992", -LARGEST)),
            ("9007199254740991", LARGEST - 1),
        ],
    )
    def test_plain_notation_is_a_number(self, text: str, value: float) -> None:
        assert repr(decimal(text)) == repr(value)

    def test_blank_cells_and_words_for_missing_values_are_missing(self) -> None:
        for text in ("", " ", "\t", "nan", "NaN", "none", "None", "null", "NULL", "NaT", " nat "):
            assert decimal(text) is None

    @pytest.mark.parametrize(
        ("rule", "texts"), [("number.form", NO_NUMBERS), ("number.range", TOO_LARGE)]
    )
    def test_other_text_is_unreadable(self, rule: str, texts: list[str]) -> None:
        for text in texts:
            assert result(decimal, text) == rule, text

    @pytest.mark.parametrize(
        ("text", "factor", "value"),
        [
            ("0.57", 100.0, 57.0),  # and not 56.99999999999999
            ("32820000", 1 / 60_000, 547.0),
            ("9007199254740993", 0.001, 9007199254740.992),  # the limit is of the product
            ("1e15", 100.0, "number.range"),
            ("-1", 100.0, None),  # compared before the factor
            ("-0.01", 100.0, -1.0),
        ],
    )
    def test_a_factor_makes_no_rounding_error(
        self, text: str, factor: float, value: object
    ) -> None:
        assert result(partial(decimal, factor=factor, not_measured=-1), text) == value

    def test_long_text_costs_linear_time(self) -> None:
        read = partial(result, decimal)
        for sign in ("9", "0", ".", "e", " ", "x", "-"):
            assert_linear(read, sign.__mul__, 20_000)
        assert_linear(read, lambda size: "0." + "1" * size, 20_000)
        assert_linear(read, lambda size: "9007199254740992." + "0" * size + "1", 20_000)
