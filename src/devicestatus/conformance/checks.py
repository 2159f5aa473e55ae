"""All checks of device status: importing this module fills the suite."""

from collections.abc import Callable
from typing import Any, Final

from devicestatus.conformance import reading, windows, writing
from devicestatus.conformance.deployment import SUITE, Deployment
from purewire.conformance.checks import Suite

__all__ = ["make_suite"]

_MODULES = (reading, writing, windows)
_ORDER: Final = (
    *("health", "paths", "methods", "headers", "cors", "token", "icons", "shape", "reads"),
    *("update", "errors", "timeline", "batch", "projection", "music", "apps", "badge"),
    *("categories", "body", "json", "aliases", "members", "snapshot", "window", "expiry"),
)
"""Groups in the order in which they run: what much depends on comes first, what waits last."""


def make_suite(read_vectors: Callable[[str], list[dict[str, Any]]]) -> Suite[Deployment]:
    """Return all checks, with those that are made of vectors."""
    suite = Suite(SUITE.product, SUITE.prepare, SUITE.finish, [*SUITE.checks])
    writing.add_vectors(suite, read_vectors("parsing"))
    suite.checks.sort(key=lambda check: _ORDER.index(check.group))
    return suite
