"""The metric cards, number by number."""

from collections.abc import Sequence

import pytest

from healthapi.derived.cards import Card, Goals, Trend, build_cards
from healthapi.keys import CARD_METRICS, METRICS
from healthapi.rows.rows import Cell
from support.healthapi.daily_rows import daily_of

NO_GOALS = Goals()


def card_of(key: str, values: Sequence[Cell], goals: Goals = NO_GOALS) -> Card:
    """Return the card of one metric that has these cells."""
    return next(card for card in build_cards(daily_of(**{key: values}), goals) if card.key == key)


def trend_of(key: str, former: float, current: float) -> Trend:
    """Return the trend from a week of one value to a week of another."""
    return card_of(key, [former] * 7 + [current] * 7).trend


class TestLatest:
    def test_it_is_rounded_half_to_even_on_the_binary_value(self) -> None:
        assert card_of("hrv", [82.25]).latest == 82.2
        assert card_of("hrv", [82.75]).latest == 82.8


class TestGoal:
    @pytest.mark.parametrize(
        ("minutes", "hours"), [(480, 8.0), (455, 7.6), (457, 7.6), (459, 7.7), (453, 7.5), (0, 0.0)]
    )
    def test_the_sleep_goal_is_in_hours_as_the_card_is(self, minutes: int, hours: float) -> None:
        assert card_of("sleep_hours", [], Goals(sleep_minutes=minutes)).goal == hours


TOLERANCES = {key: METRICS[key].tolerance for key in CARD_METRICS}


class TestTrend:
    @pytest.mark.parametrize(("key", "tolerance"), TOLERANCES.items())
    def test_a_greater_change_has_the_direction_of_the_value(
        self, key: str, tolerance: float
    ) -> None:
        more = tolerance + 0.125
        assert trend_of(key, 0, more).direction == "up"
        assert trend_of(key, 0, -more).direction == "down"

    def test_the_tolerance_is_compared_before_rounding(self) -> None:
        assert trend_of("hrv", 50, 52.03125) == Trend("up", True, 2.0, 4.1)

    def test_the_tolerance_is_compared_as_doubles(self) -> None:
        """7.2 - 7.0 is 0.20000000000000018."""
        assert trend_of("sleep_hours", 7.0, 7.2) == Trend("up", True, 0.2, 2.9)

    def test_percent_is_of_the_unrounded_change_and_the_size_of_the_former(self) -> None:
        assert trend_of("hrv", 30, 40) == Trend("up", True, 10.0, 33.3)
        assert trend_of("hrv", -30, -20) == Trend("up", True, 10.0, 33.3)
        assert trend_of("hrv", 4, 1.75) == Trend("down", False, -2.2, -56.2)  # -2.25, -56.25
