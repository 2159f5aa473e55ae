"""All checks of device status: importing this module fills the suite."""

from typing import Final

from devicestatus.conformance import members, reading, responses, windows, writing
from devicestatus.conformance.deployment import SUITE

__all__ = ["SUITE"]

_MODULES = (reading, writing, windows, members, responses)
_ORDER: Final = (
    *("health", "paths", "methods", "headers", "cors", "token", "icons", "shape", "reads"),
    *("update", "errors", "timeline", "batch", "projection", "music", "apps", "badge"),
    *("categories", "body", "json", "aliases", "snapshot", "window", "members", "expiry"),
)
"""Groups in the order in which they run: what much depends on comes first, what waits last."""

SUITE.checks.sort(key=lambda check: _ORDER.index(check.group))
