"""The pages of health data: served beside the API, or written as a static site.

Beside the API, `/` is the page of the only profile, or the list of several, and `/{profile_id}/`
the page of one.  The paths of the API start with `/api/`, which is the page of a profile of that
name; all longer paths are the service's.

Documents contain their data, so that those of a static site also work where the browser reads no
files (from `file://`); these name each other and the files by relative URLs.

    index.html                 the only profile, or the list of several
    anna/index.html            each of several profiles
    anna/dashboard.json        as `dashboard` of the API
    anna/series-daily.json     as `series/daily` of the API
    anna/overview-trend.svg    and the other charts, each also as -dark.svg and -transparent.svg

Invariant *order of checks*: those of the router, then the profile (404) and its data (503).
Invariant *complete or nothing*: all is read and drawn before the first file is returned.
Invariant *one state*: the files of a profile come from one state of it.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Final, cast

import attrs

from healthapi import limits
from healthapi.endpoints import KEYS, ROOT, Query
from healthapi.errors import DataError
from healthapi.keys import CHARTS
from healthapi.page import SERIES, HealthPages, Reading
from healthapi.profile import Profile
from healthapi.resources import chart
from healthapi.service import Service
from status_contracts import json_text
from status_contracts.endpoints import Parameter, Params, Router, page_route
from status_contracts.exchange import (
    Effect,
    EffectFailed,
    Exchange,
    Handler,
    ReadSource,
    drive,
)
from status_contracts.messages import Request, redirect_response
from status_contracts.pages.page import Page
from status_contracts.pages.settings import PageSettings
from status_contracts.svg.palette import PAPERS, Theme

_API: Final = ROOT[1:]
_OK: Final = 200
_UNKNOWN: Final = 404
_UNAVAILABLE: Final = 503

_Built = Generator[Effect, Any, tuple[int, Page]]
_Shown = tuple[Profile, str | None, str]
"""A profile, and the URLs of the list of several and of the API."""


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
            page_route("/", site.respond),
            page_route("/{profile_id}/", site.respond, _KEY),
            page_route("/{profile_id}", site.redirect, _KEY),
        )
    )


@attrs.frozen
class _Site:
    """The pages of a service; `drawn` has the last one of each profile, and what it was of."""

    service: Handler
    pages: HealthPages
    drawn: dict[str, tuple[_Shown, Page]] = attrs.field(factory=dict, repr=False)

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
        body: Any = json_text.decode(response.body)
        profiles = body["data"]["profiles"]
        if len(profiles) == 1:
            return (yield from self._profile(profiles[0]["id"], ""))
        return _OK, self.pages.people(profiles, _documents(_API))

    def _profile(self, profile_id: str, up: str) -> _Built:
        try:
            profile = yield from ReadSource(profile_id)
            people = (yield from ReadSource(None)) if up else ()
        except EffectFailed:
            return _UNAVAILABLE, self.pages.error(_UNAVAILABLE)
        if profile is None:
            return _UNKNOWN, self.pages.error(_UNKNOWN)
        shown = profile, up if len(people) > 1 else None, f"{up}{_API}"
        last, page = self.drawn.get(profile_id, (None, None))
        if page is None or last != shown:
            page = self._draw(*shown)
            self.drawn[profile_id] = shown, page
        return _OK, page

    def _draw(self, profile: Profile, people: str | None, api: str) -> Page:
        url = f"{api}/profiles/{profile.id}"
        links = {"JSON": url, **_documents(api)}
        data = _data_of(profile.id, responses_of({profile.id: profile}, self.service))
        reading = Reading(*data, links, f"{url}/charts/overview-trend.svg")
        return self.pages.profile(profile, reading, people=people)


def _documents(api: str) -> dict[str, str]:
    return {"API": f"{api}/docs"}


_INDEX: Final = "index.html"
_LINKS: Final = {"JSON": "dashboard.json", "Series": "series-daily.json"}
_CHART: Final = "overview-trend"
_DRAWN: Final = tuple(name for name in CHARTS if name != "series")

Read = Callable[[str], Profile]


class SiteError(Exception):
    """A profile cannot be read; `profile_id` names it."""

    def __init__(self, profile_id: str) -> None:
        super().__init__(profile_id)
        self.profile_id = profile_id


def build_site(
    read: Read, profile_ids: Sequence[str], settings: PageSettings
) -> Mapping[str, bytes]:
    """Return the files of the site by path, documents last; raise SiteError.

    `read` returns a profile; it raises KeyError or DataError.  One profile is written to the top,
    several to a folder each.
    """
    pages = HealthPages(settings)
    profiles = {profile_id: _read(read, profile_id) for profile_id in profile_ids}
    ask = responses_of(profiles)
    files: dict[str, bytes] = {}
    documents: dict[str, bytes] = {}
    is_one = len(profiles) == 1
    for profile_id, profile in profiles.items():
        folder = "" if is_one else f"{profile_id}/"
        data = _data_of(profile_id, ask)
        files[f"{folder}dashboard.json"], files[f"{folder}series-daily.json"] = data
        for theme in PAPERS:
            for name in _DRAWN:
                files[f"{folder}{_file_of(name, theme)}"] = _draw(profile, name, theme)
        charts = _file_of(_CHART, "light"), _file_of(_CHART, "dark")
        reading = Reading(*data, _LINKS, *charts)
        page = pages.profile(profile, reading, people=None if is_one else f"../{_INDEX}")
        documents[f"{folder}{_INDEX}"] = page.as_file()
    if not is_one:
        listed: Any = json_text.decode(ask("/profiles"))
        documents[_INDEX] = pages.people(listed["data"]["profiles"], {}, _INDEX).as_file()
    return files | documents


def _read(read: Read, profile_id: str) -> Profile:
    try:
        return read(profile_id)
    except (KeyError, DataError):
        raise SiteError(profile_id) from None


def _file_of(name: str, theme: Theme) -> str:
    return f"{name}.svg" if theme == "light" else f"{name}-{theme}.svg"


def _draw(profile: Profile, name: str, theme: Theme) -> bytes:
    """Draw a chart as the service does, also in the theme that the service does not have."""
    width, height = limits.CHART_WIDTH.default, limits.CHART_HEIGHT.default
    query = Query(key=name, width=width or 0, height=height or 0, theme=theme)
    return chart(profile, query)[0]


def _data_of(profile_id: str, ask: Callable[[str], bytes]) -> tuple[bytes, bytes]:
    """Return the bodies that a page shows: those of `dashboard` and of the series."""
    below = f"/profiles/{profile_id}"
    return ask(f"{below}/dashboard"), ask(f"{below}/{SERIES}")


def responses_of(
    profiles: Mapping[str, Profile], service: Handler | None = None
) -> Callable[[str], bytes]:
    """Return the function from a path and query to the body that a service of profiles responds."""
    service = service or Service()

    def perform(effect: Effect) -> object:
        name = cast("ReadSource", effect).name  # A service of health data has no other effect.
        return tuple(profiles) if name is None else profiles[name]

    def ask(target: str) -> bytes:
        path, _, query = f"{ROOT}{target}".partition("?")
        return drive(service(Request("GET", path.encode(), query=query.encode())), perform).body

    return ask
