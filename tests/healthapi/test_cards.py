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

    def test_nothing_changed_is_zero_and_not_minus_zero(self) -> None:
        assert str(trend_of("hrv", 50, 49.96875)) == "flat +0.0 (-0.1 %)"


class TestReprs:
    def test_a_card_is_one_line(self) -> None:
        card = card_of("steps", [8000] * 7 + [9100] * 7)
        assert repr(card) == (
            "<Card Steps: 9100 steps on 2026-01-14, up +1100.0 (+13.8 %), improving>"
        )

    def test_a_rising_heart_rate_is_worsening(self) -> None:
        assert repr(trend_of("rhr", 50, 60)) == "<Trend up +10.0 (+20.0 %), worsening>"

    def test_a_percentage_that_is_not_there_is_not_shown(self) -> None:
        assert repr(trend_of("rhr", 0, 60)) == "<Trend up +60.0, worsening>"

    def test_the_repr_of_a_card_without_a_value(self) -> None:
        assert repr(card_of("hrv", [])) == "<Card Heart rate variability: no value>"

    def test_the_repr_of_a_card_without_a_trend(self) -> None:
        assert repr(card_of("rhr", [60])) == (
            "<Card Resting heart rate: 60 bpm on 2026-01-01, not enough values>"
        )
