"""Which check notices which broken server of the site-data file, rule by rule."""

from collections.abc import Iterable, Iterator
from typing import Final

from purewire.adapters.conformance.in_process import InAsgi, VirtualClock
from purewire.adapters.conformance.suites import load_suite
from purewire.conformance.checks import Arguments
from purewire.conformance.run import Outcome, SuiteReport, run_suite
from support.sitedata.broken_servers import SERVERS, Broken

SUITE: Final = load_suite("sitedata")
START: Final = 1_790_000_000_000
Notices = dict[str, list[tuple[str, str]]]
"""Name of a server to the checks that failed, each with the rule of the failed step."""


def report_of(server: Broken, rules: Iterable[str] | None = None) -> SuiteReport:
    """Run the checks that cite some rules; None: all checks."""
    clock = VirtualClock(START)
    wanted = None if rules is None else {*rules}
    checks = [check for check in SUITE.checks if wanted is None or wanted & {*check.rules}]
    perform = InAsgi(clock, application=server.build(clock))
    return run_suite(SUITE, checks, perform, Arguments(), url="http://testserver")


def notices() -> Notices:
    """Run the checks of the rules that each server breaks."""
    return {server.fault: [*_noticed(server)] for server in SERVERS}


def _noticed(server: Broken) -> Iterator[tuple[str, str]]:
    for result in report_of(server, server.rules).results:
        if result.outcome is Outcome.FAILED and result.rule in server.rules:
            yield result.check.id, result.rule
