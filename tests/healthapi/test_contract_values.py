"""Values of the contract as they are written there; other tests compare with constants."""

import pytest

from healthapi.account.person import build_person, vital_readings
from healthapi.account.snapshot import (
    REQUESTED_SCOPES,
    Snapshot,
    build_snapshot_status,
)
from healthapi.catalog_keys import TABLES
from healthapi.charts.chart import sizes_of
from healthapi.profile import load
from healthapi.rows.records import ActivityRow, DailyRow, SleepRow
from healthapi.views.overview import coverage_of_snapshot
from healthapi.views.sections import build_sections
from healthapi.views.tables import TableRow, build_tables
from purewire.json import codec
from support.healthapi.account_data import answered, snapshot_of
from support.healthapi.daily_rows import rows_of
from support.healthapi.health_client import GENERATED_AT, HealthClient, header

ROOT = "/api/public/v1"
ANNA = f"{ROOT}/profiles/anna"

CONTENT_TYPES = {
    ROOT: "application/json; charset=utf-8",
    f"{ROOT}/docs": "text/html; charset=utf-8",
    f"{ROOT}/docs.md": "text/markdown; charset=utf-8",
    f"{ROOT}/openapi.json": "application/json; charset=utf-8",
    f"{ROOT}/profiles": "application/json; charset=utf-8",
    f"{ANNA}/series/weekly": "application/json; charset=utf-8",
    f"{ANNA}/charts/series.svg": "image/svg+xml; charset=utf-8",
    f"{ROOT}/profiles/none": "application/json; charset=utf-8",
    "/none": "application/json; charset=utf-8",
}
"""Path to its content type."""


class TestHeaders:
    @pytest.mark.parametrize("path", CONTENT_TYPES)
    def test_content_types(self, path: str) -> None:
        response = HealthClient().send("GET", path)
        assert header(response, "Content-Type") == CONTENT_TYPES[path]


class TestKeys:
    def test_a_key_that_is_not_utf_8_is_no_replacement_character(self) -> None:
        value = {"endpoints": {"\ufffd": {"ok": True}}}
        files = {"cache/fitbit_profile_snapshot.json": codec.encode(value)}
        client = HealthClient([load("anna", files, generated_at=GENERATED_AT)])
        path = "profiles/anna/snapshot/endpoints"
        assert client.get(f"{path}/%EF%BF%BD")["meta"] == {"endpoint": "\ufffd"}
        assert client.error(f"{path}/%FF") == (404, "snapshot_endpoint_not_found")


class TestLinks:
    def test_links_of_a_profile(self) -> None:
        client = HealthClient(base_url="https://a.example/x")
        entry = client.data("profiles")["profiles"][0]
        start = "https://a.example/x/api/public/v1/profiles/anna"
        assert entry["id"] == "anna"
        assert entry["links"] == {
            "self": start,
            "dashboard": f"{start}/dashboard",
            "catalog": f"{start}/catalog",
            "overview": f"{start}/overview",
            "coverage": f"{start}/coverage",
            "metrics": f"{start}/metrics",
            "correlations": f"{start}/correlations",
            "series_daily": f"{start}/series/daily",
            "series_weekly": f"{start}/series/weekly",
            "datasets": f"{start}/datasets",
            "sections": f"{start}/sections",
            "tables": f"{start}/tables",
            "snapshot": f"{start}/snapshot",
            "chart_overview": f"{start}/charts/overview-trend.svg",
            "chart_weekly": f"{start}/charts/weekly-trend.svg",
        }


class TestSnapshotStatus:
    @pytest.mark.parametrize("name", ["profile", "sleep_goal"])
    def test_an_endpoint_with_data_is_there(self, name: str) -> None:
        entries = {
            "data": {"ok": True, "data": {"a": 1}},
            "no data": {"ok": True, "data": {}},
            "not ok": {"ok": False, "data": {"a": 1}},
        }
        found = {
            title: build_snapshot_status(snapshot_of({name: entry}))[f"has_{name}"]
            for title, entry in entries.items()
        }
        assert found == {"data": True, "no data": False, "not ok": False}
        assert build_snapshot_status(snapshot_of({}))[f"has_{name}"] is False


class TestSnapshotCounts:
    def test_the_summary_comes_before_the_entries(self) -> None:
        entries = {"profile": {"ok": True}, "badges": {"ok": False}}
        counted = snapshot_of(entries)
        stated = snapshot_of(entries, fetch_summary={"ok": 5, "total": 7})
        assert (counted.ok_count, counted.total_count) == (1, 2)
        assert (stated.ok_count, stated.total_count) == (5, 7)
        assert coverage_of_snapshot(stated).count == 5


DOMAINS = {
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
class TestCatalog:
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
        assert found == DOMAINS


def card_values(section: str, snapshot: Snapshot) -> dict[str, object]:
    sections = build_sections(snapshot, build_person("anna", snapshot))
    found = {each.section: each.summary.metrics for each in sections}
    return {card.key: card.value for card in found[section]}


class TestSections:
    @pytest.mark.parametrize("name", ["frequent_foods", "favorite_foods", "meals"])
    def test_objects_are_counted_and_no_answer_is_null(self, name: str) -> None:
        items = [{"name": "a"}, 7, None, {"name": "b"}]
        for member in ("meals" if name == "meals" else "foods", None):
            data = items if member is None else {member: items}
            assert card_values("lifestyle", answered(**{name: data}))[name] == 2
        assert card_values("lifestyle", answered())[name] is None


class TestVitals:
    def test_the_named_value_comes_before_other_numbers(self) -> None:
        named = {"spo2": "avg", "br": "breathingRate", "tempSkin": "nightlyRelative"}
        records = {
            name: [{"dateTime": "2026-01-31", "value": {"other": 1, value: 2.5}}]
            for name, value in named.items()
        }
        snapshot = answered(
            spo2_recent=records["spo2"],
            breathing_rate_recent={"br": records["br"]},
            skin_temperature_recent={"tempSkin": records["tempSkin"]},
        )
        assert [reading.value for reading in vital_readings(snapshot)] == [2.5, 2.5, 2.5]


@pytest.mark.rule("HA-PERSON-16")
class TestScopes:
    def test_ten_are_requested_by_default(self) -> None:
        assert REQUESTED_SCOPES == (
            "activity",
            "heartrate",
            "nutrition",
            "oxygen_saturation",
            "profile",
            "respiratory_rate",
            "settings",
            "sleep",
            "temperature",
            "weight",
        )


class TestChartLayout:
    def test_the_plot_of_the_default_size(self) -> None:
        sizes = sizes_of(960, 320)
        assert (sizes.left, sizes.right, sizes.below) == (28, 24, 34)

    def test_the_legend_of_the_default_size_has_rows_18_px_apart(self) -> None:
        """The row of the name of a single metric, and those of name and value of a lane."""
        assert sizes_of(960, 320).style.row == 18


def table_rows(key: str, snapshot: Snapshot) -> tuple[TableRow, ...]:
    tables = build_tables(
        rows_of(SleepRow, ()),
        rows_of(ActivityRow, ()),
        rows_of(DailyRow, ()),
        snapshot,
    )
    return tables[list(TABLES).index(key)].rows


class TestAlarms:
    @pytest.mark.parametrize("value", ["yes", 1, None, "true"])
    def test_what_is_no_boolean_is_null(self, value: object) -> None:
        alarm = {"time": "07:00", "enabled": value, "recurring": value}
        device = {"device_name": "Band", "alarms": {"trackerAlarms": [alarm]}}
        (row,) = table_rows("alarms", answered(device_alarms={"devices": [device]}))
        assert (row["device"], row["time"]) == ("Band", "07:00")
        assert (row["enabled"], row["enabled_label"], row["recurring"]) == (None, None, None)


class TestOrderOfNames:
    """Where several members may have a value, the first of them counts."""

    def test_foods(self) -> None:
        food = {"description": "c", "foodName": "b", "name": "a"}
        found = []
        for name in ("name", "foodName", "description"):
            (row,) = table_rows("foods", answered(recent_foods={"foods": [food]}))
            found.append(row["name"])
            del food[name]
        assert found == ["a", "b", "c"]
