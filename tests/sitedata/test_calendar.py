"""Calendars: counts, streaks, weeks, months and spans."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import attrs
import pytest

from sitedata.views.calendar import MAX_SPANS, Calendar, Span, calendar_of, span_names, spans_of
from sitedata.views.heatmap import build_heat, heatmap
from status_contracts.days import parse_day
from status_contracts.instants import parse_utc
from support.sitedata.site_examples import SNAPSHOT, problem


def of(*days: str) -> Calendar:
    return calendar_of(dict.fromkeys(map(parse_day, days), 1))


@pytest.mark.rule("SD-VIEW-01")
class TestCalendarOf:
    def test_the_contributions_of_a_snapshot(self) -> None:
        counts = {date(2026, 1, 30): 1, date(2026, 1, 31): 2}
        assert calendar_of(SNAPSHOT) == Calendar(counts, until=date(2026, 1, 31))

    def test_that_of_a_snapshot_ends_at_its_build_date(self) -> None:
        later = attrs.evolve(SNAPSHOT, generated_at=parse_utc("2026-03-05T23:59:59Z"))
        calendar = calendar_of(later)
        assert (calendar.first, calendar.last) == (date(2026, 1, 30), date(2026, 1, 31))
        assert len(calendar.weeks()) == 6
        assert repr(calendar) == "<Calendar: 3 on 2 days, 2026-01-30 to 2026-03-05>"
        heat = build_heat(calendar, until=None, weeks=53)
        assert heat is not None
        assert heat.summary == "3 contributions on 2 days in the twelve months to 5 Mar 2026"

    @pytest.mark.parametrize(
        ("generated", "end"),
        [
            ("2026-01-30", "2026-01-31"),
            ("2026-01-29", "2026-01-30"),
            ("2026-01-28", "2026-01-28"),
            ("0001-01-01", "0001-01-01"),
            ("9999-12-31", "9999-12-31"),  # there is no day after
        ],
    )
    def test_or_at_the_day_after_if_it_is_active(self, generated: str, end: str) -> None:
        """In a zone ahead of UTC it is already the next day; a wrong clock may be years ahead."""
        now = parse_utc(f"{generated}T20:00:00Z")
        assert calendar_of(attrs.evolve(SNAPSHOT, generated_at=now)).end == parse_day(end)

    def test_the_end_can_be_set(self) -> None:
        end = date(2026, 2, 1)
        assert calendar_of(SNAPSHOT, until=end).end == end
        assert calendar_of({}, until=end).end == end
        assert of().end is None

    def test_the_unit_of_problems_is_problem(self) -> None:
        calendar = calendar_of([problem("x/a.py", "2026-01-01T00:00:00Z")])
        assert b"1 problem on 1 day in the twelve months to 1 Jan 2026" in heatmap(calendar)
        assert b"There are no problems to show." in heatmap(calendar_of(()))

    def test_problems_count_on_the_day_of_their_own_offset(self) -> None:
        times = (
            "2026-01-01T00:30:00+09:00",
            "2026-01-01T23:30:00-09:00",
            "9999-12-31T00:00:59-23:59",
        )
        found = calendar_of([problem(f"x/{time}", time) for time in times] + [problem()])
        assert found.counts == {date(2026, 1, 1): 2, date.max: 1}

    def test_invalid_days_and_counts_raise(self) -> None:
        for day in ("2026-02-29", ""):
            with pytest.raises(ValueError, match=r"."):
                calendar_of(attrs.evolve(SNAPSHOT, contributions={day: 0}))
        with pytest.raises(ValueError, match="0 or more"):
            calendar_of({date.min: -1})


class TestWeeks:
    @pytest.mark.parametrize(
        ("day", "week"),
        [
            (date.min, "0001-W01"),
            (date(2021, 1, 3), "2020-W53"),
            (date(2024, 12, 30), "2025-W01"),
            (date.max, "9999-W52"),
        ],
    )
    def test_the_ends_of_years_and_of_the_calendar(self, day: date, week: str) -> None:
        counts: list[int | None] = [None] * 7
        counts[day.weekday()] = 1
        assert calendar_of({day: 1}).weeks() == {week: tuple(counts)}

    @pytest.mark.parametrize("until", [None, date(2026, 1, 4)])
    def test_a_calendar_without_a_day_up_to_its_end_has_none(self, until: date | None) -> None:
        counts = {} if until is None else {date(2026, 1, 5): 1}
        assert calendar_of(counts, until=until).weeks() == {}


TAKES_A_DAY: dict[str, Callable[[Any], object]] = {
    "until": lambda day: calendar_of({}, until=day),
    "until, of a snapshot": lambda day: calendar_of(SNAPSHOT, until=day),
    "day": lambda day: calendar_of({day: 1}),
    "day, of a streak": of().current,
}


@pytest.mark.parametrize("name", TAKES_A_DAY)
@pytest.mark.parametrize(
    ("value", "remedy"),
    [
        (datetime(2026, 1, 5, tzinfo=UTC), r"value\.date\(\)"),
        ("2026-01-05", r"date\.fromisoformat\(value\)"),
        (31, r"a datetime\.date"),
    ],
)
def test_a_day_is_a_date_and_the_remedy_is_named(name: str, value: object, remedy: str) -> None:
    argument = name.partition(",")[0]
    with pytest.raises(TypeError, match=f"^{argument}: must be a date, not .*: pass {remedy}"):
        TAKES_A_DAY[name](value)


def test_a_snapshot_is_drawn_by_its_calendar() -> None:
    draw: Callable[[Any], object] = heatmap
    with pytest.raises(TypeError, match=r"not Snapshot: pass what calendar_of\(snapshot\) ret"):
        draw(SNAPSHOT)


def spans(*days: str, until: date = date.min) -> tuple[Span, ...]:
    return spans_of(of(*days), until)


class TestSpans:
    def test_months_follow_each_other(self) -> None:
        found = spans("2025-11-30", "2026-02-01", "2026-02-02")
        assert [(each.name, each.count) for each in found] == [
            ("Nov 2025", 1), ("Dec 2025", 0), ("Jan 2026", 0), ("Feb 2026", 2)
        ]  # fmt: skip
        assert found[-1].text == "Feb 2026: 2 problems"
        assert found[-1].last == date(2026, 2, 28)

    def test_they_reach_a_later_day(self) -> None:
        found = spans("2025-12-31", until=date(2026, 1, 1))
        assert [each.name for each in found] == ["Dec 2025", "Jan 2026"]

    def test_without_a_count_there_is_none(self) -> None:
        assert spans(until=date(2026, 1, 1)) == ()

    @pytest.mark.parametrize(
        ("first", "last", "names"),
        [
            ("2020-02-01", "2025-01-31", ("Feb 2020", "Jan 2025")),
            ("2020-01-01", "2025-01-31", ("2020", "2025")),
            ("0001-01-31", "0001-12-01", ("Jan 0001", "Dec 0001")),
            ("9999-02-28", "9999-12-01", ("Feb 9999", "Dec 9999")),
            ("1900-01-01", "2025-01-31", ("1900 to 1902", "2023 to 2025")),
            ("0001-01-01", "9999-12-31", ("0001 to 0167", "9854 to 9999")),
        ],
    )
    def test_long_times_have_few_spans(self, first: str, last: str, names: tuple[str, str]) -> None:
        found = spans(first, last)
        assert len(found) <= MAX_SPANS
        assert sum(each.count for each in found) == 2
        assert found[0].first <= parse_day(first) <= parse_day(last) <= found[-1].last
        assert all(one.last + timedelta(1) == other.first for one, other in pairwise(found))
        assert (found[0].name, found[-1].name) == names


class TestNames:
    @pytest.mark.parametrize(
        ("first", "last", "names"),
        [
            ("2025-01-16", "2025-04-10", "0 Jan 2025, 1 Feb, 2 Mar, 3 Apr"),
            ("2025-01-16", "2025-12-10", "0 Jan 2025, 3 Apr, 6 Jul, 9 Oct, 11 Dec"),
            ("2025-07-16", "2026-10-10", "0 Jul 2025, 6 2026, 12 Jul, 15 Oct"),
            ("2025-02-16", "2026-10-10", "0 Feb 2025, 5 Jul, 11 2026, 17 Jul, 20 Oct"),
            ("2022-11-01", "2026-10-10", "0 Nov 2022, 14 2024, 26 2025, 38 2026, 47 Oct"),
            ("2021-01-01", "2025-12-10", "0 2021, 12 2022, 24 2023, 36 2024, 48 2025, 59 Dec"),
            ("2017-01-01", "2026-01-10", "0 2017, 3 2020, 6 2023, 9 2026"),
            ("2018-12-01", "2026-01-10", "0 2018, 2 2020, 4 2022, 6 2024, 8 2026"),
            ("2000-01-01", "2020-01-10", "0 2000, 4 2004, 8 2008, 12 2012, 16 2016, 20 2020"),
        ],
    )
    def test_both_ends_and_equal_steps_between(self, first: str, last: str, names: str) -> None:
        found = span_names(spans(first, last))
        assert ", ".join(f"{number} {name}" for number, name in found.items()) == names
