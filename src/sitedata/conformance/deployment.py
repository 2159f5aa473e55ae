"""A deployment of the site-data file as the checks see it, and reads that they share."""

from collections.abc import Generator
from functools import lru_cache
from typing import Any, Final

import attrs

from purewire.conformance.checks import Action, Arguments, Reply, Suite, Unchecked, dependent_on
from purewire.conformance.reads import get
from sitedata.reading.checking import Report, check
from sitedata.reading.models import Snapshot
from sitedata.serving.service import PATH


@attrs.frozen
class Deployment:
    """A deployment as the checks see it: the path of the file, and the status of its response."""

    path: str = PATH
    status: int = 200

    def require_file(self) -> None:
        """Raise Unchecked where the response is not the file."""
        if self.status != 200:
            raise Unchecked(
                f"GET {self.path} has status {self.status}: see the check file.status",
                inconclusive=True,
            )

    def require_own_path(self) -> None:
        """Raise Unchecked where the file is elsewhere, so that other paths may exist too."""
        if self.path != PATH:
            raise Unchecked(f"the file is not at {PATH}: other paths are not those of the contract")


def learn(arguments: Arguments, *, path: str = PATH) -> Generator[Action, Any, Deployment]:
    """Find out whether there is a file at all."""
    del arguments  # nothing is written
    return Deployment(path, (yield from get(path)).status)


SUITE: Final[Suite[Deployment]] = Suite("sitedata", learn)


def report_of(reply: Reply) -> Report:
    """Return what validation reports about the file; it must be JSON text."""
    with dependent_on("file.json"):
        reply.json()
    return _checked(reply.body)


@lru_cache(maxsize=2)
def _checked(body: bytes) -> Report:
    """Return the report about a body; many checks read the same one."""
    return check(body)


def read_snapshot(deployment: Deployment) -> Generator[Action, Any, tuple[Reply, Snapshot]]:
    """Return the response and its snapshot; raise Unchecked if the file is not valid."""
    reply = yield from get(deployment.path)
    return reply, require_snapshot(report_of(reply))


def require_snapshot(report: Report) -> Snapshot:
    """Return the snapshot of a report; raise Unchecked if the file is not valid."""
    if report.snapshot is None:
        reason = "the file is not valid: see the checks of the group file"
        raise Unchecked(reason, inconclusive=True)
    return report.snapshot
