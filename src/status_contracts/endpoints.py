"""Describe the endpoints of a service, and route requests to them.

One table of endpoints drives routes, OpenAPI, API pages and checks; the service has a handler for
each name of its table.

Invariant *order of checks*: path (404), OPTIONS (204), method (405), then those of the handler.
Invariant *failures are errors*: a failed effect that the handler does not catch yields 503.
Invariant *paths compare exactly*: as bytes, as they were sent, with percent-encoding, trailing
slashes and case; bytes that are not ASCII equal their percent-encoding.  An exact path costs one
dictionary look-up.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Final

import attrs

from status_contracts.exchange import EffectFailed, Exchange
from status_contracts.messages import COMMON, Headers, Request, Response

_VARIABLE: Final = re.compile(r"\{(\w+)\}")


@attrs.frozen
class Parameter:
    """A variable part of a path, or a parameter of the query.

    Attributes:
        description: its meaning, as a sentence.
        schema: JSON Schema of its value, of one item if it is a list.
        path_pattern: regular expression of the encoded part of a path.
        example: its text in the example request; empty if it is left out.

    """

    name: str
    description: str
    schema: Mapping[str, Any]
    path_pattern: str = attrs.field(default="[^/]+", kw_only=True)
    is_list: bool = attrs.field(default=False, kw_only=True)
    example: str = attrs.field(default="", kw_only=True)


@attrs.frozen
class RequestBody:
    """The JSON body of a request: the name of its schema, and its maximum size in bytes."""

    schema: str
    max_bytes: int


@attrs.frozen
class Endpoint:
    """One path, and what it accepts and returns.

    Attributes:
        name: its name, unique in a table, and the `operationId` in OpenAPI; letters, digits and
            hyphens.
        group: the heading under which the API page and OpenAPI list it.
        title: what it returns or does, without a full stop.
        description: further sentences; may contain `` `code` `` and links as Markdown has them.
        path: the path below `root`; `{name}` is a variable part.
        root: what precedes the path.
        aliases: older paths, which respond the same.
        methods: the methods besides OPTIONS.
        keys: the variable parts of the path; a handler gets their texts as `Params`.
        parameters: the parameters of the query.
        body: the body of the request, which then needs the token of the deployment.
        media_type: the media type of a response without an error.
        schema: the name of the schema of a JSON response; empty for other responses.
        error_codes: the errors of a known path with a supported method, in the order of the checks.
        is_conditional: whether a response has validators, and may be 304.

    """

    name: str
    group: str
    title: str
    description: str = ""
    path: str = attrs.field(kw_only=True)
    root: str = attrs.field(default="", kw_only=True)
    aliases: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    methods: tuple[str, ...] = attrs.field(default=("GET",), kw_only=True)
    keys: tuple[Parameter, ...] = attrs.field(default=(), kw_only=True)
    parameters: tuple[Parameter, ...] = attrs.field(default=(), kw_only=True)
    body: RequestBody | None = attrs.field(default=None, kw_only=True)
    media_type: str = attrs.field(default="application/json", kw_only=True)
    schema: str = attrs.field(default="", kw_only=True)
    error_codes: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    is_conditional: bool = attrs.field(default=False, kw_only=True)

    @property
    def paths(self) -> tuple[str, ...]:
        """The whole path, and the aliases."""
        return (f"{self.root}{self.path}", *self.aliases)

    @cached_property
    def pattern(self) -> re.Pattern[bytes]:
        """The pattern of the whole path as it is sent: fixed parts are exact."""
        fixed, *rest = _VARIABLE.split(self.paths[0])
        forms = {key.name: key.path_pattern for key in self.keys}
        parts = zip(rest[::2], rest[1::2], strict=True)
        named = "".join(f"(?P<{name}>{forms[name]}){re.escape(text)}" for name, text in parts)
        return re.compile(f"{re.escape(fixed)}{named}".encode("ascii"))

    @property
    def example(self) -> str:
        """Path and query of the example request."""
        examples = {key.name: key.example for key in self.keys}
        path = _VARIABLE.sub(lambda match: examples[match[1]], self.paths[0])
        query = "&".join(f"{one.name}={one.example}" for one in self.parameters if one.example)
        return f"{path}?{query}" if query else path


Params = Mapping[str, str]
"""Variable part of a path to its encoded text."""
EndpointHandler = Callable[[Request, Params], Exchange]
ErrorResponse = Callable[[str, Any, Headers], Response]
"""Returns the response for a method, an error code of the product, and further headers."""

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


FILE_PREFLIGHT: Final[Headers] = (
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
)
"""The headers of the preflight of a page or a file, which may be asked for with conditions."""


def page_route(path: str, handle: EndpointHandler, *keys: Parameter) -> Route:
    """Return the route of a page or a picture, which is not in the table of a service."""
    endpoint = Endpoint("page", "Site", "A page", path=path, methods=("GET", "HEAD"), keys=keys)
    return Route(endpoint, handle, FILE_PREFLIGHT)


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
            return Response(204, (*COMMON, *route.preflight))
        if request.method not in endpoint.methods:
            allow = ", ".join((*endpoint.methods, "OPTIONS"))
            headers = (("Allow", allow), *route.error_headers)
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
            return route, {}
        for route in self._variable:
            match = route.endpoint.pattern.fullmatch(path)
            if match is not None:
                return route, {key: text.decode("ascii") for key, text in match.groupdict().items()}
        return None, {}
