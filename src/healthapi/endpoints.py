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
from typing import Any, Final, Literal
from urllib.parse import unquote_to_bytes

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

__all__ = [
    "ENDPOINTS",
    "GRANULARITY_OF",
    "KEYS",
    "ROOT",
    "ContentKind",
    "HealthEndpoint",
    "PathKey",
    "Query",
]

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

THEMES: Final[tuple[Theme, ...]] = ("light", "transparent")
"""Backgrounds of a chart; the first is the default."""

GRANULARITY_OF: Final[dict[str, Granularity]] = {name: name for name in GRANULARITIES}
"""Name to granularity."""
_PROFILE_ID: Final = "profile_id"
_PROFILE: Final = f"/profiles/{{{_PROFILE_ID}}}"
_KEY: Final = re.compile(r"[^/\x00]+")
_BRACED: Final = re.compile(r"\{(\w+)\}")
_INTEGER: Final = re.compile(r"([+-]?)(\d(?:_?\d)*+)")
_MAX_INTEGER_DIGITS: Final = 600
"""Less than every limit that an interpreter may set for int()."""


def first_values(query: bytes) -> Mapping[str, str]:
    """Return the first value of each parameter of a raw query.

    Names are exact; `+` is a space; bytes that are not UTF-8 become U+FFFD.
    """
    values: dict[str, str] = {}
    for pair in query.split(b"&"):
        name, _, value = pair.partition(b"=")
        values.setdefault(_decode(name), _decode(value))
    return values


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
    """Return a granularity by name, None for blank text; raise KeyError for an unknown name."""
    name = normalize(text or "")
    return GRANULARITY_OF[name] if name else None


def parse_theme(text: str | None) -> Theme:
    """Return a theme by name; unknown names yield `light`."""
    return next((theme for theme in THEMES if theme == text), THEMES[0])


def _decode(encoded: bytes) -> str:
    return unquote_to_bytes(encoded.replace(b"+", b" ")).decode("utf-8", "replace")


@attrs.frozen
class PathKey(Parameter):
    """A variable part of a path.

    Attributes:
        error_code: The error if there is no such key.
        choices: The valid keys; None if they depend on the data.
        pattern: The syntax of a key whose choices depend on the data.
        is_case_insensitive: Whether case and outer white space are ignored.

    """

    error_code: ErrorCode = attrs.field(kw_only=True)
    choices: tuple[str, ...] | None = attrs.field(default=None, kw_only=True)
    pattern: re.Pattern[str] = attrs.field(default=_KEY, kw_only=True)
    is_case_insensitive: bool = attrs.field(default=False, kw_only=True)
    schema: Mapping[str, Any] = attrs.field(init=False)

    @schema.default
    def _schema(self) -> Mapping[str, Any]:
        if self.choices is None:
            return {"type": "string", "pattern": f"^{self.pattern.pattern}$"}
        return {"type": "string", "enum": list(self.choices)}

    def parse(self, text: str) -> str | None:
        """Return the key of percent-decoded text; None if it is not valid."""
        key = normalize(text) if self.is_case_insensitive else text
        if self.choices is not None:
            return key if key in self.choices else None
        return None if self.pattern.fullmatch(key) is None else key


@attrs.frozen
class QueryParameter(Parameter):
    """A parameter of the query; its name is also that of the attribute of `Query`.

    Attributes:
        parse: Parses the text of the request; None stands for a missing parameter.
        bounds: Range and default of an integer.
        choices: The valid values, if it is not an integer.

    """

    parse: Callable[[str | None], Any] = attrs.field(kw_only=True)
    bounds: IntegerRange | None = attrs.field(default=None, kw_only=True)
    choices: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    schema: Mapping[str, Any] = attrs.field(init=False)

    @schema.default
    def _schema(self) -> Mapping[str, Any]:
        schema: dict[str, Any] = {"type": "string", "enum": list(self.choices)}
        if self.bounds is not None:
            schema = {
                "type": "integer",
                "minimum": self.bounds.minimum,
                "maximum": self.bounds.maximum,
            }
        default = None if self.is_list else self.parse(None)
        return schema if default is None else {**schema, "default": default}


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
class HealthEndpoint(endpoints.Endpoint):
    """One path of the table; the name is that of the resource, also in the envelope.

    Attributes:
        path: Template of the path, below `ROOT`; by default the resource below a profile.
        kind: Content of the response.
        reads_data: Whether it depends on data, which may be unreadable.
        parameters: Parameters of the query.

    """

    path: str = attrs.field(kw_only=True)
    root: str = attrs.field(default=ROOT, init=False)
    methods: tuple[str, ...] = attrs.field(default=("GET", "HEAD"), init=False)
    kind: ContentKind = attrs.field(default="json", kw_only=True)
    reads_data: bool = attrs.field(default=True, kw_only=True)
    parameters: tuple[QueryParameter, ...] = attrs.field(default=(), kw_only=True)
    keys: tuple[PathKey, ...] = attrs.field(init=False)
    media_type: str = attrs.field(init=False)
    schema: str = attrs.field(init=False)
    error_codes: tuple[ErrorCode, ...] = attrs.field(init=False)
    is_conditional: bool = attrs.field(default=True, init=False)

    @path.default
    def _path(self) -> str:
        return f"{_PROFILE}/{self.name}"

    @keys.default
    def _keys(self) -> tuple[PathKey, ...]:
        return tuple(KEYS[name] for name in _BRACED.findall(self.path))

    @media_type.default
    def _media_type(self) -> str:
        return MEDIA_TYPES[self.kind]

    @schema.default
    def _schema(self) -> str:
        return self.name if self.kind == "json" else ""

    @error_codes.default
    def _error_codes(self) -> tuple[ErrorCode, ...]:
        codes = [key.error_code for key in self.keys]
        if self.reads_data:
            codes.insert(1, "service_unavailable")  # after the profile, before its key
        return tuple(codes)

    @property
    def key(self) -> PathKey | None:
        """The variable part that is not the profile."""
        return next((key for key in self.keys if key.name != _PROFILE_ID), None)

    @property
    def of_profile(self) -> bool:
        """Return whether it belongs to one profile."""
        return KEYS[_PROFILE_ID] in self.keys

    def parse_query(self, key: str, query: bytes) -> Query:
        """Return the parsed key and parameters; raise KeyError for an unknown granularity."""
        if not self.parameters:
            return Query(key)
        texts = first_values(query)
        members = {one.name: one.parse(texts.get(one.name)) for one in self.parameters}
        return Query(key, **members)


def _one_of(
    name: str,
    description: str,
    error_code: ErrorCode,
    choices: Iterable[str],
    example: str,
    *,
    any_case: bool = False,
) -> PathKey:
    return PathKey(
        name,
        description,
        error_code=error_code,
        choices=tuple(choices),
        example=example,
        is_case_insensitive=any_case,
    )


KEYS: Final[Mapping[str, PathKey]] = {
    key.name: key
    for key in (
        PathKey(
            _PROFILE_ID,
            "Id of a profile, as in the list of profiles.",
            error_code="profile_not_found",
            pattern=re.compile("[A-Za-z0-9_-]{1,128}"),
            example="anna",
        ),
        PathKey(
            "endpoint_key",
            "Key of a snapshot endpoint, as in their index.",
            error_code="snapshot_endpoint_not_found",
            example="devices",
        ),
        _one_of(
            "metric_key",
            "Key of a metric that has a card.",
            "metric_not_found",
            CARD_METRICS,
            "steps",
        ),
        _one_of(
            "dataset", "Key of a dataset.", "dataset_not_found", DATASETS, "rhr", any_case=True
        ),
        _one_of(
            "granularity",
            "Granularity of the points.",
            "series_not_found",
            GRANULARITIES,
            "daily",
            any_case=True,
        ),
        _one_of("section_key", "Key of a section.", "section_not_found", SECTIONS, "body"),
        _one_of("table_key", "Key of a table.", "table_not_found", TABLES, "recovery"),
        _one_of(
            "chart", "Name of a chart.", "chart_not_found", CHARTS, "sleep-trend", any_case=True
        ),
    )
}
"""All variable parts by name."""


def _integer(
    name: str, description: str, bounds: IntegerRange, example: str = ""
) -> QueryParameter:
    parse = partial(parse_integer, bounds=bounds)
    return QueryParameter(name, description, parse=parse, bounds=bounds, example=example)


_MAX_ROWS: Final = "Maximum number of rows."
_OFFSET: Final = _integer("offset", "Rows to skip.", limits.OFFSET)
_DATASET_PAGE: Final = (_OFFSET, _integer("limit", _MAX_ROWS, limits.DATASET_LIMIT))
_TABLE_PAGE: Final = (_OFFSET, _integer("limit", _MAX_ROWS, limits.TABLE_LIMIT))
_LIMIT: Final = _integer(
    "limit",
    f"Maximum number of points, counted from the last; {limits.MAX_POINTS} by default.",
    limits.POINTS_LIMIT,
    "2",
)
_METRICS: Final = QueryParameter(
    "metrics",
    "Comma-separated metrics; unknown ones are ignored.",
    parse=parse_metrics,
    choices=tuple(METRICS),
    is_list=True,
    example="steps,sleep_score",
)
_CHART: Final = (
    QueryParameter(
        "granularity",
        "Granularity of the points; that of the chart by default.",
        parse=parse_granularity,
        choices=tuple(GRANULARITIES),
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
        "theme", "Background.", parse=parse_theme, choices=THEMES, example="transparent"
    ),
)

ENDPOINTS: Final[tuple[HealthEndpoint, ...]] = (
    HealthEndpoint(
        "index",
        "Start",
        "Index of the service, with links to its documentation",
        "`sample_links` are the links of the first profile that can be read.",
        path="",
    ),
    HealthEndpoint(
        "docs",
        "Start",
        "This documentation, as a page",
        "The page loads no other resources.",
        path="/docs",
        kind="html",
        reads_data=False,
    ),
    HealthEndpoint(
        "docs-markdown",
        "Start",
        "This documentation, as Markdown",
        path="/docs.md",
        kind="markdown",
        reads_data=False,
    ),
    HealthEndpoint(
        "openapi",
        "Start",
        "The machine-readable description",
        "OpenAPI 3.1, without the envelope.",
        path="/openapi.json",
        kind="openapi",
        reads_data=False,
    ),
    HealthEndpoint(
        "profiles",
        "Start",
        "The public profiles, with links",
        "Sorted by name.  A profile whose data cannot be read has `available` false and null for"
        " unknown values.",
        path="/profiles",
    ),
    HealthEndpoint(
        "profile",
        "Profile",
        "A profile: summary, coverage, data catalog and links",
        "Start here.",
        path=_PROFILE,
    ),
    HealthEndpoint(
        "dashboard",
        "Profile",
        "The whole dashboard",
        "Overview, coverage, cards, correlations, data catalog, recent points, sections and tables"
        " in one response.",
    ),
    HealthEndpoint(
        "catalog",
        "Profile",
        "The data catalog by health domain",
        "Each domain has a status: `empty` without any value, `partial` with open issues, else"
        " `ready`.",
    ),
    HealthEndpoint(
        "overview",
        "Profile",
        "Overview of the person",
        "Recovery score, latest day, goals and counts.",
    ),
    HealthEndpoint(
        "coverage",
        "Profile",
        "Coverage of the datasets and the snapshot",
        "`rejected_rows` and `unreadable_cells` count the data that are not served.",
    ),
    HealthEndpoint(
        "metrics",
        "Metrics",
        "The metric cards, with trends",
        "`direction` is that of the value; `improving` is true if the change is good.",
    ),
    HealthEndpoint(
        "metric", "Metrics", "One metric card", path=f"{_PROFILE}/metrics/{{metric_key}}"
    ),
    HealthEndpoint(
        "correlations",
        "Metrics",
        "Correlations of metrics",
        "`coefficient` is Pearson's, null if there are too few points.",
    ),
    HealthEndpoint("snapshot-status", "Snapshot", "Completeness of the account snapshot"),
    HealthEndpoint("datasets", "Datasets", "The datasets"),
    HealthEndpoint(
        "dataset",
        "Datasets",
        "One dataset, page by page",
        "Rows ascend by date.  An absent member belongs to a dataset without a row on that date; a"
        " null member was not measured.",
        path=f"{_PROFILE}/datasets/{{dataset}}",
        parameters=_DATASET_PAGE,
    ),
    HealthEndpoint(
        "series",
        "Datasets",
        "A series of selected metrics",
        "Each point has every selected metric, null if there is no value.  Without a known metric"
        " the series has all metrics of its granularity.  Without `limit` it has at most the last"
        f" {limits.MAX_POINTS} points; `total` in `meta` is the number of all points.",
        path=f"{_PROFILE}/series/{{granularity}}",
        parameters=(_METRICS, _LIMIT),
    ),
    HealthEndpoint("sections", "Sections and tables", "The sections of summary cards"),
    HealthEndpoint(
        "section", "Sections and tables", "One section", path=f"{_PROFILE}/sections/{{section_key}}"
    ),
    HealthEndpoint("tables", "Sections and tables", "The tables, without their rows"),
    HealthEndpoint(
        "table",
        "Sections and tables",
        "One table, page by page",
        "Tables are for display: few rows, the newest first.",
        path=f"{_PROFILE}/tables/{{table_key}}",
        parameters=_TABLE_PAGE,
    ),
    HealthEndpoint(
        "snapshot",
        "Snapshot",
        "The account snapshot, without secrets",
        "It contains neither tokens nor data that name or locate the person.",
    ),
    HealthEndpoint(
        "snapshot-endpoints",
        "Snapshot",
        "The snapshot's endpoints, without their data",
        path=f"{_PROFILE}/snapshot/endpoints",
    ),
    HealthEndpoint(
        "snapshot-endpoint",
        "Snapshot",
        "The response of one endpoint of the account",
        path=f"{_PROFILE}/snapshot/endpoints/{{endpoint_key}}",
    ),
    HealthEndpoint(
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
