"""The service, path by path: what each answers, in which order it checks, and what it refuses."""

import gc
import json
import re
import weakref
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

from healthapi import limits
from healthapi.catalog_keys import (
    CARD_METRICS,
    CHARTS,
    DATASETS,
    DOMAINS,
    GRANULARITIES,
    SECTIONS,
    SERIES_METRICS,
    TABLES,
)
from healthapi.errors import STATUS_OF
from healthapi.http.endpoints import ENDPOINTS, Endpoint
from healthapi.http.service import Service
from healthapi.profile import load
from purewire.exchange.drivers import drive
from purewire.http.messages import Request
from support.healthapi.health_snapshots import SAVED_AT, snapshot_value
from support.healthapi.health_world import (
    BASE,
    CACHE,
    DOCS_CACHE,
    GENERATED_AT,
    ROOT,
    HealthWorld,
    anna,
    header,
    make_profile,
    strict,
)

ANNA = "profiles/anna"
NOBODY = "profiles/nobody"
LINKS = (
    "self",
    "dashboard",
    "catalog",
    "overview",
    "coverage",
    "metrics",
    "correlations",
    "series_daily",
    "series_weekly",
    "datasets",
    "sections",
    "tables",
    "snapshot",
    "chart_overview",
    "chart_weekly",
)
SPECIFIED = (
    "/api/public/v1",
    "/api/public/v1/docs",
    "/api/public/v1/docs.md",
    "/api/public/v1/openapi.json",
    "/api/public/v1/profiles",
    *(
        f"/api/public/v1/profiles/anna{rest}"
        for rest in (
            "",
            "/dashboard",
            "/catalog",
            "/overview",
            "/coverage",
            "/metrics",
            "/metrics/sleep_score",
            "/correlations",
            "/snapshot-status",
            "/datasets",
            "/datasets/daily?offset=0&limit=10",
            "/series/daily?metrics=steps,hrv&limit=7",
            "/sections",
            "/sections/body",
            "/tables",
            "/tables/sleep?offset=0&limit=5",
            "/snapshot",
            "/snapshot/endpoints",
            "/snapshot/endpoints/sleep_goal",
            "/charts/overview-trend.svg",
            "/charts/weekly-trend.svg",
            "/charts/sleep-trend.svg",
            "/charts/activity-trend.svg",
            "/charts/series.svg?metrics=steps&width=400&height=240&theme=transparent",
        )
    ),
)
"""Every path of the specification's table."""


@pytest.fixture
def world() -> HealthWorld:
    return HealthWorld()


def members(value: object) -> Iterator[tuple[str, Any]]:
    """Return every member of plain JSON, at any depth."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield name, member
            yield from members(member)
    elif isinstance(value, list):
        for item in value:
            yield from members(item)


class TestPaths:
    @pytest.mark.parametrize("target", SPECIFIED)
    def test_every_specified_path_answers(self, world: HealthWorld, target: str) -> None:
        assert world.send("GET", target).status == 200

    @pytest.mark.parametrize("target", SPECIFIED)
    def test_head_has_the_headers_of_get_and_no_body(self, world: HealthWorld, target: str) -> None:
        head, get = world.send("HEAD", target), world.send("GET", target)
        assert (head.status, head.headers) == (get.status, get.headers)

    @pytest.mark.parametrize("target", SPECIFIED)
    def test_options_is_a_preflight_that_reads_nothing(
        self, world: HealthWorld, target: str
    ) -> None:
        response = world.send("OPTIONS", target)
        assert response.status == 204
        assert header(response, "Access-Control-Allow-Headers") == "If-None-Match"
        assert world.asked == []

    @pytest.mark.parametrize("target", SPECIFIED)
    @pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "get", ""])
    def test_any_other_method_is_not_allowed(
        self, world: HealthWorld, target: str, method: str
    ) -> None:
        response = world.send(method, target)
        assert response.status == 405
        assert header(response, "Allow") == "GET, HEAD, OPTIONS"
        assert world.asked == []

    @pytest.mark.parametrize("target", SPECIFIED)
    def test_a_trailing_slash_makes_an_unknown_path(self, world: HealthWorld, target: str) -> None:
        path, mark, query = target.partition("?")
        assert world.fails(f"{path}/{mark}{query}") == (404, "not_found")

    @pytest.mark.parametrize(
        "path",
        [
            "/",
            "",
            "/api",
            "/api/public",
            "/api/public/v2",
            "//api/public/v1",
            "/API/public/v1",
            "/api/public/v1/Profiles",
            "/api/public/v1/%70rofiles",
            "/api/public/v1//profiles",
            "/api/public/v1/profiles//catalog",
            "/api/public/v1/profiles/anna//catalog",
            "/api/public/v1/profiles/anna/datasets//",
            "/api/public/v1/profiles/anna/unknown",
            "/api/public/v1/profiles/anna/datasets/daily/rows",
            "/api/public/v1/profiles/anna/series",
            "/api/public/v1/profiles/anna/charts",
            "/api/public/v1/profiles/anna/charts/overview-trend",
            "/api/public/v1/profiles/anna/charts/overview-trend.SVG",
            "/api/public/v1/profiles/anna/charts/overview-trend%2Esvg",
            "/api/public/v1/profiles/anna/charts/.svg",
            "/api/public/v1/profiles/anna%2Fcatalog/../x",
            "/api/public/v1\n",
            "/api/public/v1/docs.md\x00",
        ],
    )
    @pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST"])
    def test_an_unknown_path_is_not_found_by_any_method(
        self, world: HealthWorld, path: str, method: str
    ) -> None:
        request = Request(method, path.encode())
        assert drive(world.service(request), world.perform).status == 404
        assert world.asked == []

    def test_only_the_profile_of_the_path_is_read(self, world: HealthWorld) -> None:
        world.send("GET", f"{ANNA}/dashboard")
        assert world.asked == ["anna"]


class TestOrderOfChecks:
    """Invariant *order of checks*."""

    def test_the_path_comes_before_the_method(self, world: HealthWorld) -> None:
        assert world.fails("nothing", "POST") == (404, "not_found")

    def test_the_method_comes_before_the_profile(self, world: HealthWorld) -> None:
        assert world.fails("profiles/unknown", "POST") == (405, "method_not_allowed")

    def test_a_preflight_asks_for_no_profile(self, world: HealthWorld) -> None:
        assert world.send("OPTIONS", "profiles/unknown/metrics/unknown").status == 204

    @pytest.mark.parametrize(
        "rest",
        [
            "metrics/x",
            "datasets/x",
            "series/x",
            "sections/x",
            "tables/x",
            "snapshot/endpoints/x",
            "charts/x.svg",
            "charts/series.svg?granularity=x",
        ],
    )
    def test_the_profile_comes_before_the_key(self, world: HealthWorld, rest: str) -> None:
        assert world.fails(f"profiles/unknown/{rest}") == (404, "profile_not_found")

    def test_unreadable_data_come_before_the_key(self, world: HealthWorld) -> None:
        world.broken = {"anna"}
        assert world.fails(f"{ANNA}/metrics/x") == (503, "service_unavailable")


class TestErrors:
    @pytest.mark.parametrize(
        ("target", "code"),
        [
            ("profiles/unknown", "profile_not_found"),
            (f"{ANNA}/metrics/days", "metric_not_found"),
            (f"{ANNA}/metrics/Steps", "metric_not_found"),
            (f"{ANNA}/metrics/steps%20", "metric_not_found"),
            (f"{ANNA}/series/hourly", "series_not_found"),
            (f"{ANNA}/datasets/steps", "dataset_not_found"),
            (f"{ANNA}/sections/activity", "section_not_found"),
            (f"{ANNA}/sections/Body", "section_not_found"),
            (f"{ANNA}/tables/activity_logs", "table_not_found"),
            (f"{ANNA}/tables/Sleep", "table_not_found"),
            (f"{ANNA}/snapshot/endpoints/unknown", "snapshot_endpoint_not_found"),
            (f"{ANNA}/snapshot/endpoints/Profile", "snapshot_endpoint_not_found"),
            (f"{NOBODY}/snapshot/endpoints/profile", "snapshot_endpoint_not_found"),
            (f"{ANNA}/charts/unknown.svg", "chart_not_found"),
            (f"{ANNA}/charts/series.svg?granularity=hourly", "chart_not_found"),
            ("unknown", "not_found"),
        ],
    )
    def test_what_is_not_there_has_a_code_of_its_own(
        self, world: HealthWorld, target: str, code: str
    ) -> None:
        assert world.fails(target) == (404, code)

    @pytest.mark.parametrize("target", [t for t in SPECIFIED if "/profiles/" in t])
    def test_unreadable_data_are_service_unavailable_everywhere(
        self, world: HealthWorld, target: str
    ) -> None:
        """Invariant *fault is not absence*."""
        world.broken = {"anna"}
        assert world.fails(target) == (503, "service_unavailable")

    @pytest.mark.parametrize("target", ["/api/public/v1", "profiles"])
    def test_an_unreadable_index_is_service_unavailable(
        self, world: HealthWorld, target: str
    ) -> None:
        world.broken = {None}
        assert world.fails(target) == (503, "service_unavailable")

    @pytest.mark.parametrize("target", ["docs", "docs.md", "openapi.json"])
    def test_documents_need_no_data(self, world: HealthWorld, target: str) -> None:
        world.broken = {None, "anna"}
        assert world.send("GET", target).status == 200
        assert world.asked == []

    def test_an_error_quotes_nothing_of_the_request(self, world: HealthWorld) -> None:
        response = world.send("GET", f"{ANNA}/metrics/canary?limit=canary")
        assert b"canary" not in response.body

    def test_each_code_of_the_contract_is_given(self, world: HealthWorld) -> None:
        """The codes that the tests above see are all there are."""
        documented = {code for endpoint in ENDPOINTS for code in endpoint.error_codes}
        assert documented | {"not_found", "method_not_allowed"} == STATUS_OF.keys()


PROFILE_ID = re.compile("[A-Za-z0-9_-]{1,128}")
HOSTILE = (
    "%2e%2e",
    "%2e",
    "..",
    ".",
    "%252e%252e",
    "..%2f..%2fetc%2fpasswd",
    "%2fetc%2fpasswd",
    "anna%2fcatalog",
    "anna%5c..",
    "anna%00",
    "%00",
    "%0a",
    "anna%0d%0aSet-Cookie:%20x",
    "%ff%fe",
    "%ed%a0%80",
    "%c0%ae%c0%ae",
    "%",
    "%zz",
    "%F0%9F%98%80",
    "__class__",
    "__dict__",
    "__proto__",
    "{0}",
    "{0.__class__}",
    "%7B0%7D",
    "${jndi:x}",
    "<script>",
    "%3Cscript%3E",
    "' OR 1=1",
    "CON",
    "~",
    "a" * 129,
    "a" * 10_000,
    "%61" * 4_000,
)


class TestHostileKeys:
    """Invariant *any bytes have an answer*."""

    @pytest.mark.parametrize("key", HOSTILE)
    def test_none_is_a_profile_and_none_reaches_the_source(
        self, world: HealthWorld, key: str
    ) -> None:
        for rest in ("", "/catalog", "/datasets/daily", "/charts/series.svg"):
            assert world.fails(f"profiles/{key}{rest}") == (404, "profile_not_found")
            assert all(PROFILE_ID.fullmatch(name or "") for name in world.asked)

    @pytest.mark.parametrize("key", HOSTILE)
    @pytest.mark.parametrize(
        ("before", "after", "code"),
        [
            ("metrics/", "", "metric_not_found"),
            ("datasets/", "", "dataset_not_found"),
            ("series/", "", "series_not_found"),
            ("sections/", "", "section_not_found"),
            ("tables/", "", "table_not_found"),
            ("snapshot/endpoints/", "", "snapshot_endpoint_not_found"),
            ("charts/", ".svg", "chart_not_found"),
        ],
    )
    def test_none_is_a_key(
        self, world: HealthWorld, key: str, before: str, after: str, code: str
    ) -> None:
        assert world.fails(f"{ANNA}/{before}{key}{after}") == (404, code)

    def test_raw_bytes_mean_what_their_encoding_means(self, world: HealthWorld) -> None:
        target = f"{ROOT}/{ANNA}/metrics/".encode() + b"\xff\xfe"
        assert world.fails(target) == (404, "metric_not_found")
        profile = f"{ROOT}/profiles/".encode() + "ünïcode".encode("latin-1")
        assert world.fails(profile) == (404, "profile_not_found")

    @pytest.mark.parametrize(
        "query",
        [
            b"limit=%00",
            b"limit=\xff",
            b"&&&===",
            b"limit=1&limit=" + b"9" * 10_000,
            b"limit=" + b"9" * 10_000,
            b"metrics=" + b"steps," * 2_000,
            b"metrics=__class__,{0},%00",
            b"theme=%E2%80%A8&granularity=",
            b"theme=%0d%0aX:y",
            b"a=" * 5_000,
        ],
    )
    def test_no_query_is_refused(self, world: HealthWorld, query: bytes) -> None:
        for target in ("", "/datasets/daily", "/series/weekly", "/charts/series.svg"):
            raw = f"{ROOT}/{ANNA}{target}?".encode() + query
            assert world.send("GET", raw).status == 200

    def test_a_key_may_be_percent_encoded(self, world: HealthWorld) -> None:
        assert world.get("profiles/%61nna/metrics/%73teps")["data"]["key"] == "steps"


class TestIndex:
    def test_it_names_everything_and_links_the_documentation(self, world: HealthWorld) -> None:
        body = world.get("/api/public/v1")
        assert body["resource"] == "index"
        assert body["generated_at"] == GENERATED_AT
        assert body["meta"] == {}
        data = body["data"]
        assert list(data) == [
            "name",
            "description",
            "docs",
            "profiles",
            "datasets",
            "sections",
            "tables",
            "charts",
            "sample_profile",
            "sample_links",
        ]
        assert data["docs"] == {
            "html": f"{BASE}/api/public/v1/docs",
            "markdown": f"{BASE}/api/public/v1/docs.md",
            "openapi": f"{BASE}/api/public/v1/openapi.json",
        }
        assert data["profiles"] == {"count": 2, "href": f"{BASE}/api/public/v1/profiles"}
        assert data["datasets"] == list(DATASETS)
        assert data["sections"] == ["body", "vitals", "lifestyle", "account"]
        assert data["tables"] == list(TABLES)
        assert data["charts"] == [
            "series",
            "overview-trend",
            "weekly-trend",
            "sleep-trend",
            "activity-trend",
        ]

    def test_the_sample_is_the_first_profile_that_can_be_read(self, world: HealthWorld) -> None:
        assert world.data("/api/public/v1")["sample_profile"] == "anna"
        world.broken = {"anna"}
        data = world.data("/api/public/v1")
        assert data["sample_profile"] == "nobody"
        assert tuple(data["sample_links"]) == LINKS

    def test_a_profile_that_has_gone_meanwhile_is_no_sample(self, world: HealthWorld) -> None:
        world.vanishing = {"aaa"}
        assert world.data("/api/public/v1")["sample_profile"] == "anna"
        assert world.asked == [None, "aaa", "anna"]

    def test_without_a_readable_profile_there_is_no_sample(self) -> None:
        world = HealthWorld(())
        body = world.get("/api/public/v1")
        assert body["data"]["sample_profile"] is None
        assert body["data"]["sample_links"] is None
        assert body["data"]["profiles"]["count"] == 0
        assert body["generated_at"] == "1970-01-01T00:00:00"


class TestProfiles:
    def test_each_profile_is_at_a_glance(self, world: HealthWorld) -> None:
        body = world.get("profiles")
        assert body["meta"] == {"count": 2}
        profile = anna()
        found = {entry["id"]: entry for entry in body["data"]["profiles"]}["anna"]
        latest = {card.key: card.latest for card in profile.cards}
        assert found == {
            "id": "anna",
            "display_name": profile.person.display_name,
            "member_since": profile.person.member_since,
            "last_sync_at": SAVED_AT,
            "recovery_score": profile.overview.recovery_score,
            "recovery_status": profile.overview.recovery_status,
            "recovery_label": profile.overview.recovery_label,
            "sleep_score": latest["sleep_score"],
            "steps": latest["steps"],
            "hrv": latest["hrv"],
            "rhr": latest["rhr"],
            "latest_date": "2026-01-28",
            "available": True,
            "links": found["links"],
        }
        assert tuple(found["links"]) == LINKS

    def test_an_earlier_state_will_do_for_lists_but_not_for_a_profile(
        self, world: HealthWorld
    ) -> None:
        world.get("profiles")
        assert world.at_once == ["anna", "nobody"]
        world.get(ROOT)
        assert world.at_once == ["anna"]
        world.get(f"{ANNA}/overview")
        assert world.at_once == []

    def test_they_are_sorted_by_name(self) -> None:
        def named(profile_id: str, name: str) -> Any:
            value = snapshot_value()
            value["endpoints"]["profile"]["data"]["user"]["displayName"] = name
            return make_profile(profile_id, days=3, snapshot=value)

        world = HealthWorld([named("a", "Zoe"), named("b", "Ann"), named("c", "Ann")])
        assert [entry["id"] for entry in world.data("profiles")["profiles"]] == ["b", "c", "a"]

    def test_one_that_cannot_be_read_is_listed_without_values(self, world: HealthWorld) -> None:
        world.broken = {"anna"}
        entries = {entry["id"]: entry for entry in world.data("profiles")["profiles"]}
        assert entries["nobody"]["available"] is True
        broken = entries["anna"]
        assert broken["available"] is False
        assert tuple(broken["links"]) == LINKS
        others = broken.keys() - {"id", "available", "links"}
        assert {broken[name] for name in others} == {None}

    def test_one_that_has_gone_meanwhile_is_left_out(self, world: HealthWorld) -> None:
        world.vanishing = {"gone"}
        assert [entry["id"] for entry in world.data("profiles")["profiles"]] == ["anna", "nobody"]

    def test_the_list_is_as_young_as_its_youngest_profile(self) -> None:
        moments = ("2026-01-30T23:59:59", "2026-01-31T00:00:00", "2025-12-31T00:00:00")
        profiles = [
            make_profile(f"p{number}", days=2, generated_at=moment)
            for number, moment in enumerate(moments)
        ]
        assert HealthWorld(profiles).get("profiles")["generated_at"] == moments[1]

    def test_without_profiles_the_list_is_empty(self) -> None:
        body = HealthWorld(()).get("profiles")
        assert body["data"] == {"profiles": []}
        assert body["generated_at"] == "1970-01-01T00:00:00"


class TestForgetting:
    def test_a_profile_that_is_no_longer_listed_is_not_held(self) -> None:
        world = HealthWorld([make_profile(days=2), make_profile("bob", days=2)])
        world.send("GET", "profiles/anna/overview")
        gone = weakref.ref(world.profiles.pop("anna"))
        world.send("GET", "profiles")
        gc.collect()
        assert gone() is None


class TestProfile:
    def test_the_summary_gathers_what_its_resources_give(self, world: HealthWorld) -> None:
        body = world.get(ANNA)
        data = body["data"]
        assert body["profile_id"] == "anna"
        assert body["meta"] == {}
        assert list(data) == [
            "profile",
            "overview",
            "coverage",
            "data_catalog",
            "snapshot_status",
            "links",
        ]
        assert data["overview"] == world.data(f"{ANNA}/overview")
        assert data["coverage"] == world.data(f"{ANNA}/coverage")
        assert data["data_catalog"] == world.data(f"{ANNA}/catalog")
        assert data["snapshot_status"] == world.data(f"{ANNA}/snapshot-status")

    def test_every_link_leads_somewhere(self, world: HealthWorld) -> None:
        for url in world.data(ANNA)["links"].values():
            assert url.startswith(f"{BASE}/api/public/v1/profiles/anna")
            assert world.send("GET", url.removeprefix(BASE)).status == 200

    def test_a_profile_without_files_is_there_and_empty(self, world: HealthWorld) -> None:
        data = world.data(NOBODY)
        assert data["profile"]["display_name"] == "nobody"
        assert data["overview"]["tracked_days"] == 0
        assert data["snapshot_status"]["has_snapshot"] is False
        assert data["data_catalog"]["status_counts"]["empty"] == 6


class TestResourcesOfAProfile:
    def test_the_dashboard_has_the_parts_of_the_specification(self, world: HealthWorld) -> None:
        data = world.data(f"{ANNA}/dashboard")
        assert {
            "data_catalog",
            "overview",
            "coverage",
            "stats",
            "charts",
            "tables",
            "sections",
            "correlations",
            "snapshot_status",
        } <= data.keys()
        assert list(data["charts"]) == ["daily", "weekly", "monthly"]
        assert data["stats"] == world.data(f"{ANNA}/metrics")["metrics"]
        assert world.meta(f"{ANNA}/dashboard") == {}

    def test_the_catalog_has_the_six_domains(self, world: HealthWorld) -> None:
        data = world.data(f"{ANNA}/catalog")
        assert [domain["key"] for domain in data["domains"]] == list(DOMAINS)
        assert world.meta(f"{ANNA}/catalog") == {"count": 6}

    def test_coverage_counts_what_could_not_be_read(self, world: HealthWorld) -> None:
        data = world.data(f"{ANNA}/coverage")
        assert list(data) == ["activity", "sleep", "hrv", "rhr", "daily", "snapshot"]
        assert data["rhr"]["unreadable_cells"] == 1
        assert data["activity"]["start_date"] == "2025-12-10"

    def test_metrics_are_eight_cards(self, world: HealthWorld) -> None:
        body = world.get(f"{ANNA}/metrics")
        assert [card["key"] for card in body["data"]["metrics"]] == list(CARD_METRICS)
        assert body["meta"] == {"count": 8}

    @pytest.mark.parametrize("key", CARD_METRICS)
    def test_one_metric_is_its_card(self, world: HealthWorld, key: str) -> None:
        cards = world.data(f"{ANNA}/metrics")["metrics"]
        assert world.data(f"{ANNA}/metrics/{key}") in cards
        assert world.meta(f"{ANNA}/metrics/{key}") == {}

    def test_correlations_are_three(self, world: HealthWorld) -> None:
        body = world.get(f"{ANNA}/correlations")
        keys = [each["key"] for each in body["data"]["correlations"]]
        assert keys == ["sleep_score-hrv", "steps-sleep_score", "sleep_score-rhr"]
        assert body["meta"] == {"count": 3}

    @pytest.mark.parametrize("key", SECTIONS)
    def test_each_section_is_as_in_their_list(self, world: HealthWorld, key: str) -> None:
        sections = world.get(f"{ANNA}/sections")
        assert sections["meta"] == {"count": 4}
        assert world.data(f"{ANNA}/sections/{key}") in sections["data"]["sections"]

    def test_snapshot_status_says_what_is_missing(self, world: HealthWorld) -> None:
        data = world.data(f"{ANNA}/snapshot-status")
        assert data["missing_scopes"] == ["temperature"]
        assert world.data(f"{NOBODY}/snapshot-status")["saved_at"] is None


class TestDatasets:
    def test_the_list_has_all_seven_with_links_and_coverage(self, world: HealthWorld) -> None:
        body = world.get(f"{ANNA}/datasets")
        assert body["meta"] == {"count": 7}
        listed = body["data"]["datasets"]
        assert [each["key"] for each in listed] == list(DATASETS)
        coverage = {each["key"]: each["coverage"] for each in listed}
        assert coverage["activity"] == world.data(f"{ANNA}/coverage")["activity"]
        assert coverage["weekly"] is None
        assert coverage["monthly"] is None
        for each in listed:
            assert world.send("GET", each["href"].removeprefix(BASE)).status == 200

    @pytest.mark.parametrize("key", DATASETS)
    def test_columns_are_all_members_whatever_the_data(self, world: HealthWorld, key: str) -> None:
        full, bare = (world.data(f"{each}/datasets/{key}") for each in (ANNA, NOBODY))
        assert full["columns"] == bare["columns"] == sorted(full["columns"])
        assert {name for row in full["rows"] for name in row} <= set(full["columns"])
        assert bare["rows"] == []
        assert full["dataset"] == key

    def test_rows_ascend_and_meta_tells_the_page(self, world: HealthWorld) -> None:
        body = world.get(f"{ANNA}/datasets/activity?offset=10&limit=5")
        dates = [row["date"] for row in body["data"]["rows"]]
        assert dates == ["2025-12-20", "2025-12-21", "2025-12-22", "2025-12-23", "2025-12-24"]
        assert body["meta"] == {
            "total": 50,
            "offset": 10,
            "limit": 5,
            "count": 5,
            "label": "Activity",
            "coverage": world.data(f"{ANNA}/coverage")["activity"],
        }

    def test_pages_make_the_whole(self, world: HealthWorld) -> None:
        pages = [
            world.data(f"{ANNA}/datasets/daily?offset={offset}&limit=7")["rows"]
            for offset in range(0, 63, 7)
        ]
        whole = world.data(f"{ANNA}/datasets/daily?limit=1000")["rows"]
        assert [row for page in pages for row in page] == whole
        assert len(whole) == 50

    @pytest.mark.parametrize("offset", ["50", "51", "100000", "999999999"])
    def test_past_the_end_there_are_no_rows(self, world: HealthWorld, offset: str) -> None:
        body = world.get(f"{ANNA}/datasets/activity?offset={offset}")
        assert body["data"]["rows"] == []
        assert body["meta"]["count"] == 0
        assert body["meta"]["total"] == 50

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("", (0, 200)),
            ("?offset=&limit=", (0, 200)),
            ("?offset=x&limit=1.5", (0, 200)),
            ("?offset=-1&limit=0", (0, 1)),
            ("?offset=0&limit=1", (0, 1)),
            ("?offset=1&limit=-4", (1, 1)),
            ("?limit=1000", (0, 1000)),
            ("?limit=1001", (0, 1000)),
            ("?offset=100000", (100_000, 200)),
            ("?offset=100001", (100_000, 200)),
            ("?limit=1_0", (0, 10)),
            ("?limit=3&limit=4", (0, 3)),
            ("?Limit=3", (0, 200)),
            ("?limit=%20+7%20", (0, 7)),
            ("?limit=" + "9" * 5000, (0, 1000)),
            ("?limit=-" + "9" * 5000, (0, 1)),
        ],
    )
    def test_offset_and_limit_are_clamped(
        self, world: HealthWorld, query: str, expected: tuple[int, int]
    ) -> None:
        meta = world.meta(f"{ANNA}/datasets/daily{query}")
        assert (meta["offset"], meta["limit"]) == expected

    @pytest.mark.parametrize("key", ["DAILY", "Daily%20", "%20%09daily", "d%41ily"])
    def test_case_and_outer_space_of_the_key_do_not_count(
        self, world: HealthWorld, key: str
    ) -> None:
        assert world.data(f"{ANNA}/datasets/{key}")["dataset"] == "daily"

    def test_periods_that_are_not_whole_are_marked(self, world: HealthWorld) -> None:
        weekly = world.meta(f"{ANNA}/datasets/weekly")
        assert weekly["partial_periods"] == ["2025-W50", "2026-W05"]
        assert world.meta(f"{ANNA}/datasets/monthly")["partial_periods"] == ["2025-12", "2026-01"]
        assert "partial_periods" not in world.meta(f"{ANNA}/datasets/daily")

    def test_members_of_a_set_without_a_row_are_absent(self, world: HealthWorld) -> None:
        rows = world.data(f"{ANNA}/datasets/daily")["rows"]
        assert "hrv" not in rows[0]
        assert "steps" in rows[0]


@pytest.fixture(scope="module")
def century() -> HealthWorld:
    """A service of a profile with some more days than a century has."""
    first = date(1900, 1, 1)
    days = ((first + timedelta(number)).isoformat() for number in range(36_530))
    table = "date,resting_heart_rate\n" + "".join(f"{day},60\n" for day in days)
    files = {"csv/fitbit_rhr.csv": table.encode()}
    return HealthWorld([load("anna", files, generated_at=GENERATED_AT)])


class TestSeries:
    def test_points_have_exactly_what_was_asked_for(self, world: HealthWorld) -> None:
        body = world.get(f"{ANNA}/series/daily?metrics=hrv,steps&limit=3")
        data = body["data"]
        assert (data["granularity"], data["dimension"]) == ("daily", "date")
        assert [metric["key"] for metric in data["metrics"]] == ["hrv", "steps"]
        assert [list(point) for point in data["points"]] == [["date", "hrv", "steps"]] * 3
        assert data["points"][-1]["date"] == "2026-01-28"
        assert body["meta"]["count"] == 3

    def test_a_descriptor_says_what_a_metric_is(self, world: HealthWorld) -> None:
        (metric,) = world.data(f"{ANNA}/series/weekly?metrics=rhr")["metrics"]
        assert metric == {
            "key": "rhr",
            "label": "Resting heart rate",
            "unit": "bpm",
            "tone": "red",
        }

    def test_what_was_not_measured_is_null(self, world: HealthWorld) -> None:
        points = world.data(f"{ANNA}/series/daily?metrics=hrv")["points"]
        assert points[0] == {"date": "2025-12-10", "hrv": None}

    @pytest.mark.parametrize("granularity", GRANULARITIES)
    @pytest.mark.parametrize("query", ["", "?metrics=", "?metrics=unknown,Steps,date"])
    def test_without_known_metrics_all_are_given(
        self, world: HealthWorld, granularity: str, query: str
    ) -> None:
        for profile in (ANNA, NOBODY):
            body = world.get(f"{profile}/series/{granularity}{query}")
            keys = [metric["key"] for metric in body["data"]["metrics"]]
            expected = list(SERIES_METRICS[granularity])  # type: ignore[index] # a granularity
            assert keys == body["meta"]["available_metrics"] == expected

    def test_a_metric_of_another_granularity_is_unknown(self, world: HealthWorld) -> None:
        data = world.data(f"{ANNA}/series/weekly?metrics=minutes_deep,days")
        assert [metric["key"] for metric in data["metrics"]] == ["days"]

    def test_repetitions_stay_in_the_descriptors_only(self, world: HealthWorld) -> None:
        data = world.data(f"{ANNA}/series/daily?metrics=steps,hrv,steps&limit=1")
        assert [metric["key"] for metric in data["metrics"]] == ["steps", "hrv", "steps"]
        assert list(data["points"][0]) == ["date", "steps", "hrv"]

    @pytest.mark.parametrize(
        ("limit", "count"), [("", 50), ("0", 1), ("-3", 1), ("49", 49), ("50", 50), ("1001", 50)]
    )
    def test_limit_gives_the_last_points(self, world: HealthWorld, limit: str, count: int) -> None:
        body = world.get(f"{ANNA}/series/daily?metrics=steps&limit={limit}")
        assert body["meta"]["count"] == len(body["data"]["points"]) == count
        assert body["data"]["points"][-1]["date"] == "2026-01-28"

    def test_without_a_limit_there_are_the_points_of_a_century(self, century: HealthWorld) -> None:
        body = century.get(f"{ANNA}/series/daily?metrics=rhr")
        points, meta = body["data"]["points"], body["meta"]
        assert len(points) == meta["count"] == meta["limit"] == limits.MAX_POINTS == 36_525
        assert meta["total"] == 36_530
        assert points[0]["date"] == "1900-01-06"
        assert points[-1] == {"date": "2000-01-06", "rhr": 60}

    def test_meta_says_how_many_points_there_are(self, world: HealthWorld) -> None:
        for query, limit in (("", 36_525), ("?limit=7", 7)):
            meta = world.meta(f"{ANNA}/series/daily{query}")
            assert (meta["total"], meta["limit"], meta["count"]) == (50, limit, min(50, limit))

    def test_partial_periods_are_marked(self, world: HealthWorld) -> None:
        assert world.meta(f"{ANNA}/series/monthly")["partial_periods"] == ["2025-12", "2026-01"]
        assert world.meta(f"{ANNA}/series/daily")["partial_periods"] == []
        assert world.meta(f"{NOBODY}/series/weekly")["partial_periods"] == []

    def test_the_granularity_may_have_any_case(self, world: HealthWorld) -> None:
        assert world.data(f"{ANNA}/series/Weekly%20")["granularity"] == "weekly"


class TestTables:
    def test_the_list_counts_and_links_the_ten(self, world: HealthWorld) -> None:
        body = world.get(f"{ANNA}/tables")
        assert body["meta"] == {"count": 10}
        for each in body["data"]["tables"]:
            found = world.get(each["href"].removeprefix(BASE))
            assert found["meta"]["total"] == each["count"]
            assert found["data"]["table"] == each["key"]
        assert [each["key"] for each in body["data"]["tables"]] == list(TABLES)

    def test_a_page_of_a_table(self, world: HealthWorld) -> None:
        whole = world.data(f"{ANNA}/tables/activity")["rows"]
        body = world.get(f"{ANNA}/tables/activity?offset=2&limit=3")
        assert body["data"]["rows"] == whole[2:5]
        assert body["meta"] == {
            "total": 10,
            "offset": 2,
            "limit": 3,
            "count": 3,
            "label": "Activity",
        }

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("", (0, 100)),
            ("?limit=0", (0, 1)),
            ("?limit=1001", (0, 1000)),
            ("?offset=-1", (0, 100)),
            ("?offset=100001", (100_000, 100)),
        ],
    )
    def test_offset_and_limit_are_clamped(
        self, world: HealthWorld, query: str, expected: tuple[int, int]
    ) -> None:
        meta = world.meta(f"{ANNA}/tables/sleep{query}")
        assert (meta["offset"], meta["limit"]) == expected

    @pytest.mark.parametrize("key", TABLES)
    def test_columns_do_not_depend_on_data(self, world: HealthWorld, key: str) -> None:
        full, bare = (world.data(f"{each}/tables/{key}") for each in (ANNA, NOBODY))
        assert full["columns"] == bare["columns"]


class TestSnapshot:
    def test_the_token_block_is_gone(self, world: HealthWorld) -> None:
        data = world.data(f"{ANNA}/snapshot")
        assert list(data) == [
            "profile_id",
            "saved_at",
            "requested_scopes",
            "granted_scopes",
            "range",
            "fetch_summary",
            "endpoints",
        ]
        assert not any(name.startswith("token") for name, _ in members(data))
        assert "temperature" not in data["granted_scopes"]

    def test_without_a_snapshot_its_members_are_empty(self, world: HealthWorld) -> None:
        data = world.data(f"{NOBODY}/snapshot")
        assert data["profile_id"] == "nobody"
        assert data["saved_at"] is None
        assert data["endpoints"] == {}
        assert world.data(f"{NOBODY}/snapshot/endpoints") == {"endpoints": []}

    def test_the_index_has_no_data_and_links_each_endpoint(self, world: HealthWorld) -> None:
        body = world.get(f"{ANNA}/snapshot/endpoints")
        entries = body["data"]["endpoints"]
        assert [entry["key"] for entry in entries] == list(snapshot_value()["endpoints"])
        assert body["meta"] == {"count": len(entries)}
        assert not any("data" in entry for entry in entries)
        for entry in entries:
            found = world.get(entry["href"].removeprefix(BASE))
            assert found["meta"] == {"endpoint": entry["key"]}
            assert found["data"]["ok"] == entry["ok"]

    @pytest.mark.parametrize("key", ["sleep/goal", "", ".", "..", "nul\x00"])
    def test_an_endpoint_that_no_path_can_name_has_no_link(self, key: str) -> None:
        value = snapshot_value()
        value["endpoints"] = {key: {"ok": True, "data": 1}}
        world = HealthWorld([make_profile(days=1, snapshot=value)])
        (entry,) = world.data(f"{ANNA}/snapshot/endpoints")["endpoints"]
        assert entry["key"] == key
        assert entry["href"] is None

    @pytest.mark.parametrize("key", ["a b", "a%2Fb", "ü", "a?b#c", "{0}", "__class__", "a\nb", "%"])
    def test_an_odd_key_is_linked_and_found(self, key: str) -> None:
        value = snapshot_value()
        value["endpoints"] = {key: {"ok": True, "data": {"n": 1}}}
        world = HealthWorld([make_profile(days=1, snapshot=value)])
        (entry,) = world.data(f"{ANNA}/snapshot/endpoints")["endpoints"]
        found = world.get(entry["href"].removeprefix(BASE))
        assert found["meta"]["endpoint"] == key
        assert found["data"]["data"] == {"n": 1}


def drawn(world: HealthWorld, target: str) -> tuple[str, dict[str, Any]]:
    """Return the image and the metadata of a chart."""
    response = world.send("GET", target)
    assert response.status == 200
    return response.body.decode(), strict((header(response, "X-Chart-Metadata") or "").encode())


class TestCharts:
    @pytest.mark.parametrize("key", CHARTS)
    def test_each_preset_says_what_it_draws(self, world: HealthWorld, key: str) -> None:
        chart = CHARTS[key]
        image, metadata = drawn(world, f"{ANNA}/charts/{key}.svg")
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

    @pytest.mark.parametrize("key", CHARTS)
    def test_without_data_there_is_an_empty_picture(self, world: HealthWorld, key: str) -> None:
        image, metadata = drawn(world, f"{NOBODY}/charts/{key}.svg?width=400&height=300")
        assert 'width="400"' in image
        assert metadata["count"] == 0

    def test_every_parameter_works_for_a_preset(self, world: HealthWorld) -> None:
        _, metadata = drawn(
            world,
            f"{ANNA}/charts/overview-trend.svg?granularity=Weekly&metrics=steps&limit=3"
            "&width=500&height=250&theme=transparent",
        )
        assert metadata == {
            "count": 3,
            "available_metrics": list(SERIES_METRICS["weekly"]),
            "chart": "overview-trend",
            "granularity": "weekly",
            "theme": "transparent",
            "width": 500,
            "height": 250,
        }

    @pytest.mark.parametrize(
        ("query", "size"),
        [
            ("", (960, 320)),
            ("?width=359&height=219", (360, 220)),
            ("?width=360&height=220", (360, 220)),
            ("?width=1920&height=1080", (1920, 1080)),
            ("?width=1921&height=1081", (1920, 1080)),
            ("?width=wide&height=", (960, 320)),
            ("?width=-1&height=0", (360, 220)),
        ],
    )
    def test_the_size_is_clamped(
        self, world: HealthWorld, query: str, size: tuple[int, int]
    ) -> None:
        image, metadata = drawn(world, f"{ANNA}/charts/series.svg{query}")
        assert (metadata["width"], metadata["height"]) == size
        assert f'width="{size[0]}" height="{size[1]}"' in image

    def test_without_a_limit_the_points_of_a_century_are_drawn(self, century: HealthWorld) -> None:
        image, metadata = drawn(century, f"{ANNA}/charts/series.svg?metrics=rhr")
        assert metadata["count"] == 36_525
        assert "1900-01-06" in image

    def test_limit_draws_the_last_points(self, world: HealthWorld) -> None:
        assert drawn(world, f"{ANNA}/charts/series.svg?limit=7")[1]["count"] == 7
        assert drawn(world, f"{ANNA}/charts/series.svg?limit=0")[1]["count"] == 1

    def test_metrics_decide_what_is_drawn(self, world: HealthWorld) -> None:
        image, _ = drawn(world, f"{ANNA}/charts/overview-trend.svg?metrics=rhr,unknown")
        assert "Resting heart rate" in image
        assert "Steps" not in image

    def test_unknown_metrics_alone_draw_the_presets(self, world: HealthWorld) -> None:
        preset, _ = drawn(world, f"{ANNA}/charts/sleep-trend.svg")
        assert drawn(world, f"{ANNA}/charts/sleep-trend.svg?metrics=unknown")[0] == preset

    def test_repeated_metrics_are_drawn_once(self, world: HealthWorld) -> None:
        once, _ = drawn(world, f"{ANNA}/charts/series.svg?metrics=steps,hrv")
        assert drawn(world, f"{ANNA}/charts/series.svg?metrics=steps,hrv,steps,hrv")[0] == once

    def test_a_preset_leaves_out_metrics_without_any_value(self) -> None:
        files = {"csv/fitbit_activity.csv": b"date,steps\n2026-01-01,7\n2026-01-02,9\n"}
        world = HealthWorld([load("anna", files, generated_at=GENERATED_AT)])
        image, _ = drawn(world, f"{ANNA}/charts/activity-trend.svg")
        assert "Steps" in image
        assert "Active minutes" not in image
        image, _ = drawn(world, f"{ANNA}/charts/activity-trend.svg?metrics=active_minutes")
        assert "Steps" not in image

    def test_an_unknown_theme_is_light_and_never_echoed(self, world: HealthWorld) -> None:
        light, _ = drawn(world, f"{ANNA}/charts/series.svg")
        image, metadata = drawn(world, f"{ANNA}/charts/series.svg?theme=%E2%80%A8%0d%0acanary")
        assert metadata["theme"] == "light"
        assert image == light

    @pytest.mark.parametrize("key", ["Overview-Trend", "%20overview-trend%20", "OVERVIEW-TREND"])
    def test_the_name_may_have_any_case(self, world: HealthWorld, key: str) -> None:
        assert drawn(world, f"{ANNA}/charts/{key}.svg")[1]["chart"] == "overview-trend"

    def test_a_blank_granularity_is_the_charts_own(self, world: HealthWorld) -> None:
        _, metadata = drawn(world, f"{ANNA}/charts/weekly-trend.svg?granularity=%20")
        assert metadata["granularity"] == "weekly"


class TestConditions:
    @pytest.mark.parametrize("target", SPECIFIED)
    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_a_current_copy_is_not_sent_again(
        self, world: HealthWorld, target: str, method: str
    ) -> None:
        whole = world.send(method, target)
        etag = (header(whole, "ETag") or "").encode()
        for sent in (etag, b"W/" + etag, b'"x", ' + etag, b"*"):
            response = world.send(method, target, [(b"if-none-match", sent)])
            assert response.status == 304
            kept = {"ETag", "Cache-Control", "Access-Control-Expose-Headers"}
            for name in kept:
                assert header(response, name) == header(whole, name)

    @pytest.mark.parametrize("sent", [b'"x"', b"x", b"", b'W/"x"', b"\xff"])
    def test_another_copy_gets_the_body(self, world: HealthWorld, sent: bytes) -> None:
        response = world.send("GET", f"{ANNA}/overview", [(b"if-none-match", sent)])
        assert response.status == 200

    def test_a_date_says_nothing(self, world: HealthWorld) -> None:
        since = [(b"if-modified-since", b"Thu, 01 Jan 2099 00:00:00 GMT")]
        assert world.send("GET", f"{ANNA}/overview", since).status == 200

    def test_an_error_has_no_condition(self, world: HealthWorld) -> None:
        response = world.send("GET", "profiles/unknown", [(b"if-none-match", b"*")])
        assert response.status == 404

    def test_the_tag_changes_with_the_data(self, world: HealthWorld) -> None:
        before = header(world.send("GET", f"{ANNA}/overview"), "ETag")
        world.profiles["anna"] = make_profile(days=49)
        assert header(world.send("GET", f"{ANNA}/overview"), "ETag") != before

    def test_the_tag_is_the_bodys(self, world: HealthWorld) -> None:
        one, other = (HealthWorld().send("GET", f"{ANNA}/datasets/daily") for _ in range(2))
        assert header(one, "ETag") == header(other, "ETag")

    def test_documents_are_kept_longer_than_data(self, world: HealthWorld) -> None:
        for target in ("docs", "docs.md", "openapi.json"):
            assert header(world.send("GET", target), "Cache-Control") == DOCS_CACHE
        for target in ("", "/series/daily", "/charts/series.svg"):
            assert header(world.send("GET", f"{ANNA}{target}"), "Cache-Control") == CACHE


LINKED = (
    "/api/public/v1",
    "profiles",
    ANNA,
    f"{ANNA}/datasets",
    f"{ANNA}/tables",
    f"{ANNA}/snapshot/endpoints",
)
"""Resources with links."""


def is_link(value: object) -> bool:
    """Check whether a member is a relative link."""
    return isinstance(value, str) and bool(re.match(r"(\.\./)*(v1/|profiles/)", value))


class TestLinks:
    def test_links_begin_with_a_configured_base(self) -> None:
        world = HealthWorld(base_url="https://public.example/health/")
        urls = [
            value
            for target in LINKED
            for name, value in members(world.data(target))
            if isinstance(value, str) and "/api/public/v1" in value
        ]
        assert len(urls) > 50
        assert all(url.startswith("https://public.example/health/api/public/v1/") for url in urls)

    @pytest.mark.parametrize("mount", ["", "/x", "/x/y"])
    def test_every_link_resolves_against_the_url_of_its_answer(self, mount: str) -> None:
        world = HealthWorld(base_url=None)
        for target in LINKED:
            path = target if target.startswith("/") else f"{ROOT}/{target}"
            links = [value for _, value in members(world.data(target)) if is_link(value)]
            assert len(links) >= 4, target
            for link in links:
                url = urlsplit(urljoin(f"https://h.example{mount}{path}", link))
                assert (url.netloc, url.path[: len(mount)]) == ("h.example", mount)
                assert world.send("GET", url.path.removeprefix(mount)).status == 200, link

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "/",
            "example.org",
            "ftp://example.org",
            "https://",
            "https:///path",
            "https://example.org?x=1",
            "https://example.org/#x",
            "https://user:secret@example.org",
            "https://example.org/a b",
            'https://example.org/"',
            "https://example.org\n",
            "https://[::1",
            "javascript:alert(1)",
        ],
    )
    def test_what_is_no_base_is_refused_at_once(self, url: str) -> None:
        with pytest.raises(ValueError, match=r"URL|IPv6"):
            Service(base_url=url)

    @pytest.mark.parametrize("url", ["http://[::1]:8000", "https://example.org/~a", "HTTPS://X"])
    def test_a_base_of_any_host_is_taken(self, url: str) -> None:
        assert HealthWorld(base_url=url).data(ANNA)["links"]["self"].startswith(url)


class TestRemembering:
    """Invariant *answers are remembered*."""

    def test_the_same_question_has_the_same_bytes(self, world: HealthWorld) -> None:
        one, other = (world.send("GET", f"{ANNA}/series/daily") for _ in range(2))
        assert one.body is other.body

    def test_another_spelling_of_it_too(self, world: HealthWorld) -> None:
        one = world.send("GET", f"{ANNA}/datasets/daily")
        other = world.send("GET", f"{ANNA}/datasets/DAILY?limit=+2_00&offset=-7&x=y")
        assert one.body is other.body

    def test_a_new_state_of_the_profile_has_new_answers(self, world: HealthWorld) -> None:
        assert world.meta(f"{ANNA}/series/daily")["count"] == 50
        world.profiles["anna"] = make_profile(days=7)
        assert world.meta(f"{ANNA}/series/daily")["count"] == 7

    def test_a_profile_that_is_gone_is_gone(self, world: HealthWorld) -> None:
        world.send("GET", f"{ANNA}/overview")
        del world.profiles["anna"]
        assert world.fails(f"{ANNA}/overview") == (404, "profile_not_found")
        world.profiles["anna"] = make_profile(days=7)
        assert world.data(f"{ANNA}/overview")["tracked_days"] == 7

    def test_a_profile_that_breaks_is_not_served_from_memory(self, world: HealthWorld) -> None:
        world.send("GET", f"{ANNA}/overview")
        world.broken = {"anna"}
        assert world.fails(f"{ANNA}/overview") == (503, "service_unavailable")

    def test_forgetting_changes_nothing(self, world: HealthWorld) -> None:
        """More questions than are remembered, asked twice."""
        targets = [f"{ANNA}/series/daily?metrics=steps&limit={limit}" for limit in range(1, 320)]
        first = [world.send("GET", target).body for target in targets]
        assert [world.send("GET", target).body for target in targets] == first


class TestDocuments:
    def test_the_page_has_a_strict_policy_and_loads_nothing(self, world: HealthWorld) -> None:
        response = world.send("GET", "docs")
        policy = header(response, "Content-Security-Policy") or ""
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert b"<script" not in response.body
        assert response.body.count(b"<link") == 1
        assert b'<link rel="icon" href="data:image/svg+xml,' in response.body
        assert b"<img" not in response.body
        assert b"@import" not in response.body
        assert header(response, "Content-Type") == "text/html; charset=utf-8"

    def test_markdown_is_markdown(self, world: HealthWorld) -> None:
        response = world.send("GET", "docs.md")
        assert response.body.startswith(b"# ")
        assert header(response, "Content-Type") == "text/markdown; charset=utf-8"

    def test_openapi_has_no_envelope(self, world: HealthWorld) -> None:
        body = json.loads(world.send("GET", "openapi.json").body)
        assert body["openapi"] == "3.1.0"
        assert body["servers"] == [{"url": BASE}]


class TestTable:
    """Invariant *one table*: what is documented is served, and what is served is documented."""

    @pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.resource)
    def test_each_endpoint_says_its_own_name(self, world: HealthWorld, endpoint: Endpoint) -> None:
        keys = {
            "profile_id": "anna",
            "metric_key": "steps",
            "dataset": "daily",
            "granularity": "daily",
            "section_key": "body",
            "table_key": "sleep",
            "endpoint_key": "profile",
            "chart": "series",
        }
        response = world.send("GET", f"{ROOT}{endpoint.path.format(**keys)}")
        assert response.status == 200
        if endpoint.kind == "json":
            assert json.loads(response.body)["resource"] == endpoint.resource

    def test_resources_are_named_once(self) -> None:
        names = [endpoint.resource for endpoint in ENDPOINTS]
        assert len(set(names)) == len(names)

    def test_every_parameter_has_its_bounds(self) -> None:
        bounds = {
            (endpoint.resource, parameter.name): parameter.bounds
            for endpoint in ENDPOINTS
            for parameter in endpoint.parameters
            if parameter.bounds is not None
        }
        assert bounds == {
            ("dataset", "offset"): limits.OFFSET,
            ("dataset", "limit"): limits.DATASET_LIMIT,
            ("table", "offset"): limits.OFFSET,
            ("table", "limit"): limits.TABLE_LIMIT,
            ("series", "limit"): limits.POINTS_LIMIT,
            ("chart", "limit"): limits.POINTS_LIMIT,
            ("chart", "width"): limits.CHART_WIDTH,
            ("chart", "height"): limits.CHART_HEIGHT,
        }
