"""All checks of device status: importing the package fills the suite."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import attrs

from devicestatus.conformance import reading, windows, writing
from devicestatus.conformance.deployment import PROFILES, SUITE, Deployment, prepare_writes
from purewire.conformance.checks import Suite

__all__ = ["make_suite"]

_MODULES = (reading, writing, windows)
_ORDER: Final = (
    *("health", "paths", "methods", "cors", "headers", "token", "icons", "shape", "reads"),
    *("update", "errors", "timeline", "batch", "projection", "music", "apps", "badge"),
    *("categories", "order", "body", "json", "aliases", "members", "snapshot", "window", "expiry"),
)
"""Groups in the order in which they run: what much depends on comes first, what waits last.

Checks that write run after all others, which see the deployment as it was found.
"""


def make_suite(read_vectors: Callable[[str], list[dict[str, Any]]]) -> Suite[Deployment]:
    """Return all checks, with those that are made of vectors."""
    suite = Suite(SUITE.product, SUITE.prepare, SUITE.finish, [*SUITE.checks])
    suite.profiles = PROFILES
    writing.add_vectors(suite, read_vectors("parsing"))
    suite.checks = [
        attrs.evolve(check, steps=partial(prepare_writes, check.steps)) if check.writes else check
        for check in sorted(
            suite.checks, key=lambda check: (check.writes, _ORDER.index(check.group))
        )
    ]
    return suite
