"""Add the pages to the service: `/` and `/{profile_id}/`, beside the API.

`/` is the page of the only profile, or the list of several.  The paths of the API start with
`/api/`, which is the page of a profile of that name; all longer paths are the service's.

Invariant *order of checks*: those of the router, then the profile (404) and its data (503).
"""

from collections.abc import Generator
from typing import Any, Final

import attrs

from healthapi.adapters.site.pages import HealthPages, Reading
from healthapi.http import envelope
from healthapi.http.endpoints import KEYS, ROOT
from healthapi.http.service import Service
from purewire.exchange.effects import Effect, EffectFailed, Exchange, Handler, read_source
from purewire.exchange.router import EndpointHandler, Params, Route, Router
from purewire.http.endpoints import Endpoint, Parameter
from purewire.http.messages import Request, redirect_response
from purewire.json import codec
from purewire.pages.page import Page
from purewire.pages.settings import PageSettings

_API: Final = ROOT[1:]
_OK: Final = 200
_UNKNOWN: Final = 404
_UNAVAILABLE: Final = 503

_Built = Generator[Effect, Any, tuple[int, Page]]


_KEY: Final = Parameter(
    "profile_id",
    "Id of a profile.",
    {"type": "string"},
    path_pattern=KEYS["profile_id"].pattern.pattern,
)


def with_site(service: Service, page: PageSettings | None) -> Router:
    """Return the handler of the service, and of the pages unless `page` is None."""
    if page is None:
        return service.router
    site = _Site(service, HealthPages(page))
    return service.router.with_routes(
        (
            _route("/", site.respond),
            _route("/{profile_id}/", site.respond, _KEY),
            _route("/{profile_id}", site.redirect, _KEY),
        )
    )


def _route(path: str, handle: EndpointHandler, *keys: Parameter) -> Route:
    endpoint = Endpoint(
        "page",
        "Site",
        "A page of a profile",
        path=path,
        methods=("GET", "HEAD"),
        keys=keys,
        media_type="text/html",
    )
    return Route(endpoint, handle, envelope.CORS)


@attrs.frozen
class _Site:
    """The pages of a service."""

    service: Handler
    pages: HealthPages

    def respond(self, request: Request, params: Params) -> Exchange:
        """Respond with the page of a profile; without an id, of the only one or with the list."""
        if "profile_id" in params:
            status, page = yield from self._profile(params["profile_id"], "../")
        else:
            status, page = yield from self._home()
        return page.respond(request, status)

    def redirect(self, _request: Request, params: Params) -> Exchange:
        """Redirect to the page of a profile, whose links need the slash at its end."""
        yield from ()
        return redirect_response(f"{params['profile_id']}/")

    def _home(self) -> _Built:
        response = yield from self.service(Request("GET", f"{ROOT}/profiles".encode()))
        if response.status != _OK:
            return response.status, self.pages.error(response.status)
        body: Any = codec.decode(response.body)
        profiles = body["data"]["profiles"]
        if len(profiles) == 1:
            return (yield from self._profile(profiles[0]["id"], ""))
        return _OK, self.pages.people(profiles, _documents(_API))

    def _profile(self, profile_id: str, up: str) -> _Built:
        try:
            profile = yield from read_source(profile_id)
            people = (yield from read_source(None)) if up else ()
        except EffectFailed:
            return _UNAVAILABLE, self.pages.error(_UNAVAILABLE)
        if profile is None:
            return _UNKNOWN, self.pages.error(_UNKNOWN)
        api = f"{up}{_API}"
        url = f"{api}/profiles/{profile_id}"
        links = {"JSON": url, **_documents(api)}
        reading = Reading(url, links, f"{url}/charts/overview-trend.svg")
        return _OK, self.pages.profile(profile, reading, people=up if len(people) > 1 else None)


def _documents(api: str) -> dict[str, str]:
    return {"API": f"{api}/docs"}
