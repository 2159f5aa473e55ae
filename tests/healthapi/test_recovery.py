"""The recovery score, part by part."""

from collections.abc import Sequence

import pytest

from healthapi.derived.cards import Goals
from healthapi.derived.recovery import RECOVERY_LABELS, Recovery, build_recovery
from healthapi.rows.records import Cell
from purewire.absent import ABSENT
from support.healthapi.daily_rows import daily_of

GOALS = Goals(sleep_minutes=480)
WAITING = Recovery(None, "waiting_for_data", "waiting for data")


def score_of(goals: Goals = GOALS, **columns: Sequence[Cell]) -> int | None:
    """Return the score of rows with these columns."""
    return build_recovery(daily_of(**columns), goals).score


class TestParts:
    @pytest.mark.parametrize(("given", "score"), [(73.4, 73), (-3.0, 0), (104.0, 100), (0.0, 0)])
    def test_the_sleep_score_as_it_is(self, given: float, score: int) -> None:
        assert score_of(sleep_score=[given]) == score

    @pytest.mark.parametrize(
        ("minutes", "score"), [(360, 75), (480, 100), (600, 100), (0, 0), (-10, 0)]
    )
    def test_minutes_asleep_as_a_share_of_the_goal(self, minutes: int, score: int) -> None:
        assert score_of(minutes_asleep=[minutes]) == score

    @pytest.mark.parametrize("goals", [Goals(), Goals(sleep_minutes=0)])
    def test_without_a_goal_minutes_asleep_do_not_count(self, goals: Goals) -> None:
        assert score_of(goals, minutes_asleep=[400]) is None
        assert score_of(goals, minutes_asleep=[400], sleep_score=[64.0]) == 64

    @pytest.mark.parametrize(
        ("hrv", "score"),
        [
            ([50.0], 50),
            ([40, 50, 60], 70),  # 50 + (60 - 50) / 50 x 100
            ([40, 60], 70),  # the median of an even count lies between
            ([60, 60, 45], 25),
            ([10, 10, 100], 100),
            ([100, 100, 10], 0),
            ([50, 50, 0], 0),
        ],
    )
    def test_heart_rate_variability_against_its_median(
        self, hrv: Sequence[Cell], score: int
    ) -> None:
        assert score_of(hrv=hrv) == score

    @pytest.mark.parametrize(
        ("rhr", "score"),
        [([60], 50), ([60, 60, 58], 62), ([60, 58], 56), ([60, 60, 65], 20), ([60, 60, 90], 0)],
    )
    def test_six_points_for_each_beat_below_the_median(
        self, rhr: Sequence[Cell], score: int
    ) -> None:
        assert score_of(rhr=rhr) == score

    def test_each_part_is_clamped_before_the_mean(self) -> None:
        assert score_of(sleep_score=[None, None, 60.0], rhr=[60, 60, 20]) == 80  # 60 and 100

    def test_a_median_of_zero_is_skipped(self) -> None:
        assert score_of(hrv=[0, 0, 40]) is None
        assert score_of(rhr=[0, 0, 40]) is None

    def test_a_median_next_to_zero_overflows_nothing(self) -> None:
        assert score_of(hrv=[5e-324, 5e-324, 2.0**53]) == 100
        assert score_of(hrv=[5e-324, 5e-324, -(2.0**53)]) == 0

    def test_the_score_is_the_mean_of_the_parts(self) -> None:
        score = score_of(
            sleep_score=[None, None, 80.0],
            minutes_asleep=[None, None, 360],
            hrv=[40, 50, 60],
            rhr=[60, 60, 59],
        )
        assert score == 70  # (80 + 75 + 70 + 56) / 4 = 70.25


class TestWindow:
    def test_only_the_last_row_has_a_score(self) -> None:
        assert build_recovery(daily_of(sleep_score=[90.0, None]), GOALS) == WAITING
        assert build_recovery(daily_of(hrv=[50, ABSENT], rhr=[50, None]), GOALS) == WAITING

    def test_no_row_is_waiting_for_data(self) -> None:
        assert build_recovery(daily_of(), GOALS) == WAITING

    def test_the_median_is_of_the_last_thirty_rows(self) -> None:
        assert score_of(hrv=[10, *[None] * 28, 50]) == 100  # median 30: 116.7
        assert score_of(hrv=[10, *[None] * 29, 50]) == 50  # median 50

    def test_a_nap_is_no_night(self) -> None:
        nap = daily_of(is_main_sleep=[False], nap_count=[1], minutes_asleep=[None])
        assert build_recovery(nap, GOALS) == WAITING


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
            (100.0, "good"),
            (80.0, "good"),
            (79.5, "good"),  # the label is of the rounded score
            (79.4, "stable"),
            (65.0, "stable"),
            (64.5, "watch"),
            (64.6, "stable"),
            (50.0, "watch"),
            (49.5, "watch"),
            (49.4, "rest"),
            (0.0, "rest"),
        ],
    )
    def test_they_begin_at_80_65_and_50(self, score: float, key: str) -> None:
        found = build_recovery(daily_of(sleep_score=[score]), GOALS)
        assert (found.label_key, found.label) == (key, {"watch": "fair"}.get(key, key))

    def test_every_key_has_a_label(self) -> None:
        assert [*RECOVERY_LABELS] == ["good", "stable", "watch", "rest", "waiting_for_data"]

    def test_the_repr_is_one_line(self) -> None:
        assert repr(build_recovery(daily_of(sleep_score=[72.0]), GOALS)) == "<Recovery 72, stable>"
        assert repr(WAITING) == "<Recovery waiting for data>"
