"""Route requests over a table of endpoints, and respond to those that no handler sees.

Invariant *order of checks*: path (404), OPTIONS (204), method (405), then those of the handler.
Invariant *failures are errors*: a failed effect that the handler does not catch yields 503.
Invariant *paths compare exactly*: as bytes, as they were sent, with percent-encoding, trailing
slashes and case; bytes that are not ASCII equal their percent-encoding.  An exact path costs one
dictionary look-up.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from purewire.exchange.effects import EffectFailed, Exchange
from purewire.http.endpoints import Endpoint
from purewire.http.messages import Headers, Request, Response, preflight_response

Params = Mapping[str, str]
"""Variable part of a path to its encoded text."""
EndpointHandler = Callable[[Request, Params], Exchange]
ErrorResponse = Callable[[str, Any, Headers], Response]
"""Returns the response for a method, an error code of the product, and further headers."""

_NO_PARAMS: Final[Params] = MappingProxyType({})
_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]")


class RequestError(Exception):
    """A check of a handler failed; the exchange ends with the error response of the code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code: Final = code


@attrs.frozen
class Route:
    """An endpoint, its handler, and the headers of its preflight and error responses.

    The handler may raise RequestError.
    """

    endpoint: Endpoint
    handle: EndpointHandler
    preflight: Headers
    error_headers: Headers = ()


class Router:
    """The handler of all requests to some endpoints.

    Args:
        routes: the endpoints; exact paths go before those with variable parts.
        error_response: builds the error responses; its codes include `not_found`,
            `method_not_allowed` and `service_unavailable`.

    """

    def __init__(self, routes: Iterable[Route], error_response: ErrorResponse) -> None:
        self._routes = tuple(routes)
        self._error_response = error_response
        self._exact = {
            path.encode("ascii"): route
            for route in self._routes
            if not route.endpoint.keys
            for path in route.endpoint.paths
        }
        self._variable = tuple(route for route in self._routes if route.endpoint.keys)

    def with_routes(self, routes: Iterable[Route]) -> "Router":
        """Return a router that has further endpoints, which go first."""
        return Router((*routes, *self._routes), self._error_response)

    def __call__(self, request: Request) -> Exchange:
        """Return the exchange that handles a request."""
        route, params = self._find(request.path)
        if route is None:
            return self._error_response(request.method, "not_found", ())
        endpoint = route.endpoint
        if request.method == "OPTIONS":
            return preflight_response(route.preflight)
        if request.method not in endpoint.methods:
            headers = (("Allow", endpoint.allow), *route.error_headers)
            return self._error_response(request.method, "method_not_allowed", headers)
        try:
            return (yield from route.handle(request, params))
        except RequestError as error:
            code = error.code
        except EffectFailed:
            code = "service_unavailable"
        return self._error_response(request.method, code, route.error_headers)

    def _find(self, path: bytes) -> tuple[Route | None, Params]:
        if not path.isascii():
            path = _NOT_ASCII.sub(lambda byte: b"%%%02X" % byte[0][0], path)
        route = self._exact.get(path)
        if route is not None:
            return route, _NO_PARAMS
        for route in self._variable:
            match = route.endpoint.pattern.fullmatch(path)
            if match is not None:
                return route, {key: text.decode("ascii") for key, text in match.groupdict().items()}
        return None, _NO_PARAMS
