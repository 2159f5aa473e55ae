"""Runs of the conformance suite of a product on an application in this process."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from purewire.adapters.conformance import InAsgi, VirtualClock
from purewire.conformance.checks import Arguments, Suite
from purewire.conformance.run import Outcome, Run, SuiteReport, run_suite
from support.purewire.asgi_layers import App

START: Final = 1_790_000_000_000
"""Time at which a run begins, ms since the epoch."""
URL: Final = "http://testserver"
READING: Final = Arguments()
Build = Callable[[VirtualClock], App]
"""Makes an application whose time is that of a clock."""


def run_on(
    suite: Suite[Any], build: Build, arguments: Arguments = READING, token: str | None = None
) -> Run[Any]:
    """Return a run of single checks."""
    clock = VirtualClock(START)
    perform = InAsgi(clock, token=token, application=build(clock))
    return Run(suite, perform, arguments, URL)


def report_on(suite: Suite[Any], build: Build, names: Iterable[str] = ()) -> SuiteReport:
    """Run the checks of some groups, ids or rules, which only read; all of them without a name."""
    clock = VirtualClock(START)
    wanted = {*names}
    checks = [
        check
        for check in suite.checks
        if not wanted or {check.id, check.group, *check.rules} & wanted
    ]
    return run_suite(suite, checks, InAsgi(clock, application=build(clock)), READING, url=URL)


def ids(report: SuiteReport, *outcomes: Outcome) -> list[str]:
    """Return the ids of the checks with some outcomes."""
    return [result.check.id for result in report.results if result.outcome in outcomes]
