from typing import Any

import pytest

from healthapi.keys import SECTIONS
from healthapi.person import build_person
from healthapi.snapshot import Snapshot
from healthapi.views.sections import SectionCard, Summary, build_sections
from support.healthapi.account_data import answered, snapshot_of, whole_snapshot
from support.healthapi.health_snapshots import REQUESTED_SCOPES, SCOPES


def summary(key: str, snapshot: Snapshot | None) -> Summary:
    found = {
        each.section: each.summary
        for each in build_sections(snapshot, build_person("anna", snapshot))
    }
    return found[key]


def card(section: str, key: str, snapshot: Snapshot | None) -> SectionCard:
    return {each.key: each for each in summary(section, snapshot).metrics}[key]


def value(section: str, key: str, **data: Any) -> float | None:
    return card(section, key, answered(**data)).value


def shown(key: str, snapshot: Snapshot | None) -> list[tuple[str, float | None]]:
    return [(each.key, each.value) for each in summary(key, snapshot).metrics]


class TestSections:
    @pytest.mark.parametrize("key", SECTIONS)
    def test_without_a_snapshot_all_cards_are_there_without_value(self, key: str) -> None:
        """Invariant *always all cards*."""
        cards = summary(key, None).metrics
        assert [each.key for each in cards] == [each for each, _ in shown(key, whole_snapshot())]
        assert [(each.value, each.detail) for each in cards] == [(None, None)] * len(cards)


class TestBody:
    def test_the_last_logs_and_the_goal_count(self) -> None:
        expected = [("weight", 64.6), ("bmi", 21.9), ("weight_goal", 62.5), ("body_fat", 24.2)]
        assert shown("body", whole_snapshot()) == expected

    def test_without_a_log_the_weight_is_that_of_the_profile(self) -> None:
        profile = {"user": {"weight": 64.25, "height": 171.5}}
        found = card("body", "weight", answered(profile=profile))
        assert (found.value, found.detail) == (64.2, None)

    def test_without_a_logged_bmi_it_is_reckoned_from_weight_and_height(self) -> None:
        profile = {"user": {"weight": 60, "height": 200}}
        logs = {"weight": [{"date": "2026-01-31", "weight": "80"}]}
        assert value("body", "bmi", profile=profile) == 15.0
        assert value("body", "bmi", profile=profile, weight_log_recent=logs) == 20.0

    @pytest.mark.parametrize("height", [None, 0, 1e-200, 1e-9, "tall"])
    def test_without_a_height_there_is_no_bmi(self, height: object) -> None:
        assert value("body", "bmi", profile={"user": {"weight": 60, "height": height}}) is None

    @pytest.mark.parametrize("data", [{"goal": {"weight": "62.5"}}, {"weight": 62.5}])
    def test_a_goal_is_read_from_goal_or_from_the_top_level(self, data: object) -> None:
        assert value("body", "weight_goal", weight_goal=data) == 62.5


class TestVitals:
    def test_the_latest_readings_count_with_their_day(self) -> None:
        found = summary("vitals", whole_snapshot()).metrics
        assert [(each.key, each.value, each.unit, each.detail) for each in found] == [
            ("spo2", 96.2, "%", "2026-01-31"),
            ("breathing_rate", 14.3, "breaths/min", "2026-01-31"),
            ("skin_temperature", -0.4, "°C", "2026-01-31"),
        ]


class TestLifestyle:
    def test_goals_and_counts_are_integers(self) -> None:
        assert shown("lifestyle", whole_snapshot()) == [
            ("calorie_goal", 1980),
            ("calories_today", 310),
            ("water_goal", 2000),
            ("water_today", None),
            ("frequent_foods", 5),
            ("favorite_foods", 5),
            ("meals", 1),
        ]

    @pytest.mark.parametrize(
        "data",
        [{"goals": {"calories": 1980}}, {"goal": {"calories": "1980"}}, {"calories": 1979.6}],
    )
    def test_the_calorie_goal_is_found_at_each_place(self, data: object) -> None:
        assert value("lifestyle", "calorie_goal", food_goal=data) == 1980

    def test_water_of_today_is_rounded(self) -> None:
        data = {"summary": {"water": 1449.7}}
        assert repr(value("lifestyle", "water_today", water_log_today=data)) == "1450"


class TestAccount:
    def test_the_account_is_counted(self) -> None:
        found = summary("account", whole_snapshot())
        assert [(each.key, each.value, each.detail) for each in found.metrics] == [
            ("devices", 2, None),
            ("badges", 4, None),
            ("snapshot_completion", 93.5, "29 of 31 endpoints"),
            ("missing_scopes", 1, "temperature"),
        ]
        assert found.requested_scopes == REQUESTED_SCOPES
        assert found.missing_scopes == ("temperature",)
        assert found.granted_scopes == SCOPES
        assert found.alarms_count == 2
        assert summary("account", None).alarms_count is None

    def test_only_objects_count_as_devices(self) -> None:
        endpoints = {"devices": {"ok": True, "data": [{}, "Band"]}}
        found = snapshot_of(endpoints, token_scope="settings")
        assert card("account", "devices", found).value == 1

    def test_without_granted_scopes_no_device_counts(self) -> None:
        assert value("account", "devices", devices=[{}]) is None

    def test_a_snapshot_without_endpoints_has_no_completion(self) -> None:
        found = card("account", "snapshot_completion", snapshot_of({}))
        assert (found.value, found.detail) == (None, None)


class TestCounts:
    @pytest.mark.parametrize("name", ["frequent_foods", "favorite_foods", "meals"])
    def test_objects_are_counted_and_no_answer_is_null(self, name: str) -> None:
        items = [{"name": "a"}, 7, None, {"name": "b"}]
        for data in (items, {"meals" if name == "meals" else "foods": items}):
            assert value("lifestyle", name, **{name: data}) == 2
        assert value("lifestyle", name) is None
