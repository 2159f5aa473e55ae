"""The conformance suite of health data on the reference service, and the command, in process."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs
import pytest

from healthapi.adapters import asgi, wsgi
from healthapi.http.endpoints import ROOT
from healthapi.profile import Profile
from healthapi.testing.conformance import ServiceConformance
from purewire.adapters.conformance import InAsgi, InWsgi, VirtualClock, load_suite
from purewire.conformance.checks import Action, Arguments, NotTestable, ReadClock, Reply, Send
from purewire.conformance.formats import json_report
from purewire.conformance.run import ExitCode, Outcome, Perform, SuiteReport, run_suite, select
from support.healthapi.health_client import ProfileSource, anna, empty

SUITE = load_suite("healthapi")

START = 1_790_000_000_000


def over_asgi(*profiles: Profile, base_url: str | None = None) -> Perform:
    clock = VirtualClock(START)
    app = asgi.create_app(ProfileSource(*profiles), clock=clock, base_url=base_url)
    return InAsgi(clock, application=app)


def over_wsgi(*profiles: Profile, base_url: str | None = None) -> Perform:
    clock = VirtualClock(START)
    app = wsgi.create_app(ProfileSource(*profiles), clock=clock, base_url=base_url)
    return InWsgi(clock, application=app)


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
def healthy_report(connect: Callable[..., Perform]) -> SuiteReport:
    """Test a service with a profile and an empty one; once over ASGI and once over WSGI."""
    base_url = None if connect is over_asgi else "https://health.example/mount"
    return report_of(connect(anna(), empty(), base_url=base_url))


class TestHealthyService:
    @pytest.mark.parametrize(
        "connect", [over_asgi, pytest.param(over_wsgi, marks=pytest.mark.uncounted)]
    )
    def test_every_check_passes_and_none_is_skipped(self, connect: Callable[..., Perform]) -> None:
        report = healthy_report(connect)
        assert not others(report)
        assert report.exit_code(strict=True) == ExitCode.CONFORMS

    def test_nothing_but_reads_is_sent(self) -> None:
        report = healthy_report(over_asgi)
        sent = [
            round_trip.request for result in report.results for round_trip in result.round_trips
        ]
        assert not [request for request in sent if request.body or request.authorized]

    def test_the_report_counts_verified_rules(self) -> None:
        value = json.loads(json_report(healthy_report(over_asgi)))
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
        report = report_of(over_asgi(empty()))
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


def changed(path: str, change: Callable[[Any], object], *profiles: Profile) -> Perform:
    """Return the transport of a service whose JSON body at a path is changed on the way."""
    healthy = over_asgi(*(profiles or (anna(), empty())))

    def perform(effect: Action) -> object:
        reply = healthy(effect)
        if not isinstance(reply, Reply) or not isinstance(effect, Send):
            return reply
        if effect.path.partition("?")[0] != f"{ROOT}{path}":
            return reply
        body = json.loads(reply.body)
        change(body)
        return attrs.evolve(reply, body=json.dumps(body).encode())

    return perform


def outcomes(perform: Perform, *only: str) -> set[Outcome]:
    checks = select(SUITE.checks, only)
    report = run_suite(SUITE, checks, perform, Arguments(), url="http://test")
    return {result.outcome for result in report.results}


class TestUnusual:
    """Deployments that are unusual and allowed."""

    def test_a_profile_that_never_becomes_available_is_left_out(self) -> None:
        def change(body: Any) -> None:
            body["data"]["profiles"][0]["available"] = False
            body["data"]["profiles"].append({"id": "not an id"})

        assert outcomes(changed("/profiles", change), "keys.case") == {Outcome.PASSED}

    def test_two_profiles_may_differ_in_case(self) -> None:
        def change(body: Any) -> None:
            body["data"]["profiles"].append({"id": "ANNA"})

        assert outcomes(changed("/profiles", change), "keys.case") == {Outcome.PASSED}

    def test_a_snapshot_endpoint_may_have_no_link(self) -> None:
        def change(body: Any) -> None:
            body["data"]["endpoints"][0]["href"] = None

        perform = changed("/profiles/anna/snapshot/endpoints", change)
        assert outcomes(perform, "keys.snapshot-endpoints") == {Outcome.PASSED}

    def test_datasets_are_read_page_by_page(self) -> None:
        def change(body: Any) -> None:
            body["meta"]["total"] += 1

        perform = changed("/profiles/anna/datasets/daily", change)
        assert outcomes(perform, "datasets.order") == {Outcome.PASSED}

    def test_without_an_empty_profile_content_is_compared_all_the_same(self) -> None:
        perform = changed("", lambda _: None, anna())
        assert outcomes(perform, "datasets.daily") == {Outcome.PASSED}

    def test_a_profile_without_days_may_have_a_snapshot(self) -> None:
        def change(body: Any) -> None:
            body["data"]["has_snapshot"] = True

        perform = changed(f"/profiles/{empty().id}/snapshot-status", change)
        assert outcomes(perform, "profiles.empty") == {Outcome.SKIPPED}


def test_a_value_that_the_engine_does_not_derive_fails_by_its_place() -> None:
    def change(body: Any) -> None:
        body["data"]["recovery_score"] = 1

    perform = changed("/profiles/anna/overview", change)
    checks = select(SUITE.checks, ["overview.content"])
    (result,) = run_suite(SUITE, checks, perform, Arguments(), url="http://test").results
    assert result.outcome is Outcome.FAILED
    assert result.expected.startswith("/data/recovery_score 86 of GET ")
    assert result.actual == "1"
