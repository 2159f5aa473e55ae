"""Define all endpoints in one table; routes, documentation and OpenAPI are generated from it.

Invariant *one table*: a path, parameter or error that is not here is neither served nor documented.
Invariant *one variable part*: below a profile a path has at most one, so that endpoint, profile,
key and parameters identify a request.

Contract: HA-SERVICE-02, HA-SERVICE-03, HA-HTTP-01, HA-KEY-01 to 04, HA-QUERY-06 to 08, HA-QUERY-11,
HA-QUERY-13, HA-QUERY-14, HA-ENVELOPE-03, HA-CHART-07.
"""

import re
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, Final, Literal

import attrs

from healthapi import limits
from healthapi.catalog_keys import (
    CARD_METRICS,
    CHARTS,
    DATASETS,
    GRANULARITIES,
    METRICS,
    SECTIONS,
    TABLES,
    Granularity,
)
from healthapi.errors import ErrorCode
from healthapi.http.query import (
    THEMES,
    first_values,
    normalize,
    parse_distinct_metrics,
    parse_granularity,
    parse_integer,
    parse_metrics,
    parse_theme,
)
from healthapi.limits import IntegerRange
from purewire.svg.palette import Theme

ROOT: Final = "/api/public/v1"
"""The path of the index; all others are below it."""

ContentKind = Literal["json", "openapi", "html", "markdown", "svg"]
"""The content of a response; `json` has the envelope."""
MEDIA_TYPES: Final[Mapping[ContentKind, str]] = {
    "json": "application/json",
    "openapi": "application/json",
    "html": "text/html",
    "markdown": "text/markdown",
    "svg": "image/svg+xml",
}

_PROFILE_ID: Final = "profile_id"
_PROFILE: Final = f"/profiles/{{{_PROFILE_ID}}}"
_KEY: Final = re.compile(r"[^/\x00]+")
_BRACED: Final = re.compile(r"\{(\w+)\}")


@attrs.frozen
class PathKey:
    """A variable part of a path.

    Attributes:
        error_code: The error if there is no such key.
        choices: The valid keys; None if they depend on the data.
        pattern: The syntax of a key whose choices depend on the data.
        is_case_insensitive: Whether case and outer white space are ignored.

    """

    name: str
    description: str
    error_code: ErrorCode
    choices: tuple[str, ...] | None = None
    pattern: re.Pattern[str] = _KEY
    is_case_insensitive: bool = False

    def parse(self, text: str) -> str | None:
        """Return the key of percent-decoded text; None if it is not valid."""
        key = normalize(text) if self.is_case_insensitive else text
        if self.choices is not None:
            return key if key in self.choices else None
        return None if self.pattern.fullmatch(key) is None else key


@attrs.frozen
class Parameter:
    """A parameter of the query.

    Attributes:
        name: Its exact name, also that of the attribute of `Query`.
        parse: Parses the text of the request; None stands for a missing parameter.
        bounds: Range and default of an integer.
        choices: The valid values, if it is not an integer.
        many: Whether it is a comma-separated list of any length.

    """

    name: str
    description: str
    parse: Callable[[str | None], Any]
    bounds: IntegerRange | None = None
    choices: tuple[str, ...] | None = None
    many: bool = False


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


@attrs.frozen
class Endpoint:
    """One path of the table.

    Attributes:
        resource: Name of the resource, also in the envelope.
        group: Section of the documentation.
        path: Template of the path, below `ROOT`; by default the resource below a profile.
        kind: Content of the response.
        parameters: Parameters of the query.
        reads_data: Whether it depends on data, which may be unreadable.

    """

    resource: str
    group: str
    title: str
    description: str = ""
    path: str = attrs.field()
    kind: ContentKind = "json"
    parameters: tuple[Parameter, ...] = ()
    reads_data: bool = True

    @path.default
    def _path(self) -> str:
        return f"{_PROFILE}/{self.resource}"

    @cached_property
    def keys(self) -> tuple[PathKey, ...]:
        """The variable parts of its path, in order."""
        return tuple(KEYS[name] for name in _BRACED.findall(self.path))

    @cached_property
    def key(self) -> PathKey | None:
        """The variable part that is not the profile."""
        return next((key for key in self.keys if key.name != _PROFILE_ID), None)

    @cached_property
    def of_profile(self) -> bool:
        """Return whether it belongs to one profile."""
        return KEYS[_PROFILE_ID] in self.keys

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """The pattern of its raw path: fixed parts are exact, a key is one or more bytes."""
        template = re.escape(f"{ROOT}{self.path}")
        return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", template).encode("ascii"))

    @property
    def error_codes(self) -> tuple[ErrorCode, ...]:
        """All errors of its GET, in the order of the checks."""
        codes = [key.error_code for key in self.keys]
        if self.reads_data:
            codes.insert(1, "service_unavailable")  # after the profile, before its key
        return tuple(codes)

    def parse_query(self, key: str, query: bytes) -> Query:
        """Return the parsed key and parameters.

        Raises:
            KeyError: There is no such granularity.

        """
        if not self.parameters:
            return Query(key)
        texts = first_values(query)
        members = {one.name: one.parse(texts.get(one.name)) for one in self.parameters}
        return Query(key, **members)


KEYS: Final[Mapping[str, PathKey]] = {
    key.name: key
    for key in (
        PathKey(
            _PROFILE_ID,
            "Id of a profile, as in the list of profiles.",
            "profile_not_found",
            pattern=re.compile("[A-Za-z0-9_-]{1,128}"),
        ),
        PathKey("metric_key", "Key of a metric that has a card.", "metric_not_found", CARD_METRICS),
        PathKey(
            "dataset",
            "Key of a dataset.",
            "dataset_not_found",
            tuple(DATASETS),
            is_case_insensitive=True,
        ),
        PathKey(
            "granularity",
            "Granularity of the points.",
            "series_not_found",
            tuple(GRANULARITIES),
            is_case_insensitive=True,
        ),
        PathKey("section_key", "Key of a section.", "section_not_found", tuple(SECTIONS)),
        PathKey("table_key", "Key of a table.", "table_not_found", tuple(TABLES)),
        PathKey(
            "endpoint_key",
            "Key of a snapshot endpoint, as in their index.",
            "snapshot_endpoint_not_found",
        ),
        PathKey(
            "chart", "Name of a chart.", "chart_not_found", tuple(CHARTS), is_case_insensitive=True
        ),
    )
}
"""All variable parts by name."""


def _integer(name: str, description: str, bounds: IntegerRange) -> Parameter:
    return Parameter(name, description, partial(parse_integer, limits=bounds), bounds)


_OFFSET: Final = _integer("offset", "Rows to skip.", limits.OFFSET)
_DATASET_PAGE: Final = (
    _OFFSET,
    _integer("limit", "Maximum number of rows.", limits.DATASET_LIMIT),
)
_TABLE_PAGE: Final = (_OFFSET, _integer("limit", "Maximum number of rows.", limits.TABLE_LIMIT))
_LIMIT: Final = _integer(
    "limit",
    f"Maximum number of points, counted from the last; {limits.MAX_POINTS} by default.",
    limits.POINTS_LIMIT,
)
_METRICS: Final = Parameter(
    "metrics",
    "Comma-separated metrics; unknown ones are ignored.",
    parse_metrics,
    choices=tuple(METRICS),
    many=True,
)
_DRAWN: Final = Parameter(
    "metrics",
    "Comma-separated metrics; unknown ones and those after the first eight are ignored.",
    parse_distinct_metrics,
    choices=tuple(METRICS),
    many=True,
)
_CHART: Final = (
    Parameter(
        "granularity",
        "Granularity of the points; that of the chart by default.",
        parse_granularity,
        choices=tuple(GRANULARITIES),
    ),
    _DRAWN,
    _LIMIT,
    _integer("width", "Width of the image in px.", limits.CHART_WIDTH),
    _integer("height", "Height of the image in px.", limits.CHART_HEIGHT),
    Parameter("theme", "Background.", parse_theme, choices=THEMES),
)

ENDPOINTS: Final[tuple[Endpoint, ...]] = (
    Endpoint(
        "index",
        "Start",
        "Index of the service, with links to its documentation",
        "`sample_links` are the links of the first profile that can be read.",
        path="",
    ),
    Endpoint(
        "docs",
        "Start",
        "This documentation, as a page",
        "The page loads no other resources.",
        path="/docs",
        kind="html",
        reads_data=False,
    ),
    Endpoint(
        "docs-markdown",
        "Start",
        "This documentation, as Markdown",
        path="/docs.md",
        kind="markdown",
        reads_data=False,
    ),
    Endpoint(
        "openapi",
        "Start",
        "The machine-readable description",
        "OpenAPI 3.1, without the envelope.",
        path="/openapi.json",
        kind="openapi",
        reads_data=False,
    ),
    Endpoint(
        "profiles",
        "Start",
        "The public profiles, with links",
        "Sorted by name.  A profile whose data cannot be read has `available` false and null for"
        " unknown values.",
        path="/profiles",
    ),
    Endpoint(
        "profile",
        "Profile",
        "A profile: summary, coverage, data catalog and links",
        "Start here.",
        path=_PROFILE,
    ),
    Endpoint(
        "dashboard",
        "Profile",
        "The whole dashboard",
        "Overview, coverage, cards, correlations, data catalog, recent points, sections and tables"
        " in one response.",
    ),
    Endpoint(
        "catalog",
        "Profile",
        "The data catalog by health domain",
        "Each domain has a status: `empty` without any value, `partial` with open issues, else"
        " `ready`.",
    ),
    Endpoint(
        "overview",
        "Profile",
        "Overview of the person",
        "Recovery score, latest day, goals and counts.",
    ),
    Endpoint(
        "coverage",
        "Profile",
        "Coverage of the datasets and the snapshot",
        "`rejected_rows` and `unreadable_cells` count the data that are not served.",
    ),
    Endpoint(
        "metrics",
        "Metrics",
        "The metric cards, with trends",
        "`direction` is that of the value; `improving` is true if the change is good.",
    ),
    Endpoint("metric", "Metrics", "One metric card", path=f"{_PROFILE}/metrics/{{metric_key}}"),
    Endpoint(
        "correlations",
        "Metrics",
        "Correlations of metrics",
        "`coefficient` is Pearson's, null if there are too few points.",
    ),
    Endpoint("snapshot-status", "Snapshot", "Completeness of the account snapshot"),
    Endpoint("datasets", "Datasets", "The datasets"),
    Endpoint(
        "dataset",
        "Datasets",
        "One dataset, page by page",
        "Rows ascend by date.  An absent member belongs to a dataset without a row on that date; a"
        " null member was not measured.",
        path=f"{_PROFILE}/datasets/{{dataset}}",
        parameters=_DATASET_PAGE,
    ),
    Endpoint(
        "series",
        "Datasets",
        "A series of selected metrics",
        "Each point has every selected metric, null if there is no value.  Without a known metric"
        " the series has all metrics of its granularity.  Without `limit` it has at most the last"
        f" {limits.MAX_POINTS} points; `total` in `meta` is the number of all points.",
        path=f"{_PROFILE}/series/{{granularity}}",
        parameters=(_METRICS, _LIMIT),
    ),
    Endpoint("sections", "Sections and tables", "The sections of summary cards"),
    Endpoint(
        "section", "Sections and tables", "One section", path=f"{_PROFILE}/sections/{{section_key}}"
    ),
    Endpoint("tables", "Sections and tables", "The tables, without their rows"),
    Endpoint(
        "table",
        "Sections and tables",
        "One table, page by page",
        "Tables are for display: few rows, the newest first.",
        path=f"{_PROFILE}/tables/{{table_key}}",
        parameters=_TABLE_PAGE,
    ),
    Endpoint(
        "snapshot",
        "Snapshot",
        "The account snapshot, without secrets",
        "It contains neither tokens nor data that name or locate the person.",
    ),
    Endpoint(
        "snapshot-endpoints",
        "Snapshot",
        "The snapshot's endpoints, without their data",
        path=f"{_PROFILE}/snapshot/endpoints",
    ),
    Endpoint(
        "snapshot-endpoint",
        "Snapshot",
        "The response of one endpoint of the account",
        path=f"{_PROFILE}/snapshot/endpoints/{{endpoint_key}}",
    ),
    Endpoint(
        "chart",
        "Charts",
        "A chart as an SVG image",
        "Each metric is scaled to the height, so that shapes can be compared; the series has the"
        " values.  At most eight metrics are drawn.  `X-Chart-Metadata` describes it in JSON.",
        path=f"{_PROFILE}/charts/{{chart}}.svg",
        kind="svg",
        parameters=_CHART,
    ),
)
"""All endpoints of the service, in the order of the documentation."""
