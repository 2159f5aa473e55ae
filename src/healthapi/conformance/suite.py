"""The suite of health data; importing `healthapi.conformance.checks` fills it."""

from typing import Final

from healthapi.conformance.deployment import Deployment, learn
from purewire.conformance.checks import Suite

__all__ = ["SUITE"]

SUITE: Final[Suite[Deployment]] = Suite("healthapi", learn)
