from functools import cache
from typing import Any

import attrs
import pytest

from healthapi.keys import DOMAINS
from healthapi.profile import Profile, load
from healthapi.snapshot import SNAPSHOT_FILE, build_snapshot_status
from healthapi.views.catalog import Catalog, DomainEntry
from status_contracts import json_text
from status_contracts.structuring.converter import unstructure
from support.healthapi.health_client import HealthClient
from support.healthapi.health_snapshots import SAVED_AT, snapshot_value

STAMP = "2026-01-31T12:00:00"
ACTIVITY = b"date,steps\n2026-01-29,7000\n2026-01-30,8000\n2026-01-31,9000\n"
TABLES = {
    "csv/fitbit_sleep.csv": b"""date,logId,isMainSleep,minutesAsleep,sleepScore
2026-01-30,1,True,420,80
2026-01-31,2,True,432,82
""",
    "csv/fitbit_activity.csv": ACTIVITY,
    "csv/fitbit_hrv.csv": b"date,dailyRmssd\n2026-01-31,40.5\n",
    "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-30,56\n2026-01-31,55\n",
}


def profile_with_snapshot(files: dict[str, bytes], **snapshot: Any) -> Profile:
    return load(
        "anna",
        files | {SNAPSHOT_FILE: json_text.encode(snapshot_value() | snapshot)},
        generated_at=STAMP,
    )


@cache
def empty() -> Profile:
    return load("anna", {}, generated_at=STAMP)


@cache
def full() -> Profile:
    return profile_with_snapshot(TABLES)


def entry(catalog: Catalog, key: str) -> DomainEntry:
    return {each.key: each for each in catalog.domains}[key]


def statuses(profile: Profile) -> dict[str, str]:
    return {each.key: each.status.key for each in profile.catalog.domains}


@pytest.mark.rule("HA-CATALOG-12")
class TestStatus:
    def test_without_heart_data_recovery_is_empty(self) -> None:
        profile = load("anna", {"csv/fitbit_activity.csv": ACTIVITY}, generated_at=STAMP)
        assert statuses(profile) == dict.fromkeys(DOMAINS, "empty") | {"activity": "ready"}
        assert entry(profile.catalog, "recovery").coverage.count == 3

    def test_a_goal_is_a_value(self) -> None:
        keys = [key for key in snapshot_value()["endpoints"] if key != "water_goal"]
        goal = {"water_goal": snapshot_value()["endpoints"]["water_goal"]}
        profile = profile_with_snapshot({}, endpoints=goal | dict.fromkeys(keys))
        assert statuses(profile)["lifestyle"] == "ready"
        assert entry(profile.catalog, "lifestyle").coverage.count == 0


class TestMetrics:
    def test_a_metric_card_comes_with_its_means_and_its_trend(self) -> None:
        (plain, _) = entry(full().catalog, "recovery").metrics
        assert (plain.latest, plain.latest_date) == (40.5, "2026-01-31")
        assert (plain.avg7, plain.avg30) == (40.5, 40.5)
        domain = unstructure(full().catalog)["domains"][2]
        names = ["key", "label", "unit", "tone", "latest", "latest_date", "avg7", "avg30", "trend"]
        assert [list(metric) for metric in domain["metrics"]] == [names, names]


class TestSources:
    @pytest.mark.parametrize(
        ("domain", "span", "counts"),
        [
            ("sleep", (2, "2026-01-30", "2026-01-31"), [2, 3, 2]),
            ("activity", (3, "2026-01-29", "2026-01-31"), [3, 3]),
            ("recovery", (3, "2026-01-29", "2026-01-31"), [1, 2, 2]),
            ("vitals", (15, None, SAVED_AT), [4, 3, 3]),
            ("lifestyle", (5, None, SAVED_AT), [6, 5]),
            ("account", (29, "2026-01-02", SAVED_AT), [29, 2, 31]),
        ],
    )
    def test_each_domain_covers_its_rows_and_each_source_has_its_number_of_values(
        self, domain: str, span: tuple[int, str | None, str], counts: list[int]
    ) -> None:
        found = entry(full().catalog, domain)
        assert attrs.astuple(found.coverage) == span
        assert [(each.kind, each.key) for each in found.sources] == list(DOMAINS[domain].sources)
        assert [each.count for each in found.sources] == counts
        assert all(each.count == 0 for each in entry(empty().catalog, domain).sources)


class TestCatalog:
    def test_the_completion_and_the_issues_of_the_account_are_published(self) -> None:
        plain = unstructure(full().catalog)
        assert plain["generated_at"] == STAMP
        assert plain["snapshot_completion"] == {"ok": 29, "total": 31, "missing_scopes": 1}
        account = plain["domains"][5]
        assert account["status"] == {"key": "partial", "label": "Partial", "severity": 1}
        assert (account["issue_count"], account["issue_label"]) == (1, "1 missing scope")

    @pytest.mark.parametrize("scopes", [None, [], "", {}])
    def test_without_granted_scopes_nothing_is_called_missing(self, scopes: object) -> None:
        profile = profile_with_snapshot({}, token_scope=scopes, endpoints={}, fetch_summary={})
        account = entry(profile.catalog, "account")
        assert (account.issue_count, account.issue_label) == (0, None)
        assert account.status.key == "empty"
        assert profile.catalog.snapshot_completion.missing_scopes is None
        assert profile.overview.missing_scopes_count is None
        assert build_snapshot_status(profile.snapshot)["missing_scopes"] == []
        summary = {section.section: section.summary for section in profile.sections}["account"]
        values = {card.key: card.value for card in summary.metrics}
        assert (values["missing_scopes"], summary.missing_scopes) == (None, ())
        assert (values["devices"], values["badges"]) == (None, None)

    def test_a_domain_of_blank_rows_is_empty(self) -> None:
        foods = {"recent_foods": {"ok": True, "data": [{}, {"calories": None}]}}
        lifestyle = entry(profile_with_snapshot({}, endpoints=foods).catalog, "lifestyle")
        assert (lifestyle.status.key, lifestyle.coverage.count) == ("empty", 0)


PUBLISHED = {
    "sleep": ("sleep_score sleep_hours", "dataset:sleep dataset:daily table:sleep"),
    "activity": (
        "steps active_minutes active_zone_minutes calories_out",
        "dataset:activity table:activity",
    ),
    "recovery": ("hrv rhr", "dataset:hrv dataset:rhr table:recovery"),
    "vitals": ("weight bmi weight_goal spo2", "section:body section:vitals table:vitals"),
    "lifestyle": (
        "calorie_goal calories_today water_goal water_today",
        "section:lifestyle table:foods",
    ),
    "account": (
        "devices badges snapshot_completion missing_scopes",
        "snapshot:profile_snapshot table:devices table:endpoints",
    ),
}
"""Domain to its core metrics and its sources."""


@pytest.mark.rule(
    "HA-CATALOG-13", "HA-CATALOG-14", "HA-CATALOG-15", "HA-CATALOG-16", "HA-CATALOG-18"
)
class TestDomains:
    @pytest.mark.parametrize("profile_id", ["anna", "nobody"])
    def test_metrics_and_sources_of_each_domain(self, profile_id: str) -> None:
        domains = HealthClient().data(f"profiles/{profile_id}/catalog")["domains"]
        found = {
            each["key"]: (
                " ".join(metric["key"] for metric in each["metrics"]),
                " ".join(f"{source['kind']}:{source['key']}" for source in each["sources"]),
            )
            for each in domains
        }
        assert found == PUBLISHED
