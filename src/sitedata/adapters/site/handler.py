"""Combine the practice page and the service in one handler.

Invariant *pass through*: a request for any other path reaches the given handler unchanged.
Invariant *same order of checks*: as in the service, the path is checked first (404), then OPTIONS
(204), then the method (405).
Invariant *a page without data*: where the snapshot cannot be read, the page is served without
totals; its script then reports what the request for the file returned.
"""

from contextlib import suppress
from typing import Final

from purewire.adapters.pages.settings import PageSettings
from purewire.exchange.effects import EffectFailed, Exchange, Handler, read_source
from purewire.http.messages import Request
from purewire.http.responses import preflight_response
from purewire.http.routes import MethodNotAllowed, Route, RouteTable
from sitedata.adapters.site.pages import build_practice, with_totals
from sitedata.serving.service import error_response

__all__ = ["with_page"]

_ROUTES: Final = RouteTable({b"/": Route("GET, HEAD, OPTIONS", None)})


def with_page(handler: Handler, settings: PageSettings) -> Handler:
    """Add the practice page `/` to a handler.

    Args:
        handler: handles all other paths; usually the service.
        settings: what the page shows of its owner.

    Returns:
        A handler for all paths; for the page it uses the effect of the service.  The page is read
        from the package in this call, once.

    """
    page = build_practice(settings)

    def serve(request: Request) -> Exchange:
        match = _ROUTES.resolve(request.method, request.path)
        if match is None:
            return (yield from handler(request))
        if isinstance(match, MethodNotAllowed):
            allow = (("Allow", match.route.allow),)
            return error_response(request.method, "method_not_allowed", allow)
        if request.method == "OPTIONS":
            return preflight_response((("Access-Control-Allow-Methods", match.route.allow),))
        shown = with_totals(page, None)
        with suppress(EffectFailed):
            shown = with_totals(page, (yield from read_source(None)))
        return (yield from shown.respond(request))

    return serve
