"""The fast path for columns of plain numbers.  Invariant *a fast path only*.

`tests/property/test_health_rows.py` checks that parsing cell by cell returns the same.
"""

import pytest

from healthapi.rows.cells import try_parse_numbers


class TestIntegers:
    def test_digits_are_integers(self) -> None:
        numbers = try_parse_numbers(["61", "0", "9007199254740992"], whole=True)
        assert numbers == [61, 0, 2**53]
        assert {type(number) for number in numbers or ()} == {int}

    def test_integers_may_end_in_point_zero(self) -> None:
        assert try_parse_numbers(["61.0", "10", "0.0", ""], whole=True) == [61, 10, 0, None]

    @pytest.mark.parametrize("text", [".0", "1.0.0", "1..0", "2.5", "1.00", "1.", ".", "1.0."])
    def test_other_points_fall_back(self, text: str) -> None:
        for column in ([text], ["1.0", text], [text, "1.0"], ["1.0", text, "1.0"]):
            assert try_parse_numbers(column, whole=True) is None


class TestDecimals:
    def test_digits_with_a_point_between_them_are_decimals(self) -> None:
        numbers = try_parse_numbers(["61.5", "7", "0.1"], whole=False)
        assert numbers == [61.5, 7.0, 0.1]
        assert {type(number) for number in numbers or ()} == {float}

    @pytest.mark.parametrize("text", [".5", "1.", "1.5.5", ".", "..", ".0", "9007199254740992.5"])
    def test_other_points_fall_back(self, text: str) -> None:
        assert try_parse_numbers(["1.5", text], whole=False) is None


@pytest.mark.parametrize("whole", [True, False])
class TestBoth:
    @pytest.mark.parametrize(
        "cells", [["", "1", ""], ["", "", ""], [""], ["1", "", "", "", "2", ""]]
    )
    def test_an_empty_cell_is_missing(self, cells: list[str], whole: bool) -> None:
        expected = [int(cell) if cell else None for cell in cells]
        assert try_parse_numbers(cells, whole=whole) == expected

    @pytest.mark.parametrize(
        "text",
        [
            "x",
            " ",
            " 1",
            "1 ",
            "1\t",
            "-1",
            "-0",
            "+1",
            "007",
            "00",
            "1e3",
            "1E3.0",
            "1_0",
            "nan",
            "null",
            "null.0",
            "true",
            "inf",
            "9007199254740993",
            "9007199254740993.0",
            "9007199254740994",
            "9" * 5000,
            "１",
            "0x1",
            "[1]",
            '"1"',
            "1]",
            "1,2",
            ",",
        ],
    )
    def test_other_text_falls_back(self, text: str, whole: bool) -> None:
        assert try_parse_numbers([text], whole=whole) is None
        assert try_parse_numbers(["1", text, "2"], whole=whole) is None

    def test_an_empty_column_falls_back(self, whole: bool) -> None:
        assert try_parse_numbers([], whole=whole) is None
