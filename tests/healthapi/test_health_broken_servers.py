"""Every broken health-data server is noticed by a check that cites a rule which it breaks."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from purewire.adapters.conformance.in_process import InAsgi, VirtualClock
from purewire.adapters.conformance.suites import load_suite
from purewire.adapters.contract import read_contract
from purewire.conformance.checks import Arguments
from purewire.conformance.run import ExitCode, Outcome, Report, run_suite
from support.healthapi.broken_servers import BROKEN, Build, built, healthy, reads
from support.purewire.derived_servers import Derived

SUITE = load_suite("healthapi")

START = 1_790_000_000_000
CONTRACT = read_contract("healthapi")
RULES = {rule.id: (rule.level, rule.text) for rule in CONTRACT.rules.values()}

SAMPLES = {
    "a list as data": 8,
    "generated_at with a zone": 60,
    "no profile_id": 60,
    "always compressed": 60,
    "errors as pages": 30,
    "NaN in JSON": 12,
    "no ETag": 4,
    "a link that leads nowhere": 1,
    "means of days, not of values": 2,
    "coverage of an earlier state": 5,
    "a chart with a script": 6,
}
"""Server to the most checks that may fail: those that follow from its fault."""


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
    assert problems(report, Outcome.FAILED), [check.id for check in SUITE.checks]
    assert not problems(report, Outcome.ERROR)
    assert report.exit_code() == ExitCode.FAILS


def unnoticed(servers: Iterable[Derived]) -> list[str]:
    """Return the servers that no check of their rules notices."""
    reports = ((server, report_of(built(server), server.rules)) for server in servers)
    return [
        f"{server.fault} at {server.path}"
        for server, report in reports
        if not problems(report, Outcome.FAILED) or problems(report, Outcome.ERROR)
    ]


def test_every_fault_of_reading_is_noticed_at_some_endpoint() -> None:
    """Each fault at one endpoint, in turn; the next test has each at all of them."""
    by_fault: dict[str, list[Derived]] = {}
    for server in reads():
        by_fault.setdefault(server.fault, []).append(server)
    chosen = [each[index % len(each)] for index, each in enumerate(by_fault.values())]
    assert len(chosen) > 60
    assert not unnoticed(chosen)


@pytest.mark.check
def test_every_fault_of_reading_is_noticed_at_every_endpoint() -> None:
    assert not unnoticed(reads())


@pytest.mark.parametrize("name", SAMPLES)
def test_every_check_ends_whatever_is_broken(name: str) -> None:
    """A body of an unexpected form makes checks of its values undecided, not faulty."""
    report = report_of(BROKEN[name].build)
    assert not problems(report, Outcome.ERROR)
    failed = problems(report, Outcome.FAILED)
    assert 0 < len(failed) <= SAMPLES[name], failed


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
    rules = {rule for check in SUITE.checks for rule in check.rules}
    assert f"{len(SUITE.checks)} checks verify {len(rules)} rules" in page
