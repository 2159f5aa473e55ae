"""Properties of the views: order, selection, groups, counts, calendar."""

from collections import Counter
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from sitedata import Problem
from sitedata.strategies import problems, times
from sitedata.views.calendar import Calendar, calendar_of
from sitedata.views.selecting import group, ordered, select

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
COUNTS = st.dictionaries(
    st.dates(date(2024, 10, 4), date(2024, 11, 3))
    | st.sampled_from((date.min, date(1, 1, 2), date.max)),
    st.integers(0, 3),
    max_size=20,
)


def calendars() -> st.SearchStrategy[Calendar]:
    return COUNTS.map(calendar_of)


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
    @given(LISTS)
    def test_groups_partition_the_problems(self, listed: list[Problem]) -> None:
        by_platform = group(listed, "platform")
        for name, found in by_platform.items():
            assert found == select(listed, platforms=name)
        for by in ("platform", "site", "language"):
            groups = group(listed, by)
            assert sum(map(Counter, groups.values()), Counter()) == Counter(listed)


class TestCalendar:
    @SOME
    @given(calendars())
    def test_weeks_and_months_contain_each_count_once(self, calendar: Calendar) -> None:
        near = {day: n for day, n in calendar.counts.items() if 2000 < day.year < 2100}
        weeks = calendar_of(near)
        assert sum(n or 0 for days in weeks.weeks().values() for n in days) == weeks.total
        assert sum(map(sum, calendar.months().values())) == calendar.total
        assert sum(map(len, calendar.months().values())) == calendar.active_days

    @SOME
    @given(calendars())
    def test_streaks_partition_the_days(self, calendar: Calendar) -> None:
        numbers = [
            range(streak.first.toordinal(), streak.last.toordinal() + 1)
            for streak in calendar.streaks
        ]
        days = [day.toordinal() for day in calendar.counts]
        assert [day for run in numbers for day in run] == days
        assert all(after[0] - before[-1] > 1 for before, after in pairwise(numbers))
        assert [len(run) for run in numbers] == [streak.days for streak in calendar.streaks]
        longest = calendar.longest
        assert (0 if longest is None else longest.days) == max(map(len, numbers), default=0)

    @SOME
    @given(calendars(), st.dates(date(2024, 10, 2), date(2024, 11, 6)))
    def test_the_current_streak_equals_counting_back(self, calendar: Calendar, today: date) -> None:
        day = today if today in calendar.counts else today - timedelta(1)
        length = 0
        while day - timedelta(length) in calendar.counts:
            length += 1
        found = calendar.current(today)
        assert (0 if found is None else found.days) == length
