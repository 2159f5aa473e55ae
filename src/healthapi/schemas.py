"""The schemas of the health data contract, and the OpenAPI 3.1 document of the service.

Invariant *no second source*: models are described by their annotations, keys by `healthapi.keys`,
links and columns by the code that builds them, paths and errors by the tables of the service.
Invariant *closed*: an object has exactly the members of its schema; only what the wearable's
account sent is any JSON.
Invariant *as served*: the service makes the examples, so they are what clients receive.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from healthapi import limits
from healthapi.derived.cards import RECOVERY_LABELS, RECOVERY_THRESHOLDS, Card
from healthapi.derived.statistics import STRENGTH_THRESHOLDS, Correlation
from healthapi.endpoints import ENDPOINTS, ROOT, HealthEndpoint
from healthapi.envelope import API_VERSION, Links
from healthapi.errors import MESSAGE_OF, STATUS_OF, ErrorCode
from healthapi.keys import (
    CARD_METRICS,
    CHARTS,
    CORRELATIONS,
    DATASETS,
    DOMAINS,
    GRANULARITIES,
    METRICS,
    SECTIONS,
    SERIES_METRICS,
    TABLES,
    Granularity,
)
from healthapi.manual import example_bodies
from healthapi.models import NEVER_NULL, DailyRow, PeriodRow, SleepRow
from healthapi.person import Person
from healthapi.rows.mapping import ROW_OF
from healthapi.views.catalog import Catalog
from healthapi.views.overview import Coverage, Overview
from healthapi.views.sections import Section
from healthapi.views.tables import COLUMNS
from status_contracts import endpoints, json_text
from status_contracts.pages import openapi
from status_contracts.structuring.json_schema import (
    CALENDAR_DAY,
    Schema,
    SchemaBuilder,
    SchemaSet,
    choice,
    document,
    items_of,
    matching,
    object_of,
    or_null,
    title_of,
)

_PRODUCT: Final = "health-api"
"""The folder of the files of the schemas."""
_MAX_BYTES: Final = 8192
"""Longest example; longer responses consist of resources that have their own."""
_PARTS: Final[dict[str, Schema]] = {}
"""Name of a part that several bodies have to its schema; models are in `_MODELS`."""


def _part(name: str, schema: Schema) -> Schema:
    """Return a reference to a component with this schema."""
    _PARTS[name] = schema
    return {"$ref": f"#/$defs/{name}"}


_TEXT: Final[Schema] = {"type": "string"}
_TEXT_OR_NULL: Final = or_null(_TEXT)
_BOOLEAN: Final[Schema] = {"type": "boolean"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_INTEGER_OR_NULL: Final = or_null({"type": "integer"})
_NUMBER_OR_NULL: Final = _part("NumberOrNull", or_null({"type": "number"}))
_CELL: Final = _part(
    "Cell", {"anyOf": [{"type": kind} for kind in ("string", "number", "boolean", "null")]}
)
_ACCOUNT_JSON: Final[Schema] = {"description": "Any JSON: a response of the wearable account."}
_JSON_OBJECT: Final[Schema] = {"type": "object"}
_TEXTS: Final = items_of(_TEXT)
_DAY: Final = matching(CALENDAR_DAY, format="date")
_PERIOD: Final = matching("[0-9]{4}-(?:W(?:0[1-9]|[1-4][0-9]|5[0-3])|0[1-9]|1[0-2])")
_URL: Final = _part(
    "Url", matching(r"(?:[!#-;=?-Z\[\]_a-z~]|%[0-9A-Fa-f]{2})*", format="uri-reference")
)
_URL_OR_NULL: Final = or_null(_URL)
_MOMENT: Final = matching(
    f"{CALENDAR_DAY}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]",
    description="When the data were derived; local time without a zone designator.",
)
"""A `generated_at`."""

_REFINEMENTS: Final[Mapping[str, Schema]] = {
    ".date": _DAY,
    ".period": _PERIOD,
    "Card.key": choice(CARD_METRICS),
    "Catalog.generated_at": _MOMENT,
    "Correlation.key": choice("-".join(pair) for pair in CORRELATIONS),
    "DailyRow": {"required": ["date"]},
    "DomainEntry.key": choice(DOMAINS),
    "Section.section": choice(SECTIONS),
}
"""`Model.member`, or `.member` of any model, to what its annotation does not state."""
_MODELS: Final = SchemaBuilder(refinements=_REFINEMENTS)
_model: Final = _MODELS.reference


def _list_of(model: type[Any]) -> Schema:
    return items_of(_model(model))


def _object(part: str = "", /, **members: Schema) -> Schema:
    return _part(part, object_of(members)) if part else object_of(members)


_ROWS: Final[Mapping[Any, type[Any]]] = {
    **ROW_OF,
    "sleep": SleepRow,
    "daily": DailyRow,
    "weekly": PeriodRow,
    "monthly": PeriodRow,
}
"""Dataset to the model of its rows."""

_METRIC: Final = _part("Metric", _object(key=choice(METRICS), label=_TEXT, unit=_TEXT, tone=_TEXT))
_LINKS: Final = _part("Links", object_of(dict.fromkeys(Links.at("").of(""), _URL)))
_COVERAGE: Final = _part(
    "Coverages", object_of(dict.fromkeys((*tuple(DATASETS)[:5], "snapshot"), _model(Coverage)))
)
_SNAPSHOT_STATUS: Final = _object(
    "SnapshotStatus",
    has_snapshot=_BOOLEAN,
    saved_at=_TEXT_OR_NULL,
    has_profile=_BOOLEAN,
    has_sleep_goal=_BOOLEAN,
    scopes=_TEXTS,
    requested_scopes=_TEXTS,
    missing_scopes=_TEXTS,
    fetch_summary=or_null(_JSON_OBJECT),
)
_ENTRY_MEMBERS: Final[Mapping[str, Schema]] = {
    "ok": _BOOLEAN,
    "status": _INTEGER_OR_NULL,
    **dict.fromkeys(("fetched_at", "label", "group", "scope"), _TEXT_OR_NULL),
}
_ENTRY: Final = _object(
    "AccountResponse", **_ENTRY_MEMBERS, reason=_TEXT_OR_NULL, data=_ACCOUNT_JSON
)


def _table(key: str) -> Schema:
    columns = COLUMNS[key]
    return _object(
        table={"type": "string", "const": key},
        label=_TEXT,
        columns={**_TEXTS, "const": list(columns)},
        rows=items_of(object_of(dict.fromkeys(columns, _CELL))),
    )


def _series(granularity: Granularity) -> Schema:
    dimension = GRANULARITIES[granularity]
    metrics = dict.fromkeys(SERIES_METRICS[granularity], _NUMBER_OR_NULL)
    label = _DAY if dimension == "date" else _PERIOD
    return _object(
        granularity={"type": "string", "const": granularity},
        dimension={"type": "string", "const": dimension},
        metrics=items_of(_METRIC),
        points=items_of(object_of({dimension: label, **metrics}, metrics)),
    )


_PROFILE_ENTRY: Final = _object(
    "ProfileEntry",
    id=_TEXT,
    **dict.fromkeys(("display_name", "member_since", "last_sync_at"), _TEXT_OR_NULL),
    recovery_score=_INTEGER_OR_NULL,
    recovery_status=or_null(choice(RECOVERY_LABELS)),
    recovery_label=_TEXT_OR_NULL,
    **dict.fromkeys(("sleep_score", "steps", "hrv", "rhr"), _NUMBER_OR_NULL),
    latest_date=_TEXT_OR_NULL,
    available=_BOOLEAN,
    links=_LINKS,
)
_COVERAGE_OR_NULL: Final = or_null(_model(Coverage))
_DATASET_ENTRY: Final = _object(
    "DatasetEntry", key=choice(DATASETS), label=_TEXT, href=_URL, coverage=_COVERAGE_OR_NULL
)
_TABLE_ENTRY: Final = _object(
    "TableEntry", key=choice(TABLES), label=_TEXT, count=_COUNT, href=_URL
)
_TABLE: Final = _part("Table", {"anyOf": [_table(key) for key in TABLES]})

DATA: Final[Mapping[str, Schema]] = {
    "index": _object(
        "Index",
        name=_TEXT,
        description=_TEXT,
        docs=_object(html=_URL, markdown=_URL, openapi=_URL),
        profiles=_object(count=_COUNT, href=_URL),
        datasets=items_of(choice(DATASETS)),
        sections=items_of(choice(SECTIONS)),
        tables=items_of(choice(TABLES)),
        charts=items_of(choice(CHARTS)),
        sample_profile=_TEXT_OR_NULL,
        sample_links=or_null(_LINKS),
    ),
    "profiles": _object(profiles=items_of(_PROFILE_ENTRY)),
    "profile": _object(
        "Profile",
        profile=_model(Person),
        overview=_model(Overview),
        coverage=_COVERAGE,
        data_catalog=_model(Catalog),
        snapshot_status=_SNAPSHOT_STATUS,
        links=_LINKS,
    ),
    "dashboard": _object(
        "Dashboard",
        generated_at=_MOMENT,
        profile=_model(Person),
        overview=_model(Overview),
        coverage=_COVERAGE,
        stats=_list_of(Card),
        correlations=_list_of(Correlation),
        data_catalog=_model(Catalog),
        charts=object_of({name: _list_of(_ROWS[name]) for name in GRANULARITIES}),
        sections=_list_of(Section),
        tables=items_of(_TABLE),
        snapshot_status=_SNAPSHOT_STATUS,
    ),
    "catalog": _model(Catalog),
    "overview": _model(Overview),
    "coverage": _COVERAGE,
    "metrics": _object(metrics=_list_of(Card)),
    "metric": _model(Card),
    "correlations": _object(correlations=_list_of(Correlation)),
    "snapshot-status": _SNAPSHOT_STATUS,
    "datasets": _object(datasets=items_of(_DATASET_ENTRY)),
    "dataset": {
        "anyOf": [
            _object(
                dataset={**_TEXT, "const": key},
                label=_TEXT,
                columns=_TEXTS,
                rows=_list_of(_ROWS[key]),
            )
            for key in DATASETS
        ]
    },
    "series": {"anyOf": [_series(granularity) for granularity in GRANULARITIES]},
    "sections": _object(sections=_list_of(Section)),
    "section": _model(Section),
    "tables": _object(tables=items_of(_TABLE_ENTRY)),
    "table": _TABLE,
    "snapshot": _object(
        profile_id=_TEXT,
        saved_at=_TEXT_OR_NULL,
        requested_scopes=_TEXTS,
        granted_scopes=_TEXTS,
        range=_JSON_OBJECT,
        fetch_summary=_JSON_OBJECT,
        endpoints={"type": "object", "additionalProperties": _ENTRY},
    ),
    "snapshot-endpoints": _object(
        endpoints=items_of(_object("EndpointEntry", key=_TEXT, **_ENTRY_MEMBERS, href=_URL_OR_NULL))
    ),
    "snapshot-endpoint": _ENTRY,
}
"""Resource to the schema of its `data`."""

_COUNTED: Final = _object(count=_COUNT)
_PAGED: Final[Mapping[str, Schema]] = {
    "total": _COUNT,
    "offset": _COUNT,
    "limit": {"type": "integer", "minimum": 1},
    "count": _COUNT,
    "label": _TEXT,
}
_PARTIAL: Final = items_of({"anyOf": [_PERIOD, _DAY]})

META: Final[Mapping[str, Schema]] = {
    **dict.fromkeys(DATA, object_of({})),
    **dict.fromkeys(
        ("profiles", "catalog", "metrics", "correlations", "datasets", "sections", "tables"),
        _COUNTED,
    ),
    "snapshot-endpoints": _COUNTED,
    "dataset": object_of(
        {**_PAGED, "coverage": _COVERAGE_OR_NULL, "partial_periods": _PARTIAL}, ("partial_periods",)
    ),
    "series": _object(
        count=_COUNT,
        available_metrics=items_of(choice(METRICS)),
        partial_periods=_PARTIAL,
        total=_COUNT,
        limit=_PAGED["limit"],
    ),
    "table": object_of(_PAGED),
    "snapshot-endpoint": _object(endpoint=_TEXT),
}
"""Resource to the schema of its `meta`."""


for _row, _absent in NEVER_NULL.items():  # members of rows that are absent but not null
    _schema = _MODELS.definitions[_row.__name__]
    _schema["required"] = [name for name in _schema["required"] if name not in _absent]
    for _name in _absent:
        _member = _schema["properties"][_name]
        _schema["properties"][_name] = {**_member.pop("anyOf")[0], **_member}
COMPONENTS: Final = {**_MODELS.definitions, **_PARTS}
"""Name of a model, or of another part of bodies, to its schema."""


_REASONS: Final = {404: "Not found", 405: "Method not allowed", 503: "Unavailable"}


def _header(description: str, schema: Schema) -> Schema:
    return {"description": description, "required": True, "schema": schema}


_TAG: Final = _header(
    "Strong tag of the body, for If-None-Match.", {"type": "string", "pattern": '^"[0-9a-f]+"$'}
)
_CACHED: Final = _header("Time for which the response may be cached.", _TEXT)
_NOT_CACHED: Final = _header("Errors are not cached.", {"const": "no-store, max-age=0"})
_ALLOWED: Final = _header("The allowed methods.", {"const": "GET, HEAD, OPTIONS"})
_RETRY_AFTER: Final = _header(
    "Seconds until the data may be available.", {"const": str(limits.RETRY_AFTER_SECONDS)}
)
_METADATA: Final = _header(
    "Description of the chart as a JSON object: count, available_metrics, chart,"
    " granularity, theme, width, height.",
    {"type": "string", "contentMediaType": "application/json"},
)


def openapi_document(base_url: str | None = None) -> dict[str, Any]:
    """Return the OpenAPI document; its server is the base URL, or relative to its own path."""
    api = openapi.Api(
        title="Health data API",
        version=API_VERSION,
        description="Data of a wearable from local files. Public and read-only; no key is needed.",
        server=("../" * ROOT.count("/"))[:-1] if base_url is None else base_url,
        bodies=_BODIES,
        status_of=STATUS_OF,
        reasons=_REASONS,
        error_schema=_error_schema,
        headers=_headers,
        conditions={
            "If-None-Match": "Tags of responses that the client has; a current one is not sent"
            " again."
        },
    )
    return openapi.document(api, ENDPOINTS, {**COMPONENTS, "ErrorBody": _ERROR_BODY})


def _headers(endpoint: endpoints.Endpoint, status: int) -> Mapping[str, Schema]:
    if status in _REASONS:
        allowed = {"Allow": _ALLOWED} if status == STATUS_OF["method_not_allowed"] else {}
        retry = {"Retry-After": _RETRY_AFTER} if status == STATUS_OF["service_unavailable"] else {}
        return {"Cache-Control": _NOT_CACHED, **allowed, **retry}
    headers = {"ETag": _TAG, "Cache-Control": _CACHED}
    is_chart = endpoint.media_type == "image/svg+xml"
    return {**headers, "X-Chart-Metadata": _METADATA} if is_chart else headers


def _body(endpoint: HealthEndpoint) -> Schema:
    return object_of(
        {
            "api_version": {"const": API_VERSION},
            "resource": {"const": endpoint.name},
            "generated_at": _MOMENT,
            **({"profile_id": _TEXT} if endpoint.of_profile else {}),
            "data": DATA[endpoint.name],
            "meta": META[endpoint.name],
        }
    )


_BODIES: Final = {endpoint.name: _body(endpoint) for endpoint in ENDPOINTS if endpoint.schema}
"""Resource to the schema of its envelope, data and meta included."""

_ERROR_BODY: Final[Schema] = openapi.error_body(
    STATUS_OF,
    {code: MESSAGE_OF[code] for code in ("profile_not_found", "dataset_not_found")},
    api_version=API_VERSION,
)

_MEANT: Final = """
api_version: that of the API; resource: its name; data: the resource; meta: about `data`; error:
what happened; code: for programs; name: name of the service; docs: this documentation; docs.html:
as a page; docs.markdown: as Markdown; docs.openapi: for programs; description: the service in a
sentence; profiles: the public profiles; Index.datasets: keys of all datasets; Index.sections: keys
of all sections; Index.tables: keys of all tables; Index.charts: names of all charts; datasets: the
datasets; sections: the sections; tables: the tables; charts: recent rows; charts.*: recent rows;
sample_profile: id of the first profile that can be read; sample_links: links of that profile;
count: number of items; stats: the metric cards; correlations: one of each pair of metrics;
metrics.metrics: the metric cards; series.metrics: the metrics of the points; DomainEntry.metrics:
its most important metrics; Summary.metrics: its values; total: rows on all pages; series.total:
points without `limit`; limit: most rows of a page; series.limit: most points of a response; offset:
rows before these; label: name for people; id: id of the profile; available_metrics: metrics to
choose from; profile_id: id of the profile; profile: the person; overview: summary of the person;
coverage: number, first and last day; data_catalog: the data by health domain; snapshot_status:
completeness of the snapshot; links: URLs of the profile; Links.*: URL of the resource or chart of
this name, `self` of the profile; Coverages.*: coverage of the dataset, or of the snapshot;
EndpointEntry.*: as in the response of the endpoint, whose URL is `href`; href: URL of the resource;
display_name: the person's name; member_since: first day of the account; last_sync_at: the
snapshot's `saved_at`; available: whether its data can be read; saved_at: time of the snapshot;
scopes: granted scopes; range: requested days; requested_scopes: requested scopes; granted_scopes:
granted scopes; missing_scopes: requested scopes that are not granted; snapshot.endpoints: an
`AccountResponse` by key, in the order of the file; endpoints: in the order of the file; ok: whether
it responded; endpoint: key of the endpoint; status: HTTP status, null without a request;
DomainEntry.status: whether it has data and issues; fetched_at: time of the request; group: group of
endpoints; scope: required scope; reason: why it was skipped; recovery_score: 0 to 100;
recovery_label: the recovery status in words; sleep_goal_minutes: minutes asleep a night;
daily_steps_goal: steps a day; badge_count: number of badges; snapshot_ok_count: endpoints with a
response; snapshot_total_count: all endpoints; latest_date: day of the last value; status_counts:
domains of each status; snapshot_completion: endpoints and missing scopes; domains: by priority;
key: name for programs; tone: family of colours; unit: unit of the values; priority: 1 first;
summary: what it has; sources: resources behind it; severity: 0 `ready`, 1 `partial`, 2 `empty`;
start_date: first day; end_date: last day; trend: last 7 values against 7 before; kind: `dataset`,
`section`, `table` or `snapshot`; strength_label: the strength in words; date: the day;
exercise_examples: names of exercises; is_main_sleep: false for a nap; start_time: start, local
time; end_time: end, local time; period: week or month; section: key of the section; value: in
`unit`; has_snapshot: whether there is a snapshot; has_profile: whether it has data of `profile`;
has_sleep_goal: whether it has data of `sleep_goal`; fetch_summary: counts of endpoints; dataset:
key of the dataset; table: key of the table; columns: names of members of rows; dataset.rows: the
rows of this page, of the form `ActivityRow`, `SleepRow`, `HrvRow`, `RhrRow`, `DailyRow` or, of
weeks and months, `PeriodRow`; rows: those of this page, each with these members; granularity: time
that a point spans; dimension: `date` or `period`; points: oldest first, each with its `date` or
`period` and a value or null of each metric; partial_periods: incomplete weeks, months or days;
recovery_status: `good` from {good}, `stable` from {stable}, `watch` from {watch}, `rest` below,
`waiting_for_data` without a score; strength: `strong` from {strong}, `moderate` from {moderate},
`weak` from {weak}, `none` below, `not_enough_data` without a coefficient; StatusCounts.*: number of
domains; rows.*: a column; CoreMetric.*: as in its `Card`, or as in its `SectionCard` with `detail`
in place of means and trend; Completion.ok: endpoints that responded; Completion.total: all
endpoints
""".format(**RECOVERY_THRESHOLDS, **STRENGTH_THRESHOLDS)
"""Meanings that no docstring states: of a member everywhere, or of one or all of its object."""
_PAIRS: Final = (one.split(": ", 1) for one in " ".join(_MEANT.split()).split("; "))
_MEANINGS: Final = {name: f"{text[:1].upper()}{text[1:]}." for name, text in _PAIRS}
for _metric in METRICS.values():
    _unit = "" if _metric.unit in _metric.label.lower() else f" ({_metric.unit})"
    _MEANINGS[_metric.key] = f"{_metric.label}{_unit}."


def _describe(name: str, schema: Schema) -> None:
    """Add the meaning of each member of a schema, also of objects in it, that has none."""
    for part in (*schema.get("anyOf", ()), *map(schema.get, ("items", "additionalProperties"))):
        if isinstance(part, dict):
            _describe(name, part)
    members = schema.get("properties", {})
    for key, member in members.items():
        keys = (f"{name}.{key}", f"{name}.*", key)
        meaning = next((_MEANINGS[one] for one in keys if one in _MEANINGS), "")
        members[key] = {"description": meaning, **member}
        _describe(key, members[key])


for _schemas in (COMPONENTS, META, DATA, _BODIES, {"error": _ERROR_BODY}):
    for _name, _schema in _schemas.items():
        _describe(_name, _schema)


def _error_schema(codes: Sequence[ErrorCode]) -> Schema:
    messages = choice(MESSAGE_OF[code] for code in codes)
    error = {"properties": {"code": choice(codes), "message": messages}}
    return {"$ref": "#/$defs/ErrorBody", "properties": {"error": error}}


def schemas() -> SchemaSet:
    """Return the schemas of the resources and of errors, with examples."""
    bodies = {
        endpoint.name: {
            "title": title_of(openapi.body_name(endpoint.name)),
            "description": " ".join(f"{endpoint.title}. {endpoint.description}".split()),
            **_BODIES[endpoint.name],
        }
        for endpoint in ENDPOINTS
        if endpoint.schema
    }
    for name, example in example_bodies().items():
        if len(json_text.encode(example)) <= _MAX_BYTES:
            bodies[name]["examples"] = [example]
    bodies["error"] = _ERROR_BODY
    documents = {name: document(_PRODUCT, name, body, COMPONENTS) for name, body in bodies.items()}
    return SchemaSet(_PRODUCT, documents, openapi_document())
