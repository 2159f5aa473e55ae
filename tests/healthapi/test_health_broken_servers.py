"""Every broken health-data server is noticed by a check that cites a rule which it breaks."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from purewire.adapters.conformance import load_suite
from purewire.adapters.contract import read_contract
from purewire.conformance.checks import Check
from purewire.conformance.run import ExitCode, Outcome, SuiteReport
from support.healthapi.broken_servers import BROKEN, healthy
from support.healthapi.derived_faults import KINDS, one_of_each
from support.healthapi.health_client import short
from support.purewire.asgi_layers import layered
from support.purewire.derived_servers import Derived
from support.purewire.suite_runs import START, report_on, run_on

SUITE = load_suite("healthapi")

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "conformance.md"
CONTRACT = read_contract("healthapi")
RULES = {rule.id: (rule.level, rule.text) for rule in CONTRACT.rules.values()}

SAMPLES = {
    "a list as data": 8,
    "errors as pages": 30,
}
"""Server to the most checks that may fail: those that follow from its fault."""


def problems(report: SuiteReport, *outcomes: Outcome) -> list[str]:
    """Return the ids of checks with some outcomes, with the reason."""
    found = [result for result in report.results if result.outcome in outcomes]
    return [f"{result.check.id}: {result.expected or result.reason}" for result in found]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_server_is_noticed(name: str) -> None:
    server = BROKEN[name]
    report = report_on(SUITE, server.build, server.rules)
    assert problems(report, Outcome.FAILED), [check.id for check in SUITE.checks]
    assert not problems(report, Outcome.ERROR)
    assert report.exit_code() == ExitCode.FAILS


def first_checks(server: Derived) -> list[str]:
    """Return the ids of the checks about the path of a server; they run before all others."""
    below = server.path.partition(f"/{short().id}/")[2].removesuffix(".svg")
    own = {"v1": "index", "profiles": "profiles"}.get(server.path.rpartition("/")[2], "profile")
    resource, _, key = (below or own).partition("/")
    name = resource.removesuffix("s") if key and resource != "series" else resource
    return [
        *(f"{resource}.{key}", f"{resource}.content", f"shape.{name}", f"envelope.{name}"),
        *(f"query.{name}-{key}", f"charts.{key}-parameters", f"keys.{resource}-endpoints"),
        *("secrets.account-by-name", "secrets.texts"),
    ]


APPLICATION = healthy(lambda: START)
"""Shared by all derived servers, whose layers keep nothing: it keeps its responses."""


def noticed_by(server: Derived) -> str:
    """Return the id of a check that fails on a server; empty if none does.

    Checks that cite a rule of the server come first, and among them those about its path.  The rule
    of a wrong member is cited by a check of each resource, so that only the path counts there.
    """
    run = run_on(SUITE, lambda _: layered(APPLICATION, server.layer))
    first, rules = first_checks(server), {*server.rules} - {"HA-ENVELOPE-13"}

    def order(check: Check[Any]) -> tuple[bool, bool]:
        is_cited = not rules or bool(rules & {*check.rules})
        return not is_cited, check.id not in first

    for check in sorted(SUITE.checks, key=order):
        if run.run(check).outcome is Outcome.FAILED:
            return check.id
    return ""


def unnoticed(servers: Iterable[Derived]) -> list[str]:
    """Return the servers that no check notices."""
    return [f"{each.fault} at {each.path}" for each in servers if not noticed_by(each)]


def sample(kind: str, count: int) -> list[Derived]:
    """Return as many servers of a kind, always the same."""
    servers = [*KINDS[kind]()]
    return random.Random(kind).sample(servers, min(count, len(servers)))  # noqa: S311


COUNTS = {"reads": 40, "members": 6, "parameters": 12, "secrets": 12}
"""Kind to the size of its sample: all 6,000 members, one server each, would take hours."""


@pytest.mark.parametrize("kind", COUNTS)
def test_a_sample_of_derived_servers_is_noticed(kind: str) -> None:
    assert not unnoticed(sample(kind, COUNTS[kind]))


@pytest.mark.parametrize("name", SAMPLES)
def test_every_check_ends_whatever_is_broken(name: str) -> None:
    """A body of an unexpected form makes checks of its values undecided, not faulty."""
    report = report_on(SUITE, BROKEN[name].build)
    assert not problems(report, Outcome.ERROR)
    failed = problems(report, Outcome.FAILED)
    assert 0 < len(failed) <= SAMPLES[name], failed


def test_the_table_is_large_and_names_rules() -> None:
    assert len(BROKEN) >= 25
    assert not {rule for server in BROKEN.values() for rule in server.rules} - RULES.keys()


def test_the_same_server_unbroken_is_not_noticed() -> None:
    report = report_on(SUITE, healthy)
    assert not problems(report, *{*Outcome} - {Outcome.PASSED})
    assert report.exit_code(strict=True) == ExitCode.CONFORMS


@pytest.mark.check
class TestFaults:  # a class, so that it runs beside the others
    def test_one_server_of_each_is_noticed(self) -> None:
        assert not unnoticed(one_of_each())


def test_the_page_counts_checks_and_rules() -> None:
    rules = {rule for check in SUITE.checks for rule in check.rules}
    assert f"{len(SUITE.checks)} checks verify {len(rules)} rules" in PAGE.read_text()
