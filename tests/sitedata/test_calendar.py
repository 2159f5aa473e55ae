"""Calendars: counts, streaks, weeks, months and spans."""

from itertools import pairwise
from typing import Any

import attrs
import pytest

from sitedata.times import write_day
from sitedata.views.calendar import (
    MAX_SPANS,
    Calendar,
    Span,
    Streak,
    Week,
    calendar_of,
    span_names,
    spans_of,
)
from sitedata.views.heatmap import build_heat, heatmap, heatmap_text
from status_contracts.instants import DAY_MS, parse_utc
from support.sitedata.site_examples import SNAPSHOT, problem


def of(*days: str) -> Calendar:
    return calendar_of(dict.fromkeys(days, 1))


@pytest.mark.rule("SD-VIEW-01")
class TestCalendarOf:
    def test_the_contributions_of_a_snapshot(self) -> None:
        counts = {"2026-01-30": 1, "2026-01-31": 2}
        assert calendar_of(SNAPSHOT) == Calendar(counts, until="2026-01-31")

    def test_that_of_a_snapshot_ends_at_its_build_date(self) -> None:
        later = attrs.evolve(SNAPSHOT, generated_at=parse_utc("2026-03-05T23:59:59Z"))
        calendar = calendar_of(later)
        assert (calendar.first, calendar.last, calendar.end) == (
            "2026-01-30", "2026-01-31", "2026-03-05"
        )  # fmt: skip
        assert len(calendar.weeks()) == 6
        assert repr(calendar) == "<Calendar: 3 on 2 days, 2026-01-30 to 2026-03-05>"
        heat = build_heat(calendar, until=None, weeks=53)
        assert heat is not None
        assert heat.summary == "3 contributions on 2 days, 30 Jan 2026 to 5 Mar 2026"

    def test_or_at_the_day_after_if_it_is_active(self) -> None:
        """In a zone ahead of UTC it is already the next day; a wrong clock may be years ahead."""
        now = parse_utc("2026-01-30T20:00:00Z")
        assert calendar_of(attrs.evolve(SNAPSHOT, generated_at=now)).end == "2026-01-31"
        now -= DAY_MS
        assert calendar_of(attrs.evolve(SNAPSHOT, generated_at=now)).end == "2026-01-30"
        now -= DAY_MS
        assert calendar_of(attrs.evolve(SNAPSHOT, generated_at=now)).end == "2026-01-28"

    def test_the_last_day_of_all_has_no_day_after(self) -> None:
        end = parse_utc("9999-12-31T23:59:59Z")
        assert calendar_of(attrs.evolve(SNAPSHOT, generated_at=end)).end == "9999-12-31"

    def test_the_end_can_be_set(self) -> None:
        assert calendar_of(SNAPSHOT, until="2026-02-01").end == "2026-02-01"
        assert calendar_of({}, until="2026-02-01").end == "2026-02-01"
        assert of().end is None
        with pytest.raises(ValueError, match="day"):
            calendar_of({}, until="2026-02-30")

    def test_the_unit_of_problems_is_problem(self) -> None:
        calendar = calendar_of([problem("x/a.py", "2026-01-01T00:00:00Z")])
        assert heatmap_text(calendar)[0] == "1 problem on 1 day, 1 Jan 2026 to 1 Jan 2026"
        assert heatmap_text(calendar_of(()))[0] == "There are no problems to show."
        assert b"1 problem on 1 day." in heatmap(calendar)

    def test_problems_count_on_the_day_of_their_own_offset(self) -> None:
        times = (
            "2026-01-01T00:30:00+09:00",
            "2026-01-01T23:30:00-09:00",
            "9999-12-31T00:00:59-23:59",
        )
        found = calendar_of([problem(f"x/{time}", time) for time in times] + [problem()])
        assert found.counts == {"2026-01-01": 2, "9999-12-31": 1}

    @pytest.mark.parametrize(
        "days", [{"2026-02-29": 1}, {"2026-02-29": 0}, {"": 1}, {"2026-01-01": -1}]
    )
    def test_invalid_days_and_counts_raise(self, days: dict[str, int]) -> None:
        with pytest.raises(ValueError, match=r"."):
            calendar_of(days)

    def test_totals(self) -> None:
        found = calendar_of({"2026-01-01": 5, "2026-01-03": 10**30})
        assert (found.total, found.active_days) == (10**30 + 5, 2)
        assert (found.first, found.last) == ("2026-01-01", "2026-01-03")
        assert repr(of("2026-01-01", "2026-01-03")) == (
            "<Calendar: 2 on 2 days, 2026-01-01 to 2026-01-03>"
        )


class TestStreaks:
    def test_years_and_the_ends_of_the_calendar(self) -> None:
        assert of("2025-12-31", "2026-01-01").longest == Streak("2025-12-31", "2026-01-01", 2)
        assert of("0001-01-01", "0001-01-02").longest == Streak("0001-01-01", "0001-01-02", 2)
        assert of("9999-12-30", "9999-12-31").longest == Streak("9999-12-30", "9999-12-31", 2)

    def test_an_invalid_day_raises(self) -> None:
        with pytest.raises(ValueError, match="not a day"):
            of().current("today")


class TestWeeks:
    @pytest.mark.parametrize(
        ("day", "year", "number"), [("0001-01-01", 1, 1), ("9999-12-31", 9999, 52)]
    )
    def test_the_ends_of_the_calendar(self, day: str, year: int, number: int) -> None:
        (week,) = of(day).weeks()
        assert (week.year, week.number) == (year, number)
        assert sum(count or 0 for count in week.counts) == 1

    def test_an_empty_range_has_no_weeks(self) -> None:
        assert of("2026-01-05").weeks("2026-01-05", "2025-12-01") == ()

    def test_an_empty_calendar_has_the_requested_weeks(self) -> None:
        assert of().weeks("2026-01-05", "2026-01-05") == (Week(2026, 2, (0, *[None] * 6)),)
        assert of().weeks("2026-01-05") == ()

    @pytest.mark.parametrize("days", [("x", None), (None, "2026-02-29")])
    def test_invalid_bounds_raise(self, days: Any) -> None:
        with pytest.raises(ValueError, match=r"."):
            of("2026-01-01").weeks(*days)


def spans(*days: str, until: str = "0001-01-01") -> tuple[Span, ...]:
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
        found = spans("2025-12-31", until="2026-01-01")
        assert [each.name for each in found] == ["Dec 2025", "Jan 2026"]

    def test_without_a_count_there_is_none(self) -> None:
        assert spans(until="2026-01-01") == ()

    @pytest.mark.parametrize(
        ("first", "last", "names"),
        [
            ("2020-02-01", "2025-01-31", ("Feb 2020", "Jan 2025")),
            ("2020-01-01", "2025-01-31", ("2020", "2025")),
            ("1900-01-01", "2025-01-31", ("1900 to 1902", "2023 to 2025")),
            ("0001-01-01", "9999-12-31", ("0001 to 0167", "9854 to 10020")),
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
