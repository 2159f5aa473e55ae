"""Days, weeks and months.  Source: health facts, sections 2 and 5."""

from datetime import date, timedelta

import pytest
from dateutil.relativedelta import relativedelta
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.days import bounds, find_runs, is_day, month_of, parse_day, shift, week_of


class TestDays:
    @pytest.mark.parametrize(
        ("text", "day"),
        [
            ("2026-01-31", date(2026, 1, 31)),
            ("2024-02-29", date(2024, 2, 29)),
            ("0001-01-01", date.min),
            ("9999-12-31", date.max),
        ],
    )
    def test_a_day_of_the_calendar_is_one(self, text: str, day: date) -> None:
        assert parse_day(text) == day
        assert is_day(text)

    @pytest.mark.parametrize(
        "text",
        [
            *("", "2025-02-29", "2026-13-01", "0000-01-01", "2026-1-31", "2026/01/31", "20260131"),
            *("2026-W05-6", " 2026-01-31", "2026-01-31T00:00", "２０２６-01-31", "2026-01-31\n"),
        ],
    )
    def test_other_text_is_none(self, text: str) -> None:
        assert not is_day(text)
        with pytest.raises(ValueError, match=r"."):
            parse_day(text)


WEEK, DECADES = timedelta(7), relativedelta(years=40)


class TestShift:
    @pytest.mark.parametrize(
        ("day", "span", "expected"),
        [
            (date(2024, 1, 31), relativedelta(months=1), date(2024, 2, 29)),
            (date(2024, 1, 31), relativedelta(months=13), date(2025, 2, 28)),
            (date(2024, 2, 29), relativedelta(months=11, day=31), date(2025, 1, 31)),
            (date(2024, 3, 1), -WEEK, date(2024, 2, 23)),
            (date(9999, 12, 24), WEEK, date.max),
            (date(9999, 12, 25), WEEK, date.max),
            (date(9999, 12, 1), relativedelta(months=1), date.max),
            (date(9960, 5, 5), DECADES, date.max),
            (date(1, 1, 8), -WEEK, date.min),
            (date(1, 1, 7), -WEEK, date.min),
            (date(40, 5, 5), -DECADES, date.min),
        ],
    )
    def test_it_ends_with_the_calendar(
        self, day: date, span: timedelta | relativedelta, expected: date
    ) -> None:
        assert shift(day, span) == expected


class TestBounds:
    @pytest.mark.parametrize(
        ("label", "first", "last"),
        [
            ("0001-01-02", "0001-01-02", "0001-01-02"),
            ("2025-W01", "2024-12-30", "2025-01-05"),
            ("2026-W53", "2026-12-28", "2027-01-03"),
            ("0001-W01", "0001-01-01", "0001-01-07"),
            ("9999-W52", "9999-12-27", "9999-12-31"),
            ("0001-01", "0001-01-01", "0001-01-31"),
            ("2024-02", "2024-02-01", "2024-02-29"),
            ("2025-12", "2025-12-01", "2025-12-31"),
            ("9999-12", "9999-12-01", "9999-12-31"),
        ],
    )
    def test_of_days_weeks_and_months(self, label: str, first: str, last: str) -> None:
        assert bounds(label) == (date.fromisoformat(first), date.fromisoformat(last))

    @pytest.mark.parametrize(
        "text",
        [
            *("", "2026", "2026-00", "2026-13", "2026-W54", "2025-W53", "2026-W5", "2026-W05-6"),
            *("2026-02-30", "0000-12", "0000-W52", "20260131", "x-y"),
        ],
    )
    def test_other_text_raises(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"."):
            bounds(text)

    @given(st.dates())
    def test_a_day_is_in_its_week_and_month(self, day: date) -> None:
        year, week, weekday = day.isocalendar()
        assert week_of(day) == f"{year:04}-W{week:02}"
        assert month_of(day) == day.isoformat()[:7]
        first, last = bounds(week_of(day))
        assert first == day - timedelta(weekday - 1)
        assert day <= last == shift(first, timedelta(6))
        first, last = bounds(month_of(day))
        assert first == day.replace(day=1)
        assert day <= last
        assert shift(last, timedelta(1)).month != day.month or last == date.max


class TestRuns:
    @pytest.mark.parametrize(
        ("labels", "found"),
        [
            ("", []),
            ("a", []),
            ("ab", []),
            ("aa", [(0, 2)]),
            ("abb", [(1, 3)]),
            ("aabb", [(0, 2), (2, 4)]),
            ("abbbcddd", [(1, 4), (5, 8)]),
            ("aba", []),
        ],
    )
    def test_they_are_the_runs_of_equal_labels(
        self, labels: str, found: list[tuple[int, int]]
    ) -> None:
        assert find_runs(labels) == found
