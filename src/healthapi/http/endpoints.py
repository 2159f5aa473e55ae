"""The paths of the service as one table; routes, documentation and OpenAPI are made from it.

Source: health-data specification, "Endpoints" and "Parameters"; rulings under "Query" and "Order".

Invariant *one table*: a path, parameter or error that is not here is neither served nor documented.
Invariant *one variable part*: below a profile a path has at most one, so that what was asked for is
the endpoint, the profile, that key and the parameters.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
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
    Theme,
    first_values,
    folded,
    read_distinct_metrics,
    read_granularity,
    read_integer,
    read_metrics,
    read_theme,
)
from healthapi.limits import Bounds

__all__ = [
    "ENDPOINTS",
    "KEYS",
    "ROOT",
    "Asked",
    "Endpoint",
    "Kind",
    "Parameter",
    "PathKey",
]

ROOT: Final = "/api/public/v1"
"""The path of the index; all others are below it."""

Kind = Literal["json", "openapi", "html", "markdown", "svg"]
"""What an endpoint answers with; `json` has the envelope."""

_PROFILE_ID: Final = "profile_id"
_PROFILE: Final = f"/profiles/{{{_PROFILE_ID}}}"
_KEY: Final = re.compile(r"[^/\x00]+")
_BRACED: Final = re.compile(r"\{(\w+)\}")


@attrs.frozen
class PathKey:
    """A variable part of a path.

    Attributes:
        name: its name in the template.
        about: what it is, in words.
        missing: the error where there is nothing of this key.
        choices: what it may be; None where that depends on the data.
        form: what it looks like, where that depends on the data.
        folds: whether outer white space and case do not count.

    """

    name: str
    about: str
    missing: ErrorCode
    choices: tuple[str, ...] | None = None
    form: re.Pattern[str] = _KEY
    folds: bool = False

    def find(self, text: str) -> str | None:
        """Give the key that decoded text means, None where there cannot be one of it."""
        key = folded(text) if self.folds else text
        if self.choices is not None:
            return key if key in self.choices else None
        return None if self.form.fullmatch(key) is None else key


@attrs.frozen
class Parameter:
    """A parameter of the query.

    Attributes:
        name: its exact name, also that of its member in `Asked`.
        about: what it does, in words.
        read: gives its value for the text of the request; None stands for a missing one.
        bounds: of an integer.
        choices: what it may hold, where these are words.
        many: whether it holds any number of them, with commas between.

    """

    name: str
    about: str
    read: Callable[[str | None], Any]
    bounds: Bounds | None = None
    choices: tuple[str, ...] | None = None
    many: bool = False


@attrs.frozen
class Asked:
    """What a request asks of its endpoint: the key and the parameters, each as it is understood.

    Where a parameter is not one of the endpoint its member says nothing.
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
        resource: name of what it gives, also in the envelope.
        group: the part of the documentation it stands in.
        path: its template, below `ROOT`.
        title: what it gives, in a few words.
        about: what else is to be known.
        kind: what it answers with.
        parameters: those of its query.
        reads: whether it depends on data, which may be unreadable.
        keys: the variable parts of its path, in order.
        key: the one that is not the profile.
        of_profile: whether it is about one profile.

    """

    resource: str
    group: str
    path: str
    title: str
    about: str
    kind: Kind = "json"
    parameters: tuple[Parameter, ...] = ()
    reads: bool = True

    keys: tuple[PathKey, ...] = attrs.field(init=False)
    key: PathKey | None = attrs.field(init=False)
    of_profile: bool = attrs.field(init=False)

    @keys.default
    def _keys(self) -> tuple[PathKey, ...]:
        return tuple(KEYS[name] for name in _BRACED.findall(self.path))

    @key.default
    def _key(self) -> PathKey | None:
        return next((key for key in self.keys if key.name != _PROFILE_ID), None)

    @of_profile.default
    def _of_profile(self) -> bool:
        return any(key.name == _PROFILE_ID for key in self.keys)

    @property
    def form(self) -> re.Pattern[bytes]:
        """What its path looks like on the wire: fixed parts exact, keys of one or more bytes."""
        parts = re.split(r"(\{\w+\})", f"{ROOT}{self.path}")
        written = (
            re.escape(part) if index % 2 == 0 else f"(?P<{part[1:-1]}>[^/]+)"
            for index, part in enumerate(parts)
        )
        return re.compile("".join(written).encode("ascii"))

    @property
    def codes(self) -> tuple[ErrorCode, ...]:
        """Every error that its GET may give, in the order of the checks."""
        codes = [key.missing for key in self.keys]
        if self.reads:
            codes.insert(1, "service_unavailable")  # after the profile, before what it lacks
        return tuple(codes)

    def ask(self, key: str, query: bytes) -> Asked:
        """Read what is asked; raises KeyError for a granularity that there is not."""
        if not self.parameters:
            return Asked(key)
        texts = first_values(query)
        members = {one.name: one.read(texts.get(one.name)) for one in self.parameters}
        return Asked(key, **members)


KEYS: Final[Mapping[str, PathKey]] = {
    key.name: key
    for key in (
        PathKey(
            _PROFILE_ID,
            "Id of a profile, as their list has it.",
            "profile_not_found",
            form=re.compile("[A-Za-z0-9_-]{1,128}"),
        ),
        PathKey("metric_key", "Key of a metric that has a card.", "metric_not_found", CARD_METRICS),
        PathKey("dataset", "Key of a dataset.", "dataset_not_found", tuple(DATASETS), folds=True),
        PathKey(
            "granularity",
            "What a point stands for.",
            "series_not_found",
            tuple(GRANULARITIES),
            folds=True,
        ),
        PathKey("section_key", "Key of a section.", "section_not_found", tuple(SECTIONS)),
        PathKey("table_key", "Key of a table.", "table_not_found", tuple(TABLES)),
        PathKey(
            "endpoint_key",
            "Key of a snapshot endpoint, as their index has it.",
            "snapshot_endpoint_not_found",
        ),
        PathKey("chart", "Name of a chart.", "chart_not_found", tuple(CHARTS), folds=True),
    )
}
"""Every variable part by name."""


def _integer(name: str, about: str, bounds: Bounds) -> Parameter:
    return Parameter(name, about, partial(read_integer, bounds=bounds), bounds)


_OFFSET: Final = _integer("offset", "Rows before the page.", limits.OFFSET)
_DATASET_PAGE: Final = (
    _OFFSET,
    _integer("limit", "Rows of the page, at most.", limits.DATASET_LIMIT),
)
_TABLE_PAGE: Final = (_OFFSET, _integer("limit", "Rows of the page, at most.", limits.TABLE_LIMIT))
_LIMIT: Final = _integer(
    "limit", f"The last so many points; {limits.POINTS_MOST} by default.", limits.POINTS_LIMIT
)
_METRICS: Final = Parameter(
    "metrics",
    "Metrics with commas between them; unknown ones are left out.",
    read_metrics,
    choices=tuple(METRICS),
    many=True,
)
_DRAWN: Final = Parameter(
    "metrics",
    "Metrics with commas between them; unknown ones are left out, and so are those past the first"
    " eight.",
    read_distinct_metrics,
    choices=tuple(METRICS),
    many=True,
)
_CHART: Final = (
    Parameter(
        "granularity",
        "What a point stands for; the chart's own by default.",
        read_granularity,
        choices=tuple(GRANULARITIES),
    ),
    _DRAWN,
    _LIMIT,
    _integer("width", "Width of the image in px.", limits.CHART_WIDTH),
    _integer("height", "Height of the image in px.", limits.CHART_HEIGHT),
    Parameter("theme", "What it is drawn on.", read_theme, choices=THEMES),
)

ENDPOINTS: Final[tuple[Endpoint, ...]] = (
    Endpoint(
        "index",
        "Start",
        "",
        "What the service has, with links to its documentation",
        "`sample_links` are the links of the first profile that can be read.",
    ),
    Endpoint(
        "docs",
        "Start",
        "/docs",
        "This documentation, as a page",
        "It loads nothing from elsewhere.",
        kind="html",
        reads=False,
    ),
    Endpoint(
        "docs-markdown",
        "Start",
        "/docs.md",
        "This documentation, as Markdown",
        "",
        kind="markdown",
        reads=False,
    ),
    Endpoint(
        "openapi",
        "Start",
        "/openapi.json",
        "The machine-readable description",
        "OpenAPI 3.1, without the envelope.",
        kind="openapi",
        reads=False,
    ),
    Endpoint(
        "profiles",
        "Start",
        "/profiles",
        "The public profiles, with links",
        "Sorted by name.  A profile whose data cannot be read is listed with `available` false and"
        " null for all that is not known.",
    ),
    Endpoint(
        "profile",
        "Profile",
        _PROFILE,
        "A profile: summary, coverage, data map and links",
        "Start here.",
    ),
    Endpoint(
        "dashboard",
        "Profile",
        f"{_PROFILE}/dashboard",
        "The whole dashboard",
        "Overview, coverage, cards, correlations, data map, recent points, sections and tables in"
        " one answer.",
    ),
    Endpoint(
        "catalog",
        "Profile",
        f"{_PROFILE}/catalog",
        "The data map by health domain",
        "Each domain has a status: `empty` without any value, `partial` with open issues, else"
        " `ready`.",
    ),
    Endpoint(
        "overview",
        "Profile",
        f"{_PROFILE}/overview",
        "The person at a glance",
        "Recovery score, latest day, goals and counts.",
    ),
    Endpoint(
        "coverage",
        "Profile",
        f"{_PROFILE}/coverage",
        "How much there is, and from when to when",
        "`rejected_rows` and `unreadable_cells` count what the files hold and nobody can read.",
    ),
    Endpoint(
        "metrics",
        "Metrics",
        f"{_PROFILE}/metrics",
        "The metric cards, with trends",
        "`direction` says where the value goes, `improving` whether that is good.",
    ),
    Endpoint(
        "metric",
        "Metrics",
        f"{_PROFILE}/metrics/{{metric_key}}",
        "One metric card",
        "",
    ),
    Endpoint(
        "correlations",
        "Metrics",
        f"{_PROFILE}/correlations",
        "How metrics go together",
        "`coefficient` is Pearson's, null where there are too few points.",
    ),
    Endpoint(
        "snapshot-status",
        "Snapshot",
        f"{_PROFILE}/snapshot-status",
        "How complete the account snapshot is",
        "",
    ),
    Endpoint(
        "datasets",
        "Datasets",
        f"{_PROFILE}/datasets",
        "The datasets",
        "",
    ),
    Endpoint(
        "dataset",
        "Datasets",
        f"{_PROFILE}/datasets/{{dataset}}",
        "One dataset, page by page",
        "Rows ascend by date.  A member that is not there belongs to a set without a row on that"
        " date; one that is null was not measured.",
        parameters=_DATASET_PAGE,
    ),
    Endpoint(
        "series",
        "Datasets",
        f"{_PROFILE}/series/{{granularity}}",
        "A light series of chosen metrics",
        "Each point has every chosen metric, null where there is no value.  Without `metrics`, or"
        " with none that is known, the series has all of its granularity.  Without `limit` it has"
        f" its last {limits.POINTS_MOST} points at most; `total` in `meta` counts them all.",
        parameters=(_METRICS, _LIMIT),
    ),
    Endpoint(
        "sections",
        "Sections and tables",
        f"{_PROFILE}/sections",
        "The sections of summary cards",
        "",
    ),
    Endpoint(
        "section",
        "Sections and tables",
        f"{_PROFILE}/sections/{{section_key}}",
        "One section",
        "",
    ),
    Endpoint(
        "tables",
        "Sections and tables",
        f"{_PROFILE}/tables",
        "The tables, without their rows",
        "",
    ),
    Endpoint(
        "table",
        "Sections and tables",
        f"{_PROFILE}/tables/{{table_key}}",
        "One table, page by page",
        "Tables are ready to be shown: few rows, the newest first.",
        parameters=_TABLE_PAGE,
    ),
    Endpoint(
        "snapshot",
        "Snapshot",
        f"{_PROFILE}/snapshot",
        "The account snapshot, free of secrets",
        "Tokens, and what names or locates the person, are not in it.",
    ),
    Endpoint(
        "snapshot-endpoints",
        "Snapshot",
        f"{_PROFILE}/snapshot/endpoints",
        "The snapshot's endpoints, without their data",
        "",
    ),
    Endpoint(
        "snapshot-endpoint",
        "Snapshot",
        f"{_PROFILE}/snapshot/endpoints/{{endpoint_key}}",
        "What one endpoint of the account had",
        "",
    ),
    Endpoint(
        "chart",
        "Charts",
        f"{_PROFILE}/charts/{{chart}}.svg",
        "A chart as an SVG image",
        "Each metric fills the height on its own, so that shapes compare; values are in the series."
        "  At most eight metrics are drawn.  `X-Chart-Metadata` says in JSON what was drawn.",
        kind="svg",
        parameters=_CHART,
    ),
)
"""Every path of the service, in the order of its documentation."""
