"""Series: what may be chosen, and what a point has."""

import pytest

from healthapi.derived.periods import build_series, select_metrics
from healthapi.keys import CHARTS, SERIES_METRICS, Granularity
from healthapi.models import PeriodRow
from support.healthapi.daily_rows import daily_of, rows_of

DAILY = daily_of(steps=[10, None, None, 40], hrv=[41.5, 42.0, 0.0, None])
DAYS = ("2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04")


class TestSelectMetrics:
    def test_known_names_depend_on_the_granularity(self) -> None:
        names = ["days", "minutes_deep"]
        assert select_metrics("daily", names) == ["minutes_deep"]
        assert select_metrics("weekly", names) == ["days"]
        assert select_metrics("monthly", names) == ["days"]

    @pytest.mark.parametrize("granularity", SERIES_METRICS)
    @pytest.mark.parametrize("chart", CHARTS)
    def test_every_preset_has_metrics_of_every_granularity(
        self, chart: str, granularity: Granularity
    ) -> None:
        assert select_metrics(granularity, CHARTS[chart].metrics)


class TestSeriesOf:
    def test_a_metric_that_was_never_measured_is_none_on_every_day(self) -> None:
        """Invariant *stable shape*."""
        assert build_series(DAILY, "daily", ["rhr"]).values == ((None,) * 4,)

    @pytest.mark.parametrize(("limit", "first"), [(None, 0), (4, 0), (9, 0), (3, 1), (1, 3)])
    def test_the_limit_is_of_the_last_points(self, limit: int | None, first: int) -> None:
        series = build_series(DAILY, "daily", ["hrv"], limit)
        assert series.labels == DAYS[first:]
        assert series.values == ((41.5, 42.0, 0.0, None)[first:],)


class TestPoints:
    def test_periods_are_named_as_such(self) -> None:
        weeks = rows_of(
            PeriodRow, [PeriodRow("2026-W01", 4, steps=8000.0), PeriodRow("2026-W02", 7)]
        )
        series = build_series(weeks, "weekly", ["steps", "days"])
        assert series.dimension == "period"
        assert series.points() == [
            {"period": "2026-W01", "steps": 8000.0, "days": 4},
            {"period": "2026-W02", "steps": None, "days": 7},
        ]


def test_its_repr_names_metrics_and_days() -> None:
    assert repr(build_series(DAILY, "daily", ["steps", "hrv"])) == (
        "<Series daily of steps, hrv: 4 points, 2026-01-01 to 2026-01-04>"
    )
    assert repr(build_series(daily_of(), "daily", ["hrv"])) == "<Series daily of hrv: 0 points>"
