"""Run the conformance suite on broken servers: the checks of the rules that each of them breaks."""

import logging
from collections.abc import Iterable
from typing import Any

from purewire.adapters.conformance import load_suite
from purewire.conformance.checks import Arguments, Check
from purewire.conformance.run import Outcome, Run
from support.devicestatus.broken_servers import SERVERS, TOKEN
from support.purewire.suite_runs import Build, run_on

SUITE = load_suite("devicestatus")

EVERYTHING = Arguments(has_token=True, write=True, slow=True)


def checks_of(rules: Iterable[str]) -> list[Check[Any]]:
    """Return the checks that cite some rules; those that are about the first rule come first."""
    wanted = {*rules}
    cited = [check for check in SUITE.checks if not wanted.isdisjoint(check.rules)]
    return sorted(cited, key=lambda check: check.rules[0] not in wanted)


def run_of(build: Build) -> Run[Any]:
    """Return a run of any checks on an application, with the token."""
    return run_on(SUITE, build, EVERYTHING, TOKEN)


def noticed_by(name: str, expected: str = "") -> str:
    """Return the first check that fails on a broken server and cites a rule that it breaks.

    Args:
        name: the name of the server.
        expected: id of the check that is run before the others.

    Returns:
        The id of the check, empty if there is none.

    """
    server = SERVERS[name]
    run = run_of(server.build)
    logging.disable(logging.CRITICAL)  # stores fail in many of them
    try:
        for check in sorted(checks_of(server.rules), key=lambda check: check.id != expected):
            if run.run(check).outcome in {Outcome.FAILED, Outcome.ERROR}:
                return check.id
    finally:
        logging.disable(logging.NOTSET)
    return ""
