"""Which check notices which broken server of the site-data file, rule by rule."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from purewire.adapters.conformance.in_process import InAsgi, VirtualClock
from purewire.adapters.conformance.suites import load_suite
from purewire.conformance.checks import Arguments
from purewire.conformance.run import Outcome, Report, run_suite
from support.sitedata.broken_servers import ALLOWED, BY_HAND, EDITED, READS, SERVERS, Broken

SUITE: Final = load_suite("sitedata")
START: Final = 1_790_000_000_000
HEADING: Final = "### Of site data\n"
"""Before the section of the page."""
_NOT_OBSERVABLE: Final = {
    "SD-BUILD, SD-DATE, SD-TREE, SD-GIT, SD-LINK-01 to 06, SD-PROBLEM-02, SD-PROBLEM-04, "
    "SD-SNAPSHOT-05": "they compare the file with the repository",
    "SD-SOURCE (but 04), SD-ERROR-02, SD-FILE-03": "the file would have to be replaced or removed",
    "SD-ORDER, SD-VIEW, SD-CLIENT, SD-OPEN, SD-TIME-02, 04 and 06, SD-JSON-02, 04, 06, 10 and 11": (
        "they are about readers"
    ),
    "SD-ENCODE, SD-SETTINGS, SD-INIT": "other writers may add members and white space",
}
"""Rules to the reason for which HTTP does not show whether they are kept."""
Notices = dict[str, list[tuple[str, str]]]
"""Name of a server to the checks that failed, each with the rule of the failed step."""


def report_of(server: Broken, rules: Iterable[str] | None = None) -> Report:
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


def section(found: Notices) -> str:
    """Return the text below the heading of the page."""
    return "\n".join(_lines(found))


def _lines(found: Notices) -> Iterator[str]:
    yield ""
    yield f"{len(SERVERS)} servers: {len(EDITED)} with another file, {len(READS)} that treat "
    yield f"requests wrong, {len(BY_HAND)} by hand."
    yield "The first are made of the constraints of models and the rules, the second of what the"
    yield "endpoint is as a resource; HEAD, conditional and coded responses follow the fault."
    yield "By hand are routers, parameters, errors, codings and dates, of which there is no table."
    yield "All are noticed by a check whose failed step names a rule that the server breaks."
    yield ""
    yield "| rule | noticed by | servers | for example |"
    yield "| --- | --- | --- | --- |"
    for rule in sorted({rule for pairs in found.values() for _, rule in pairs}):
        faults = [fault for fault, pairs in found.items() if rule in {named for _, named in pairs}]
        checks = {check for fault in faults for check, named in found[fault] if named == rule}
        shown = ", ".join(f"`{check}`" for check in sorted(checks))
        example = faults[len(faults) // 2].replace("|", "\\|").replace("\\x", "\\\\x")
        yield f"| {rule} | {shown} | {len(faults)} | {example} |"
    yield f"""
Allowed by the contract, and so not noticed:

{_list(ALLOWED)}

Rules that no check verifies, because HTTP does not show them:

{_list(_NOT_OBSERVABLE)}
"""


def _list(reasons: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {reason}" for name, reason in reasons.items())
