"""Build the content of each resource: its `data` and its `meta`.

Source: health-data specification, "Resources and their fields"; health facts, sections 6 to 15.

Invariant *data and meta are objects*: a list is a named member, with its length in `meta`.
Invariant *the request determines the shape*: columns, metrics and links do not depend on the data.
Invariant *dashboard of resources*: each part of the dashboard equals its own resource, so that its
clients need no further request.

Contract: HA-HTTP-06 to 12, HA-QUERY-09, HA-QUERY-10, HA-ENVELOPE-09, HA-ENVELOPE-10,
HA-INDEX-01 to 09, HA-TABLE-01, HA-TABLE-02, HA-DASHBOARD-01 to 05, HA-DATASET-03 to 07,
HA-SNAPSHOT-14, HA-SNAPSHOT-15.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from healthapi import limits
from healthapi.account.snapshot import Snapshot, build_snapshot_status
from healthapi.catalog_keys import (
    CHARTS,
    DATASETS,
    GRANULARITIES,
    METRICS,
    SECTIONS,
    SERIES_METRICS,
    TABLES,
    Chart,
    Granularity,
)
from healthapi.charts.chart import draw
from healthapi.derived.series import build_series, select_metrics
from healthapi.http.endpoints import Query
from healthapi.http.envelope import Content
from healthapi.http.links import Links
from healthapi.profile import Profile
from healthapi.rows.records import Rows
from purewire.structuring.to_builtins import to_builtins

__all__ = [
    "OF_PROFILE",
    "Resource",
    "build_dashboard",
    "build_summary",
    "chart",
    "index",
    "profiles",
]

Resource = Callable[[Profile, Query, Links], Content | None]
"""Returns the content of a resource; None if the data do not have the key."""

_NAME: Final = "Health data"
_DESCRIPTION: Final = (
    "What a wearable measured, read from local files: datasets, series, cards, tables and charts."
    "  Public and read-only."
)
_NO_SNAPSHOT: Final = Snapshot(None, (), (), {}, {}, {})


# Of the service


def index(profile_ids: Sequence[str], sample: Profile | None, links: Links) -> Content:
    """Return the index; the sample is the first profile that can be read."""
    return Content(
        {
            "name": _NAME,
            "description": _DESCRIPTION,
            "docs": {
                "html": links.to("/docs"),
                "markdown": links.to("/docs.md"),
                "openapi": links.to("/openapi.json"),
            },
            "profiles": {"count": len(profile_ids), "href": links.to("/profiles")},
            "datasets": list(DATASETS),
            "sections": list(SECTIONS),
            "tables": list(TABLES),
            "charts": list(CHARTS),
            "sample_profile": None if sample is None else sample.id,
            "sample_links": None if sample is None else links.of(sample.id),
        }
    )


def profiles(found: Mapping[str, Profile | None], links: Links) -> Content:
    """Return the list of profiles by id; None is a profile whose data cannot be read."""
    entries = [_profile_entry(name, profile, links) for name, profile in found.items()]
    entries.sort(key=lambda entry: (entry["display_name"] or entry["id"], entry["id"]))
    return _listed("profiles", entries)


def _profile_entry(profile_id: str, profile: Profile | None, links: Links) -> dict[str, Any]:
    values = dict.fromkeys(_PROFILE_SUMMARY) if profile is None else _profile_summary(profile)
    return {
        "id": profile_id,
        **values,
        "available": profile is not None,
        "links": links.of(profile_id),
    }


def _profile_summary(profile: Profile) -> dict[str, Any]:
    latest = {card.key: card.latest for card in profile.cards}
    return {
        "display_name": profile.person.display_name,
        "member_since": profile.person.member_since,
        "last_sync_at": profile.overview.latest_sync_at,
        "recovery_score": profile.overview.recovery_score,
        "recovery_status": profile.overview.recovery_status,
        "recovery_label": profile.overview.recovery_label,
        **{key: latest[key] for key in _LATEST},
        "latest_date": profile.overview.latest_date,
    }


_LATEST: Final = ("sleep_score", "steps", "hrv", "rhr")
_PROFILE_SUMMARY: Final = (
    "display_name",
    "member_since",
    "last_sync_at",
    "recovery_score",
    "recovery_status",
    "recovery_label",
    *_LATEST,
    "latest_date",
)


# Of a profile


def _profile(profile: Profile, _query: Query, links: Links) -> Content:
    return Content({**build_summary(profile), "links": links.of(profile.id)})


def _dashboard(profile: Profile, _query: Query, _links: Links) -> Content:
    return Content(build_dashboard(profile))


def _catalog(profile: Profile, _query: Query, _links: Links) -> Content:
    return Content(profile.catalog.plain(), {"count": len(profile.catalog.domains)})


def _overview(profile: Profile, _query: Query, _links: Links) -> Content:
    return Content(to_builtins(profile.overview))


def _coverage(profile: Profile, _query: Query, _links: Links) -> Content:
    return Content(_coverage_values(profile))


def _coverage_values(profile: Profile) -> dict[str, Any]:
    return {key: to_builtins(coverage) for key, coverage in profile.coverage.items()}


def _metrics(profile: Profile, _query: Query, _links: Links) -> Content:
    return _listed("metrics", [to_builtins(card) for card in profile.cards])


def _metric(profile: Profile, query: Query, _links: Links) -> Content:
    return Content(to_builtins({card.key: card for card in profile.cards}[query.key]))


def _correlations(profile: Profile, _query: Query, _links: Links) -> Content:
    return _listed("correlations", [to_builtins(each) for each in profile.correlations])


def _datasets(profile: Profile, _query: Query, links: Links) -> Content:
    coverage = _coverage_values(profile)
    return _listed(
        "datasets",
        [
            {
                "key": dataset.key,
                "label": dataset.label,
                "href": links.below(profile.id, f"/datasets/{dataset.key}"),
                "coverage": coverage.get(dataset.key),
            }
            for dataset in DATASETS.values()
        ],
    )


def _dataset(profile: Profile, query: Query, _links: Links) -> Content:
    rows, label = profile.rows(query.key), DATASETS[query.key].label
    page = rows.plain(*_page_slice(query))
    data = {"dataset": query.key, "label": label, "columns": sorted(rows.fields), "rows": page}
    coverage = profile.coverage.get(query.key)
    meta = {
        **_paged(query, len(rows), len(page), label),
        "coverage": None if coverage is None else to_builtins(coverage),
    }
    if rows.fields[0] == "period":
        meta["partial_periods"] = _partial(profile, _GRANULARITIES[query.key])
    return Content(data, meta)


def _series(profile: Profile, query: Query, _links: Links) -> Content:
    granularity = _GRANULARITIES[query.key]
    available = SERIES_METRICS[granularity]
    selected = select_metrics(granularity, query.metrics, available)
    rows, limit = profile.rows(granularity), query.limit or limits.MAX_POINTS
    # A point has each metric once, even if it is requested twice; only the descriptors repeat.
    series = build_series(rows, granularity, tuple(dict.fromkeys(selected)), limit)
    return Content(
        {
            "granularity": granularity,
            "dimension": series.dimension,
            "metrics": [_DESCRIPTORS[name] for name in selected],
            "points": series.points(),
        },
        {
            "count": len(series),
            "available_metrics": list(available),
            "partial_periods": _partial(profile, granularity),
            "total": len(rows),
            "limit": limit,
        },
    )


def _partial(profile: Profile, granularity: Granularity) -> list[str]:
    return list(profile.partial_periods(granularity))


def _sections(profile: Profile, _query: Query, _links: Links) -> Content:
    return _listed("sections", [section.plain() for section in profile.sections])


def _section(profile: Profile, query: Query, _links: Links) -> Content:
    return Content({each.section: each for each in profile.sections}[query.key].plain())


def _tables(profile: Profile, _query: Query, links: Links) -> Content:
    return _listed(
        "tables",
        [
            {
                "key": table.key,
                "label": table.label,
                "count": len(table),
                "href": links.below(profile.id, f"/tables/{table.key}"),
            }
            for table in profile.tables
        ],
    )


def _table(profile: Profile, query: Query, _links: Links) -> Content:
    table = {each.key: each for each in profile.tables}[query.key]
    data = table.plain(*_page_slice(query))
    return Content(data, _paged(query, len(table), len(data["rows"]), table.label))


def build_summary(profile: Profile) -> dict[str, Any]:
    """Return the summary of a profile."""
    return {
        "profile": profile.person.plain(),
        "overview": to_builtins(profile.overview),
        "coverage": _coverage_values(profile),
        "data_catalog": profile.catalog.plain(),
        "snapshot_status": build_snapshot_status(profile.snapshot),
    }


def build_dashboard(profile: Profile) -> dict[str, Any]:
    """Return the whole dashboard, with the last rows of each granularity for its charts."""
    summary = build_summary(profile)
    return {
        "generated_at": profile.generated_at,
        "profile": summary["profile"],
        "overview": summary["overview"],
        "coverage": summary["coverage"],
        "stats": [to_builtins(card) for card in profile.cards],
        "correlations": [to_builtins(each) for each in profile.correlations],
        "data_catalog": summary["data_catalog"],
        "charts": {name: profile.rows(name).plain(-count) for name, count in _CHART_ROWS.items()},
        "sections": [section.plain() for section in profile.sections],
        "tables": [table.plain() for table in profile.tables],
        "snapshot_status": summary["snapshot_status"],
    }


_CHART_ROWS: Final = {"daily": 90, "weekly": 16, "monthly": 12}
"""Granularity to the number of its last rows in a dashboard."""


def _snapshot_status(profile: Profile, _query: Query, _links: Links) -> Content:
    return Content(build_snapshot_status(profile.snapshot))


def _snapshot(profile: Profile, _query: Query, _links: Links) -> Content:
    return Content((profile.snapshot or _NO_SNAPSHOT).public(profile.id))


def _snapshot_endpoints(profile: Profile, _query: Query, links: Links) -> Content:
    entries = (profile.snapshot or _NO_SNAPSHOT).index()
    return _listed(
        "endpoints",
        [{**entry, "href": links.endpoint(profile.id, entry["key"])} for entry in entries],
    )


def _snapshot_endpoint(profile: Profile, query: Query, _links: Links) -> Content | None:
    entry = (profile.snapshot or _NO_SNAPSHOT).endpoints.get(query.key)
    return None if entry is None else Content(entry.plain(), {"endpoint": entry.key})


def chart(profile: Profile, query: Query) -> tuple[bytes, dict[str, Any]]:
    """Return the image of a chart, and its metadata: known keys and numbers only."""
    preset = CHARTS[query.key]
    granularity = query.granularity or preset.granularity
    rows = profile.rows(granularity)
    metrics = dict.fromkeys(select_metrics(granularity, query.metrics, ()))
    series = build_series(
        rows,
        granularity,
        tuple(metrics) or _preset_metrics(rows, granularity, preset),
        query.limit or limits.MAX_POINTS,
    )
    image = draw(
        series, title=preset.title, width=query.width, height=query.height, theme=query.theme
    )
    return image, {
        "count": len(series),
        "available_metrics": list(SERIES_METRICS[granularity]),
        "chart": preset.key,
        "granularity": granularity,
        "theme": query.theme,
        "width": query.width,
        "height": query.height,
    }


def _preset_metrics(rows: Rows[Any], granularity: Granularity, preset: Chart) -> tuple[str, ...]:
    """Return the metrics of a preset that have a value; all of them if none has."""
    known = select_metrics(granularity, preset.metrics, ())
    return tuple(name for name in known if rows.numbers(name).values) or tuple(known)


OF_PROFILE: Final[Mapping[str, Resource]] = {
    "profile": _profile,
    "dashboard": _dashboard,
    "catalog": _catalog,
    "overview": _overview,
    "coverage": _coverage,
    "metrics": _metrics,
    "metric": _metric,
    "correlations": _correlations,
    "snapshot-status": _snapshot_status,
    "datasets": _datasets,
    "dataset": _dataset,
    "series": _series,
    "sections": _sections,
    "section": _section,
    "tables": _tables,
    "table": _table,
    "snapshot": _snapshot,
    "snapshot-endpoints": _snapshot_endpoints,
    "snapshot-endpoint": _snapshot_endpoint,
}
"""All resources of a profile by name."""

_GRANULARITIES: Final[Mapping[str, Granularity]] = {name: name for name in GRANULARITIES}
_DESCRIPTORS: Final = {
    metric.key: {
        "key": metric.key,
        "label": metric.label,
        "unit": metric.unit,
        "tone": metric.tone,
    }
    for metric in METRICS.values()
}


def _listed(name: str, items: list[Any]) -> Content:
    return Content({name: items}, {"count": len(items)})


def _page_slice(query: Query) -> tuple[int, int]:
    return query.offset, query.offset + (query.limit or 0)


def _paged(query: Query, total: int, count: int, label: str) -> dict[str, Any]:
    return {
        "total": total,
        "offset": query.offset,
        "limit": query.limit,
        "count": count,
        "label": label,
    }
