"""Ticks of a time axis: round times, round dates, and the finest that fit."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purewire.instants import DAY_MS
from purewire.svg.axis import Level, Tick, date_ticks, finest_ticks, time_ticks, value_levels
from purewire.svg.text import text_width

NOON = 1_767_268_800_000
"""2026-01-01, 12:00 UTC."""


def named(first: str, last: str, most: int, *, daily: bool = True) -> list[str]:
    """Return the labels of dates of the finest choice with at most so many ticks."""
    begin, end = (date.fromisoformat(day).toordinal() for day in (first, last))
    choices = date_ticks(begin, end, daily=daily)
    fitting = next((choice for choice in choices if len(choice[0]) <= most), None)
    ticks = [] if fitting is None else list(map(fitting[1], fitting[0]))
    assert all(begin < tick.value < end for tick in ticks)
    return [tick.label for tick in ticks]


class TestDateTicks:
    """Invariant *round ticks*."""

    def test_a_few_days_are_named_each(self) -> None:
        assert named("2024-02-27", "2024-03-02", 12) == ["28 Feb", "29 Feb", "1 Mar"]

    def test_of_more_days_the_mondays(self) -> None:
        assert named("2024-01-01", "2024-01-31", 12) == ["8 Jan", "15 Jan", "22 Jan", "29 Jan"]

    def test_a_monday_at_the_end_is_not_named_twice(self) -> None:
        assert named("2024-01-07", "2024-01-15", 1) == ["8 Jan"]

    def test_of_months_their_first_days(self) -> None:
        assert named("2024-01-15", "2024-05-02", 12) == ["Feb", "Mar", "Apr", "May"]

    def test_then_quarters_and_halves(self) -> None:
        assert named("2023-02-10", "2024-03-10", 4) == ["Apr", "Jul", "Oct", "2024"]
        assert named("2023-02-10", "2024-03-10", 3) == ["Jul", "2024"]

    @pytest.mark.parametrize(
        ("most", "expected"),
        [
            (12, ["2015", "2016", "2017", "2018", "2019", "2020", "2021", "2022", "2023", "2024"]),
            (9, ["2016", "2018", "2020", "2022", "2024"]),
            (4, ["2015", "2020"]),
            (1, ["2020"]),
        ],
    )
    def test_then_years_that_are_round(self, most: int, expected: list[str]) -> None:
        assert named("2014-06-30", "2024-06-30", most) == expected

    def test_all_years_that_dates_have(self) -> None:
        assert named("0001-01-01", "9999-12-31", 4) == ["2000", "4000", "6000", "8000"]

    def test_a_first_day_at_the_start_is_not_named_again(self) -> None:
        assert named("2024-01-01", "2024-12-31", 2) == ["Jul"]

    def test_days_do_not_label_weeks_and_months(self) -> None:
        assert named("2024-01-01", "2024-02-12", 12, daily=False) == ["Feb"]

    def test_without_space_there_is_none(self) -> None:
        assert named("0001-01-01", "9999-12-31", 0) == []


class TestTimeTicks:
    """Invariant *round ticks*."""

    @pytest.mark.parametrize(
        ("length_ms", "step_ms", "width", "font_size"),
        [
            (900_000, 300_000, 300, 10),
            (900_000, 180_000, 512, 11),
            (900_000, 120_000, 1124, 13),
            (20_000, 5000, 592, 11),
            (30, 10, 592, 11),
            (0, 1, 592, 11),
            (8 * 3_600_000, 3_600_000, 800, 12),
            (36 * 3_600_000, 6 * 3_600_000, 800, 12),
        ],
    )
    def test_the_step_suits_the_axis(
        self, length_ms: int, step_ms: int, width: int, font_size: int
    ) -> None:
        choices = time_ticks(NOON, NOON + length_ms)
        ticks = finest_ticks(choices, width, font_size, 3 * font_size)
        values = [tick.value for tick in ticks]
        assert values == [*range(NOON, NOON + length_ms + 1, step_ms)]

    def test_labels_are_as_precise_as_the_step(self) -> None:
        for width, label in ((400, "12:00:00"), (200_000, "12:00:00.000")):
            (tick, *_) = finest_ticks(time_ticks(NOON, NOON + 60_000), width, 11, 33)
            assert tick == Tick(NOON, label)

    def test_spans_of_days_are_labelled_by_their_dates(self) -> None:
        ticks = finest_ticks(time_ticks(NOON, NOON + 5 * DAY_MS), 500, 12, 36)
        assert [tick.label for tick in ticks] == ["2 Jan", "3 Jan", "4 Jan", "5 Jan", "6 Jan"]
        assert {tick.value % DAY_MS for tick in ticks} == {0}
        ticks = finest_ticks(time_ticks(NOON, NOON + 2 * DAY_MS), 500, 12, 36)
        assert [tick.label for tick in ticks] == ["12:00", "2 Jan", "12:00", "3 Jan", "12:00"]


class TestFinestTicks:
    """Invariant *finest that fits*."""

    def test_labels_have_their_space(self) -> None:
        for length in range(50, 2000, 50):
            for choices in (time_ticks(NOON, NOON + 900_000), date_ticks(9000, 9400, daily=True)):
                ticks = finest_ticks(choices, length, 11, 22)
                assert sum(text_width(tick.label, 11) + 22 for tick in ticks) <= length

    def test_without_space_there_are_none(self) -> None:
        assert finest_ticks(date_ticks(1, 3_652_059, daily=True), 10, 12, 24) == []
        assert finest_ticks(time_ticks(0, NOON), 300, 10, 30) == []

    def test_neighbouring_days_have_none_between(self) -> None:
        assert finest_ticks(date_ticks(10, 11, daily=True), 900, 12, 24) == []

    def test_between_a_day_and_itself_there_are_none(self) -> None:
        for day in (1, 9000, 3_652_059):
            for daily in (True, False):
                assert finest_ticks(date_ticks(day, day, daily=daily), 900, 12, 24) == []


class TestValueLevels:
    @pytest.mark.parametrize(
        ("least", "greatest", "labels"),
        [
            (52, 66, ["66", "63", "60", "57", "52"]),
            (6, 19065, ["19,065", "12,000", "8,000", "4,000", "6"]),
            (24.7, 31.7, ["31.7", "30.0", "28.5", "27.0", "24.7"]),
            (-1, 1, ["1", "0.5", "0.0", "-0.5", "-1"]),
            (5, 5.4, ["5.4", "", "", "", "5"]),
            (58, 58, ["", "", "58", "", ""]),
            (0, 2**53, ["9,007,199,254,740,992", *(f"{n}{5 * ',000'}" for n in (6, 4, 2)), "0"]),
        ],
    )
    def test_numbers_are_round(self, least: float, greatest: float, labels: list[str]) -> None:
        assert [level.label for level in value_levels(least, greatest)] == labels

    def test_a_number_is_at_its_height(self) -> None:
        assert value_levels(0, 100) == [
            *(Level(0, "100"), Level(0.25, "75"), Level(0.5, "50"), Level(0.75, "25")),
            Level(1, "0"),
        ]

    @given(st.floats(-1e15, 1e15), st.floats(0, 1e15))
    def test_levels_are_an_eighth_apart(self, least: float, span: float) -> None:
        shares = [level.share for level in value_levels(least, least + span)]
        assert shares[0] == 0
        assert shares[-1] == 1
        assert all(after - before > 0.11 for before, after in pairwise(shares))
