"""The sentence of the page, and what it draws beyond the values."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from healthapi.derived.cards import Goals
from healthapi.derived.statistics import Range, Side
from healthapi.keys import METRICS
from healthapi.models import DailyRow
from healthapi.rows.rows import Cell, Rows
from healthapi.views.usual_ranges import (
    Comparison,
    build_view,
    compare_with_usual,
    describe_last_values,
)
from support.healthapi.daily_rows import daily_of

NO_GOALS = Goals()
ONE_TO_TWO = Range(1, 2)
LAST, OLD = date(2026, 11, 3), date(2026, 11, 1)


def comparison(
    key: str,
    side: Side | None = None,
    days: int = 0,
    *,
    usual: Range | None = ONE_TO_TWO,
    day: date = LAST,
) -> Comparison:
    """Return a metric with a range and a recent value."""
    return Comparison(METRICS[key], usual, None, day, side, days)


def said(*comparisons: Comparison) -> str:
    return describe_last_values(comparisons, LAST)["now"]


def view_of(daily: Rows[DailyRow], *, is_partial: bool = False) -> dict[str, Any]:
    return build_view(daily, NO_GOALS, lambda _: daily.labels[-1:] if is_partial else ())


def test_a_usual_range_of_sleep_is_known_to_the_minute() -> None:
    """Hours in tenths would make it multiples of six minutes."""
    asleep = [421] * 15 + [499] * 15
    usual = view_of(daily_of(minutes_asleep=asleep))["usual"]
    assert [round(end * 60) for end in usual["sleep_hours"]] == [421, 499]


def test_the_view_begins_with_the_first_day_that_has_a_value() -> None:
    view = view_of(daily_of(rhr=[None, None, 60, None, 61]))
    assert view["start"] == daily_of(rhr=[None] * 5).labels[2]
    assert view["gaps"]["all"]["rhr"] == {"missing": 1, "gap": 1, "first": view["start"]}


class TestSentence:
    @pytest.mark.parametrize(
        ("comparisons", "expected"),
        [
            ([comparison("hrv"), comparison("steps")], "All values are within the usual range."),
            (
                [comparison("hrv", "below", 2), comparison("steps")],
                "Below the usual range: heart rate variability.",
            ),
            ([comparison("steps", "above", 3)], "Above the usual range: steps for 3 days."),
            (  # the longest run first; the day once where it is not the last one
                [
                    comparison("rhr", "above", 9),
                    comparison("steps", "above", 1, day=date(2026, 11, 2)),
                    comparison("calories_out", "above", 1, day=date(2026, 11, 2)),
                    comparison("hrv", "below", 4, day=date(2026, 11, 2)),
                ],
                (
                    "Above the usual range: resting heart rate for 9 days; steps, calories burned"
                    " on 2 Nov. Below it: heart rate variability for 4 days to 2 Nov."
                ),
            ),
            (  # equal runs in the order of the cards
                [comparison(key, "below", 2) for key in ("sleep_score", "sleep_hours", "hrv")],
                "Below the usual range: sleep score, sleep, heart rate variability.",
            ),
        ],
    )
    def test_it_names_what_is_outside(
        self, comparisons: Sequence[Comparison], expected: str
    ) -> None:
        assert said(*comparisons) == expected

    @pytest.mark.parametrize(
        ("side", "then"),
        [
            (
                "below",
                "As of 3 Nov 2026, below the usual range: heart rate variability for 4 days.",
            ),
            (None, "As of 3 Nov 2026, all values were within the usual range."),
        ],
    )
    def test_later_it_names_the_day(self, side: Side | None, then: str) -> None:
        found = describe_last_values([comparison("hrv", side, 4)], LAST)
        assert found["then"] == then

    def test_without_a_range_it_says_what_is_needed(self) -> None:
        few = comparison("hrv", usual=None)
        text = "There is no usual range yet: it takes 30 values of a metric."
        assert describe_last_values([few], LAST) == {"now": text, "then": text}

    def test_what_has_no_range_yet_is_not_called_usual(self) -> None:
        few = comparison("hrv", usual=None)
        found = describe_last_values([few, comparison("steps")], LAST)
        assert list(found.values()) == [
            "All values with a usual range are within it.",
            "As of 3 Nov 2026, all values with a usual range were within it.",
        ]
        never = comparison("hrv", usual=None, day=OLD)
        assert said(never, comparison("steps")) == "All values are within the usual range."

    def test_metrics_without_a_recent_value_are_not_called_usual(self) -> None:
        old = [comparison(key, day=OLD) for key in ("sleep_score", "hrv", "rhr")]
        assert said(comparison("steps"), *old) == "All recent values are within the usual range."
        assert said(*old) == "No metric with a usual range has a complete value after 1 Nov 2026."


class TestComparisons:
    def hrv(self, *last: Cell) -> Comparison:
        """Return the comparison of a month of 50 ms and the last values."""
        daily = daily_of(hrv=(*[49.0, 50.0, 51.0] * 10, *last))
        return compare_with_usual(METRICS["hrv"], daily)

    def test_a_run_ends_with_the_last_value(self) -> None:
        found = self.hrv(40.0, 41.0)
        assert (found.side, found.days) == ("below", 2)
        assert self.hrv(40.0, 41.0, 50.0).side is None

    def test_the_day_before_the_last_one_is_recent(self) -> None:
        found = self.hrv(40.0, None)
        assert (found.side, found.days, found.day) == ("below", 1, date(2026, 1, 31))
        assert found.is_recent(date(2026, 2, 1))
        assert not found.is_recent(date(2026, 2, 2))

    def test_values_are_compared_as_they_are_shown(self) -> None:
        assert self.hrv(50.04).usual == Range(49, 51)
        assert self.hrv(51.04).side is None
        assert self.hrv(51.06).side == "above"

    def test_what_grows_during_a_day_is_not_compared_before_it_is_over(self) -> None:
        daily = daily_of(steps=[*[8000, 8100] * 15, 7900], rhr=[*[60, 61] * 15, 90])
        for is_partial, steps, least in ((True, {}, 8000), (False, {"steps": "below"}, 7900)):
            view = view_of(daily, is_partial=is_partial)
            assert view["outside"] == {**steps, "rhr": "above"}
            assert view["scales"]["30"]["steps"] == (least, 8100)

    def test_without_any_value_there_is_no_range(self) -> None:
        found = compare_with_usual(METRICS["hrv"], daily_of(hrv=[None]))
        assert (found.usual, found.day, found.side) == (None, None, None)


class TestView:
    def test_without_a_day_there_is_nothing(self) -> None:
        assert view_of(daily_of()) == {}

    def test_ranges_and_scales_are_those_of_the_shown_days(self) -> None:
        hrv = [*[30.0] * 60, *[n + 0.5 for n in range(40, 70)]]
        view = view_of(daily_of(hrv=hrv))
        assert view["usual"] == {"hrv": (30, 60.6)}
        assert view["since"] == {"hrv": "2026-01-01"}
        assert view["outside"] == {"hrv": "above"}
        assert view["scales"] == {
            "30": {"hrv": (30, 69.5)},
            "90": {"hrv": (30, 69.5)},
            "365": {"hrv": (30, 69.5)},
        }

    def test_a_metric_without_a_value_in_the_shown_days_has_no_scale(self) -> None:
        view = view_of(daily_of(hrv=[50.0, *[None] * 30], rhr=[60] * 31))
        assert list(view["scales"]["30"]) == ["rhr"]
        assert list(view["scales"]["90"]) == ["hrv", "rhr"]

    def test_gaps_are_counted_since_the_first_value_in_each_range_and_in_all_days(self) -> None:
        late = [*[None] * 420, 60, None, 61]
        daily = daily_of(hrv=[50.0, *[None] * 120, *[50.0] * 300, None, 50.0], rhr=late)
        gaps = view_of(daily)["gaps"]
        found = [tuple(gaps[key]["hrv"].values())[:2] for key in ("30", "365", "all")]
        assert found == [(1, 1), (64, 63), (121, 120)]
        last = gaps["30"]["rhr"]
        assert last == gaps["all"]["rhr"] == {"missing": 1, "gap": 1, "first": daily.labels[420]}

    def test_an_unfinished_day_is_named_by_what_grows(self) -> None:
        daily = daily_of(steps=[1])
        assert view_of(daily)["unfinished"] == []
        assert view_of(daily, is_partial=True)["unfinished"] == [
            *("active_minutes", "active_zone_minutes", "calories_out", "steps")
        ]

    @pytest.mark.parametrize(("days", "has_months"), [(365, False), (366, True)])
    def test_more_than_a_year_has_months(self, days: int, has_months: bool) -> None:
        view = view_of(daily_of(steps=[1000] * days))
        assert ("months" in view) == has_months
        if has_months:
            months = view["months"]
            assert [point["period"] for point in months["points"]][-1:] == months["partial"]
            assert months["partial"] == ["2027-01"]  # it has one day
            assert months["points"][0]["steps"] == 1000
            assert months["points"][0]["hrv"] is None
            assert view["scales"]["all"] == {"steps": (1000, 1000)}

    def test_the_usual_range_of_days_is_not_in_the_scale_of_months(self) -> None:
        scales = view_of(daily_of(steps=[*[2000] * 300, *[0, 4000] * 45]))["scales"]
        assert scales["90"] == {"steps": (0, 4000)}
        assert scales["all"] == {"steps": (1935, 2080)}

    def test_the_parts_of_the_recovery_are_named_with_their_points(self) -> None:
        (low, *_), part = view_of(daily_of(rhr=[60, 61], sleep_score=[70.0, 40.0]))["parts"]
        assert (low, *part) == ("Sleep score", "Resting heart rate", "47", "61 bpm, median 60.5")
