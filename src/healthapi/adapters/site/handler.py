"""Add the pages to the service: `/` and `/{profile_id}/`, beside the API.

`/` is the page of the only profile, or the list of several.  The paths of the API start with
`/api/`, which is the page of a profile of that name; all longer paths are the service's.

Invariant *over the API only*: what the pages contain comes from responses of the service.
Invariant *pass through*: a request for another path reaches the service unchanged.
Invariant *same order of checks*: as in the service, the path is checked first, then OPTIONS (204),
then the method (405), then the profile (404) and its data (503).
"""

import re
from collections.abc import Generator, Mapping
from typing import Any, Final

import attrs

from healthapi.adapters.site.pages import HealthPages, Reading
from healthapi.http import envelope
from healthapi.http.endpoints import KEYS, ROOT
from purewire.adapters.pages.page import Page
from purewire.adapters.pages.settings import PageSettings
from purewire.exchange.effects import Effect, Exchange, Handler
from purewire.http.messages import Request, Response
from purewire.http.responses import (
    NO_STORE,
    build_response,
    conditional_response,
    preflight_response,
)
from purewire.http.routes import MethodNotAllowed, PatternRoute, Route, RouteTable
from purewire.json import codec

_HTML: Final = "text/html; charset=utf-8"
_ALLOW: Final = "GET, HEAD, OPTIONS"
_API: Final = ROOT[1:]
_ID: Final = KEYS["profile_id"].pattern.pattern
_OK: Final = 200

_Built = Generator[Effect, Any, tuple[int, Page]]


@attrs.frozen
class _Target:
    """The page of a path: `/` or that of a profile, with or without the last slash."""

    is_profile: bool = False
    is_redirect: bool = False


def with_pages(service: Handler, settings: PageSettings) -> Handler:
    """Add the pages to a service; their files are read in this call, once.

    Args:
        service: handles the API and all other paths.
        settings: what the pages show of their owner.

    """
    site = _Site(service, HealthPages(settings))
    pattern = f"/(?P<profile_id>{_ID})"
    routes = RouteTable(
        {b"/": Route(_ALLOW, _Target())},
        (
            PatternRoute(
                re.compile(f"{pattern}/".encode()), Route(_ALLOW, _Target(is_profile=True))
            ),
            PatternRoute(
                re.compile(pattern.encode()),
                Route(_ALLOW, _Target(is_profile=True, is_redirect=True)),
            ),
        ),
    )

    def serve(request: Request) -> Exchange:
        match = routes.resolve(request.method, request.path)
        if match is None:
            return (yield from service(request))
        if isinstance(match, MethodNotAllowed):
            allow = (("Allow", _ALLOW),)
            return envelope.error_response(request.method, "method_not_allowed", allow)
        if request.method == "OPTIONS":
            return preflight_response(envelope.CORS)
        profile_id = match.params.get("profile_id")
        return (yield from site.respond(request, match.route.target, profile_id))

    return serve


@attrs.frozen
class _Site:
    """The pages of a service."""

    service: Handler
    pages: HealthPages

    def respond(self, request: Request, target: _Target, profile_id: str | None) -> Exchange:
        """Respond to GET and HEAD of a page."""
        if target.is_redirect:
            return _redirect(request, f"{profile_id}/")
        status, page = yield from self._build(profile_id)
        policy = ("Content-Security-Policy", page.policy)
        if status != _OK:
            return build_response(request.method, status, _HTML, page.body, (*NO_STORE, policy))
        headers = (("Cache-Control", "no-cache"), policy)
        return conditional_response(request, page.body, _HTML, headers)

    def _build(self, profile_id: str | None) -> _Built:
        if profile_id is not None:
            return (yield from self._profile(profile_id, "../"))
        status, found = yield from self._get("/profiles")
        if status != _OK:
            return status, self.pages.error(status)
        profiles = found["profiles"]
        if len(profiles) == 1:
            return (yield from self._profile(profiles[0]["id"], ""))
        return _OK, self.pages.people(profiles, _documents(_API))

    def _profile(self, profile_id: str, up: str) -> _Built:
        api = f"{up}{_API}"
        below = f"/profiles/{profile_id}"
        status, summary = yield from self._get(below)
        if status == _OK:
            status, cards = yield from self._get(f"{below}/metrics")
        if status != _OK:
            return status, self.pages.error(status)
        links = {"JSON": f"{api}{below}", **_documents(api)}
        reading = Reading(f"{api}{below}", links, f"{api}{below}/charts/overview-trend.svg")
        people = (yield from self._has_several()) if up else False
        page = self.pages.profile(summary, cards["metrics"], reading, people=up if people else None)
        return _OK, page

    def _has_several(self) -> Generator[Effect, Any, bool]:
        status, index = yield from self._get("")
        return status == _OK and index["profiles"]["count"] > 1

    def _get(self, path: str) -> Generator[Effect, Any, tuple[int, Mapping[str, Any]]]:
        """Return status and `data` of a response of the service."""
        response = yield from self.service(Request("GET", f"{ROOT}{path}".encode()))
        body: Any = codec.decode(response.body)
        return response.status, body.get("data", {})


def _documents(api: str) -> dict[str, str]:
    return {"API": f"{api}/docs"}


def _redirect(request: Request, location: str) -> Response:
    return build_response(request.method, 308, _HTML, b"", (("Location", location),))
