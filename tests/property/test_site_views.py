"""Properties of the views: order, selection, groups, counts, calendar, delta."""

from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from sitedata import Problem
from sitedata.reading.times import FIRST_DAY, LAST_DAY, read_day, write_day
from sitedata.testing.strategies import problems, times
from sitedata.views.calendar import Calendar, calendar_of
from sitedata.views.delta import Delta, delta
from sitedata.views.selecting import counts, group, ordered, select

SOME = settings(max_examples=60)
BASE = Problem("", "", "", "", "", "", "", None)
# few paths and few times, so that ties, duplicates and changes happen
PROBLEMS = st.builds(
    attrs.evolve,
    st.just(BASE),
    path=st.sampled_from(("a", "a/b", "B", "\U0001f3b5", "\uff5e")),
    platform=st.sampled_from(("p", "q")),
    language=st.sampled_from(("c", "d", "e")),
    title=st.sampled_from(("one", "two")),
    submitted_at=st.sampled_from(
        (
            None,
            "2026-01-01T00:00:00Z",
            "2026-01-01T01:00:00.000+01:00",
            "2025-12-31T23:59:59.9999Z",
            "2025-12-31T23:59:59.99990Z",
            "2026-01-01T00:00:00-01:00",
        )
    )
    | times(),
)
LISTS = st.lists(PROBLEMS, max_size=12)
SPANS = st.none() | st.integers(1_767_200_000_000, 1_767_300_000_000)
COUNTS = st.dictionaries(
    st.integers(20_000, 20_030) | st.sampled_from((FIRST_DAY, FIRST_DAY + 1, LAST_DAY)),
    st.integers(0, 3),
    max_size=20,
)


def calendars() -> st.SearchStrategy[Calendar]:
    return COUNTS.map(
        lambda found: calendar_of({write_day(day): count for day, count in found.items()})
    )


class TestOrder:
    @SOME
    @given(LISTS | st.lists(problems(), max_size=6), st.booleans())
    def test_it_equals_sorting_by_one_key(self, listed: list[Problem], newest_first: bool) -> None:
        """So it is total, keeps all problems, and has unknown times last."""

        def key(problem: Problem) -> tuple[bool, Fraction, str]:
            instant = Fraction(0 if problem.instant is None else problem.instant)
            return problem.instant is None, -instant if newest_first else instant, problem.path

        assert ordered(listed, newest_first=newest_first) == tuple(sorted(listed, key=key))


class TestSelection:
    @SOME
    @given(LISTS, SPANS, SPANS)
    def test_a_span_and_its_complement_are_all_dated_problems(
        self, listed: list[Problem], since: int | None, until: int | None
    ) -> None:
        if since is None or until is None or since > until:
            return
        parts = (
            select(listed, until=since),
            select(listed, since=since, until=until),
            select(listed, since=until),
        )
        dated = [problem for problem in listed if problem.instant is not None]
        assert sum(map(Counter, parts), Counter()) == Counter(dated)

    @SOME
    @given(LISTS, SPANS)
    def test_filters_can_be_applied_one_by_one(
        self, listed: list[Problem], since: int | None
    ) -> None:
        at_once = select(listed, platforms="p", languages=["c", "d"], since=since, text="ONE")
        one = select(select(listed, text="one"), languages=["d", "c"])
        assert at_once == select(select(one, since=since), platforms=["p"])

    @SOME
    @given(LISTS)
    def test_groups_partition_the_problems(self, listed: list[Problem]) -> None:
        by_platform = group(listed, "platform")
        for name, found in by_platform.items():
            assert name is not None
            assert found == select(listed, platforms=name)
        for by in ("platform", "language", "month"):
            groups = group(listed, by)
            assert sum(map(Counter, groups.values()), Counter()) == Counter(listed)

    @SOME
    @given(LISTS)
    def test_counts_agree_with_groups_and_order(self, listed: list[Problem]) -> None:
        found = counts(listed)
        assert dict(found.platforms) == {
            name: len(each) for name, each in group(listed, "platform").items()
        }
        assert dict(found.languages) == {
            name: len(each) for name, each in group(listed, "language").items()
        }
        assert found.total == found.dated + found.undated == len(listed)
        if found.first is not None and found.last is not None:
            assert found.first.instant == ordered(listed, newest_first=False)[0].instant
            assert found.last.instant == ordered(listed)[0].instant


class TestCalendar:
    @SOME
    @given(calendars())
    def test_weeks_and_months_contain_each_count_once(self, calendar: Calendar) -> None:
        weeks = calendar_of({day: n for day, n in calendar.counts.items() if "2000" < day < "2100"})
        assert sum(n or 0 for week in weeks.weeks() for n in week.counts) == weeks.total
        assert sum(month.total for month in calendar.months()) == calendar.total
        assert sum(month.active_days for month in calendar.months()) == calendar.active_days

    @SOME
    @given(calendars())
    def test_streaks_partition_the_days(self, calendar: Calendar) -> None:
        numbers = [
            range(read_day(streak.first), read_day(streak.last) + 1) for streak in calendar.streaks
        ]
        assert [write_day(day) for run in numbers for day in run] == list(calendar.counts)
        assert all(after[0] - before[-1] > 1 for before, after in pairwise(numbers))
        assert [len(run) for run in numbers] == [streak.days for streak in calendar.streaks]
        longest = calendar.longest
        assert (0 if longest is None else longest.days) == max(map(len, numbers), default=0)

    @SOME
    @given(calendars(), st.integers(19_998, 20_033))
    def test_the_current_streak_equals_counting_back(self, calendar: Calendar, today: int) -> None:
        day = today if write_day(today) in calendar.counts else today - 1
        length = 0
        while write_day(day - length) in calendar.counts:
            length += 1
        found = calendar.current(write_day(today))
        assert (0 if found is None else found.days) == length

    @SOME
    @given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(0, 60))
    def test_weeks_are_those_of_iso_8601(self, first: date, more: int) -> None:
        last = first + timedelta(more)
        weeks = calendar_of({}).weeks(first.isoformat(), last.isoformat())
        shown = [
            (week.year, week.number, weekday)
            for week in weeks
            for weekday, count in enumerate(week.counts, 1)
            if count is not None
        ]
        every = (first + timedelta(step) for step in range(more + 1))
        assert shown == [tuple(day.isocalendar()) for day in every]


class TestDelta:
    @SOME
    @given(LISTS)
    def test_a_list_has_no_delta_to_itself(self, listed: list[Problem]) -> None:
        assert delta(listed, listed) == Delta()

    @SOME
    @given(LISTS, LISTS)
    def test_it_leads_from_old_to_new(self, old: list[Problem], new: list[Problem]) -> None:
        """Invariant *a delta leads from old to new*."""
        found = delta(old, new)
        assert Counter(found.applied_to(old)) == Counter(new)
        assert Counter(delta(new, old).applied_to(found.applied_to(old))) == Counter(old)

    @SOME
    @given(LISTS, LISTS)
    def test_it_is_reversed_for_reversed_arguments(
        self, old: list[Problem], new: list[Problem]
    ) -> None:
        there, back = delta(old, new), delta(new, old)
        assert (there.added, there.removed) == (back.removed, back.added)
        assert {(each.old, each.new) for each in there.changed} == {
            (each.new, each.old) for each in back.changed
        }

    @SOME
    @given(LISTS)
    def test_order_is_no_change_if_paths_differ(self, listed: list[Problem]) -> None:
        different = list({problem.path: problem for problem in listed}.values())
        assert not delta(different, different[::-1])
