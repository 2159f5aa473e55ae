"""How the keys of the contract hang together, and which way each metric is better."""

import pytest

from healthapi import keys
from healthapi.rows.mapping import ROW_OF, cell_types


class TestMetrics:
    def test_metrics_with_cards_are_as_specified_in_order(self) -> None:
        found = (keys.METRICS[key] for key in keys.CARD_METRICS)
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


class TestDomains:
    def test_every_source_is_a_resource(self) -> None:
        kinds = {
            "dataset": set(keys.DATASETS),
            "section": set(keys.SECTIONS),
            "table": set(keys.TABLES),
            "snapshot": {"profile_snapshot"},
        }
        for domain in keys.DOMAINS.values():
            assert all(key in kinds[kind] for kind, key in domain.sources)


@pytest.mark.rule("HA-CHART-01", "HA-CHART-02", "HA-CHART-03", "HA-CHART-04", "HA-CHART-05")
class TestCharts:
    def test_each_draws_metrics_of_its_granularity(self) -> None:
        for chart in keys.CHARTS.values():
            assert set(chart.metrics) <= set(keys.SERIES_METRICS[chart.granularity])


class TestNativeColumns:
    def test_every_number_that_is_published_has_a_unit(self) -> None:
        members = [member for dataset in ROW_OF for member in cell_types(dataset).items()]
        numbers = {name for name, kind in members if kind in ("integer", "decimal")}
        assert numbers - keys.METRICS.keys() == {"duration"}
