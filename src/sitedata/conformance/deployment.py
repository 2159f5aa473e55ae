"""A deployment of the site-data file as the checks see it, and reads that they share."""

from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Any, Final

import attrs

from purewire.conformance.checks import (
    Arguments,
    Check,
    Effect,
    Reply,
    Send,
    Steps,
    Suite,
    Unchecked,
    expect,
)
from purewire.conformance.reads import get
from sitedata.reading.checking import Report, check
from sitedata.reading.models import Snapshot
from sitedata.serving.service import PATH


@attrs.frozen
class Deployment:
    """A deployment as the checks see it.

    Attributes:
        path: the path of the file below the base URL.
        status: the status of its response.
        is_own_service: whether it is the path of the contract, so that other paths are unknown.

    """

    path: str = PATH
    status: int = 200

    @property
    def is_own_service(self) -> bool:
        """Return whether the file is at the path of the contract."""
        return self.path == PATH


def learn(arguments: Arguments, *, path: str = PATH) -> Generator[Effect, Any, Deployment]:
    """Find out whether there is a file at all."""
    del arguments  # nothing is written
    reply: Reply = yield Send("GET", path)
    return Deployment(path, reply.status)


class _FileSuite(Suite[Deployment]):
    """Leaves all checks undecided but `file.status` where the response is not the file."""

    def add(
        self,
        identifier: str,
        title: str,
        rules: Iterable[str],
        steps: Callable[[Deployment], Steps],
        *,
        writes: bool = False,
        slow: bool = False,
    ) -> None:
        """Add a check."""
        if identifier != _STATUS_CHECK:
            steps = partial(_if_served, steps)
        super().add(identifier, title, rules, steps, writes=writes, slow=slow)


_STATUS_CHECK: Final = "file.status"


def _if_served(steps: Callable[[Deployment], Steps], deployment: Deployment) -> Steps:
    if deployment.status != 200:
        raise Unchecked(
            f"GET {deployment.path} has status {deployment.status}: see the check {_STATUS_CHECK}",
            inconclusive=True,
        )
    yield from steps(deployment)


SUITE: Final[Suite[Deployment]] = _FileSuite("sitedata", learn)


@SUITE.check(_STATUS_CHECK, "SD-HTTP-01")
def _status(deployment: Deployment) -> Steps:
    """The file is served with status 200."""
    reply = yield from get(deployment.path)
    place = reply.header("location")
    others = "" if place is None else f" and leads to {place}: test that URL"
    expect(reply.status == 200, "status 200", f"status {reply.status}{others}")


def suite_of(path: str) -> Suite[Deployment]:
    """Return the suite for a file at another path below the base URL."""
    prepare: Callable[[Arguments], Generator[Effect, Any, Deployment]] = partial(learn, path=path)
    checks: list[Check[Deployment]] = SUITE.checks
    return Suite(SUITE.product, prepare, SUITE.finish, checks)


def read_report(deployment: Deployment) -> Generator[Effect, Any, Report]:
    """Return what validation reports about the file.

    Raises:
        Unchecked: the body is no JSON text; the check `file.json` says why.

    """
    reply = yield from get(deployment.path)
    report = check(reply.body)
    if any(finding.rule == "json.text" for finding in report.errors):
        raise Unchecked("the body is no JSON text: see the check file.json", inconclusive=True)
    return report


def read_snapshot(deployment: Deployment) -> Generator[Effect, Any, tuple[Reply, Snapshot]]:
    """Return the response and its snapshot.

    Raises:
        Unchecked: the file is not valid; the checks of the group `file` say why.

    """
    reply = yield from get(deployment.path)
    snapshot = check(reply.body).snapshot
    if snapshot is None:
        raise Unchecked(
            "the file is not valid: see the checks of the group file", inconclusive=True
        )
    return reply, snapshot
