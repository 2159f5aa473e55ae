"""A deployment of the site-data file as the checks see it, and reads that they share."""

from collections.abc import Callable, Generator
from functools import partial
from typing import Any, Final

import attrs

from purewire.conformance.checks import (
    Arguments,
    Check,
    Effect,
    NotTestable,
    Reply,
    Send,
    Suite,
    Unchecked,
)
from purewire.conformance.reads import get
from sitedata.reading.checking import Report, check
from sitedata.reading.models import Snapshot
from sitedata.serving.service import PATH

__all__ = ["SUITE", "Deployment", "learn", "read_report", "read_snapshot", "suite_of"]


@attrs.frozen
class Deployment:
    """A deployment as the checks see it.

    Attributes:
        path: the path of the file below the base URL.
        is_own_service: whether it is the path of the contract, so that other paths are unknown.

    """

    path: str = PATH

    @property
    def is_own_service(self) -> bool:
        """Return whether the file is at the path of the contract."""
        return self.path == PATH


def learn(arguments: Arguments, *, path: str = PATH) -> Generator[Effect, Any, Deployment]:
    """Find out whether there is a file at all.

    Raises:
        NotTestable: the response has another status than 200.

    """
    del arguments  # nothing is written
    reply: Reply = yield Send("GET", path)
    if reply.status != 200:
        place = reply.header("location")
        others = "" if place is None else f" and leads to {place}: test that URL"
        raise NotTestable(f"GET {path} has status {reply.status}{others}")
    return Deployment(path)


SUITE: Final[Suite[Deployment]] = Suite("sitedata", learn)


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
