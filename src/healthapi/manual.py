"""Generate the manual of the service, with example responses, from the same tables as its routes.

Invariant *no second source*: paths, parameters, bounds, keys, members and errors come from the
tables of the service; only explanations are written here.
Invariant *as served*: the functions of the service build the examples, of a small profile.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import attrs

from healthapi import limits, resources
from healthapi.endpoints import ENDPOINTS, KEYS, ROOT
from healthapi.envelope import API_VERSION, Links
from healthapi.errors import MESSAGE_OF, STATUS_OF
from healthapi.keys import CHARTS, DOMAINS, METRICS, SERIES_METRICS
from healthapi.profile import Profile, load
from status_contracts import json_text
from status_contracts.pages.blocks import Block, Code, Section, Table
from status_contracts.pages.page import Page
from status_contracts.pages.reference import ALL_KEYS, BASE_URL, Reference, paragraphs, pretty
from status_contracts.pages.settings import DEFAULT_PAGE, DOCUMENTATION, Link, PageSettings
from status_contracts.structuring.json_schema import object_of

_PROFILE_ID: Final = "$PROFILE"
"""What stands for the id of a profile in requests; documents read no data."""
_EXAMPLE_ID: Final = KEYS["profile_id"].example
_DOCUMENT: Final = "/docs"
"""Path of the page below the index."""
ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<path d="M1 9h3l2-5 3 9 2-4h4" fill="none" stroke="#0c8f66" stroke-width="2"'
    ' stroke-linecap="round" stroke-linejoin="round"/></svg>'
)
"""A pulse, visible on light and dark tabs; the icon of all pages of health data."""


def manual(base_url: str | None, schemas: Mapping[str, Mapping[str, Any]]) -> Reference:
    """Return the manual with the schemas of the resources.

    Without a base URL links are relative to the document.
    """
    return Reference(
        title="Health data API",
        introduction=tuple(_introduction(base_url)),
        endpoints=ENDPOINTS,
        examples={name: {"": body} for name, body in example_bodies().items()},
        base_url=base_url or BASE_URL,
        path=f"{ROOT}{_DOCUMENT}",
        schemas={name: _parts(schema) for name, schema in schemas.items() if name != "error"},
        objects={name: schema.get("$defs", {}) for name, schema in schemas.items()},
        replaced=(_EXAMPLE_ID, _PROFILE_ID),
        rules=_RULES,
        groups={"Profile": f"In examples `{_PROFILE_ID}` is the id of the first profile."},
        further=(_keys(base_url or BASE_URL),),
        errors=tuple((f"`{code}`", str(STATUS_OF[code]), MESSAGE_OF[code]) for code in STATUS_OF),
    )


def _parts(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return `data` and `meta` of an envelope: objects, or the only member that says more."""
    parts = {}
    for name in ("data", "meta"):
        part = schema["properties"][name]
        members = {f"{name}.{key}": member for key, member in part.get("properties", {}).items()}
        if "$ref" in part:
            members = {name: {**part, "description": ""}}
        if [*members] != ["meta.count"]:
            parts[f"`{name}`"] = object_of(members) if len(members) == 1 else part
    return parts


def build_page(
    reference: Reference, base_url: str | None, page: PageSettings | None, files: tuple[str, str]
) -> Page:
    """Build the manual as a page; with settings of its owner there is a health page to link to."""
    markdown = Links.at(_DOCUMENT, base_url).to("/docs.md")
    footer = f'API version {API_VERSION}. <a href="{markdown}">As Markdown</a>'
    if page is not None:
        home = Link("Health page", f"{base_url}/" if base_url else "../" * ROOT.count("/"))
        footer += f' · <a href="{home.url}">{home.label}</a>'
        page = attrs.evolve(page, pages=page.pages or (home,))
    return reference.page(ICON, footer, page or DEFAULT_PAGE, *files)


def _introduction(base_url: str | None) -> Iterator[Block]:
    links = Links.at(_DOCUMENT, base_url)
    yield from paragraphs(f"""
        This service publishes the data of a wearable from local files: sleep, activity, heart rate
        and other account data.  It is public, read-only and needs no key.  Programs have an
        [OpenAPI description]({links.to("/openapi.json")}); all rules are in the
        [contract]({DOCUMENTATION}/contract/health-api.html).

        List [the profiles]({links.to("/profiles")}), then read the data catalog or the dashboard of
        one of them.  A series or a chart is small; a dataset is complete.  Examples show two items
        of a longer list.

        All JSON but the OpenAPI document has one envelope.  `data` and `meta` are objects;
        `meta.count` is the number of items.  Resources of a profile have `profile_id`.  Null means
        not measured, never zero.  Resolve links against the URL of the response: `v1/profiles` in
        that of `/api/public/v1` is `/api/public/v1/profiles`.
    """)
    error = {"code": "profile_not_found", "message": MESSAGE_OF["profile_not_found"]}
    yield Code(pretty({"api_version": API_VERSION, "error": error}), "json", "Example of an error")


def _choices(choices: Iterable[str]) -> str:
    return ", ".join(f"`{choice}`" for choice in choices)


def _keys(base_url: str) -> Section:
    series = {
        key: ", ".join(name for name, keys in SERIES_METRICS.items() if key in keys)
        for key in METRICS
    }
    metrics = ((f"`{key}`", one.label, one.unit, series[key]) for key, one in METRICS.items())
    charts = (
        (f"`{one.key}.svg`", one.granularity, _choices(one.metrics)) for one in CHARTS.values()
    )
    text = f"Keys do not depend on the data; labels may change. Domains: {_choices(DOMAINS)}."
    image = Links.at(_DOCUMENT, base_url).below(_PROFILE_ID, "/charts/sleep-trend.svg")
    shown = Code(f'<img src="{image}?limit=90&theme=transparent" alt="Sleep trend">', "html")
    tables = (
        Table(
            f"All `metrics`{{#{ALL_KEYS}}}", ("Metric", "Name", "Unit", "Series"), tuple(metrics)
        ),
        Table("All charts", ("Chart", "Points", "Metrics"), tuple(charts)),
    )
    return Section("Keys", "keys", (text, *tables, "As an image in a page:", shown))


_RULES: Final = f"""
    Paths are exact: with a trailing slash, or with a fixed part in another case, they are unknown.
    Keys of datasets, granularities and charts are case-insensitive; other keys are exact.

    An invalid integer of the query becomes the default; one out of range becomes the nearest
    bound.  The first of repeated parameters is used; unknown ones are ignored.

    Responses may be cached for {limits.MAX_AGE_SECONDS} seconds, and for {limits.STALE_SECONDS}
    more while a cache revalidates; this documentation for {limits.MAX_AGE_DOCS_SECONDS} and
    {limits.STALE_DOCS_SECONDS}.  Errors are not cached.

    Every success has an `ETag`.  Send it as `If-None-Match`: an unchanged resource is 304, empty.

    Every response has `Access-Control-Allow-Origin: *`.  `HEAD` works, too; `OPTIONS` is for
    preflights.  There is no rate limit.

    A day is `2026-01-31`, an ISO week `2026-W05`, a month `2026-01`.  `generated_at` is the
    person's local time: `2026-01-31T08:00:00`.  Other times are as the account wrote them.

    Unreadable data yield 503 with `Retry-After`, never an empty list.  Single unreadable rows and
    cells are counted in the coverage.

    Tokens are never published.  Data that name or locate a person are null unless the owner of the
    service publishes them.
"""


_SNAPSHOT: Final = {
    "saved_at": "2026-01-31T11:30:00",
    "requested_scopes": ["sleep", "settings"],
    "token_scope": ["sleep", "settings"],
    "endpoints": {
        "devices": {
            "ok": True,
            "status": 200,
            "fetched_at": "2026-01-31T11:30:00",
            "label": "Devices",
            "group": "account",
            "scope": "settings",
            "data": [{"deviceVersion": "Tracker", "battery": "High", "type": "TRACKER"}],
        }
    },
}
_FILES: Final = {
    "csv/fitbit_activity.csv": b"date,steps,caloriesOut,activeMinutes\n"
    b"2026-01-30,8200,2150,41\n2026-01-31,9100,2230,52\n",
    "csv/fitbit_sleep.csv": b"date,logId,isMainSleep,minutesAsleep,minutesDeep,sleepScore\n"
    b"2026-01-30,1,True,432,70,81\n2026-01-31,2,True,451,76,84\n",
    "csv/fitbit_hrv.csv": b"date,dailyRmssd,deepRmssd\n2026-01-31,34.5,31.2\n",
    "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-30,55\n2026-01-31,54\n",
    "cache/fitbit_profile_snapshot.json": json_text.encode(_SNAPSHOT),
}


@cache
def example_profile() -> Profile:
    """Return the small profile."""
    return load(_EXAMPLE_ID, _FILES, generated_at="2026-01-31T12:00:00")


@cache
def example_bodies() -> dict[str, Any]:
    """Return an example of each JSON resource, of the small profile."""
    profile = example_profile()
    bodies = {}
    for endpoint in ENDPOINTS:
        name, links = endpoint.name, Links.at(endpoint.path)
        if endpoint.of_profile and endpoint.schema:
            key = "" if endpoint.key is None else endpoint.key.example
            query = endpoint.parse_query(key, endpoint.example.partition("?")[2].encode())
            bodies[name] = resources.prepare(profile, name, query, links)
        elif endpoint.schema:
            bodies[name] = resources.prepare_list(name, 1, [profile.summary], links)
    return {name: json_text.decode(prepared.asset.body) for name, prepared in bodies.items()}
