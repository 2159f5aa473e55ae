"""Properties of the numbers that are made of daily rows: cards, correlations, the recovery score.

The rows drawn here are wilder than any wearable's: every finite number up to 2**53 of either sign,
null and absent cells anywhere.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from healthapi.catalog_keys import CARD_METRICS, CORRELATIONS, METRICS
from healthapi.derived.cards import Card, Goals, build_cards, build_recovery
from healthapi.derived.statistics import build_correlations, pearson
from healthapi.limits import LARGEST_NUMBER
from healthapi.rows.records import Cell, DailyRow, Rows
from purewire.primitives import ABSENT
from purewire.structuring.to_builtins import to_builtins
from support.checks.costs import assert_linear
from support.healthapi.daily_rows import daily_of

USED = ("sleep_score", "minutes_asleep", "hrv", "rhr", "steps")
"""The columns of the correlations and the recovery score."""
NO_GOALS = Goals()

whole = st.integers(-LARGEST_NUMBER, LARGEST_NUMBER)
numbers = whole | st.floats(-LARGEST_NUMBER, LARGEST_NUMBER) | st.integers(0, 200)
cells = numbers | st.none() | st.just(ABSENT)
goals = st.builds(Goals, sleep_minutes=st.none() | whole, daily_steps=st.none() | whole)


def days(*keys: str, least: int = 0, most: int = 50) -> st.SearchStrategy[Rows[DailyRow]]:
    """Daily rows that have these columns."""
    rows = st.lists(st.tuples(*(cells for _ in keys)), min_size=least, max_size=most)
    return rows.map(lambda found: columns_of(keys, found))


def columns_of(keys: Sequence[str], rows: list[tuple[Cell, ...]]) -> Rows[DailyRow]:
    """Turn rows into columns."""
    columns = zip(*rows, strict=True) if rows else ((),) * len(keys)
    return daily_of(**dict(zip(keys, columns, strict=True)))


def numbers_in(plain: dict[str, Any]) -> Iterator[float]:
    """Yield all numbers of a plain value."""
    for member in plain.values():
        if isinstance(member, dict):
            yield from numbers_in(member)
        elif isinstance(member, (int, float)):
            yield member


def card_of(values: Sequence[Cell], key: str = "hrv") -> Card:
    """Return the card of one metric with these cells."""
    return build_cards(daily_of(**{key: values}), NO_GOALS)[CARD_METRICS.index(key)]


class TestStrictNumbers:
    """Whatever is measured, what comes out is JSON: no NaN and no infinity."""

    @settings(max_examples=60)
    @given(days(*CARD_METRICS, "minutes_asleep", most=20), goals)
    def test_every_number_is_finite_and_none_is_minus_zero(
        self, daily: Rows[DailyRow], goals: Goals
    ) -> None:
        found: list[attrs.AttrsInstance] = [*build_cards(daily, goals), *build_correlations(daily)]
        found.append(build_recovery(daily, goals))
        for number in (number for each in found for number in numbers_in(to_builtins(each))):
            assert math.isfinite(number)
            assert number != 0 or math.copysign(1, number) == 1


class TestCardsByTheLetter:
    """Health facts, section 8, with the rulings: all windows are of values."""

    @given(days("hrv"))
    def test_a_card_is_what_the_rule_says(self, daily: Rows[DailyRow]) -> None:
        values = [row.hrv for row in daily if isinstance(row.hrv, (int, float))]
        dated = [row.date for row in daily if isinstance(row.hrv, (int, float))]
        card = build_cards(daily, NO_GOALS)[CARD_METRICS.index("hrv")]
        assert (card.latest_date, card.avg7 is None) == (dated[-1] if dated else None, not values)
        if not values:
            return
        assert card.latest == round(values[-1], 1)
        assert card.avg7 == round(math.fsum(values[-7:]) / len(values[-7:]), 1)
        assert card.avg30 == round(math.fsum(values[-30:]) / len(values[-30:]), 1)
        former = values[-14:-7]
        if not former:
            assert card.trend.delta is None
            return
        delta = math.fsum(values[-7:]) / 7 - math.fsum(former) / len(former)
        assert card.trend.delta == round(delta, 1)
        assert (card.trend.direction == "flat") is (abs(delta) <= METRICS["hrv"].tolerance)
        assert card.trend.improving is {"up": True, "down": False}.get(card.trend.direction)

    @given(st.lists(cells, max_size=40), st.lists(st.none() | st.just(ABSENT), max_size=40))
    def test_days_without_a_value_change_nothing(
        self, values: list[Cell], missing: list[Cell]
    ) -> None:
        assert card_of(values + missing) == card_of(values)
        moved = card_of(missing + values)
        assert attrs.evolve(moved, latest_date=None) == attrs.evolve(
            card_of(values), latest_date=None
        )

    @given(st.lists(numbers, min_size=30, max_size=40), st.lists(cells, max_size=20))
    def test_values_before_the_last_thirty_change_nothing(
        self, values: list[Cell], older: list[Cell]
    ) -> None:
        moved = card_of(older + values)
        assert attrs.evolve(moved, latest_date=None) == attrs.evolve(
            card_of(values), latest_date=None
        )


class TestPearson:
    @given(st.lists(st.tuples(numbers, numbers), max_size=40))
    def test_it_is_from_minus_1_to_1_and_the_same_in_either_order(
        self, points: list[tuple[float, float]]
    ) -> None:
        """Invariant *from -1 to 1*."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        found = pearson(xs, ys)
        assert found is None or -1 <= found <= 1
        assert pearson(ys, xs) == found

    @given(st.lists(st.tuples(whole, whole), min_size=3, max_size=30))
    def test_it_is_what_exact_arithmetic_gives(self, points: list[tuple[int, int]]) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        assert pearson(xs, ys) == pytest.approx(exact(xs, ys), abs=1e-12)

    @given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=9))
    def test_so_it_is_close_to_the_largest_numbers(self, points: list[tuple[int, int]]) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        high = [LARGEST_NUMBER - x for x in xs]
        assert pearson(high, ys) == pytest.approx(exact(high, ys), abs=1e-12)


def exact(xs: list[int], ys: list[int]) -> float | None:
    """Return Pearson's coefficient by rational arithmetic, rounded at the end."""
    count = len(xs)

    def moment(one: list[int], other: list[int]) -> int:
        return count * sum(map(int.__mul__, one, other)) - sum(one) * sum(other)

    variances = moment(xs, xs) * moment(ys, ys)
    if not variances:
        return None
    covariance = moment(xs, ys)
    return math.copysign(math.sqrt(Fraction(covariance**2, variances)), covariance)


class TestCorrelations:
    @given(days(*USED))
    def test_points_are_the_days_with_both_values(self, daily: Rows[DailyRow]) -> None:
        for found, (one, other) in zip(build_correlations(daily), CORRELATIONS, strict=True):
            both = [
                row
                for row in daily
                if isinstance(getattr(row, one), (int, float))
                and isinstance(getattr(row, other), (int, float))
            ]
            assert found.points == len(both)
            assert (found.coefficient is None) is (found.strength == "not_enough_data")
            assert found.coefficient is None or found.points >= 3


class TestRecovery:
    @given(days(*USED), goals)
    def test_the_score_is_0_to_100_and_the_label_is_its_own(
        self, daily: Rows[DailyRow], goals: Goals
    ) -> None:
        found = build_recovery(daily, goals)
        if found.score is None:
            assert found.label_key == "waiting_for_data"
            return
        assert 0 <= found.score <= 100
        least = {"good": 80, "stable": 65, "watch": 50, "rest": 0}
        assert found.label_key == next(key for key in least if found.score >= least[key])

    @given(days(*USED), goals, st.lists(st.none() | st.just(ABSENT), min_size=1, max_size=3))
    def test_a_last_day_without_values_is_waiting(
        self, daily: Rows[DailyRow], goals: Goals, missing: list[Cell]
    ) -> None:
        columns = {key: (*daily.columns[key], *missing) for key in USED}
        assert build_recovery(daily_of(**columns), goals).score is None

    @settings(max_examples=30)
    @given(days(*USED, least=30, most=30), goals, st.lists(cells, max_size=20))
    def test_rows_before_the_last_thirty_change_nothing(
        self, daily: Rows[DailyRow], goals: Goals, older: list[Cell]
    ) -> None:
        columns = {key: (*older, *daily.columns[key]) for key in USED}
        assert build_recovery(daily_of(**columns), goals) == build_recovery(daily, goals)


class TestCost:
    def test_all_numbers_together_take_time_linear_in_the_days(self) -> None:
        """Also where a metric was measured long ago, so that its last values lie far back."""

        def make(size: int) -> Rows[DailyRow]:
            values = [(number * 7919 % 1009) / 10 for number in range(size)]
            old: list[Cell] = [*values[:30], *([None] * (size - 30))]
            return daily_of(sleep_score=values, hrv=values[::-1], steps=values, rhr=old)

        def all_numbers(daily: Rows[DailyRow]) -> object:
            return (
                build_cards(daily, NO_GOALS),
                build_correlations(daily),
                build_recovery(daily, NO_GOALS),
            )

        assert_linear(all_numbers, make, 1000)
