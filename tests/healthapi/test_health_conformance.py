"""The conformance suite of health data on the reference service, and on odd or broken servers."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs
import pytest

from healthapi import PrivacySettings, load
from healthapi.adapters import asgi
from healthapi.http.endpoints import ROOT
from healthapi.profile import Profile
from healthapi.testing.conformance import ServiceConformance
from purewire.adapters.conformance import InAsgi, VirtualClock, load_suite
from purewire.conformance.checks import Arguments, NotTestable, ReadClock, Reply, Send
from purewire.conformance.formats import json_report
from purewire.conformance.run import ExitCode, Outcome, Perform, SuiteReport, run_suite
from support.healthapi.broken_servers import BROKEN, anything, below, ends, error, healthy, put_body
from support.healthapi.health_client import (
    GENERATED_AT,
    ProfileSource,
    anna,
    csv_files,
    empty,
    short,
)
from support.healthapi.health_snapshots import snapshot_value
from support.purewire.asgi_layers import Request, Response, layered
from support.purewire.derived_servers import (
    Change,
    Matches,
    after,
    dropping,
    edited_json,
    putting,
)
from support.purewire.suite_runs import START, Build, ids, report_on

SUITE = load_suite("healthapi")


def over_asgi(*profiles: Profile, base_url: str | None = None) -> Perform:
    clock = VirtualClock(START)
    app = asgi.create_app(ProfileSource(*profiles), clock=clock, base_url=base_url)
    return InAsgi(clock, application=app)


def report_of(perform: Perform) -> SuiteReport:
    return run_suite(SUITE, SUITE.checks, perform, Arguments(), url="http://test")


def others(report: SuiteReport) -> list[tuple[str, str, str, str]]:
    """Return what did not pass."""
    return [
        (result.check.id, result.reason, result.expected, result.actual)
        for result in report.results
        if result.outcome is not Outcome.PASSED
    ]


@cache
def healthy_report() -> SuiteReport:
    """Test a service with a profile and an empty one; gunicorn has the same over WSGI."""
    return report_of(over_asgi(short(), empty(), base_url="https://health.example/x"))


@pytest.mark.rule("HA-ENVELOPE-01")
class TestHealthyService:
    def test_every_check_passes_and_none_is_skipped(self) -> None:
        report = healthy_report()
        assert not others(report)
        assert report.exit_code(strict=True) == ExitCode.CONFORMS

    def test_nothing_but_reads_is_sent(self) -> None:
        report = healthy_report()
        sent = [
            round_trip.request for result in report.results for round_trip in result.round_trips
        ]
        assert not [request for request in sent if request.body or request.authorized]

    def test_the_report_counts_verified_rules(self) -> None:
        value = json.loads(json_report(healthy_report()))
        assert value["conforms"] is True
        assert value["musts"]["verified"] == value["musts"]["total"] > 200

    def test_without_profiles_checks_of_profiles_are_skipped(self) -> None:
        report = report_of(over_asgi())
        assert report.count(Outcome.FAILED) == report.count(Outcome.ERROR) == 0
        assert {reason for _, reason, *_ in others(report)} == {
            "the deployment lists no profile that can be read",
            "the deployment lists no profile without data",
        }
        assert report.exit_code() == ExitCode.CONFORMS
        assert report.exit_code(strict=True) == ExitCode.UNVERIFIED

    def test_a_profile_without_days_is_tested_too(self) -> None:
        checks = [each for each in SUITE.checks if each.group not in {"query", "secrets"}]
        report = run_suite(SUITE, checks, over_asgi(empty()), Arguments(), url="http://test")
        assert report.count(Outcome.FAILED) == report.count(Outcome.ERROR) == 0
        assert {identifier for identifier, *_ in others(report)} == {
            "charts.eight",
            "envelope.snapshot-endpoint",
            "shape.snapshot-endpoint",
        }


class TestSuite:
    @pytest.mark.parametrize(
        ("status", "body"), [(404, b"{}"), (200, b"<html>"), (200, b"[]"), (200, b'{"ok":true}')]
    )
    def test_another_service_is_not_tested(self, status: int, body: bytes) -> None:
        def perform(effect: object) -> object:
            if isinstance(effect, Send):
                return Reply(status, (("Content-Type", "application/json"),), body)
            assert isinstance(effect, ReadClock)
            return 0

        with pytest.raises(NotTestable, match="not a body with api_version"):
            report_of(perform)


def test_the_test_class_is_one_of_health_data() -> None:
    assert ServiceConformance.product == "healthapi"
    assert len(load_suite("healthapi").checks) == len(SUITE.checks)


def selected_report(build: Build, *names: str) -> SuiteReport:
    """Run the checks of some groups, ids or rules; all without a name."""
    return report_on(SUITE, build, names)


def changed(change: Change, matches: Matches = anything) -> Build:
    return lambda clock: layered(healthy(clock), after(matches, change))


def edited(matches: Matches, edit: Callable[[Any], object]) -> Build:
    return lambda clock: layered(healthy(clock), edited_json(matches, edit))


def at(path: str) -> Matches:
    """Match requests of a path below the index."""
    return lambda request: request.path == f"{ROOT}{path}"


def outcomes(build: Build, *names: str) -> set[Outcome]:
    return {result.outcome for result in selected_report(build, *names).results}


class TestUnusual:
    """Deployments that are unusual and allowed."""

    def test_a_profile_that_never_becomes_available_is_left_out(self) -> None:
        def change(body: Any) -> None:
            body["data"]["profiles"][0]["available"] = False
            body["data"]["profiles"].append({"id": "not an id"})

        assert outcomes(edited(at("/profiles"), change), "keys.case") == {Outcome.PASSED}

    def test_two_profiles_may_differ_in_case(self) -> None:
        def change(body: Any) -> None:
            body["data"]["profiles"].append({"id": "ANNA"})

        assert outcomes(edited(at("/profiles"), change), "keys.case") == {Outcome.PASSED}

    def test_a_snapshot_endpoint_may_have_no_link(self) -> None:
        def change(body: Any) -> None:
            body["data"]["endpoints"][0]["href"] = None

        build = edited(at("/profiles/anna/snapshot/endpoints"), change)
        assert outcomes(build, "keys.snapshot-endpoints") == {Outcome.PASSED}

    def test_datasets_are_read_page_by_page(self) -> None:
        def change(body: Any) -> None:
            body["meta"]["total"] += 1

        build = edited(at("/profiles/anna/datasets/daily"), change)
        assert outcomes(build, "datasets.order") == {Outcome.PASSED}

    def test_without_an_empty_profile_content_is_compared_all_the_same(self) -> None:
        source = ProfileSource(anna())
        found = outcomes(lambda clock: asgi.create_app(source, clock=clock), "datasets.daily")
        assert found == {Outcome.PASSED}

    def test_a_profile_without_days_may_have_a_snapshot(self) -> None:
        def change(body: Any) -> None:
            body["data"]["has_snapshot"] = True

        build = edited(at(f"/profiles/{empty().id}/snapshot-status"), change)
        assert outcomes(build, "profiles.empty") == {Outcome.SKIPPED}


def test_a_value_that_the_engine_does_not_derive_fails_by_its_place() -> None:
    def change(body: Any) -> None:
        body["data"]["recovery_score"] = 1

    build = edited(at("/profiles/anna/overview"), change)
    (result,) = selected_report(build, "overview.content").results
    assert result.outcome is Outcome.FAILED
    assert result.expected.startswith("/data/recovery_score 75 of GET ")
    assert result.actual == "1"


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("a chart that is not well-formed", "charts.series"),
        ("a chart with a script", "charts.series"),
        ("a chart with a style sheet", "charts.series"),
        ("a chart with a font from elsewhere", "charts.series"),
        ("generated_at is the time of the request", "cache.same-bytes"),
        ("a description without all paths", "documents.openapi"),
        ("a token in the text of a table", "secrets.tables-texts"),
        ("links to an internal address", "links.below-the-base"),
    ],
)
def test_a_broken_server_is_noticed(name: str, check: str) -> None:
    assert ids(selected_report(BROKEN[name].build, check), Outcome.FAILED) == [check]


@pytest.mark.parametrize(
    "change", [dropping("x-chart-metadata"), putting("x-chart-metadata", "{}")]
)
def test_charts_without_metadata_and_with_other_metadata_are_noticed(change: Change) -> None:
    report = selected_report(changed(change), "HA-CHART-08")
    assert {"charts.metadata", "charts.series-preset"} <= {*ids(report, Outcome.FAILED)}


def test_a_description_without_schemas_is_not_decided() -> None:
    def change(_: Request, response: Response) -> None:
        put_body(response, response.body.replace(b'"schema":', b'"scheme":'))

    build = changed(change, ends("/openapi.json"))
    assert ids(selected_report(build, "documents.openapi-describes-answers"), Outcome.INCONCLUSIVE)


@pytest.mark.parametrize("attribute", [b'onload="1"', b'href="https://cdn.example/x"'])
def test_an_event_handler_and_a_link_in_a_chart_are_noticed(attribute: bytes) -> None:
    def change(_: Request, response: Response) -> None:
        put_body(response, response.body.replace(b'role="img"', b'role="img" ' + attribute))

    assert "charts.series" in ids(selected_report(changed(change), "charts.series"), Outcome.FAILED)


def test_documents_that_are_not_utf_8_are_noticed() -> None:
    def change(_: Request, response: Response) -> None:
        response.body += b"\xff"

    build = changed(change, ends("/docs.md"))
    assert "documents.markdown" in ids(selected_report(build, "HA-HTTP-04"), Outcome.FAILED)


def test_what_a_gateway_refuses_is_not_decided() -> None:
    def is_odd(request: Request) -> bool:
        return "%" in request.path + request.query or "[]" in request.query

    build = changed(lambda _, __: error(400, "<h1>400</h1>"), is_odd)
    report = selected_report(build, "HA-KEY-01", "HA-KEY-06", "HA-QUERY-01", "HA-ERROR-04")
    assert {"errors.metric", "query.never-an-error", "traversal.profiles"} <= {
        *ids(report, Outcome.INCONCLUSIVE)
    }


def test_a_host_that_is_not_known_is_no_failure() -> None:
    def is_other(request: Request) -> bool:
        return request.header("host") == "other.example"

    build = changed(lambda _, __: error(421, "Misdirected Request"), is_other)
    assert ids(selected_report(build, "cache.independent"), Outcome.PASSED)


def test_data_that_change_once_are_not_decided() -> None:
    seen: list[str] = []

    def change(request: Request, response: Response) -> None:
        seen.append(request.path)
        if len(seen) > 1:
            response.body = response.body.replace(b"T12:00:00", b"T12:00:05")

    report = selected_report(changed(change, ends("/dashboard")), "cache.same-bytes")
    assert report.results[0].reason.endswith("/dashboard changed meanwhile")


def test_where_every_profile_fails_checks_of_values_are_not_decided() -> None:
    build = changed(lambda _, __: error(500, "Internal Server Error"), below("/profiles/"))
    report = selected_report(build, "shape", "metrics", "secrets", "overview", "datasets", "keys")
    assert not ids(report, Outcome.ERROR)
    assert "shape.overview" in ids(report, Outcome.FAILED)
    assert {"metrics.content", "secrets.account-by-name", "secrets.token-block"} <= {
        *ids(report, Outcome.INCONCLUSIVE)
    }


def test_a_service_without_links_is_not_decided() -> None:
    def edit(value: Any) -> None:
        value.clear()
        value["api_version"] = "v1"

    report = selected_report(edited(anything, edit), "links")
    assert ids(report, Outcome.INCONCLUSIVE) == ["links.below-the-base", "links.answer"]


def test_a_malformed_description_is_not_decided() -> None:
    def edit(value: Any) -> None:
        for item in value["paths"].values():
            for media in item["get"]["responses"]["200"]["content"].values():
                media["schema"] = {"type": "text"}

    build = edited(ends("/openapi.json"), edit)
    (result,) = selected_report(build, "documents.openapi-describes-answers").results
    assert "cannot be compared: UnknownType" in result.reason


def test_a_profile_that_is_still_read_is_waited_for() -> None:
    source = ProfileSource(anna(), empty(), failures=3)
    report = selected_report(lambda clock: asgi.create_app(source, clock=clock), "overview")
    assert not ids(report, Outcome.FAILED) + ids(report, Outcome.SKIPPED)
    assert report.finished_at - START >= 1000


def test_of_many_profiles_some_are_read() -> None:
    many = [load(f"p{number:02}", {}, generated_at=GENERATED_AT) for number in range(22)]
    report = selected_report(
        lambda clock: asgi.create_app(ProfileSource(*many), clock=clock), "profiles.dates"
    )
    assert ids(report, Outcome.PASSED)
    assert len(report.results[0].round_trips) == 21


def test_a_published_name_is_left_to_the_owner() -> None:
    files = csv_files() | {
        "cache/fitbit_profile_snapshot.json": json.dumps(snapshot_value()).encode()
    }
    disclosed = PrivacySettings(**{each.name: True for each in attrs.fields(PrivacySettings)})
    profile = load("anna", files, generated_at=GENERATED_AT, disclosure=disclosed)
    report = selected_report(
        lambda clock: asgi.create_app(ProfileSource(profile), clock=clock), "secrets.identity"
    )
    assert "only the owner knows if it may" in report.results[0].reason
