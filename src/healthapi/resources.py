"""Build the content of each resource: its `data` and its `meta`.

Invariant *data and meta are objects*: a list is a named member, with its length in `meta`.
Invariant *the request determines the shape*: columns, metrics and links do not depend on the data.
Invariant *dashboard of resources*: each part of the dashboard equals its own resource, so that its
clients need no further request.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from healthapi import limits
from healthapi.chart import draw
from healthapi.derived.periods import select_metrics
from healthapi.endpoints import GRANULARITY_OF, Query
from healthapi.envelope import Content, Links, Prepared, build_chart, build_envelope
from healthapi.keys import CHARTS, DATASETS, METRICS, SECTIONS, SERIES_METRICS, TABLES, Granularity
from healthapi.profile import Profile, ProfileSummary
from healthapi.rows.rows import is_number
from healthapi.snapshot import Snapshot, build_snapshot_status
from status_contracts.endpoints import RequestError
from status_contracts.structuring.converter import unstructure

_DESCRIPTION: Final = (
    "Public, read-only data of a wearable: datasets, series, cards, tables, charts."
)
_NO_SNAPSHOT: Final = Snapshot(None, (), (), {}, {}, {})
_NEVER: Final = "1970-01-01T00:00:00"
"""The `generated_at` of a list without a readable profile."""
_CHART_ROWS: Final = {"daily": 90, "weekly": 16, "monthly": 12}
"""Granularity to the number of its last rows in a dashboard."""
_STEPS: Final[dict[Granularity, str]] = {"daily": "day", "weekly": "week", "monthly": "month"}
"""Granularity to what a point stands for."""


def prepare_list(
    name: str, count: int, summaries: Sequence[ProfileSummary], links: Links
) -> Prepared:
    """Prepare the response of `profiles`, or of `index`, which only has the first readable one."""
    readable = [entry for entry in summaries if entry.generated_at is not None]
    generated_at = max((entry.generated_at or "" for entry in readable), default=_NEVER)
    if name == "index":
        sample = next((entry.id for entry in readable), None)
        content = Content(
            {
                "name": "Health data",
                "description": _DESCRIPTION,
                "docs": {
                    "html": links.to("/docs"),
                    "markdown": links.to("/docs.md"),
                    "openapi": links.to("/openapi.json"),
                },
                "profiles": {"count": count, "href": links.to("/profiles")},
                "datasets": list(DATASETS),
                "sections": list(SECTIONS),
                "tables": list(TABLES),
                "charts": list(CHARTS),
                "sample_profile": sample,
                "sample_links": None if sample is None else links.of(sample),
            }
        )
    else:
        ordered = sorted(summaries, key=place_in_list)
        content = _listed("profiles", [_listed_profile(entry, links) for entry in ordered])
    return build_envelope(name, generated_at, None, content)


def place_in_list(summary: ProfileSummary) -> tuple[str, str]:
    """Return by what profiles are sorted: the name that is shown, then the id."""
    return summary.display_name or summary.id, summary.id


def _listed_profile(summary: ProfileSummary, links: Links) -> dict[str, Any]:
    entry: dict[str, Any] = unstructure(summary)
    entry["available"] = entry.pop("generated_at") is not None
    del entry["is_awaited"], entry["caveats"], entry["sentence"]
    entry["links"] = links.of(summary.id)
    return entry


def build_summary(profile: Profile) -> dict[str, Any]:
    """Return the summary of a profile."""
    return {
        "profile": unstructure(profile.person),
        "overview": unstructure(profile.overview),
        "coverage": _coverage(profile),
        "data_catalog": unstructure(profile.catalog),
        "snapshot_status": build_snapshot_status(profile.snapshot),
    }


def build_dashboard(profile: Profile) -> dict[str, Any]:
    """Return the whole dashboard, with the last rows of each granularity for its charts."""
    summary = build_summary(profile)
    catalog, status = summary.pop("data_catalog"), summary.pop("snapshot_status")
    return {
        "generated_at": profile.generated_at,
        **summary,
        "stats": list(map(unstructure, profile.cards)),
        "correlations": list(map(unstructure, profile.correlations)),
        "data_catalog": catalog,
        "charts": {name: profile.rows(name).plain(-count) for name, count in _CHART_ROWS.items()},
        "sections": list(map(unstructure, profile.sections)),
        "tables": [table.plain() for table in profile.tables],
        "snapshot_status": status,
    }


def _coverage(profile: Profile) -> dict[str, Any]:
    return {key: unstructure(coverage) for key, coverage in profile.coverage.items()}


def _datasets(profile: Profile, _query: Query, links: Links) -> Content:
    coverage = _coverage(profile)
    return _listed(
        "datasets",
        [
            {
                "key": key,
                "label": label,
                "href": links.below(profile.id, f"/datasets/{key}"),
                "coverage": coverage.get(key),
            }
            for key, label in DATASETS.items()
        ],
    )


def _dataset(profile: Profile, query: Query, _links: Links) -> Content:
    rows, label = profile.rows(query.key), DATASETS[query.key]
    page = rows.plain(*_page_slice(query))
    data = {"dataset": query.key, "label": label, "columns": sorted(rows.fields), "rows": page}
    meta = _paged(query, len(rows), len(page), label)
    meta["coverage"] = _coverage(profile).get(query.key)
    if query.key in GRANULARITY_OF:
        meta["partial_periods"] = list(profile.partial_periods(GRANULARITY_OF[query.key]))
    return Content(data, meta)


def _series(profile: Profile, query: Query, _links: Links) -> Content:
    granularity = GRANULARITY_OF[query.key]
    available = SERIES_METRICS[granularity]
    selected = select_metrics(granularity, query.metrics) or available
    limit = query.limit or limits.MAX_POINTS
    # A point has each metric once, even if it is requested twice; only the descriptors repeat.
    series = profile.series(granularity, tuple(dict.fromkeys(selected)), limit)
    return Content(
        {
            "granularity": granularity,
            "dimension": series.dimension,
            "metrics": [
                {"key": metric.key, "label": metric.label, "unit": metric.unit, "tone": metric.tone}
                for metric in map(METRICS.__getitem__, selected)
            ],
            "points": series.points(),
        },
        {
            "count": len(series),
            "available_metrics": list(available),
            "partial_periods": list(profile.partial_periods(granularity)),
            "total": len(profile.rows(granularity)),
            "limit": limit,
        },
    )


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
    table = {table.key: table for table in profile.tables}[query.key]
    data = table.plain(*_page_slice(query))
    return Content(data, _paged(query, len(table), len(data["rows"]), table.label))


def _snapshot_endpoints(profile: Profile, _query: Query, links: Links) -> Content:
    entries = (profile.snapshot or _NO_SNAPSHOT).endpoints.values()
    listed = [{**entry.index(), "href": links.endpoint(profile.id, entry.key)} for entry in entries]
    return _listed("endpoints", listed)


def _snapshot_endpoint(profile: Profile, query: Query, _links: Links) -> Content:
    entry = (profile.snapshot or _NO_SNAPSHOT).endpoints.get(query.key)
    if entry is None:
        raise RequestError("snapshot_endpoint_not_found")
    return Content(entry.plain(), {"endpoint": entry.key})


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


def chart(profile: Profile, query: Query) -> tuple[bytes, dict[str, Any]]:
    """Return the image of a chart, and its metadata: known keys and numbers only."""
    preset = CHARTS[query.key]
    granularity = query.granularity or preset.granularity
    metrics = list(dict.fromkeys(select_metrics(granularity, query.metrics)))
    if not metrics:  # those of the preset that have a value; all of them if none has
        metrics = select_metrics(granularity, preset.metrics)
        cells = profile.rows(granularity).cells
        metrics = [name for name in metrics if any(map(is_number, cells[name]))] or metrics
    limit = query.limit or limits.MAX_POINTS
    series = profile.series(granularity, tuple(metrics), limit)
    name = METRICS[metrics[0]].label if len(metrics) == 1 else preset.title
    title = f"{name} by {_STEPS[granularity]}"
    image = draw(series, title=title, width=query.width, height=query.height, theme=query.theme)
    return image, {
        "count": len(series),
        "available_metrics": list(SERIES_METRICS[granularity]),
        "chart": preset.key,
        "granularity": granularity,
        "theme": query.theme,
        "width": query.width,
        "height": query.height,
    }


OF_PROFILE: Final[Mapping[str, Callable[[Profile, Query, Links], Content]]] = {
    "profile": lambda profile, _, links: Content(
        {**build_summary(profile), "links": links.of(profile.id)}
    ),
    "dashboard": lambda profile, *_: Content(build_dashboard(profile)),
    "catalog": lambda profile, *_: Content(
        unstructure(profile.catalog), {"count": len(profile.catalog.domains)}
    ),
    "overview": lambda profile, *_: Content(unstructure(profile.overview)),
    "coverage": lambda profile, *_: Content(_coverage(profile)),
    "metrics": lambda profile, *_: _listed("metrics", list(map(unstructure, profile.cards))),
    "metric": lambda profile, query, _: Content(
        unstructure({card.key: card for card in profile.cards}[query.key])
    ),
    "correlations": lambda profile, *_: _listed(
        "correlations", list(map(unstructure, profile.correlations))
    ),
    "snapshot-status": lambda profile, *_: Content(build_snapshot_status(profile.snapshot)),
    "datasets": _datasets,
    "dataset": _dataset,
    "series": _series,
    "sections": lambda profile, *_: _listed("sections", list(map(unstructure, profile.sections))),
    "section": lambda profile, query, _: Content(
        unstructure({section.section: section for section in profile.sections}[query.key])
    ),
    "tables": _tables,
    "table": _table,
    "snapshot": lambda profile, *_: Content((profile.snapshot or _NO_SNAPSHOT).public(profile.id)),
    "snapshot-endpoints": _snapshot_endpoints,
    "snapshot-endpoint": _snapshot_endpoint,
}
"""All resources of a profile by name."""


def prepare(profile: Profile, name: str, query: Query, links: Links) -> Prepared:
    """Prepare the response of a resource of a profile, by its name.

    Raise RequestError if the data do not have the key of the query.
    """
    if name == "chart":
        return build_chart(*chart(profile, query))
    content = OF_PROFILE[name](profile, query, links)
    return build_envelope(name, profile.generated_at, profile.id, content)
