"""The recovery score, part by part."""

from collections.abc import Sequence

import pytest

from healthapi.derived.cards import Goals, build_recovery, caveats
from healthapi.rows.rows import Cell
from support.healthapi.daily_rows import daily_of

GOALS = Goals(sleep_minutes=480)


def score_of(goals: Goals = GOALS, **columns: Sequence[Cell]) -> int | None:
    """Return the score of rows with these columns."""
    return build_recovery(daily_of(**columns), goals).score


class TestParts:
    @pytest.mark.parametrize("goals", [Goals(), Goals(sleep_minutes=0)])
    def test_without_a_goal_minutes_asleep_do_not_count(self, goals: Goals) -> None:
        assert score_of(goals, minutes_asleep=[400]) is None
        assert score_of(goals, minutes_asleep=[400], sleep_score=[64.0]) == 64

    def test_a_median_of_zero_is_skipped(self) -> None:
        assert score_of(hrv=[0, 0, 40]) is None
        assert score_of(rhr=[0, 0, 40]) is None

    def test_a_median_next_to_zero_overflows_nothing(self) -> None:
        assert score_of(hrv=[5e-324, 5e-324, 2.0**53]) == 100
        assert score_of(hrv=[5e-324, 5e-324, -(2.0**53)]) == 0


class TestWindow:
    def test_the_median_is_of_the_last_thirty_rows(self) -> None:
        assert score_of(hrv=[10, *[None] * 28, 50]) == 100  # median 30: 116.7
        assert score_of(hrv=[10, *[None] * 29, 50]) == 50  # median 50

    def test_the_number_of_few_days_is_said(self) -> None:
        one, *few, enough = (caveats(daily_of(rhr=[60] * n), Goals()) for n in (1, 2, 7, 8))
        assert one == f"{enough} There are no heart rates of other days to compare with yet."
        assert [said.rpartition("only ")[2] for said in few] == ["1 other day.", "6 other days."]
        assert enough == " From one part only."
        assert caveats(daily_of(rhr=[60, None]), Goals()) == ""  # which is no part of the score


class TestRounding:
    @pytest.mark.parametrize(
        ("asleep", "score", "shown"), [(312, 64.0, 64), (312, 66.0, 66), (312, 94.0, 80)]
    )
    def test_halves_go_to_the_even_side(self, asleep: int, score: float, shown: int) -> None:
        """312 minutes of 480 are 65 points: the means are 64.5, 65.5 and 79.5."""
        assert score_of(minutes_asleep=[asleep], sleep_score=[score]) == shown


class TestLabels:
    @pytest.mark.parametrize(
        ("score", "key"),
        [
            (80.0, "good"),
            (79.5, "good"),  # the label is of the rounded score
            (79.4, "stable"),
            (65.0, "stable"),
            (64.5, "watch"),
            (49.5, "watch"),
            (49.4, "rest"),
        ],
    )
    def test_they_begin_at_80_65_and_50(self, score: float, key: str) -> None:
        found = build_recovery(daily_of(sleep_score=[score]), GOALS)
        assert (found.label_key, found.label) == (key, {"watch": "fair"}.get(key, key))
