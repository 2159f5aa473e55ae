"""Define all endpoints in one table; routes, documentation and OpenAPI are generated from it.

Invariant *one table*: a path, parameter or error that is not here is neither served nor documented.
Invariant *every query is valid*: any bytes yield parameters, in time linear in their number.
Invariant *canonical*: parsed parameters consist of known keys and limited integers; they never
contain text of the request.
Invariant *one variable part*: below a profile a path has at most one, so that endpoint, profile,
key and parameters identify a request.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl

import attrs

from healthapi import limits
from healthapi.errors import ErrorCode
from healthapi.keys import (
    CARD_METRICS,
    CHARTS,
    DATASETS,
    GRANULARITIES,
    METRICS,
    SECTIONS,
    TABLES,
    Granularity,
)
from healthapi.limits import IntegerRange
from status_contracts import endpoints
from status_contracts.endpoints import Parameter
from status_contracts.svg.palette import Theme

__all__ = ["ENDPOINTS", "GRANULARITY_OF", "KEYS", "ROOT", "HealthEndpoint", "PathKey", "Query"]

ROOT: Final = "/api/public/v1"
"""The path of the index; all others are below it."""

_MEDIA_TYPES: Final = {
    "docs": "text/html",
    "docs-markdown": "text/markdown",
    "openapi": "application/json",
    "chart": "image/svg+xml",
}
"""Resource to its media type if it has no envelope."""

THEMES: Final[tuple[Theme, ...]] = ("light", "transparent")
"""Backgrounds of a chart; the first is the default."""

GRANULARITY_OF: Final[dict[str, Granularity]] = {name: name for name in GRANULARITIES}
"""Name to granularity."""
_ANY_CASE: Final = {"dataset", "granularity", "chart"}
"""Variable parts of which case and outer white space are ignored."""
_PROFILE: Final = "/profiles/{profile_id}"
_INTEGER: Final = re.compile(r"([+-]?)(\d(?:_?\d)*+)")
_MAX_INTEGER_DIGITS: Final = 600  # less than every limit that an interpreter may set for int()


def first_values(query: bytes) -> Mapping[str, str]:
    """Return the first value of each parameter of a raw query.

    Names are exact; `+` is a space; bytes that are not UTF-8 become U+FFFD.
    """
    return dict(reversed(parse_qsl(query.decode("utf-8", "replace"), keep_blank_values=True)))


def normalize(text: str) -> str:
    """Return trimmed lower-case text, for comparison with case-insensitive keys."""
    return text.strip().lower()


def parse_integer(text: str | None, bounds: IntegerRange) -> int | None:
    """Parse an integer as Python's int() does, and limit it to its range.

    Other text yields the default.  An integer with too many digits for int() becomes the minimum
    or maximum by its sign.
    """
    match = _INTEGER.fullmatch((text or "").strip())
    if match is None:
        return bounds.default
    digits = match[2].replace("_", "").lstrip("0") or "0"
    size = int(digits) if len(digits) <= _MAX_INTEGER_DIGITS else bounds.maximum
    return max(bounds.minimum, min(-size if match[1] == "-" else size, bounds.maximum))


def parse_metrics(text: str | None) -> tuple[str, ...]:
    """Return the known metrics of a comma-separated list, in order, with repetitions."""
    words = (word.strip() for word in (text or "").split(","))
    return tuple(word for word in words if word in METRICS)


def parse_granularity(text: str | None) -> Granularity | None:
    """Return a granularity of a chart by name, None for blank text; raise RequestError."""
    name = normalize(text or "")
    if name and name not in GRANULARITY_OF:
        raise endpoints.RequestError("chart_not_found")
    return GRANULARITY_OF.get(name)


def parse_theme(text: str | None) -> Theme:
    """Return a theme by name; unknown names yield `light`."""
    return next((theme for theme in THEMES if theme == text), THEMES[0])


@attrs.frozen(kw_only=True)
class PathKey(Parameter):
    """A variable part of a path.

    Attributes:
        error_code: The error if there is no such key.
        choices: The valid keys; None if they depend on the data.
        pattern: The syntax of a key whose choices depend on the data.

    """

    error_code: ErrorCode
    choices: tuple[str, ...] | None
    pattern: re.Pattern[str]

    def parse(self, text: str) -> str | None:
        """Return the key of percent-decoded text; None if it is not valid."""
        key = normalize(text) if self.name in _ANY_CASE else text
        is_known = self.pattern.fullmatch(key) if self.choices is None else key in self.choices
        return key if is_known else None


@attrs.frozen(kw_only=True)
class QueryParameter(Parameter):
    """A parameter of the query; its name is also that of the attribute of `Query`.

    Attributes:
        parse: Parses the text of the request; None stands for a missing parameter.
        bounds: Range and default of an integer.

    """

    parse: Callable[[str | None], Any]
    bounds: IntegerRange | None = None


@attrs.frozen
class Query:
    """The parsed key and parameters of a request.

    Attributes of parameters that the endpoint does not have keep their defaults.
    """

    key: str = ""
    offset: int = 0
    limit: int | None = None
    metrics: tuple[str, ...] = ()
    granularity: Granularity | None = None
    width: int = 0
    height: int = 0
    theme: Theme = "light"


@attrs.frozen(kw_only=True)
class HealthEndpoint(endpoints.Endpoint):
    """One path of the table; the name is that of the resource, also in the envelope.

    Attributes:
        keys: The profile, and at most one other variable part.
        parameters: Parameters of the query.

    """

    keys: tuple[PathKey, ...]
    parameters: tuple[QueryParameter, ...]

    @property
    def key(self) -> PathKey | None:
        """The variable part that is not the profile."""
        return next(iter(self.keys[1:]), None)

    @property
    def of_profile(self) -> bool:
        """Return whether it belongs to one profile."""
        return bool(self.keys)

    def parse_query(self, key: str, query: bytes) -> Query:
        """Return the parsed key and parameters; raise RequestError for an unknown granularity."""
        if not self.parameters:
            return Query(key)
        texts = first_values(query)
        members = {one.name: one.parse(texts.get(one.name)) for one in self.parameters}
        return Query(key, **members)


def _enum(choices: Iterable[str]) -> Mapping[str, Any]:
    return {"type": "string", "enum": list(choices)}


def _key(
    name: str,
    description: str,
    error_code: ErrorCode,
    example: str,
    choices: Iterable[str] | None = None,
    pattern: str = r"[^/\x00]+",
) -> PathKey:
    known = None if choices is None else tuple(choices)
    return PathKey(
        name=name,
        description=description,
        schema={"type": "string", "pattern": f"^{pattern}$"} if known is None else _enum(known),
        example=example,
        error_code=error_code,
        choices=known,
        pattern=re.compile(pattern),
    )


KEYS: Final[Mapping[str, PathKey]] = {
    key.name: key
    for key in (
        _key(
            "profile_id",
            "Id of a profile, as in the list of profiles.",
            "profile_not_found",
            "anna",
            pattern="[A-Za-z0-9_-]{1,128}",
        ),
        _key(
            "endpoint_key",
            "Key of a snapshot endpoint, as in their index.",
            "snapshot_endpoint_not_found",
            "devices",
        ),
        _key(
            "metric_key",
            "Key of a metric that has a card.",
            "metric_not_found",
            "steps",
            CARD_METRICS,
        ),
        _key("dataset", "Key of a dataset.", "dataset_not_found", "rhr", DATASETS),
        _key(
            "granularity", "Granularity of the points.", "series_not_found", "daily", GRANULARITIES
        ),
        _key("section_key", "Key of a section.", "section_not_found", "body", SECTIONS),
        _key("table_key", "Key of a table.", "table_not_found", "recovery", TABLES),
        _key("chart", "Name of a chart.", "chart_not_found", "sleep-trend", CHARTS),
    )
}
"""All variable parts by name."""


def _integer(
    name: str, description: str, bounds: IntegerRange, example: str = ""
) -> QueryParameter:
    schema: dict[str, Any] = {"type": "integer"}
    schema |= {"minimum": bounds.minimum, "maximum": bounds.maximum}
    if bounds.default is not None:
        schema["default"] = bounds.default
    return QueryParameter(
        name=name,
        description=description,
        schema=schema,
        example=example,
        parse=partial(parse_integer, bounds=bounds),
        bounds=bounds,
    )


_MAX_ROWS: Final = "Maximum number of rows."
_OFFSET: Final = _integer("offset", "Rows to skip.", limits.OFFSET)
_LIMIT: Final = _integer(
    "limit",
    f"Number of points, the last ones; if left out, all (at most {limits.MAX_POINTS:,}).",
    limits.POINTS_LIMIT,
    "2",
)
_METRICS: Final = QueryParameter(
    name="metrics",
    description="Comma-separated metrics; unknown ones are ignored.",
    schema=_enum(METRICS),
    parse=parse_metrics,
    is_list=True,
    example="steps,sleep_score",
)
_CHART: Final = (
    QueryParameter(
        name="granularity",
        description="Granularity of the points; that of the chart by default.",
        schema=_enum(GRANULARITIES),
        parse=parse_granularity,
    ),
    attrs.evolve(
        _METRICS,
        description="Comma-separated metrics; unknown ones and those after the first eight are"
        " ignored.",
        example="",
    ),
    attrs.evolve(_LIMIT, example="90"),
    _integer("width", "Width of the image in px.", limits.CHART_WIDTH),
    _integer("height", "Height of the image in px.", limits.CHART_HEIGHT),
    QueryParameter(
        name="theme",
        description="Background.",
        schema={**_enum(THEMES), "default": THEMES[0]},
        parse=parse_theme,
        example="transparent",
    ),
)


def _endpoint(
    name: str,
    group: str,
    title: str,
    description: str = "",
    *,
    path: str | None = None,
    parameters: tuple[QueryParameter, ...] = (),
) -> HealthEndpoint:
    """Return a row of the table; the path of a resource of a profile is by default its name."""
    path = f"{_PROFILE}/{name}" if path is None else path
    schema = "" if name in _MEDIA_TYPES else name
    keys = tuple(KEYS[key] for key in re.findall(r"\{(\w+)\}", path))
    codes: list[ErrorCode] = [key.error_code for key in keys]
    if schema or keys:
        codes.insert(1, "service_unavailable")  # after the profile, before its key
    return HealthEndpoint(
        name=name,
        group=group,
        title=title,
        description=description,
        path=path,
        root=ROOT,
        methods=("GET", "HEAD"),
        keys=keys,
        parameters=parameters,
        media_type=_MEDIA_TYPES.get(name, "application/json"),
        schema=schema,
        error_codes=tuple(codes),
        is_conditional=True,
    )


ENDPOINTS: Final[tuple[HealthEndpoint, ...]] = (
    _endpoint(
        "index",
        "Start",
        "Index of the service, with links to its documentation",
        "`sample_links` are the links of the first profile that can be read.",
        path="",
    ),
    _endpoint("docs", "Start", "This documentation, as a page", path="/docs"),
    _endpoint("docs-markdown", "Start", "This documentation, as Markdown", path="/docs.md"),
    _endpoint(
        "openapi",
        "Start",
        "The machine-readable description",
        "OpenAPI 3.1, without the envelope.",
        path="/openapi.json",
    ),
    _endpoint(
        "profiles",
        "Start",
        "The public profiles, with links",
        "Sorted by name.  A profile whose data cannot be read has `available` false and null for"
        " unknown values.",
        path="/profiles",
    ),
    _endpoint(
        "profile",
        "Profile",
        "A profile: summary, coverage, data catalog and links",
        "Its `links` lead to all other resources of the profile.",
        path=_PROFILE,
    ),
    _endpoint(
        "dashboard",
        "Profile",
        "The whole dashboard",
        "Overview, coverage, cards, correlations, data catalog, recent points, sections and tables"
        " in one response.",
    ),
    _endpoint(
        "catalog",
        "Profile",
        "The data catalog by health domain",
        "Each domain has a status: `empty` without any value, `partial` with open issues, else"
        " `ready`.",
    ),
    _endpoint("overview", "Profile", "Overview of the person"),
    _endpoint("coverage", "Profile", "Coverage of the datasets and the snapshot"),
    _endpoint("metrics", "Metrics", "The metric cards, with trends"),
    _endpoint("metric", "Metrics", "One metric card", path=f"{_PROFILE}/metrics/{{metric_key}}"),
    _endpoint("correlations", "Metrics", "Correlations of metrics"),
    _endpoint("snapshot-status", "Snapshot", "Completeness of the account snapshot"),
    _endpoint("datasets", "Datasets", "The datasets"),
    _endpoint(
        "dataset",
        "Datasets",
        "One dataset, page by page",
        "Rows ascend by date.  An absent member belongs to a dataset without a row on that date; a"
        " null member was not measured.",
        path=f"{_PROFILE}/datasets/{{dataset}}",
        parameters=(_OFFSET, _integer("limit", _MAX_ROWS, limits.DATASET_LIMIT)),
    ),
    _endpoint(
        "series",
        "Datasets",
        "A series of selected metrics",
        "Each point has every selected metric, null if there is no value.  Without a known metric"
        " the series has all metrics of its granularity.  `total` in `meta` is the number of all"
        " points, also of those that `limit` leaves out.",
        path=f"{_PROFILE}/series/{{granularity}}",
        parameters=(_METRICS, _LIMIT),
    ),
    _endpoint("sections", "Sections and tables", "The sections of summary cards"),
    _endpoint(
        "section", "Sections and tables", "One section", path=f"{_PROFILE}/sections/{{section_key}}"
    ),
    _endpoint("tables", "Sections and tables", "The tables, without their rows"),
    _endpoint(
        "table",
        "Sections and tables",
        "One table, page by page",
        "Tables are for display: few rows, the newest first.",
        path=f"{_PROFILE}/tables/{{table_key}}",
        parameters=(_OFFSET, _integer("limit", _MAX_ROWS, limits.TABLE_LIMIT)),
    ),
    _endpoint("snapshot", "Snapshot", "The account snapshot, without secrets"),
    _endpoint(
        "snapshot-endpoints",
        "Snapshot",
        "The snapshot's endpoints, without their data",
        path=f"{_PROFILE}/snapshot/endpoints",
    ),
    _endpoint(
        "snapshot-endpoint",
        "Snapshot",
        "The response of one endpoint of the account",
        "Only if the profile has an account snapshot with this endpoint; else 404.",
        path=f"{_PROFILE}/snapshot/endpoints/{{endpoint_key}}",
    ),
    _endpoint(
        "chart",
        "Charts",
        "A chart as an SVG image",
        "Each metric is scaled to the height.  `X-Chart-Metadata` describes the chart in JSON.",
        path=f"{_PROFILE}/charts/{{chart}}.svg",
        parameters=_CHART,
    ),
)
"""All endpoints of the service, in the order of the documentation."""
