"""Times with an offset, and the days of the calendar."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from sitedata.models import parse_instant
from status_contracts.days import is_day
from status_contracts.instants import FIRST_INSTANT, LAST_INSTANT

CORPUS = Path(__file__).parents[1] / "data" / "corpora" / "json_schema"


def corpus_failures(name: str, is_valid: Callable[[str], bool]) -> list[str]:
    """Return the cases of a corpus in which a check differs from the expected result."""
    groups = json.loads((CORPUS / f"optional__format__{name}.json").read_text("utf-8"))
    cases = [case for group in groups for case in group["tests"] if isinstance(case["data"], str)]
    assert len(cases) > 20
    return [
        f"{case['description']}: {case['data']!r}, expected {case['valid']}"
        for case in cases
        if is_valid(case["data"]) != case["valid"]
    ]


def is_time(text: str) -> bool:
    try:
        parse_instant(text)
    except ValueError:
        return False
    return True


class TestParseInstant:
    def test_the_public_corpus_but_for_leap_seconds_and_long_fractions(self) -> None:
        failures = corpus_failures("date-time", is_time)
        failures = [each for each in failures if ":60" not in each and ".999999999" not in each]
        assert not failures, "\n".join(failures)

    @pytest.mark.parametrize(
        ("text", "instant"),
        [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:00-00:01", 0),
            ("1970-01-01T00:00:00-00:00", 0),
            ("1970-01-01T00:00:00.1Z", 100),
            ("1970-01-01T00:00:00.100000Z", 100),
            ("1969-12-31T23:59:59.999Z", -1),
            ("1970-01-01T00:00:00.0001Z", Decimal("0.1")),
            ("1970-01-01T00:00:00.000450Z", Decimal("0.45")),
            ("1969-12-31T23:59:59.9995Z", Decimal("-0.5")),
            ("1969-12-31T23:59:58.99901Z", Decimal("-1000.99")),
            ("0001-01-01T00:00:00Z", FIRST_INSTANT),
            ("0001-01-01T23:59:00+23:59", FIRST_INSTANT),
            ("9999-12-31T00:00:59.999-23:59", LAST_INSTANT),
        ],
    )
    def test_instants_are_exact(self, text: str, instant: int | Decimal) -> None:
        assert parse_instant(text) == instant
        assert type(parse_instant(text)) is type(instant)

    @pytest.mark.parametrize(
        "text",
        [
            *("", "1970-01-01T00:00Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00,5Z"),
            *("1970-01-01T23:59:99Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:00+01:60"),
            *("2017-01-01T08:59:60+09:00", "1970-00-01T00:00:00Z", "1970-01-00T00:00:00Z"),
            *("10000-01-01T00:00:00Z", " 1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z "),
            "\uff11970-01-01T00:00:00Z",
            "1970-01-01T00:00:00\u2212\uff101:00",
        ],
    )
    def test_other_texts_raise(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"."):
            parse_instant(text)


def test_days_of_the_public_corpus() -> None:
    failures = corpus_failures("date", is_day)
    assert not failures, "\n".join(failures)
