"""Generate the manual of the service from the same tables as its routes.

Invariant *no second source*: paths, parameters, bounds, keys, members and errors come from the
tables of the service; only explanations are written here.

Contract: HA-HTTP-03, HA-HTTP-04.
"""

from collections.abc import Iterator
from typing import Any, Final

from healthapi import limits
from healthapi.catalog_keys import (
    CHARTS,
    DATASETS,
    DOMAINS,
    METRICS,
    SECTIONS,
    SERIES_METRICS,
    TABLES,
)
from healthapi.errors import MESSAGE_OF, STATUS_OF
from healthapi.http.api_docs.markup import (
    Block,
    BulletList,
    Code,
    Heading,
    Paragraph,
    Table,
)
from healthapi.http.api_docs.schemas import COMPONENTS, DATA, META
from healthapi.http.endpoints import ENDPOINTS, MEDIA_TYPES, ROOT, Endpoint, QueryParameter
from healthapi.http.links import Links

_BASE_URL: Final = "{base_url}"
_PROFILE_ID: Final = "{profile_id}"
"""Placeholders of the examples; documents read no data."""
_DOCUMENT: Final = "/docs"
"""Path of the page below the index."""
_JSON_FORMS: Final = {"json": ", in the envelope", "openapi": ", without the envelope"}
_EXAMPLE: Final = """\
{
  "api_version": "v1",
  "resource": "series",
  "generated_at": "2026-01-31T08:15:27",
  "profile_id": "{profile_id}",
  "data": {
    "granularity": "daily",
    "dimension": "date",
    "metrics": [{"key": "steps", "label": "Steps", "unit": "steps", "tone": "green"}],
    "points": [{"date": "2026-01-30", "steps": 8412}, {"date": "2026-01-31", "steps": null}]
  },
  "meta": {
    "count": 2, "available_metrics": ["..."], "partial_periods": [], "total": 2, "limit": 36525
  }
}"""
_ERROR_EXAMPLE: Final = f"""\
{{
  "api_version": "v1",
  "error": {{"code": "profile_not_found", "message": "{MESSAGE_OF["profile_not_found"]}"}}
}}"""


def blocks(base_url: str | None) -> tuple[Block, ...]:
    """Return the manual as blocks.

    Args:
        base_url: URL of the mount point.  Without it, links are relative to the URL of the
            document, and examples have a placeholder.

    """
    parts = (_paths, _envelopes, _groups, _keys, _errors, _rules)
    return (*_introduction(base_url), *(block for part in parts for block in part()))


def _introduction(base_url: str | None) -> Iterator[Block]:
    links = Links.relative_to(_DOCUMENT) if base_url is None else Links.from_base(base_url)
    shown = Links.from_base(base_url or _BASE_URL)
    yield Heading(1, "Health data API", "top")
    yield Paragraph(
        "This service publishes the data of a wearable from local files: sleep, activity, heart"
        " rate and other account data.  It is public and read-only.  No key is needed, and pages"
        " of any origin may read every response."
    )
    yield Paragraph(
        f"This manual: [as a page]({links.to('/docs')}), [as Markdown]({links.to('/docs.md')});"
        f" for programs: [OpenAPI]({links.to('/openapi.json')})."
    )
    yield Heading(2, "Quick start", "start")
    yield Paragraph(
        "List the profiles, then read the data catalog or the dashboard of one of them."
        "  A series or a chart is small; a dataset is complete."
    )
    yield Paragraph(
        f"{_placeholders(base_url)}  Ids are in [the list of profiles]({links.to('/profiles')})."
    )
    series = shown.below(_PROFILE_ID, "/series/daily")
    yield Code(
        f'curl "{shown.to("/profiles")}"\n'
        f'curl "{shown.below(_PROFILE_ID, "/catalog")}"\n'
        f'curl "{series}?metrics=sleep_score,hrv&limit=30"',
        "sh",
    )
    yield Code(
        f'const response = await fetch("{series}?metrics=steps&limit=7");\n'
        "const { data } = await response.json();\n"
        "console.log(data.points);",
        "js",
    )
    picture = shown.below(_PROFILE_ID, "/charts/sleep-trend.svg")
    yield Code(f'<img src="{picture}?limit=90&theme=transparent" alt="Sleep trend">', "html")


def _placeholders(base_url: str | None) -> str:
    profile = f"`{_PROFILE_ID}` stands for the id of a profile."
    if base_url is not None:
        return profile
    return (
        f"`{_BASE_URL}` stands for the address of this page without `{ROOT}{_DOCUMENT}`, {profile}"
    )


def _paths() -> Iterator[Block]:
    yield Heading(2, "All endpoints", "paths")
    yield Paragraph(
        "`GET` returns the resource, `HEAD` its headers; `OPTIONS` is for preflights.  Paths are"
        " exact: with a trailing slash, or with a fixed part in another case, they are unknown."
    )
    yield Table(
        "Paths and their resources",
        ("Path", "Resource"),
        tuple((f"[{ROOT}{one.path}](#{one.name})", f"{one.title}.") for one in ENDPOINTS),
    )


def _envelopes() -> Iterator[Block]:
    yield Heading(2, "The envelope", "envelope")
    yield Paragraph(
        "Every JSON response except the OpenAPI document has the same envelope.  `data` and `meta`"
        " are objects.  Resources of a profile have `profile_id`."
    )
    yield Code(_EXAMPLE, "json")
    yield Paragraph("An error has a code for programs and a message for people.")
    yield Code(_ERROR_EXAMPLE, "json")
    yield Paragraph(
        "`generated_at` has no zone designator: it is the local time in the person's zone."
        "  Null means that a value was not measured; a missing value is never zero."
    )


def _groups() -> Iterator[Block]:
    for group in dict.fromkeys(endpoint.group for endpoint in ENDPOINTS):
        yield Heading(2, group, group.lower().replace(" ", "-") + "-resources")
        for endpoint in ENDPOINTS:
            if endpoint.group == group:
                yield from _endpoint(endpoint)


def _endpoint(endpoint: Endpoint) -> Iterator[Block]:
    yield Heading(3, f"`GET {ROOT}{endpoint.path}`", endpoint.name)
    yield Paragraph(" ".join(f"{endpoint.title}.  {endpoint.description}".split()))
    if endpoint.keys:
        yield Table(
            f"Keys in the path of {endpoint.name}",
            ("Key", "Meaning", "One of"),
            tuple(
                (f"`{key.name}`", key.description, _choices(key.choices)) for key in endpoint.keys
            ),
        )
    if endpoint.parameters:
        yield Table(
            f"Parameters of {endpoint.name}",
            ("Parameter", "Meaning", "Default", "Values"),
            tuple(map(_parameter, endpoint.parameters)),
        )
    form = _JSON_FORMS.get(endpoint.kind, "")
    points = [f"Response: `{MEDIA_TYPES[endpoint.kind]}`{form}."]
    if endpoint.kind == "json":
        points += [
            f"`data`: {_members(DATA[endpoint.name])}.",
            f"`meta`: {_members(META[endpoint.name])}.",
        ]
    if endpoint.error_codes:
        points.append(f"Errors: {', '.join(f'`{code}`' for code in endpoint.error_codes)}.")
    yield BulletList(tuple(points))


def _parameter(parameter: QueryParameter) -> tuple[str, ...]:
    default = parameter.parse(None)
    shown = f"`{default}`" if default else "0" if default == 0 else "none"
    if parameter.bounds is not None:
        values = f"{parameter.bounds.minimum} to {parameter.bounds.maximum}"
    else:
        values = _choices(parameter.choices)
    return f"`{parameter.name}`", parameter.description, shown, values


def _choices(choices: tuple[str, ...] | None) -> str:
    if choices is None:
        return "depends on the data"
    if set(choices) == METRICS.keys():
        return "see [the metrics](#metric-keys)"
    return ", ".join(f"`{choice}`" for choice in choices)


def _members(schema: dict[str, Any]) -> str:
    """Return the names of the members of a schema's object."""
    if "$ref" in schema:
        schema = COMPONENTS[schema["$ref"].rpartition("/")[2]]
    schema = schema.get("anyOf", [schema])[0]
    return ", ".join(f"`{name}`" for name in schema["properties"]) or "empty"


def _keys() -> Iterator[Block]:
    yield Heading(2, "Keys", "keys")
    yield Paragraph("Keys do not depend on the data; labels are for people and may change.")
    yield BulletList(
        (
            f"Datasets: {_choices(tuple(DATASETS))}.",
            f"Sections: {_choices(tuple(SECTIONS))}.",
            f"Tables: {_choices(tuple(TABLES))}.",
            f"Domains of the data catalog: {_choices(tuple(DOMAINS))}.",
        )
    )
    yield Heading(3, "Metrics", "metric-keys")
    yield Table(
        "Metrics",
        ("Metric", "Name", "Unit", "Series"),
        tuple(
            (
                f"`{metric.key}`",
                metric.label,
                metric.unit,
                ", ".join(name for name, keys in SERIES_METRICS.items() if metric.key in keys),
            )
            for metric in METRICS.values()
        ),
    )
    yield Heading(3, "Charts", "chart-keys")
    yield Table(
        "Charts",
        ("Chart", "Points", "Metrics"),
        tuple(
            (f"`{one.key}.svg`", one.granularity, _choices(one.metrics)) for one in CHARTS.values()
        ),
    )


def _errors() -> Iterator[Block]:
    yield Heading(2, "Errors", "errors")
    yield Table(
        "Error codes",
        ("Code", "Status", "Message"),
        tuple((f"`{code}`", str(STATUS_OF[code]), MESSAGE_OF[code]) for code in STATUS_OF),
    )
    yield Paragraph(
        "Order of checks: the path (404), `OPTIONS` (204), the method (405), the profile (404), its"
        " data (503), the key (404).  Every query is valid."
    )


def _rules() -> Iterator[Block]:
    yield Heading(2, "Rules for every response", "rules")
    yield BulletList(tuple(" ".join(rule.split()) for rule in _RULES))


_RULES: Final = (
    """An invalid integer of the query becomes the default; one out of range becomes the nearest
    bound.  The first of repeated parameters is used.""",
    """Keys of datasets, granularities and charts are case-insensitive; other keys are exact.""",
    f"""Responses may be cached for {limits.MAX_AGE_SECONDS} seconds, and for
    {limits.STALE_SECONDS} more while a cache revalidates; this manual for
    {limits.MAX_AGE_DOCS_SECONDS} and {limits.STALE_DOCS_SECONDS}.  Errors are not cached.""",
    """Every success has an `ETag`.  Send it as `If-None-Match`; the response is 304 without a body
    if the resource has not changed.""",
    """Every response has `Access-Control-Allow-Origin: *`.""",
    """Unreadable data yield 503, never an empty list.  Single unreadable rows and cells are counted
    in the coverage.""",
    """Tokens are never published.  Data that name or locate a person are null unless the owner of
    the service publishes them.""",
)
