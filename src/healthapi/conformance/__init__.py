"""All checks of health data: importing the package fills the suite."""

from healthapi.conformance import charts, privacy, requests, resources, values
from healthapi.conformance.deployment import SUITE, Deployment
from purewire.conformance.checks import Suite

__all__ = ["make_suite"]

_MODULES = (charts, privacy, requests, resources, values)


def make_suite(_read_vectors: object) -> Suite[Deployment]:
    """Return all checks; none is made of vectors."""
    return SUITE
