"""The one path and the order of checks, as an exchange: a request in, effects out, a response back.

Source: site-data specification, "Endpoints" and "Authentication"; rulings under "HTTP".

Invariant *order of checks*: path, OPTIONS, method, snapshot, conditions.
Invariant *the query says nothing*: whatever it holds, the answer is the same.
Invariant *fault is not absence*: a snapshot that cannot be read is 503, never 404 and never empty.
"""

from collections.abc import Generator
from typing import Any, Final

from purewire.exchange.effects import Effect, EffectFailed, Exchange, read_source
from purewire.http.messages import Request
from purewire.http.responses import preflight_response
from purewire.http.routes import MethodNotAllowed, Route, RouteTable
from sitedata.serving.limits import MAX_AGE_SECONDS, STALE_SECONDS
from sitedata.serving.published import Published
from sitedata.serving.responses import CORS, file_answer, refusal

__all__ = ["PATH", "Service"]

PATH: Final = "/data/site-data.json"
"""Where the file is, below the mount point."""

_ROUTES: Final = RouteTable({PATH.encode("ascii"): Route("GET, HEAD, OPTIONS", None)})


class Service:
    """The endpoint of one snapshot; call it with a request to get its exchange.

    It reads one effect, `ReadSource(None)`: a `Published`, or None where there is none.

    Args:
        max_age_seconds: how long caches may answer without asking.
        stale_seconds: how long after that they may answer while they ask.

    Raises ValueError for a negative number of seconds.

    """

    def __init__(
        self, *, max_age_seconds: int = MAX_AGE_SECONDS, stale_seconds: int = STALE_SECONDS
    ) -> None:
        if max_age_seconds < 0 or stale_seconds < 0:
            raise ValueError("a number of seconds is 0 or more")
        self._caching: Final = (
            f"public, max-age={max_age_seconds:d}, stale-while-revalidate={stale_seconds:d}"
        )

    def __call__(self, request: Request) -> Exchange:
        """Give the exchange that answers a request."""
        match = _ROUTES.resolve(request.method, request.path)
        if match is None:
            return refusal(request.method, "not_found")
        if isinstance(match, MethodNotAllowed):
            allow = (("Allow", match.route.allow),)
            return refusal(request.method, "method_not_allowed", allow)
        if request.method == "OPTIONS":
            return preflight_response(CORS)
        published = yield from _read()
        if published is None:
            return refusal(request.method, "service_unavailable")
        return file_answer(request, published, self._caching)


def _read() -> Generator[Effect, Any, Published | None]:
    try:
        found: Published | None = yield from read_source(None)
    except EffectFailed:
        return None
    return found
