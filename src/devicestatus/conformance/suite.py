"""The suite of device status; importing `devicestatus.conformance.checks` fills it."""

from typing import Final

from devicestatus.conformance.deployment import Deployment, learn
from purewire.conformance.checks import Suite

__all__ = ["SUITE"]

SUITE: Final[Suite[Deployment]] = Suite("devicestatus", learn)
