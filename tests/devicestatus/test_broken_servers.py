"""The score of the conformance suite: it notices every broken server, and invents no fault."""

import json
from pathlib import Path

import pytest

from purewire.adapters.conformance import VirtualClock
from purewire.adapters.contract import read_contract
from purewire.conformance.run import Outcome
from support.devicestatus.broken_servers import SERVERS, healthy
from support.devicestatus.broken_servers.base import BoundedCache
from support.devicestatus.broken_servers.score import SUITE, checks_of, noticed_by, run_of
from support.purewire.asgi_layers import App

CONTRACT = read_contract("devicestatus")
SCORE = json.loads(Path(__file__).parents[1].joinpath("data/conformance_score.json").read_bytes())
CHAPTERS = dict.fromkeys(server.chapter for server in SERVERS.values())


class TestTable:
    def test_most_broken_servers_are_derived(self) -> None:
        assert len(SERVERS) > 1_000

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

    def test_the_score_has_every_server(self) -> None:
        assert SCORE.keys() == SERVERS.keys()
        assert not [name for name, check in SCORE.items() if not check]


class TestScore:
    @pytest.mark.parametrize("chapter", CHAPTERS)
    def test_broken_servers_are_noticed_by_the_check_that_the_page_names(
        self, chapter: str
    ) -> None:
        names = [name for name, server in SERVERS.items() if server.chapter == chapter]
        others = {  # a few depend on the checks before
            name: check
            for name in names
            if noticed_by(name, SCORE[name]) != SCORE[name]
            and (check := noticed_by(name)) != SCORE[name]
        }
        assert not others, others

    def test_the_result_does_not_depend_on_the_run(self) -> None:
        assert noticed_by("delay-of-300-s") == noticed_by("delay-of-300-s")


class TestHealthyServers:
    """Deployments that the contract allows, though they differ from the reference service."""

    @pytest.mark.parametrize("seconds", [0, 1, 2, 30])
    def test_a_store_that_caches_reads_for_some_seconds_does_not_fail(self, seconds: int) -> None:
        def build(clock: VirtualClock) -> App:
            return healthy(clock, BoundedCache(clock, seconds * 1000))

        run = run_of(build)
        results = [run.run(check) for check in SUITE.checks]
        failed = [
            (result.check.id, result.expected, result.actual)
            for result in results
            if result.outcome in {Outcome.FAILED, Outcome.ERROR}
        ]
        assert not failed, failed

    def test_every_check_that_notices_a_server_passes_on_the_reference_service(self) -> None:
        run = run_of(healthy)
        failed = [
            check.id
            for check in checks_of(CONTRACT.rules)
            if run.run(check).outcome is not Outcome.PASSED
        ]
        assert not failed, failed
