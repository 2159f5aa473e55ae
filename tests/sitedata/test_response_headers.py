"""Reading header fields of a response."""

import pytest

from sitedata.serving.freshness import date_value, field_values, parse_seconds, single_value

FIELDS = [("Age", " 1\t"), ("ETag", '"a"'), ("age", "2"), ("Date", "Thu, 01 Jan 1970 00:00:01 GMT")]


class TestLines:
    def test_names_are_case_insensitive_and_values_are_stripped(self) -> None:
        assert field_values(FIELDS, "age") == ("1", "2")
        assert field_values(FIELDS, "expires") == ()

    def test_a_single_value_occurs_once(self) -> None:
        assert single_value(FIELDS, "etag") == '"a"'
        assert single_value(FIELDS, "age") is None
        assert single_value(FIELDS, "expires") is None


class TestDate:
    def test_is_an_instant(self) -> None:
        assert date_value(FIELDS, "date") == 1000

    @pytest.mark.parametrize("name", ["etag", "age", "expires"])
    def test_is_none_unless_there_is_one_date(self, name: str) -> None:
        assert date_value(FIELDS, name) is None


class TestSeconds:
    @pytest.mark.parametrize(
        ("text", "seconds"),
        [("0", 0), ("07", 7), ("60", 60), ("61", 60), ("9" * 5000, 60)],
    )
    def test_are_limited(self, text: str, seconds: int) -> None:
        assert parse_seconds(text, 60) == seconds

    @pytest.mark.parametrize("text", ["", "-1", "+1", "1.5", "1 ", "1_0", "²", "１", "x", "\udcff"])
    def test_are_digits_and_nothing_else(self, text: str) -> None:
        assert parse_seconds(text, 60) is None
