"""The site and the service as one handler.

Invariant *the site steps aside*: every path that is not the site's own reaches the given handler
unchanged.
Invariant *the same order of checks*: as in the service, the path is judged first (404), then
OPTIONS (204), then the method (405).
"""

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from devicestatus.adapters.site import static
from devicestatus.adapters.site.pages import Page, build_api, build_home
from devicestatus.http import responses
from purewire.exchange.effects import Exchange, Handler
from purewire.http.messages import Request, Response
from purewire.http.responses import NO_STORE, Headers, preflight
from purewire.http.routes import Match, MethodNotAllowed, PatternRoute, Route, RouteTable

__all__ = ["with_site"]


@attrs.frozen
class _Place:
    """How a path of the site answers, and which headers its preflight and its errors carry."""

    respond: Callable[[Request, Mapping[str, str]], Exchange]
    preflight: Headers
    error_headers: Headers = ()


_FILES: Final = PatternRoute(
    static.FILE,
    Route(
        "GET, HEAD, OPTIONS",
        _Place(
            lambda request, params: static.respond(request, params["name"]),
            responses.ICON_CORS,
            responses.ICON_CORS,
        ),
    ),
)


def with_site(handler: Handler) -> Handler:
    """Put the home page `/`, the API reference `/api` and `/app-icons/*` beside a handler.

    Args:
        handler: answers everything that is not the site's; usually the service.

    Returns:
        A handler for the whole.  It asks for `ReadAsset` effects of its own, by the names
        `index.json` and `<id>.png`.  The pages are read from the package here, once.

    """
    routes = RouteTable({b"/": _page(build_home()), b"/api": _page(build_api())}, (_FILES,))

    def serve(request: Request) -> Exchange:
        match = routes.resolve(request.method, request.path)
        if match is not None:
            return _answer(request, match)
        if request.path.startswith(static.PREFIX):
            return _at_once(responses.error_response(request.method, "not_found"))
        return handler(request)

    return serve


def _page(page: Page) -> Route[_Place]:
    return Route(
        "GET, OPTIONS",
        _Place(
            lambda request, _params: page.respond(request),
            (*NO_STORE, *responses.STATUS_CORS),
        ),
    )


def _answer(request: Request, match: Match[_Place] | MethodNotAllowed[_Place]) -> Exchange:
    place = match.route.target
    if isinstance(match, MethodNotAllowed):
        headers = (("Allow", match.route.allow), *place.error_headers)
        return _at_once(responses.error_response(request.method, "method_not_allowed", headers))
    if request.method == "OPTIONS":
        return _at_once(preflight(place.preflight))
    return place.respond(request, match.params)


def _at_once(response: Response) -> Exchange:
    yield from ()
    return response
