"""All checks of health data: importing this module fills the suite."""

from collections.abc import Callable
from typing import Any

from healthapi.conformance import charts, privacy, requests, resources, values
from healthapi.conformance.deployment import SUITE, Deployment
from purewire.conformance.checks import Suite

__all__ = ["make_suite"]

_MODULES = (resources, values, privacy)


def make_suite(read_vectors: Callable[[str], list[dict[str, Any]]]) -> Suite[Deployment]:
    """Return all checks, with those that are made of vectors."""
    suite = Suite(SUITE.product, SUITE.prepare, checks=[*SUITE.checks])
    cases = read_vectors("queries")
    requests.add_vectors(suite, cases, requests.QUERY_CHECKS, requests.follows)
    requests.add_vectors(suite, cases, charts.QUERY_CHECKS, charts.follows)
    return suite
