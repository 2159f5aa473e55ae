"""Run the conformance suite on broken servers, in processes of their own."""

import logging
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from functools import partial
from multiprocessing import get_context

import attrs

from devicestatus.conformance.checks import SUITE
from purewire.adapters.conformance.in_process import InAsgi, VirtualClock
from purewire.adapters.contract import read_contract
from purewire.conformance.checks import Arguments
from purewire.conformance.results import Outcome, Report
from purewire.conformance.run import run_suite
from support.devicestatus.broken_servers import SERVERS, TOKEN
from support.purewire.asgi_layers import App

START = 1_790_000_000_000
CONTRACT = read_contract("devicestatus")
RULES = {rule.id: (rule.level, rule.text) for rule in CONTRACT.rules.values()}
EVERYTHING = Arguments(has_token=True, write=True, slow=True)


@attrs.frozen
class Score:
    """What the suite says about a broken server.

    Attributes:
        name: the name of the server.
        noticed_by: checks that failed and cite a rule that the server breaks.
        unexplained: checks that failed, cite none of these, and are no known consequence.
        unused: known consequences that no check is.

    """

    name: str
    noticed_by: tuple[str, ...]
    unexplained: tuple[str, ...]
    unused: tuple[str, ...]


def report_of(build: Callable[[VirtualClock], App]) -> Report:
    """Return the report on an application whose time is that of a virtual clock."""
    clock = VirtualClock(START)
    perform = InAsgi(clock, token=TOKEN, application=build(clock))
    return run_suite(SUITE, SUITE.checks, perform, EVERYTHING, url="http://testserver", rules=RULES)


def score(name: str) -> Score:
    """Return what the suite says about the broken server of a name."""
    server = SERVERS[name]
    failed = [
        result.check
        for result in report_of(server.build).results
        if result.outcome in {Outcome.FAILED, Outcome.ERROR}
    ]
    noticed_by = [check.id for check in failed if {*check.rules} & {*server.rules}]
    others = [check.id for check in failed if check.id not in noticed_by]
    unexplained = [
        each for each in others if not any(fnmatchcase(each, known) for known in server.also)
    ]
    unused = [
        known
        for known in server.also
        if known != "*" and not any(fnmatchcase(each, known) for each in others)
    ]
    return Score(name, tuple(noticed_by), tuple(unexplained), tuple(unused))


def scores(names: Iterable[str]) -> list[Score]:
    """Return the scores of many servers, computed by processes on half of the cores.

    Other tests run meanwhile, and some of them measure time.
    """
    count = max(1, (os.cpu_count() or 1) // 2)
    quiet = partial(logging.disable, logging.CRITICAL)  # stores fail in many of them
    with ProcessPoolExecutor(count, get_context("spawn"), initializer=quiet) as processes:
        return list(processes.map(score, names, chunksize=8))
