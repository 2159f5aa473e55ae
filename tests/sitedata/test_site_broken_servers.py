"""Every broken server of the file is noticed by a check that names a rule which it breaks."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from purewire.adapters.conformance import load_suite
from purewire.adapters.contract import read_contract
from purewire.conformance.run import ExitCode, Outcome
from support.purewire.suite_runs import ids, report_on
from support.sitedata.broken_servers import BY_HAND, EDITED, SERVERS, UNBROKEN, Broken

SUITE = load_suite("sitedata")
Notices = dict[str, list[tuple[str, str]]]
"""Name of a server to the checks that failed, each with the rule of the failed step."""
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "conformance.md"
LEVELS = {rule.id: rule.level for rule in read_contract("sitedata").rules.values()}
FEW = 6
MANY_FOLLOW = {
    "90 seconds for a response": "each response is late, so each check waits for too long",
    "compressed for all": "no check can read the body",
    "two versions by turns": "each second response is another file",
    "an ETag of each process": "each second response has another tag",
}
"""Servers whose fault shows in many checks, with the reason."""


@pytest.fixture(scope="module")
def noticed() -> Notices:
    """Run the checks of the rules that each server breaks."""
    return {server.fault: [*_noticed(server)] for server in SERVERS}


def _noticed(server: Broken) -> Iterator[tuple[str, str]]:
    for result in report_on(SUITE, server.build, server.rules).results:
        if result.outcome is Outcome.FAILED and result.rule in server.rules:
            yield result.check.id, result.rule


def test_every_broken_server_is_noticed(noticed: Notices) -> None:
    assert not [fault for fault, checks in noticed.items() if not checks]
    assert len(noticed) == len(SERVERS) > 500


def test_the_same_server_unbroken_is_not_noticed() -> None:
    assert report_on(SUITE, UNBROKEN.build).exit_code(strict=True) == ExitCode.CONFORMS


def test_every_rule_that_a_check_cites_is_broken_by_a_server(noticed: Notices) -> None:
    cited = {rule for check in SUITE.checks for rule in check.rules}
    named = {rule for checks in noticed.values() for _, rule in checks}
    assert cited - named == set()


def test_every_check_notices_a_server(noticed: Notices) -> None:
    counts = Counter(check for checks in noticed.values() for check, _ in checks)
    assert {check.id for check in SUITE.checks} - counts.keys() == set()


@pytest.mark.parametrize("server", SERVERS[::12], ids=lambda server: server.fault)
def test_few_checks_fail_for_one_fault(server: Broken) -> None:
    report = report_on(SUITE, server.build)
    checks = ids(report, Outcome.FAILED)
    assert 0 < len(checks) <= FEW or server.fault in MANY_FOLLOW, checks
    assert not [result.reason for result in report.results if "could not read" in result.reason]
    assert report.exit_code() == ExitCode.FAILS


def test_most_servers_are_derived() -> None:
    assert len(BY_HAND) * 4 < len(SERVERS)
    assert len(EDITED) > 300
    assert not {rule for server in SERVERS for rule in server.rules} - LEVELS.keys()


def test_the_page_counts_checks_and_rules() -> None:
    page = PAGE.read_text("utf-8")
    levels = [LEVELS[rule] for rule in {rule for check in SUITE.checks for rule in check.rules}]
    musts, shoulds = levels.count("must"), levels.count("should")
    counts = f"verify {musts} rules of level must and {shoulds} of level should"
    assert f"{len(SUITE.checks)} checks {counts}" in page
