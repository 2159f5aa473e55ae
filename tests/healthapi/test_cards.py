"""The metric cards, number by number."""

from collections.abc import Sequence

import attrs
import pytest

from healthapi.catalog_keys import CARD_METRICS, METRICS
from healthapi.derived.cards import Card, Goals, Trend, build_cards
from healthapi.rows.records import Cell
from purewire.absent import ABSENT
from purewire.structuring.to_builtins import to_builtins
from support.healthapi.daily_rows import daily_of

NO_GOALS = Goals()


def card_of(key: str, values: Sequence[Cell], goals: Goals = NO_GOALS) -> Card:
    """Return the card of one metric that has these cells."""
    return next(card for card in build_cards(daily_of(**{key: values}), goals) if card.key == key)


def trend_of(key: str, former: float, current: float) -> Trend:
    """Return the trend from a week of one value to a week of another."""
    return card_of(key, [former] * 7 + [current] * 7).trend


class TestCards:
    def test_the_eight_are_there_in_order_without_any_day(self) -> None:
        empty = build_cards(daily_of(), NO_GOALS)
        assert [(card.key, card.unit, card.tone) for card in empty] == [
            ("sleep_score", "points", "blue"),
            ("sleep_hours", "hours", "amber"),
            ("steps", "steps", "green"),
            ("active_minutes", "min", "teal"),
            ("active_zone_minutes", "min", "red"),
            ("hrv", "ms", "blue"),
            ("rhr", "bpm", "red"),
            ("calories_out", "kcal", "amber"),
        ]
        assert {(card.latest, card.latest_date, card.avg7, card.avg30) for card in empty} == {
            (None, None, None, None)
        }
        assert {card.trend for card in empty} == {Trend("flat", None, None, None)}
        assert [card.label for card in empty] == [METRICS[key].label for key in CARD_METRICS]

    def test_days_without_a_value_are_an_empty_card(self) -> None:
        assert card_of("hrv", [None, ABSENT, None]) == card_of("hrv", [])

    def test_the_plain_form_has_the_members_in_order(self) -> None:
        goals = Goals(daily_steps=10_000)
        plain = to_builtins(card_of("steps", [8000] * 7 + [9000] * 6 + [9700], goals))
        assert list(plain.items()) == [
            ("key", "steps"),
            ("label", "Steps"),
            ("unit", "steps"),
            ("tone", "green"),
            ("latest", 9700),
            ("latest_date", "2026-01-14"),
            ("avg7", 9100.0),
            ("avg30", 8550.0),
            ("goal", 10_000),
            ("trend", {"direction": "up", "improving": True, "delta": 1100.0, "percent": 13.8}),
        ]
        assert list(plain["trend"]) == ["direction", "improving", "delta", "percent"]


class TestLatest:
    def test_it_is_the_last_value_with_its_day(self) -> None:
        card = card_of("hrv", [41.0, 42.36, None, ABSENT])
        assert (card.latest, card.latest_date) == (42.4, "2026-01-02")

    def test_zero_is_a_value(self) -> None:
        card = card_of("steps", [9000, 0])
        assert (card.latest, card.latest_date) == (0, "2026-01-02")

    def test_it_is_rounded_half_to_even_on_the_binary_value(self) -> None:
        assert card_of("hrv", [82.25]).latest == 82.2
        assert card_of("hrv", [82.75]).latest == 82.8


class TestAverages:
    def test_the_last_7_and_the_last_30_values_count(self) -> None:
        card = card_of("rhr", [1000, *[60] * 23, 1, 2, 3, 4, 5, 6, 7])
        assert card.avg7 == 4.0  # 28 / 7
        assert card.avg30 == 46.9  # 1408 / 30 = 46.933
        assert card.latest == 7

    def test_fewer_are_averaged_if_there_are_fewer(self) -> None:
        card = card_of("hrv", [40.0, 45.5])
        assert (card.avg7, card.avg30) == (42.8, 42.8)  # 42.75, half to even

    def test_values_count_however_old_and_gaps_do_not(self) -> None:
        gap = (None, ABSENT) * 50
        card = card_of("rhr", [50, *gap, 60, *gap, 70, *gap])
        assert (card.avg7, card.avg30, card.latest_date) == (60.0, 60.0, "2026-07-22")


class TestGoal:
    @pytest.mark.parametrize(
        ("minutes", "hours"), [(480, 8.0), (455, 7.6), (457, 7.6), (459, 7.7), (453, 7.5), (0, 0.0)]
    )
    def test_the_sleep_goal_is_in_hours_as_the_card_is(self, minutes: int, hours: float) -> None:
        assert card_of("sleep_hours", [], Goals(sleep_minutes=minutes)).goal == hours

    def test_only_sleep_and_steps_have_one(self) -> None:
        given = build_cards(daily_of(), Goals(480, 10_000))
        assert {card.key: card.goal for card in given if card.goal is not None} == {
            "sleep_hours": 8.0,
            "steps": 10_000,
        }

    def test_no_goal_is_none(self) -> None:
        assert {card.goal for card in build_cards(daily_of(), NO_GOALS)} == {None}


TOLERANCES = {
    "sleep_score": 1.0,
    "sleep_hours": 0.2,
    "steps": 300,
    "active_minutes": 10,
    "active_zone_minutes": 5,
    "hrv": 2,
    "rhr": 1,
    "calories_out": 40,
}


class TestTrend:
    @pytest.mark.parametrize(("key", "tolerance"), TOLERANCES.items())
    def test_a_change_up_to_the_tolerance_is_none(self, key: str, tolerance: float) -> None:
        for change in (tolerance, -tolerance):
            trend = trend_of(key, 0, change)
            assert trend == Trend("flat", None, change, None)

    @pytest.mark.parametrize(("key", "tolerance"), TOLERANCES.items())
    def test_a_greater_change_has_the_direction_of_the_value(
        self, key: str, tolerance: float
    ) -> None:
        more = tolerance + 0.125
        assert trend_of(key, 0, more).direction == "up"
        assert trend_of(key, 0, -more).direction == "down"

    @pytest.mark.parametrize("key", CARD_METRICS)
    def test_only_a_falling_resting_heart_rate_is_improving(self, key: str) -> None:
        assert trend_of(key, 1000, 2000).improving is (key != "rhr")
        assert trend_of(key, 2000, 1000).improving is (key == "rhr")

    def test_the_tolerance_is_compared_before_rounding(self) -> None:
        assert trend_of("hrv", 50, 52.03125) == Trend("up", True, 2.0, 4.1)

    def test_the_tolerance_is_compared_as_doubles(self) -> None:
        """7.2 - 7.0 is 0.20000000000000018."""
        assert trend_of("sleep_hours", 7.0, 7.2) == Trend("up", True, 0.2, 2.9)

    def test_a_flat_trend_has_delta_and_percent(self) -> None:
        assert trend_of("hrv", 50, 52) == Trend("flat", None, 2.0, 4.0)

    def test_percent_is_of_the_unrounded_change_and_the_size_of_the_former(self) -> None:
        assert trend_of("hrv", 30, 40) == Trend("up", True, 10.0, 33.3)
        assert trend_of("hrv", -30, -20) == Trend("up", True, 10.0, 33.3)
        assert trend_of("hrv", 4, 1.75) == Trend("down", False, -2.2, -56.2)  # -2.25, -56.25

    def test_percent_of_nothing_is_none(self) -> None:
        assert trend_of("steps", 0, 5000) == Trend("up", True, 5000.0, None)

    def test_a_percentage_beyond_doubles_is_none(self) -> None:
        assert trend_of("hrv", 5e-324, 50) == Trend("up", True, 50.0, None)

    def test_nothing_changed_is_zero_and_not_minus_zero(self) -> None:
        assert str(trend_of("hrv", 50, 49.96875)) == "flat +0.0 (-0.1 %)"

    def test_seven_values_have_nothing_to_compare_with(self) -> None:
        assert card_of("hrv", [50.0] * 7).trend == Trend()

    def test_one_value_before_the_seven_is_enough(self) -> None:
        assert card_of("hrv", [40, *[50] * 7]).trend == Trend("up", True, 10.0, 25.0)

    def test_values_older_than_the_second_seven_do_not_count(self) -> None:
        card = card_of("hrv", [9999, *[40] * 7, *[50] * 7])
        assert card.trend == Trend("up", True, 10.0, 25.0)

    def test_windows_of_sparse_data_do_not_overlap(self) -> None:
        """Invariant *values, not rows*: each window has the last measured values."""
        sparse: list[Cell] = []
        for value in [40] * 7 + [50] * 7:
            sparse += [value, None, None, ABSENT]
        assert card_of("hrv", sparse).trend == Trend("up", True, 10.0, 25.0)


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

    def test_cards_cannot_be_changed(self) -> None:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            card_of("hrv", []).latest = 1.0  # type: ignore[misc] # that is what is tested
