"""Spans of time: months, years or several years, and the names below them."""

from itertools import pairwise

import pytest

from sitedata import calendar_of
from sitedata.reading.times import write_day
from sitedata.views.calendar import MAX_SPANS, Span, span_names, spans_of


def spans(*days: str, until: str = "0000-01-01") -> tuple[Span, ...]:
    return spans_of(calendar_of(dict.fromkeys(days, 1)), until)


class TestSpans:
    def test_months_follow_each_other(self) -> None:
        found = spans("2025-11-30", "2026-02-01", "2026-02-02")
        assert [(each.name, each.count) for each in found] == [
            ("Nov 2025", 1), ("Dec 2025", 0), ("Jan 2026", 0), ("Feb 2026", 2)
        ]  # fmt: skip
        assert found[-1].text == "Feb 2026: 2 problems"
        assert write_day(found[-1].last) == "2026-02-28"

    def test_they_reach_a_later_day(self) -> None:
        assert [each.name for each in spans("2025-12-31", until="2026-01-01")] == [
            "Dec 2025", "Jan 2026"
        ]  # fmt: skip

    def test_without_a_count_there_is_none(self) -> None:
        assert spans(until="2026-01-01") == ()

    @pytest.mark.parametrize(
        ("first", "last", "names"),
        [
            ("2020-02-01", "2025-01-31", ("Feb 2020", "Jan 2025")),
            ("2020-01-01", "2025-01-31", ("2020", "2025")),
            ("1900-01-01", "2025-01-31", ("1900 to 1902", "2023 to 2025")),
            ("0000-01-01", "9999-12-31", ("0000 to 0166", "9853 to 10019")),
        ],
    )
    def test_long_times_have_few_spans(self, first: str, last: str, names: tuple[str, str]) -> None:
        found = spans(first, last)
        assert len(found) <= MAX_SPANS
        assert sum(each.count for each in found) == 2
        assert write_day(found[0].first) <= first <= last <= write_day(found[-1].last)
        assert all(one.last + 1 == other.first for one, other in pairwise(found))
        assert found[0].name == names[0]
        if last < "9999":
            assert found[-1].name == names[1]


class TestNames:
    @pytest.mark.parametrize(
        ("first", "last", "names"),
        [
            ("2025-01-16", "2025-04-10", "0 2025, 1 Feb, 2 Mar, 3 Apr"),
            ("2025-01-16", "2025-12-10", "0 2025, 3 Apr, 6 Jul, 9 Oct"),
            ("2025-02-16", "2026-10-10", "2 Apr, 5 Jul, 8 Oct, 11 2026, 14 Apr, 17 Jul"),
            ("2023-11-01", "2026-10-10", "2 2024, 14 2025, 26 2026"),
            (
                "2000-01-01",
                "2020-01-10",
                "0 2000, 3 2003, 6 2006, 9 2009, 12 2012, 15 2015, 18 2018",
            ),
        ],
    )
    def test_starts_of_years_and_quarters(self, first: str, last: str, names: str) -> None:
        found = span_names(spans(first, last))
        assert ", ".join(f"{number} {name}" for number, name in found.items()) == names
