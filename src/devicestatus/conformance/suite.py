"""The suite of device status; importing `devicestatus.conformance.checks` fills it."""

from typing import Final

from devicestatus.conformance.bodies import encode, nothing
from devicestatus.conformance.deployment import Deployment, learn, write
from purewire.conformance.checks import Finish, Suite
from purewire.instants import format_instant

__all__ = ["SUITE"]


def _finish(deployment: Deployment) -> Finish:
    now = yield from deployment.now()
    result = yield from write("/api/update", encode(nothing(now)))
    expires = format_instant(result.expires_at)
    return f"The record of the deployment is now a snapshot that reports nothing, until {expires}."


SUITE: Final[Suite[Deployment]] = Suite("devicestatus", learn, _finish)
