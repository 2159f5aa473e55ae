"""A service whose one handler takes all requests, for tests of what is put before a service."""

from types import SimpleNamespace
from typing import Any

from purewire.exchange.effects import Handler
from purewire.exchange.router import Route, Router
from purewire.http.endpoints import Endpoint, Parameter


def service_of(handler: Handler, error_response: Any) -> Any:
    """Return what `with_site` takes of a service."""
    path = Parameter("path", "Any path.", {}, path_pattern=".*")
    methods = ("GET", "HEAD", "POST", "PURGE")
    endpoint = Endpoint("any", "Any", "Any", path="{path}", keys=(path,), methods=methods)
    route = Route(endpoint, lambda request, _params: handler(request), ())
    return SimpleNamespace(router=Router([route], error_response))
