"""Combine the site and the service in one handler.

Invariant *pass through*: a request for a path outside the site reaches the given handler unchanged.
Invariant *same order of checks*: as in the service, the path is checked first (404), then OPTIONS
(204), then the method (405).
"""

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from devicestatus.adapters.site import static
from devicestatus.adapters.site.pages import Page, build_api, build_home
from devicestatus.http import responses
from purewire.exchange.effects import Exchange, Handler
from purewire.http.messages import Request, Response
from purewire.http.responses import NO_STORE, Headers, preflight_response
from purewire.http.routes import Match, MethodNotAllowed, PatternRoute, Route, RouteTable

__all__ = ["with_site"]


@attrs.frozen
class _Endpoint:
    """The response to a path of the site, and the headers of its preflight and its errors."""

    respond: Callable[[Request, Mapping[str, str]], Exchange]
    preflight: Headers
    error_headers: Headers = ()


_FILES: Final = PatternRoute(
    static.FILE,
    Route(
        "GET, HEAD, OPTIONS",
        _Endpoint(
            lambda request, params: static.respond(request, params["name"]),
            responses.ICON_CORS,
            responses.ICON_CORS,
        ),
    ),
)


def with_site(handler: Handler) -> Handler:
    """Add the home page `/`, the API reference `/api` and `/app-icons/*` to a handler.

    Args:
        handler: handles all other paths; usually the service.

    Returns:
        A handler for all paths.  It requests `ReadAsset` effects with the names `index.json` and
        `<id>.png`.  The pages are read from the package in this call, once.

    """
    routes = RouteTable({b"/": _page(build_home()), b"/api": _page(build_api())}, (_FILES,))

    def serve(request: Request) -> Exchange:
        match = routes.resolve(request.method, request.path)
        if match is not None:
            return _respond(request, match)
        if request.path.startswith(static.PREFIX):
            return _immediately(responses.error_response(request.method, "not_found"))
        return handler(request)

    return serve


def _page(page: Page) -> Route[_Endpoint]:
    return Route(
        "GET, OPTIONS",
        _Endpoint(
            lambda request, _params: page.respond(request),
            (*NO_STORE, *responses.STATUS_CORS),
        ),
    )


def _respond(request: Request, match: Match[_Endpoint] | MethodNotAllowed[_Endpoint]) -> Exchange:
    endpoint = match.route.target
    if isinstance(match, MethodNotAllowed):
        headers = (("Allow", match.route.allow), *endpoint.error_headers)
        return _immediately(responses.error_response(request.method, "method_not_allowed", headers))
    if request.method == "OPTIONS":
        return _immediately(preflight_response(endpoint.preflight))
    return endpoint.respond(request, match.params)


def _immediately(response: Response) -> Exchange:
    yield from ()
    return response
