"""Every broken server of the file is noticed by a check that cites a rule which it breaks."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from purewire.adapters.conformance.in_process import InAsgi, VirtualClock
from purewire.adapters.conformance.suites import load_suite
from purewire.adapters.contract import read_contract
from purewire.conformance.checks import Arguments
from purewire.conformance.run import ExitCode, Outcome, Report, run_suite
from support.sitedata.broken_servers import BROKEN, Build, healthy

SUITE = load_suite("sitedata")

START = 1_790_000_000_000
CONTRACT = read_contract("sitedata")
RULES = {rule.id: (rule.level, rule.text) for rule in CONTRACT.rules.values()}


def report_of(build: Build, rules: Iterable[str] = RULES) -> Report:
    """Run the checks that cite some rules."""
    clock = VirtualClock(START)
    perform = InAsgi(clock, application=build(clock))
    checks = [check for check in SUITE.checks if {*check.rules} & {*rules}]
    return run_suite(SUITE, checks, perform, Arguments(), url="http://testserver")


def problems(report: Report, *outcomes: Outcome) -> list[str]:
    """Return the ids of checks with some outcomes, with the reason."""
    found = [result for result in report.results if result.outcome in outcomes]
    return [f"{result.check.id}: {result.expected or result.reason}" for result in found]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_server_is_noticed(name: str) -> None:
    server = BROKEN[name]
    report = report_of(server.build, server.rules)
    assert problems(report, Outcome.FAILED), problems(report, Outcome.INCONCLUSIVE)
    assert report.exit_code() == ExitCode.FAILS


@pytest.mark.parametrize("name", BROKEN)
def test_only_what_follows_from_the_fault_fails(name: str) -> None:
    report = report_of(BROKEN[name].build)
    faults = [result.reason for result in report.results if "could not read" in result.reason]
    assert not faults
    failed = problems(report, Outcome.FAILED)
    assert len(failed) <= MANY_FOLLOW.get(name, 8), failed


MANY_FOLLOW = {
    "minutes for a response": 51,
    "ETags by the process": 12,
    "always compressed": 51,
    "a list of problems": 20,
}
"""Servers whose fault shows in more than eight checks."""


def test_the_table_is_large_and_names_rules() -> None:
    assert len(BROKEN) >= 25
    assert not {rule for server in BROKEN.values() for rule in server.rules} - RULES.keys()


def test_the_same_server_unbroken_is_not_noticed() -> None:
    report = report_of(healthy)
    assert not problems(report, *{*Outcome} - {Outcome.PASSED})
    assert report.exit_code(strict=True) == ExitCode.CONFORMS


def test_the_page_lists_every_server() -> None:
    page = (
        Path(__file__).parents[2] / "docs" / "reference" / "conformance-read-only.md"
    ).read_text()
    lines = [f"- {name} ({', '.join(server.rules)})" for name, server in BROKEN.items()]
    assert "\n".join([f"{len(BROKEN)} servers.", "", *lines]) in page
    levels = [RULES[rule][0] for rule in {rule for check in SUITE.checks for rule in check.rules}]
    musts, shoulds = levels.count("must"), levels.count("should")
    counts = f"verify {musts} rules of level must and {shoulds} of level should"
    assert f"{len(SUITE.checks)} checks {counts}" in page
