"""The content of a heat map: weeks, levels, months."""

from datetime import date, timedelta
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitedata.views.calendar import Calendar, calendar_of
from sitedata.views.heatmap import LEVELS, MAX_WEEKS, Heat, build_heat, format_count, legend_levels
from status_contracts.days import parse_day

EPOCH = date(1970, 1, 1)


def some(calendar: Calendar, until: date | None = None, weeks: int = 53) -> Heat:
    heat = build_heat(calendar, until=until, weeks=weeks)
    assert heat is not None
    return heat


def levels(*counts: int) -> list[int]:
    """Return the levels of days with these counts."""
    days = [EPOCH + timedelta(day) for day in range(len(counts))]
    heat = some(calendar_of(dict(zip(days, counts, strict=True))))
    return [heat.levels.get(day, 0) for day in days]


class TestLevels:
    def test_a_quarter_of_the_days_each(self) -> None:
        """Invariant *quarters*."""
        assert levels(0, 1, 2, 3, 4, 5, 6, 7, 8) == [0, 1, 1, 2, 2, 3, 3, 4, 4]

    def test_equal_counts_share_a_level(self) -> None:
        assert levels(7, 7, 7) == [1, 1, 1]
        assert levels(1, 1, 1, 9) == [1, 1, 1, 4]
        assert levels(*[1] * 96, 2, 3, 4, 5)[95:] == [1, 4, 4, 4, 4]

    def test_up_to_four_counts_have_a_level_each(self) -> None:
        assert levels(*[1] * 96, 2, 3, 4)[95:] == [1, 2, 3, 4]
        assert levels(*[1] * 96, 2, 5)[95:] == [1, 3, 4]

    def test_a_part_of_a_year_has_the_levels_of_the_year(self) -> None:
        calendar = calendar_of({EPOCH + timedelta(day): day + 1 for day in range(300)})
        year, part = some(calendar), some(calendar, weeks=22)
        assert part.levels == {day: year.levels[day] for day in part.days}
        assert part.scale == year.scale

    @given(st.lists(st.integers(0, 9) | st.integers(0, 10**40), min_size=1, max_size=60))
    def test_a_larger_count_never_has_a_lower_level(self, counts: list[int]) -> None:
        if not any(counts):
            return
        found = sorted(zip(counts, levels(*counts), strict=True))
        assert [level for _, level in found] == sorted(level for _, level in found)
        assert {level for count, level in found if count} <= set(range(1, LEVELS + 1))
        assert {level for count, level in found if not count} <= {0}

    def test_the_scale_names_the_counts_of_each(self) -> None:
        heat = some(calendar_of({date(2026, 1, day): n for day, n in enumerate((1, 1, 4, 9), 1)}))
        assert legend_levels(heat) == [(0, "none"), (1, "1"), (3, "2\u20134"), (4, "5 or more")]
        wide = some(calendar_of({EPOCH + timedelta(day): day + 1 for day in range(8)}))
        texts = [text for _, text in legend_levels(wide)]
        assert texts == ["none", "1\u20132", "3\u20134", "5\u20136", "7 or more"]
        for count, text in ((1, "1"), (7, "1 or more")):
            assert legend_levels(some(calendar_of({EPOCH: count}))) == [(0, "none"), (1, text)]


@pytest.mark.rule("SD-VIEW-12")
class TestInactive:
    """The calendar of an inactive repository ends at its last year of activity."""

    DAYS = MappingProxyType({date(2020, 5, 3): 2, date(2021, 2, 3): 1})

    @pytest.mark.parametrize(
        ("until", "end"),
        [
            ("2021-02-03", "2021-02-03"),
            ("2022-02-02", "2022-02-02"),  # twelve months since 3 February 2021
            ("2022-02-03", "2021-02-03"),
            ("2026-01-31", "2021-02-03"),
        ],
    )
    @pytest.mark.parametrize("weeks", [20, 53])
    def test_a_year_without_a_count_is_not_shown(self, until: str, end: str, weeks: int) -> None:
        calendar = calendar_of(self.DAYS, until=parse_day(until))
        heat = build_heat(calendar, until=None, weeks=weeks)
        assert heat is None or heat.days[-1] == parse_day(end)
        assert (heat is None) == (weeks == 20 and end == until != "2021-02-03")

    def test_more_than_a_year_shows_what_is_in_it(self) -> None:
        calendar = calendar_of(self.DAYS, until=date(2022, 12, 31))
        assert some(calendar, weeks=106).days[-1] == date(2022, 12, 31)

    def test_a_day_that_is_given_is_the_last(self) -> None:
        calendar = calendar_of(self.DAYS, until=date(2026, 1, 31))
        assert build_heat(calendar, until=date(2026, 1, 31), weeks=53) is None


class TestRange:
    YEARS = calendar_of({EPOCH + timedelta(day): 1 for day in range(3000)})

    def test_the_weeks_up_to_a_day(self) -> None:
        heat = some(self.YEARS, until=date(1975, 1, 5), weeks=2)
        assert (heat.days[0], heat.days[-1]) == (date(1974, 12, 23), date(1975, 1, 5))
        assert heat.summary == "14 contributions on 14 days in the 2 weeks to 5 Jan 1975"

    def test_a_day_after_the_last_that_counts(self) -> None:
        heat = some(calendar_of({date(2026, 1, 31): 1}), until=date(2026, 2, 10), weeks=3)
        assert heat.levels == {date(2026, 1, 31): 1}
        places = [heat.week_and_weekday(day) for day in heat.days]
        assert (places[0], places[-1]) == ((0, 0), (2, 1))

    @pytest.mark.parametrize("until", [date(1960, 1, 1), date(1990, 1, 1), date.max])
    def test_none_where_no_day_counts(self, until: date) -> None:
        assert build_heat(self.YEARS, until=until, weeks=53) is None

    def test_the_ends_of_the_calendar(self) -> None:
        heat = some(calendar_of({date(1, 1, 1): 1}), weeks=4)
        assert (heat.days[0], heat.week_and_weekday(date.min)) == (date.min, (3, 0))
        assert heat.months[0].name == "January 0001"
        assert some(calendar_of({date(9999, 12, 31): 1})).months[-1].name == "December 9999"

    @pytest.mark.parametrize("weeks", [0, -1, MAX_WEEKS + 1])
    def test_there_are_bounds(self, weeks: int) -> None:
        """Invariant *bounded*."""
        with pytest.raises(ValueError, match="expected 1 to 106"):
            build_heat(self.YEARS, until=None, weeks=weeks)


class TestTexts:
    @pytest.mark.parametrize(
        ("count", "expected"),
        [(0, "0"), (999_999, "999,999"), (1_250_000, "1.2e6"), (10**300, "1.0e300")],
    )
    def test_long_numbers_are_shortened(self, count: int, expected: str) -> None:
        assert format_count(count) == expected
