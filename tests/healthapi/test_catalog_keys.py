"""How the keys of the contract hang together, and which way each metric is better."""

from typing import get_args

import attrs
import pytest

from healthapi.keys import (
    CARD_METRICS,
    CHARTS,
    DATASETS,
    DOMAINS,
    GRANULARITIES,
    METRICS,
    SECTIONS,
    SERIES_METRICS,
    TABLES,
    Granularity,
)
from healthapi.models import DailyRow, PeriodRow
from healthapi.rows.mapping import NATIVE


def numbers_of(row: type[attrs.AttrsInstance]) -> list[str]:
    """Return the members of a row that are numbers, sorted."""
    return sorted(
        field.name
        for field in attrs.fields(row)
        if set(get_args(field.type) or (field.type,)) - {type(None)} <= {int, float}
    )


class TestMetrics:
    def test_metrics_with_cards_are_as_specified_in_order(self) -> None:
        found = (METRICS[key] for key in CARD_METRICS)
        assert [
            (each.key, each.unit, each.tone, each.better, each.tolerance) for each in found
        ] == [
            ("sleep_score", "points", "blue", "higher", 1.0),
            ("sleep_hours", "hours", "amber", "higher", 0.2),
            ("steps", "steps", "green", "higher", 300),
            ("active_minutes", "min", "teal", "higher", 10),
            ("active_zone_minutes", "min", "red", "higher", 5),
            ("hrv", "ms", "blue", "higher", 2),
            ("rhr", "bpm", "red", "lower", 1),
            ("calories_out", "kcal", "amber", "higher", 40),
        ]


class TestSeriesMetrics:
    def test_a_series_of_days_has_every_number_of_a_daily_row(self) -> None:
        assert list(SERIES_METRICS["daily"]) == numbers_of(DailyRow)

    @pytest.mark.parametrize("granularity", ["weekly", "monthly"])
    def test_a_series_of_periods_has_every_number_of_a_period(
        self, granularity: Granularity
    ) -> None:
        assert list(SERIES_METRICS[granularity]) == numbers_of(PeriodRow)

    def test_every_metric_is_in_some_series(self) -> None:
        assert METRICS.keys() == {key for keys in SERIES_METRICS.values() for key in keys}

    def test_the_time_member_is_the_first_of_a_row(self) -> None:
        assert list(SERIES_METRICS) == list(GRANULARITIES) == ["daily", "weekly", "monthly"]
        assert attrs.fields(DailyRow)[0].name == GRANULARITIES["daily"]
        assert attrs.fields(PeriodRow)[0].name == GRANULARITIES["weekly"]
        assert GRANULARITIES["monthly"] == GRANULARITIES["weekly"]


class TestDomains:
    def test_every_source_is_a_resource(self) -> None:
        kinds = {
            "dataset": set(DATASETS),
            "section": set(SECTIONS),
            "table": set(TABLES),
            "snapshot": {"profile_snapshot"},
        }
        for domain in DOMAINS.values():
            assert all(key in kinds[kind] for kind, key in domain.sources)


@pytest.mark.rule("HA-CHART-01", "HA-CHART-02", "HA-CHART-03", "HA-CHART-04", "HA-CHART-05")
class TestCharts:
    def test_each_draws_metrics_of_its_granularity(self) -> None:
        for chart in CHARTS.values():
            assert set(chart.metrics) <= set(SERIES_METRICS[chart.granularity])


class TestNativeColumns:
    def test_every_number_that_is_published_has_a_unit(self) -> None:
        numbers = {
            column.field
            for table in attrs.astuple(NATIVE, recurse=False)
            for column in table.columns
            if table.cell_type(column.field) in ("integer", "decimal")
        }
        assert numbers - METRICS.keys() == {"duration"}
