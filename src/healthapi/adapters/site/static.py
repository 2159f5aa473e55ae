"""Build the files of a static site: documents, and JSON and SVG of the API.

The documents contain their data, so that they also work where the browser reads no files (from
`file://`), and they name each other and the files by relative URLs.

    index.html                 the only profile, or the list of several
    anna/index.html            each of several profiles
    anna/dashboard.json        as `dashboard` of the API
    anna/series-daily.json     as `series/daily` of the API
    anna/overview-trend.svg    and the other charts, each also as overview-trend-dark.svg

Invariant *complete or nothing*: all responses are read before the first file is returned.
Invariant *over the API only*: the files contain what responses of the service contain; a chart for
dark pages shows what the chart of the service shows, which has no such theme.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from healthapi.adapters.site.pages import SERIES, HealthPages, Reading
from healthapi.catalog_keys import CHARTS
from healthapi.http.endpoints import ROOT
from purewire.http.messages import Request, Response
from purewire.json import codec
from purewire.pages.settings import PageSettings

_OK: Final = 200
_INDEX: Final = "index.html"
_LINKS: Final = {"JSON": "dashboard.json", "Series": "series-daily.json"}
_CHART: Final = "overview-trend.svg"
_DRAWN: Final = tuple(name for name in CHARTS if name != "series")

Ask = Callable[[Request], Response]


class SiteError(Exception):
    """A response of the service is an error; `profile_id` names its profile."""

    def __init__(self, profile_id: str) -> None:
        super().__init__(profile_id)
        self.profile_id = profile_id


def build_site(
    ask: Ask,
    profile_ids: Sequence[str],
    settings: PageSettings,
    draw_dark: Callable[[str, str], bytes] | None = None,
) -> Mapping[str, bytes]:
    """Return the files of the site by path, documents last; raise SiteError.

    `draw_dark` draws a chart of a profile, by their ids, for dark pages; None for no such files.

    One profile is written to the top, several to a folder each.
    """
    pages = HealthPages(settings)
    files: dict[str, bytes] = {}
    documents: dict[str, bytes] = {}
    is_one = len(profile_ids) == 1
    for profile_id in profile_ids:
        folder = "" if is_one else f"{profile_id}/"
        found = _Files(ask, profile_id)
        data = found.body("/dashboard"), found.body(f"/{SERIES}")
        files[f"{folder}dashboard.json"], files[f"{folder}series-daily.json"] = data
        for name in _DRAWN:
            files[f"{folder}{name}.svg"] = found.body(f"/charts/{name}.svg")
            if draw_dark is not None:
                files[f"{folder}{name}-dark.svg"] = draw_dark(profile_id, name)
        page = pages.profile(
            found.data(""),
            found.data("/metrics")["metrics"],
            Reading(None, _LINKS, _CHART, data),
            people=None if is_one else f"../{_INDEX}",
        )
        documents[f"{folder}{_INDEX}"] = page.as_file()
    if not is_one:
        documents[_INDEX] = pages.people(_entries(ask, profile_ids), {}, _INDEX).as_file()
    return files | documents


def _entries(ask: Ask, profile_ids: Sequence[str]) -> list[dict[str, Any]]:
    listed = _data(ask(Request("GET", f"{ROOT}/profiles".encode())).body)
    return [entry for entry in listed["profiles"] if entry["id"] in profile_ids]


class _Files:
    """The responses below a profile."""

    def __init__(self, ask: Ask, profile_id: str) -> None:
        self._ask = ask
        self._id = profile_id

    def body(self, target: str) -> bytes:
        path, _, query = f"{ROOT}/profiles/{self._id}{target}".partition("?")
        response = self._ask(Request("GET", path.encode(), query=query.encode()))
        if response.status != _OK:
            raise SiteError(self._id)
        return response.body

    def data(self, target: str) -> dict[str, Any]:
        return _data(self.body(target))


def _data(body: bytes) -> dict[str, Any]:
    envelope: Any = codec.decode(body)
    data: dict[str, Any] = envelope["data"]
    return data
