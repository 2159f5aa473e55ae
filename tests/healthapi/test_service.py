"""The service, path by path: responses, the order of the checks, and errors."""

import gc
import itertools
import re
import weakref
from datetime import date, timedelta
from typing import Any

import pytest

from healthapi import limits, service
from healthapi.endpoints import ROOT
from healthapi.keys import CARD_METRICS, CHARTS, DATASETS, GRANULARITIES, SECTIONS, SERIES_METRICS
from healthapi.profile import ProfileSummary, load
from healthapi.service import Service
from status_contracts.exchange import drive
from status_contracts.messages import Request
from support.checks.answer_rules import header, strict
from support.healthapi.health_client import BASE, GENERATED_AT, HealthClient, make_profile
from support.healthapi.health_snapshots import SAVED_AT, snapshot_value

ANNA = "profiles/anna"
NOBODY = "profiles/nobody"
SPECIFIED = (
    "/api/public/v1",
    "/api/public/v1/docs",
    "/api/public/v1/docs.md",
    "/api/public/v1/openapi.json",
    "/api/public/v1/profiles",
    *(
        f"/api/public/v1/profiles/anna{rest}"
        for rest in (
            *("", "/dashboard", "/catalog", "/overview", "/coverage", "/metrics"),
            *("/metrics/sleep_score", "/correlations", "/snapshot-status", "/datasets"),
            *("/datasets/daily?offset=0&limit=10", "/series/daily?metrics=steps,hrv&limit=7"),
            *("/sections", "/sections/body", "/tables", "/tables/sleep?offset=0&limit=5"),
            *("/snapshot", "/snapshot/endpoints", "/snapshot/endpoints/sleep_goal"),
            *("/charts/overview-trend.svg", "/charts/weekly-trend.svg"),
            *("/charts/sleep-trend.svg", "/charts/activity-trend.svg"),
            "/charts/series.svg?metrics=steps&width=400&height=240&theme=transparent",
        )
    ),
)
"""The paths of the specification's table."""


UNKNOWN_PATHS = (
    *("/", "", "/api", "/api/public", "/api/public/v2", "//api/public/v1", "/API/public/v1"),
    *("/api/public/v1/Profiles", "/api/public/v1/%70rofiles", "/api/public/v1//profiles"),
    *("/api/public/v1/profiles//catalog", "/api/public/v1/profiles/anna//catalog"),
    *("/api/public/v1/profiles/anna/datasets//", "/api/public/v1/profiles/anna/unknown"),
    *("/api/public/v1/profiles/anna/datasets/daily/rows", "/api/public/v1/profiles/anna/series"),
    "/api/public/v1/profiles/anna/charts",
    "/api/public/v1/profiles/anna/charts/overview-trend",
    "/api/public/v1/profiles/anna/charts/overview-trend.SVG",
    "/api/public/v1/profiles/anna/charts/overview-trend%2Esvg",
    *("/api/public/v1/profiles/anna/charts/.svg", "/api/public/v1/profiles/anna%2Fcatalog/../x"),
    *("/api/public/v1\n", "/api/public/v1/docs.md\x00"),
)


@pytest.fixture
def client() -> HealthClient:
    return HealthClient()


@pytest.mark.rule("HA-SERVICE-01", "HA-SERVICE-02")
class TestPaths:
    def test_every_specified_path_is_served(self, client: HealthClient) -> None:
        statuses = {target: client.send("GET", target).status for target in SPECIFIED}
        assert statuses == dict.fromkeys(SPECIFIED, 200)

    def test_pages_of_other_origins_may_read_every_one(self, client: HealthClient) -> None:
        for target in SPECIFIED:
            preflight = client.send("OPTIONS", target)
            assert header(preflight, "Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS"
            assert header(preflight, "Access-Control-Allow-Headers") == "If-None-Match"
            exposed = "ETag, X-Chart-Metadata" if ".svg" in target else "ETag"
            response = client.send("GET", target)
            assert header(response, "Access-Control-Expose-Headers") == exposed

    def test_caches_keep_data_for_five_minutes_and_documents_for_ten(
        self, client: HealthClient
    ) -> None:
        for target in SPECIFIED:
            is_document = target.endswith(("/docs", "/docs.md", "/openapi.json"))
            ages = (600, 1200) if is_document else (300, 600)
            expected = "public, max-age={}, stale-while-revalidate={}".format(*ages)
            assert header(client.send("GET", target), "Cache-Control") == expected

    def test_an_unknown_path_is_not_found_by_any_method(self, client: HealthClient) -> None:
        failures = []
        methods = ("GET", "HEAD", "OPTIONS", "POST")
        for method, path in itertools.product(methods, UNKNOWN_PATHS):
            request = Request(method, path.encode())
            status = drive(client.service(request), client.perform).status
            if (status, client.reads) != (404, []):
                failures.append((method, path, status, [*client.reads]))
        assert not failures


class TestOrderOfChecks:
    """Invariant *order of checks*."""

    def test_unreadable_data_come_before_the_key(self, client: HealthClient) -> None:
        client.unreadable = {"anna"}
        assert client.error(f"{ANNA}/metrics/x") == (503, "service_unavailable")


@pytest.mark.rule("HA-ERROR-13", "HA-ERROR-15", "HA-ERROR-17")
class TestErrors:
    @pytest.mark.parametrize("target", ["docs", "docs.md", "openapi.json"])
    def test_documents_need_no_data(self, client: HealthClient, target: str) -> None:
        client.unreadable = {None, "anna"}
        assert client.send("GET", target).status == 200
        assert client.reads == []


PROFILE_ID = re.compile("[A-Za-z0-9_-]{1,128}")
HOSTILE = (
    *("days", "Steps", "activity_logs", "%2e%2e", "%2e", "..", ".", "%252e%252e"),
    *("..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "anna%2fcatalog", "anna%5c..", "anna%00"),
    *("%00", "%0a", "anna%0d%0aSet-Cookie:%20x", "%ff%fe", "%ed%a0%80", "%c0%ae%c0%ae", "%"),
    *("%zz", "%F0%9F%98%80", "__class__", "__dict__", "__proto__", "{0}", "{0.__class__}"),
    *("%7B0%7D", "${jndi:x}", "<script>", "%3Cscript%3E", "' OR 1=1", "CON", "~"),
    "a" * 129,
    "a" * 10_000,
    "%61" * 4_000,
)


VARIABLE_PATHS = (
    ("metrics/", "", "metric_not_found"),
    ("datasets/", "", "dataset_not_found"),
    ("series/", "", "series_not_found"),
    ("sections/", "", "section_not_found"),
    ("tables/", "", "table_not_found"),
    ("snapshot/endpoints/", "", "snapshot_endpoint_not_found"),
    ("charts/", ".svg", "chart_not_found"),
)
"""What precedes and follows a key in a path, and the error of an unknown key."""


class TestHostileKeys:
    """Invariant *any bytes have a response*."""

    def test_none_is_a_profile_and_none_reaches_the_source(self, client: HealthClient) -> None:
        failures = []
        for key, rest in itertools.product(
            HOSTILE, ("", "/catalog", "/datasets/daily", "/charts/series.svg")
        ):
            error = client.error(f"profiles/{key}{rest}")
            is_safe = all(PROFILE_ID.fullmatch(name or "") for name in client.reads)
            if error != (404, "profile_not_found") or not is_safe:
                failures.append((key, rest, error, [*client.reads]))
        assert not failures

    def test_none_is_a_key(self, client: HealthClient) -> None:
        failures = []
        for key, (before, after, code) in itertools.product(HOSTILE, VARIABLE_PATHS):
            error = client.error(f"{ANNA}/{before}{key}{after}")
            if error != (404, code):
                failures.append((key, before, error))
        assert not failures

    def test_raw_bytes_equal_their_percent_encoding(self, client: HealthClient) -> None:
        target = f"{ROOT}/{ANNA}/metrics/".encode() + b"\xff\xfe"
        assert client.error(target) == (404, "metric_not_found")
        profile = f"{ROOT}/profiles/".encode() + "ünïcode".encode("latin-1")
        assert client.error(profile) == (404, "profile_not_found")


class TestIndex:
    def test_the_sample_is_the_first_profile_that_can_be_read(self, client: HealthClient) -> None:
        assert client.data("/api/public/v1")["sample_profile"] == "anna"
        client.unreadable = {"anna"}
        data = client.data("/api/public/v1")
        assert data["sample_profile"] == "nobody"
        assert data["sample_links"]["self"] == f"{BASE}{ROOT}/{NOBODY}"

    def test_a_profile_removed_meanwhile_is_no_sample(self, client: HealthClient) -> None:
        client.missing = {"aaa"}
        assert client.data("/api/public/v1")["sample_profile"] == "anna"
        assert client.reads == [None, "aaa", "anna"]

    def test_without_a_readable_profile_there_is_no_sample(self) -> None:
        client = HealthClient(())
        body = client.get("/api/public/v1")
        assert body["data"]["sample_profile"] is None
        assert body["data"]["sample_links"] is None
        assert body["data"]["profiles"]["count"] == 0
        assert body["generated_at"] == "1970-01-01T00:00:00"


@pytest.mark.rule("HA-INDEX-11", "HA-INDEX-12")
class TestProfiles:
    def test_each_profile_is_listed_as_its_person(self, client: HealthClient) -> None:
        body, person = client.get("profiles"), client.data(ANNA)["profile"]
        found = {entry["id"]: entry for entry in body["data"]["profiles"]}["anna"]
        assert (body["meta"], found["last_sync_at"]) == ({"count": 2}, SAVED_AT)
        for name in ("display_name", "member_since"):
            assert found[name] == person[name]

    def test_a_source_that_has_the_summaries_is_read_once(self, client: HealthClient) -> None:
        read = client.send("GET", "profiles").body, client.send("GET", ROOT).body
        assert client.reads == [None, "anna"]
        client.summaries = tuple(profile.summary for profile in client.profiles.values())
        assert client.send("GET", "profiles").body == read[0]
        assert client.reads == [None]
        assert client.send("GET", ROOT).body == read[1]
        assert client.reads == [None]
        client.summaries = ProfileSummary("aaa"), *client.summaries
        assert client.data(ROOT)["sample_profile"] == "anna"
        entries = {entry["id"]: entry for entry in client.data("profiles")["profiles"]}
        assert entries["aaa"]["available"] is False

    def test_they_are_sorted_by_name(self) -> None:
        def named(profile_id: str, name: str) -> Any:
            value = snapshot_value()
            value["endpoints"]["profile"]["data"]["user"]["displayName"] = name
            return make_profile(profile_id, days=3, snapshot=value)

        client = HealthClient([named("a", "Zoe"), named("b", "Ann"), named("c", "Ann")])
        assert [entry["id"] for entry in client.data("profiles")["profiles"]] == ["b", "c", "a"]

    def test_an_unreadable_profile_is_listed_without_values(self, client: HealthClient) -> None:
        client.unreadable = {"anna"}
        entries = {entry["id"]: entry for entry in client.data("profiles")["profiles"]}
        assert entries["nobody"]["available"] is True
        broken = entries["anna"]
        assert broken["available"] is False
        assert broken["links"].keys() == entries["nobody"]["links"].keys()
        others = broken.keys() - {"id", "available", "links"}
        assert {broken[name] for name in others} == {None}

    def test_generated_at_of_the_list_is_the_latest(self) -> None:
        moments = ("2026-01-30T23:59:59", "2026-01-31T00:00:00", "2025-12-31T00:00:00")
        profiles = [
            make_profile(f"p{number}", days=2, generated_at=moment)
            for number, moment in enumerate(moments)
        ]
        assert HealthClient(profiles).get("profiles")["generated_at"] == moments[1]


class TestResourcesOfAProfile:
    @pytest.mark.parametrize("key", CARD_METRICS)
    def test_one_metric_is_its_card(self, client: HealthClient, key: str) -> None:
        cards = client.data(f"{ANNA}/metrics")["metrics"]
        assert client.data(f"{ANNA}/metrics/{key}") in cards
        assert client.meta(f"{ANNA}/metrics/{key}") == {}

    @pytest.mark.parametrize("key", SECTIONS)
    def test_each_section_equals_its_list_entry(self, client: HealthClient, key: str) -> None:
        sections = client.get(f"{ANNA}/sections")
        assert sections["meta"] == {"count": 4}
        assert client.data(f"{ANNA}/sections/{key}") in sections["data"]["sections"]


class TestDatasets:
    def test_the_list_has_all_seven_with_links_and_coverage(self, client: HealthClient) -> None:
        body = client.get(f"{ANNA}/datasets")
        assert body["meta"] == {"count": 7}
        listed = body["data"]["datasets"]
        assert [each["key"] for each in listed] == list(DATASETS)
        coverage = {each["key"]: each["coverage"] for each in listed}
        assert coverage["activity"] == client.data(f"{ANNA}/coverage")["activity"]
        assert coverage["weekly"] is None
        assert coverage["monthly"] is None
        for each in listed:
            assert client.send("GET", each["href"].removeprefix(BASE)).status == 200

    @pytest.mark.parametrize("key", DATASETS)
    def test_columns_do_not_depend_on_data(self, client: HealthClient, key: str) -> None:
        full, bare = (client.data(f"{each}/datasets/{key}") for each in (ANNA, NOBODY))
        assert full["columns"] == bare["columns"] == sorted(full["columns"])
        assert {name for row in full["rows"] for name in row} <= set(full["columns"])
        assert bare["rows"] == []
        assert full["dataset"] == key

    def test_rows_ascend_and_meta_describes_the_page(self, client: HealthClient) -> None:
        body = client.get(f"{ANNA}/datasets/activity?offset=10&limit=5")
        dates = [row["date"] for row in body["data"]["rows"]]
        assert dates == ["2025-12-20", "2025-12-21", "2025-12-22", "2025-12-23", "2025-12-24"]
        assert body["meta"] == {
            "total": 50,
            "offset": 10,
            "limit": 5,
            "count": 5,
            "label": "Activity",
            "coverage": client.data(f"{ANNA}/coverage")["activity"],
        }

    def test_partial_periods_are_listed(self, client: HealthClient) -> None:
        weekly = client.meta(f"{ANNA}/datasets/weekly")
        assert weekly["partial_periods"] == ["2025-W50", "2026-W05"]
        assert client.meta(f"{ANNA}/datasets/monthly")["partial_periods"] == ["2025-12", "2026-01"]
        assert client.meta(f"{ANNA}/datasets/daily")["partial_periods"] == []
        assert "partial_periods" not in client.meta(f"{ANNA}/datasets/sleep")


class TestSeries:
    def test_points_have_exactly_the_requested_metrics(self, client: HealthClient) -> None:
        body = client.get(f"{ANNA}/series/daily?metrics=hrv,steps&limit=3")
        data = body["data"]
        assert (data["granularity"], data["dimension"]) == ("daily", "date")
        assert [metric["key"] for metric in data["metrics"]] == ["hrv", "steps"]
        assert [list(point) for point in data["points"]] == [["date", "hrv", "steps"]] * 3
        assert data["points"][-1]["date"] == "2026-01-28"
        assert body["meta"]["count"] == 3

    @pytest.mark.parametrize("granularity", GRANULARITIES)
    @pytest.mark.parametrize("query", ["", "?metrics=", "?metrics=unknown,Steps,date"])
    def test_without_known_metrics_all_are_returned(
        self, client: HealthClient, granularity: str, query: str
    ) -> None:
        for profile in (ANNA, NOBODY):
            body = client.get(f"{profile}/series/{granularity}{query}")
            keys = [metric["key"] for metric in body["data"]["metrics"]]
            expected = list(SERIES_METRICS[granularity])  # type: ignore[index] # a granularity
            assert keys == body["meta"]["available_metrics"] == expected

    def test_without_a_limit_there_are_the_points_of_a_century(self) -> None:
        days = (date(1900, 1, 1) + timedelta(number) for number in range(36_530))
        table = "date,resting_heart_rate\n" + "".join(f"{day},60\n" for day in days)
        files = {"csv/fitbit_rhr.csv": table.encode()}
        client = HealthClient([load("anna", files, generated_at=GENERATED_AT)])
        body = client.get(f"{ANNA}/series/daily?metrics=rhr")
        points, meta = body["data"]["points"], body["meta"]
        assert len(points) == meta["count"] == meta["limit"] == limits.MAX_POINTS == 36_525
        assert meta["total"] == 36_530
        assert points[0]["date"] == "1900-01-06"
        assert points[-1] == {"date": "2000-01-06", "rhr": 60}


class TestSnapshot:
    def test_the_index_has_no_data_and_links_each_endpoint(self, client: HealthClient) -> None:
        body = client.get(f"{ANNA}/snapshot/endpoints")
        entries = body["data"]["endpoints"]
        assert [entry["key"] for entry in entries] == list(snapshot_value()["endpoints"])
        assert body["meta"] == {"count": len(entries)}
        assert not any("data" in entry for entry in entries)
        for entry in entries:
            found = client.get(entry["href"].removeprefix(BASE))
            assert found["meta"] == {"endpoint": entry["key"]}
            assert found["data"]["ok"] == entry["ok"]

    @pytest.mark.parametrize("key", ["sleep/goal", "", ".", "..", "nul\x00"])
    def test_an_endpoint_that_no_path_can_address_has_no_link(self, key: str) -> None:
        value = snapshot_value()
        value["endpoints"] = {key: {"ok": True, "data": 1}}
        client = HealthClient([make_profile(days=1, snapshot=value)])
        (entry,) = client.data(f"{ANNA}/snapshot/endpoints")["endpoints"]
        assert entry["key"] == key
        assert entry["href"] is None

    def test_a_key_that_is_not_utf_8_is_no_replacement_character(self) -> None:
        text = '{"endpoints": {"\ufffd": {"ok": true}}}'
        files = {"cache/fitbit_profile_snapshot.json": text.encode()}
        client = HealthClient([load("anna", files, generated_at=GENERATED_AT)])
        path = "profiles/anna/snapshot/endpoints"
        assert client.get(f"{path}/%EF%BF%BD")["meta"] == {"endpoint": "\ufffd"}
        assert client.error(f"{path}/%FF") == (404, "snapshot_endpoint_not_found")

    @pytest.mark.parametrize("key", ["a b", "a%2Fb", "ü", "a?b#c", "{0}", "__class__", "a\nb", "%"])
    def test_an_odd_key_is_linked_and_found(self, key: str) -> None:
        value = snapshot_value()
        value["endpoints"] = {key: {"ok": True, "data": {"n": 1}}}
        client = HealthClient([make_profile(days=1, snapshot=value)])
        (entry,) = client.data(f"{ANNA}/snapshot/endpoints")["endpoints"]
        found = client.get(entry["href"].removeprefix(BASE))
        assert found["meta"]["endpoint"] == key
        assert found["data"]["data"] == {"n": 1}


def drawn(client: HealthClient, target: str) -> tuple[str, dict[str, Any]]:
    """Return the image and the metadata of a chart."""
    response = client.send("GET", target)
    assert response.status == 200
    return response.body.decode(), strict((header(response, "X-Chart-Metadata") or "").encode())


@pytest.mark.rule("HA-CHART-06")
class TestCharts:
    @pytest.mark.parametrize("key", CHARTS)
    def test_metadata_describe_each_preset(self, client: HealthClient, key: str) -> None:
        chart = CHARTS[key]
        image, metadata = drawn(client, f"{ANNA}/charts/{key}.svg")
        assert image.startswith("<svg")
        assert metadata == {
            "count": 8 if chart.granularity == "weekly" else 50,
            "available_metrics": list(SERIES_METRICS[chart.granularity]),
            "chart": key,
            "granularity": chart.granularity,
            "theme": "light",
            "width": 960,
            "height": 320,
        }

    def test_a_preset_skips_metrics_without_any_value(self) -> None:
        files = {"csv/fitbit_activity.csv": b"date,steps\n2026-01-01,7\n2026-01-02,9\n"}
        client = HealthClient([load("anna", files, generated_at=GENERATED_AT)])
        image, _ = drawn(client, f"{ANNA}/charts/activity-trend.svg")
        assert "Steps" in image
        assert "Active minutes" not in image
        image, _ = drawn(client, f"{ANNA}/charts/activity-trend.svg?metrics=active_minutes")
        assert "Steps" not in image

    def test_an_unknown_theme_is_light_and_never_echoed(self, client: HealthClient) -> None:
        light, _ = drawn(client, f"{ANNA}/charts/series.svg")
        image, metadata = drawn(client, f"{ANNA}/charts/series.svg?theme=%E2%80%A8%0d%0acanary")
        assert metadata["theme"] == "light"
        assert image == light


class TestLinks:
    @pytest.mark.parametrize(
        "url",
        [
            *("", "/", "example.org", "ftp://example.org", "https://", "https:///path"),
            *("https://example.org?x=1", "https://example.org/#x"),
            *("https://user:secret@example.org", "https://example.org/a b"),
            *('https://example.org/"', "https://example.org\n", "https://[::1"),
            "javascript:alert(1)",
        ],
    )
    def test_an_invalid_base_url_raises(self, url: str) -> None:
        with pytest.raises(ValueError, match=r"URL|IPv6"):
            Service(base_url=url)

    @pytest.mark.parametrize("url", ["http://[::1]:8000", "https://example.org/~a", "HTTPS://X"])
    def test_a_base_url_may_have_any_host(self, url: str) -> None:
        assert HealthClient(base_url=url).data(ANNA)["links"]["self"].startswith(url)


@pytest.mark.rule("HA-FILE-17")
class TestCachedResponses:
    """Invariant *responses are cached*."""

    def test_equivalent_requests_have_the_same_body(self, client: HealthClient) -> None:
        one = client.send("GET", f"{ANNA}/datasets/daily")
        other = client.send("GET", f"{ANNA}/datasets/DAILY?limit=+2_00&offset=-7&x=y")
        assert one.body is other.body

    def test_a_removed_profile_is_not_served(self, client: HealthClient) -> None:
        client.send("GET", f"{ANNA}/overview")
        del client.profiles["anna"]
        assert client.error(f"{ANNA}/overview") == (404, "profile_not_found")
        client.profiles["anna"] = make_profile(days=7)
        assert client.data(f"{ANNA}/overview")["tracked_days"] == 7

    def test_above_a_limit_all_are_dropped(
        self, client: HealthClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        targets = (f"{ANNA}/overview", f"{NOBODY}/overview")
        first = [client.send("GET", target).body for target in targets]
        monkeypatch.setattr(service, "_MAX_CACHED_BYTES", 1)
        client.send("GET", f"{ANNA}/coverage")
        again = [client.send("GET", target).body for target in targets]
        assert again == first
        assert not any(one is other for one, other in zip(again, first, strict=True))

    def test_a_profile_that_its_source_dropped_is_released(self) -> None:
        client = HealthClient([make_profile(days=2)])
        client.send("GET", f"{ANNA}/overview")
        gone = weakref.ref(client.profiles.pop("anna"))
        gc.collect()
        assert gone() is None
