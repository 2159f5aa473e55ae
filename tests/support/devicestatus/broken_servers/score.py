"""Run the conformance suite on broken servers, in processes of their own."""

import logging
import os
import re
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import attrs

from purewire.adapters.conformance.in_process import InAsgi, VirtualClock
from purewire.adapters.conformance.suites import load_suite
from purewire.conformance.checks import Arguments, Check
from purewire.conformance.run import Outcome, Report, run_suite
from support.devicestatus.broken_servers import SERVERS, TOKEN
from support.purewire.asgi_layers import App

SUITE = load_suite("devicestatus")

START = 1_790_000_000_000
EVERYTHING = Arguments(has_token=True, write=True, slow=True)


@attrs.frozen
class Score:
    """What the suite says about a broken server.

    Attributes:
        name: the name of the server.
        noticed_by: checks that failed and cite a rule that the server breaks.
        unexplained: checks that failed, cite none of these, and are of no group that may fail too.

    """

    name: str
    noticed_by: tuple[str, ...]
    unexplained: tuple[str, ...]


def checks_of(rules: Iterable[str]) -> list[Check[Any]]:
    """Return the checks but those of vectors, and those of vectors that cite some rules."""
    return [
        check
        for check in SUITE.checks
        if not re.search("accepts-|rejects-", check.id) or {*check.rules} & {*rules}
    ]


def report_of(build: Callable[[VirtualClock], App], checks: list[Check[Any]]) -> Report:
    """Return the report on an application whose time is that of a virtual clock."""
    clock = VirtualClock(START)
    perform = InAsgi(clock, token=TOKEN, application=build(clock))
    return run_suite(SUITE, checks, perform, EVERYTHING, url="http://testserver")


def score(name: str) -> Score:
    """Return what the suite says about the broken server of a name."""
    server = SERVERS[name]
    failed = [
        result.check
        for result in report_of(server.build, checks_of(server.rules)).results
        if result.outcome in {Outcome.FAILED, Outcome.ERROR}
    ]
    noticed_by = [check for check in failed if {*check.rules} & {*server.rules}]
    unexplained = [
        check.id
        for check in failed
        if check not in noticed_by and not {check.group, "*"} & {*server.also}
    ]
    return Score(name, tuple(check.id for check in noticed_by), tuple(unexplained))


def scores(names: Iterable[str]) -> list[Score]:
    """Return the scores of many servers, computed by processes on half of the cores.

    Other tests run meanwhile, and some of them measure time.
    """
    count = max(1, (os.cpu_count() or 1) // 2)
    quiet = partial(logging.disable, logging.CRITICAL)  # stores fail in many of them
    with ProcessPoolExecutor(count, get_context("spawn"), initializer=quiet) as processes:
        return list(processes.map(score, names, chunksize=8))
