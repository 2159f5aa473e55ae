"""Usual ranges, days outside of them, and the scales of lanes, boundary by boundary."""

from datetime import date

import pytest

from healthapi.derived.statistics import (
    LEAST_VALUES,
    RANGE_VALUES,
    Range,
    count_days_outside,
    find_range,
    find_scale,
)

TENS = Range(10, 20)


class TestRange:
    def test_it_goes_from_the_10th_to_the_90th_percentile(self) -> None:
        assert find_range([float(n) for n in range(101)][-90:]) == Range(19.9, 91.1)
        assert find_range(list(range(31)), 0) == Range(3, 27)

    def test_percentiles_lie_between_two_values(self) -> None:
        assert find_range([0.0] * 3 + [1.0] * 27) == Range(0.9, 1.0)

    @pytest.mark.parametrize("count", [0, 1, LEAST_VALUES - 1])
    def test_too_few_values_have_none(self, count: int) -> None:
        assert find_range([50.0] * count) is None

    def test_older_values_do_not_count(self) -> None:
        assert find_range([1000.0, *[50.0] * RANGE_VALUES]) == Range(50, 50)
        assert find_range([*[1000.0] * 30, *[50.0] * (RANGE_VALUES - 30)]) == Range(50, 1000)

    @pytest.mark.parametrize(
        ("value", "side"), [(9.9, "below"), (10, None), (15, None), (20, None), (20.1, "above")]
    )
    def test_both_ends_are_within(self, value: float, side: str | None) -> None:
        assert TENS.side(value) == side


class TestDaysOutside:
    @pytest.mark.parametrize(
        ("days", "values", "expected"),
        [
            ([], [], (None, 0)),
            ([1], [15], (None, 0)),
            ([1], [9], ("below", 1)),
            ([1, 2, 3, 4], [9, 8, 7, 6], ("below", 4)),
            ([1, 2, 3, 4], [15, 21, 22, 23], ("above", 3)),
            ([1, 2, 3], [21, 22, 15], (None, 0)),
            ([1, 2, 3], [9, 21, 22], ("above", 2)),  # the other side is another run
            ([1, 3, 4], [9, 9, 9], ("below", 2)),  # a day without a value ends a run
            ([1, 2, 3], [10, 9, 9], ("below", 2)),  # the end of the range is within
        ],
    )
    def test_days_follow_each_other_on_one_side(
        self, days: list[int], values: list[float], expected: tuple[str | None, int]
    ) -> None:
        dates = [date(2026, 1, day) for day in days]
        assert count_days_outside(dates, values, TENS) == expected


class TestScale:
    def test_one_day_does_not_flatten_89_others(self) -> None:
        steps = [5_000 + n * 80 for n in range(89)]
        assert find_scale([*steps, 31_170]) == Range(5_000, 12_040)
        assert find_scale([*steps, 31_170, 0]) == Range(0, 12_040)

    def test_a_value_at_the_end_of_the_reach_is_not_cut(self) -> None:
        values = [0.0, *[10.0] * 14, *[20.0] * 14]  # the tenths are 10 and 20, the reach is 15
        assert find_scale([*values, 35.0]) == Range(0, 35)
        assert find_scale([*values, 35.1]) == Range(0, 20)
        assert find_scale([*values[1:], -5.0, 20.0]) == Range(-5, 20)
        assert find_scale([*values[1:], -5.1, 20.0]) == Range(10, 20)

    def test_a_value_that_leaves_two_thirds_to_the_others_is_not_cut(self) -> None:
        values = [0.0, *[10.0] * 14, *[20.0] * 14, 34.0]
        assert find_scale([*values, 51.0]) == Range(0, 51)
        assert find_scale([*values, 51.1]) == Range(0, 34)

    def test_mostly_equal_values_are_not_cut(self) -> None:
        assert find_scale([*[60.0] * 89, 200.0]) == Range(60, 200)

    @pytest.mark.parametrize("values", [[7.0], [7.0, 7.0], [0.0, 7.0], [*range(28), 900.0]])
    def test_few_values_are_not_cut(self, values: list[float]) -> None:
        assert find_scale(values) == Range(min(values), max(values))

    def test_the_usual_range_is_seen_whole(self) -> None:
        assert find_scale([12.0, 13.0], TENS) == TENS
        assert find_scale([5.0, 30.0], TENS) == Range(5, 30)
