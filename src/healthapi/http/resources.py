"""What each resource says of a profile: its `data` and its `meta`.

Source: health-data specification, "Resources and their fields"; health facts, sections 6 to 15.

Invariant *data and meta are objects*: a list stands under a name of its own, with its length in
`meta`.
Invariant *what is asked decides the shape*: columns, metrics and links do not depend on the data.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from healthapi import limits
from healthapi.account.snapshot import Snapshot, status_of
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
from healthapi.derived.series import choose, series_of
from healthapi.http.dashboard import dashboard, summary
from healthapi.http.endpoints import Asked
from healthapi.http.envelope import Content
from healthapi.http.links import Links
from healthapi.profile import Profile
from healthapi.rows.records import Rows
from purewire.structuring.to_builtins import to_plain

__all__ = ["OF_PROFILE", "Resource", "chart", "index", "profiles"]

Resource = Callable[[Profile, Asked, Links], Content | None]
"""Gives the content of a resource; None where the data have nothing of the key."""

_NAME: Final = "Health data"
_DESCRIPTION: Final = (
    "What a wearable measured, read from local files: datasets, series, cards, tables and charts."
    "  Public and read-only."
)
_NO_SNAPSHOT: Final = Snapshot(None, (), (), {}, {}, {})


# Of the service


def index(profile_ids: Sequence[str], sample: Profile | None, links: Links) -> Content:
    """Give the index; the sample is the first profile that can be read."""
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
    """Give the list of profiles by id; None stands for one whose data cannot be read."""
    entries = [_profile_entry(name, profile, links) for name, profile in found.items()]
    entries.sort(key=lambda entry: (entry["display_name"] or entry["id"], entry["id"]))
    return _listed("profiles", entries)


def _profile_entry(profile_id: str, profile: Profile | None, links: Links) -> dict[str, Any]:
    known = dict.fromkeys(_ENTRY) if profile is None else _at_a_glance(profile)
    return {
        "id": profile_id,
        **known,
        "available": profile is not None,
        "links": links.of(profile_id),
    }


def _at_a_glance(profile: Profile) -> dict[str, Any]:
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
_ENTRY: Final = (
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


def _profile(profile: Profile, _asked: Asked, links: Links) -> Content:
    return Content({**summary(profile), "links": links.of(profile.id)})


def _dashboard(profile: Profile, _asked: Asked, _links: Links) -> Content:
    return Content(dashboard(profile))


def _catalog(profile: Profile, _asked: Asked, _links: Links) -> Content:
    return Content(profile.catalog.plain(), {"count": len(profile.catalog.domains)})


def _overview(profile: Profile, _asked: Asked, _links: Links) -> Content:
    return Content(to_plain(profile.overview))


def _coverage(profile: Profile, _asked: Asked, _links: Links) -> Content:
    return Content(_covered(profile))


def _covered(profile: Profile) -> dict[str, Any]:
    return {key: to_plain(coverage) for key, coverage in profile.coverage.items()}


def _metrics(profile: Profile, _asked: Asked, _links: Links) -> Content:
    return _listed("metrics", [to_plain(card) for card in profile.cards])


def _metric(profile: Profile, asked: Asked, _links: Links) -> Content:
    return Content(to_plain({card.key: card for card in profile.cards}[asked.key]))


def _correlations(profile: Profile, _asked: Asked, _links: Links) -> Content:
    return _listed("correlations", [to_plain(each) for each in profile.correlations])


def _datasets(profile: Profile, _asked: Asked, links: Links) -> Content:
    covered = _covered(profile)
    return _listed(
        "datasets",
        [
            {
                "key": dataset.key,
                "label": dataset.label,
                "href": links.below(profile.id, f"/datasets/{dataset.key}"),
                "coverage": covered.get(dataset.key),
            }
            for dataset in DATASETS.values()
        ],
    )


def _dataset(profile: Profile, asked: Asked, _links: Links) -> Content:
    rows, label = profile.rows(asked.key), DATASETS[asked.key].label
    page = rows.plain(*_bounds(asked))
    data = {"dataset": asked.key, "label": label, "columns": sorted(rows.fields), "rows": page}
    coverage = profile.coverage.get(asked.key)
    meta = {
        **_paged(asked, len(rows), len(page), label),
        "coverage": None if coverage is None else to_plain(coverage),
    }
    if rows.fields[0] == "period":
        meta["partial_periods"] = _partial(profile, _GRANULARITIES[asked.key])
    return Content(data, meta)


def _series(profile: Profile, asked: Asked, _links: Links) -> Content:
    granularity = _GRANULARITIES[asked.key]
    available = SERIES_METRICS[granularity]
    chosen = choose(granularity, asked.metrics, available)
    rows, limit = profile.rows(granularity), asked.limit or limits.POINTS_MOST
    # A point has a metric once, however often it was asked for; only the descriptors repeat.
    series = series_of(rows, granularity, tuple(dict.fromkeys(chosen)), limit)
    return Content(
        {
            "granularity": granularity,
            "dimension": series.dimension,
            "metrics": [_DESCRIPTORS[name] for name in chosen],
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


def _sections(profile: Profile, _asked: Asked, _links: Links) -> Content:
    return _listed("sections", [section.plain() for section in profile.sections])


def _section(profile: Profile, asked: Asked, _links: Links) -> Content:
    return Content({each.section: each for each in profile.sections}[asked.key].plain())


def _tables(profile: Profile, _asked: Asked, links: Links) -> Content:
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


def _table(profile: Profile, asked: Asked, _links: Links) -> Content:
    table = {each.key: each for each in profile.tables}[asked.key]
    data = table.plain(*_bounds(asked))
    return Content(data, _paged(asked, len(table), len(data["rows"]), table.label))


def _snapshot_status(profile: Profile, _asked: Asked, _links: Links) -> Content:
    return Content(status_of(profile.snapshot))


def _snapshot(profile: Profile, _asked: Asked, _links: Links) -> Content:
    return Content((profile.snapshot or _NO_SNAPSHOT).public(profile.id))


def _snapshot_endpoints(profile: Profile, _asked: Asked, links: Links) -> Content:
    entries = (profile.snapshot or _NO_SNAPSHOT).index()
    return _listed(
        "endpoints",
        [{**entry, "href": links.endpoint(profile.id, entry["key"])} for entry in entries],
    )


def _snapshot_endpoint(profile: Profile, asked: Asked, _links: Links) -> Content | None:
    entry = (profile.snapshot or _NO_SNAPSHOT).endpoints.get(asked.key)
    return None if entry is None else Content(entry.plain(), {"endpoint": entry.key})


def chart(profile: Profile, asked: Asked) -> tuple[bytes, dict[str, Any]]:
    """Draw a chart: the image, and what it shows, in names of the vocabulary and numbers."""
    preset = CHARTS[asked.key]
    granularity = asked.granularity or preset.granularity
    rows = profile.rows(granularity)
    metrics = dict.fromkeys(choose(granularity, asked.metrics, ()))
    series = series_of(
        rows,
        granularity,
        tuple(metrics) or _drawn(rows, granularity, preset),
        asked.limit or limits.POINTS_MOST,
    )
    image = draw(
        series, title=preset.title, width=asked.width, height=asked.height, theme=asked.theme
    )
    return image, {
        "count": len(series),
        "available_metrics": list(SERIES_METRICS[granularity]),
        "chart": preset.key,
        "granularity": granularity,
        "theme": asked.theme,
        "width": asked.width,
        "height": asked.height,
    }


def _drawn(rows: Rows[Any], granularity: Granularity, preset: Chart) -> tuple[str, ...]:
    """Return the metrics of a preset that have any value; all of them where none has."""
    known = choose(granularity, preset.metrics, ())
    return tuple(name for name in known if rows.measured(name).numbers) or tuple(known)


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
"""Every resource of a profile by name."""

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


def _bounds(asked: Asked) -> tuple[int, int]:
    return asked.offset, asked.offset + (asked.limit or 0)


def _paged(asked: Asked, total: int, count: int, label: str) -> dict[str, Any]:
    return {
        "total": total,
        "offset": asked.offset,
        "limit": asked.limit,
        "count": count,
        "label": label,
    }
