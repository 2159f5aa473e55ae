"""The score of the conformance suite: it notices every broken server, and invents no fault."""

import pytest

from purewire.adapters.conformance.in_process import VirtualClock
from purewire.adapters.contract import read_contract
from purewire.conformance.run import Outcome
from support.devicestatus.broken_servers import SERVERS, healthy
from support.devicestatus.broken_servers.base import BoundedCache
from support.devicestatus.broken_servers.consequences import CONSEQUENCES
from support.devicestatus.broken_servers.score import (
    SUITE,
    Score,
    checks_of,
    report_of,
    score,
    scores,
)
from support.purewire.asgi_layers import App

CONTRACT = read_contract("devicestatus")


class TestTable:
    def test_there_are_more_than_a_hundred_broken_servers(self) -> None:
        assert len(SERVERS) > 300

    def test_every_server_names_its_fault_and_rules_that_exist(self) -> None:
        failures = [
            name
            for name, server in SERVERS.items()
            if not server.title or not server.rules or {*server.rules} - CONTRACT.rules.keys()
        ]
        assert not failures, failures

    def test_every_rule_of_a_server_is_cited_by_some_check_of_the_suite(self) -> None:
        cited = {rule for check in SUITE.checks for rule in check.rules}
        failures = [name for name, server in SERVERS.items() if not {*server.rules} & cited]
        assert not failures, failures

    def test_every_consequence_is_one_of_a_server(self) -> None:
        assert not CONSEQUENCES.keys() - SERVERS.keys()


@pytest.fixture(scope="module")
def found() -> dict[str, Score]:
    """Return the score of each broken server; they are computed at once."""
    return {each.name: each for each in scores(SERVERS)}


class TestScore:
    """One test for each server: of many tests, a class begins early, and no worker waits for it."""

    @pytest.mark.parametrize("name", SERVERS)
    def test_a_broken_server_is_noticed_by_a_check_of_a_rule_that_it_breaks(
        self, name: str, found: dict[str, Score]
    ) -> None:
        problems = [
            *(["it is not noticed"] if not found[name].noticed_by else []),
            *(f"{check} failed without a reason" for check in found[name].unexplained),
        ]
        assert not problems, problems

    def test_the_result_does_not_depend_on_the_run(self) -> None:
        assert score("delay-of-300-s") == score("delay-of-300-s")


class TestHealthyServers:
    """Deployments that the contract allows, though they differ from the reference service."""

    @pytest.mark.parametrize("seconds", [0, 1, 2])
    def test_a_store_that_caches_reads_for_some_seconds_passes(self, seconds: int) -> None:
        def build(clock: VirtualClock) -> App:
            return healthy(clock, BoundedCache(clock, seconds * 1000))

        report = report_of(build, checks_of(()))
        failed = [
            (result.check.id, result.expected, result.actual)
            for result in report.results
            if result.outcome in {Outcome.FAILED, Outcome.ERROR}
        ]
        assert not failed, failed

    def test_a_store_that_caches_reads_for_30_seconds_does_not_fail(self) -> None:
        report = report_of(lambda clock: healthy(clock, BoundedCache(clock, 30_000)), SUITE.checks)
        failed = [
            (result.check.id, result.expected, result.actual)
            for result in report.results
            if result.outcome in {Outcome.FAILED, Outcome.ERROR}
        ]
        assert not failed, failed
