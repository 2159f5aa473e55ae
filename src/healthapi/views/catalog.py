"""Build the data catalog: content, completeness and sources of each health domain.

Source: health facts, section 11; design decisions on the catalog.

Invariant *empty means empty*: a domain without any value is `empty`, even if it has blank rows or
cards without a value.
Invariant *stateless*: statuses depend on the current data alone.

Contract: HA-CATALOG-01, HA-CATALOG-03 to 22.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

import attrs

from healthapi.account.snapshot import Snapshot
from healthapi.catalog_keys import DATASETS, DOMAINS, SECTIONS, TABLES, Domain, Tone
from healthapi.derived.cards import Card, Trend
from healthapi.views.coverage import Coverage
from healthapi.views.sections import Section, SectionCard
from healthapi.views.tables import Table
from purewire.absent import ABSENT, Absent
from purewire.structuring.constraints import Items
from purewire.structuring.to_builtins import to_builtins

__all__ = [
    "STATUSES",
    "Catalog",
    "Completion",
    "CoreMetric",
    "DomainEntry",
    "Source",
    "Span",
    "Status",
    "StatusCounts",
    "StatusKey",
    "build_catalog",
]

StatusKey = Literal["ready", "partial", "empty"]


@attrs.frozen
class Status:
    """The status of a domain.

    Attributes:
        key: `ready`; `partial`: there are issues; `empty`: there is no value.
        label: Name for people.
        severity: 0 for ready, 1 for partial, 2 for empty.

    """

    key: StatusKey
    label: str
    severity: int


STATUSES: Final[Mapping[StatusKey, Status]] = {
    status.key: status
    for status in (
        Status("ready", "Ready", 0),
        Status("partial", "Partial", 1),
        Status("empty", "No data", 2),
    )
}


@attrs.frozen
class StatusCounts:
    """Number of domains of each status."""

    ready: int
    partial: int
    empty: int


@attrs.frozen
class Completion:
    """Completeness of the snapshot; all members are None without a snapshot.

    Attributes:
        ok: Endpoints that responded.
        total: All endpoints.
        missing_scopes: Scopes that are not granted; None if the snapshot names no granted scopes.

    """

    ok: int | None
    total: int | None
    missing_scopes: int | None


@attrs.frozen
class Span:
    """Number of values or rows, and their first and last day."""

    count: int
    start_date: str | None
    end_date: str | None


@attrs.frozen
class CoreMetric:
    """A core metric of a domain, from a metric card or a card of a section.

    Attributes:
        key: Key of the card.
        label: Name for people.
        unit: Unit of the value.
        tone: Colour family for dashboards.
        latest: The latest value; None if there is none.
        latest_date: The day of that value; None for a card of a section.
        avg7: Of a metric card only.
        avg30: Of a metric card only.
        trend: Of a metric card only.
        detail: Of a card of a section only.

    """

    key: str
    label: str
    unit: str
    tone: Tone
    latest: float | None
    latest_date: str | None = None
    avg7: float | Absent | None = ABSENT
    avg30: float | Absent | None = ABSENT
    trend: Trend | Absent = ABSENT
    detail: str | Absent | None = ABSENT


@attrs.frozen
class Source:
    """A source of a domain: kind, key and label of a resource, and its number of values."""

    kind: str
    key: str
    label: str
    count: int


@attrs.frozen
class DomainEntry:
    """A domain of the data catalog.

    Attributes:
        key: Key of the domain.
        label: Name for people.
        view: Key of its page; the same as `key`.
        tone: Colour family for dashboards.
        priority: 1 first.
        summary: A sentence about its content.
        status: Its status.
        coverage: Its coverage.
        metrics: Its core metrics.
        sources: Its sources.
        issue_count: Number of missing scopes; 0 for all domains but the account.
        issue_label: The issues in words; None if there are none.

    """

    key: str
    label: str
    view: str
    tone: Tone
    priority: int
    summary: str
    status: Status
    coverage: Span
    metrics: Annotated[tuple[CoreMetric, ...], Items()]
    sources: Annotated[tuple[Source, ...], Items()]
    issue_count: int
    issue_label: str | None


@attrs.frozen
class Catalog:
    """The data catalog.

    Attributes:
        generated_at: When it was derived; local time without a zone designator.
        status_counts: Number of domains of each status.
        snapshot_completion: Completeness of the account snapshot.
        domains: The six domains, by priority.

    """

    generated_at: str
    status_counts: StatusCounts
    snapshot_completion: Completion
    domains: Annotated[tuple[DomainEntry, ...], Items()]

    def plain(self) -> dict[str, Any]:
        """Return the published data catalog."""
        return to_builtins(self)


def build_catalog(  # noqa: PLR0913 # all parts of a profile
    *,
    coverage: Mapping[str, Coverage],
    datasets_with_values: frozenset[str],
    cards: tuple[Card, ...],
    sections: tuple[Section, ...],
    tables: tuple[Table, ...],
    snapshot: Snapshot | None,
    generated_at: str,
) -> Catalog:
    """Return the data catalog.

    Args:
        coverage: Coverage of the datasets and the snapshot.
        datasets_with_values: Keys of the datasets with a measured value.
        cards: The eight metric cards.
        sections: The four sections.
        tables: The ten tables.
        snapshot: The account snapshot; None if there is none.
        generated_at: The current time in the person's zone, as `2026-01-31T12:00:00`.

    """
    parts = _Parts(
        coverage,
        datasets_with_values,
        {card.key: card for card in cards},
        {section.section: section.summary.metrics for section in sections},
        {table.key: table for table in tables},
        snapshot,
    )
    domains = tuple(parts.domain(domain) for domain in DOMAINS.values())
    counted = [entry.status.key for entry in domains]
    return Catalog(
        generated_at,
        StatusCounts(**{key: counted.count(key) for key in STATUSES}),
        _completion(snapshot),
        domains,
    )


def _completion(snapshot: Snapshot | None) -> Completion:
    if snapshot is None:
        return Completion(None, None, None)
    return Completion(snapshot.ok_count, snapshot.total_count, snapshot.missing_count)


_CARDS: Final[Mapping[str, tuple[str, ...]]] = {
    "sleep": ("sleep_score", "sleep_hours"),
    "activity": ("steps", "active_minutes", "active_zone_minutes", "calories_out"),
    "recovery": ("hrv", "rhr"),
}
"""Domain to the keys of the metric cards among its core metrics."""
_SECTION_CARDS: Final[Mapping[str, tuple[tuple[str, int], ...]]] = {
    "vitals": (("body", 3), ("vitals", 1)),
    "lifestyle": (("lifestyle", 4),),
    "account": (("account", 4),),
}
"""Domain to the sections, and the number of their first cards, among its core metrics."""
_COVERAGE: Final = {
    "sleep": "sleep",
    "activity": "activity",
    "recovery": "daily",
    "account": "snapshot",
}
"""Domain to the key of its coverage."""
_DATASETS: Final = {"sleep": {"sleep"}, "activity": {"activity"}, "recovery": {"hrv", "rhr"}}
"""Domain to its datasets."""
_COUNTED_TABLES: Final = {"vitals": ("body", "vitals"), "lifestyle": ("foods",)}
"""Domain to the tables whose rows are counted as its coverage."""


@attrs.frozen
class _Parts:
    """All possible sources of a domain, by key."""

    coverage: Mapping[str, Coverage]
    datasets_with_values: frozenset[str]
    cards: Mapping[str, Card]
    sections: Mapping[str, tuple[SectionCard, ...]]
    tables: Mapping[str, Table]
    snapshot: Snapshot | None

    def domain(self, domain: Domain) -> DomainEntry:
        metrics = tuple(self._metrics(domain.key))
        issues = self._issues(domain.key)
        has_value = self._has_rows(domain.key) or any(each.latest is not None for each in metrics)
        status: StatusKey = "empty" if not has_value else "partial" if issues else "ready"
        return DomainEntry(
            key=domain.key,
            label=domain.label,
            view=domain.key,
            tone=domain.tone,
            priority=domain.priority,
            summary=domain.summary,
            status=STATUSES[status],
            coverage=self._span(domain.key),
            metrics=metrics,
            sources=tuple(self._source(kind, key) for kind, key in domain.sources),
            issue_count=issues,
            issue_label=_issue_label(issues),
        )

    def _metrics(self, domain: str) -> Iterator[CoreMetric]:
        for key in _CARDS.get(domain, ()):
            card = self.cards[key]
            yield CoreMetric(
                key=key,
                label=card.label,
                unit=card.unit,
                tone=card.tone,
                latest=card.latest,
                latest_date=card.latest_date,
                avg7=card.avg7,
                avg30=card.avg30,
                trend=card.trend,
            )
        for section, count in _SECTION_CARDS.get(domain, ()):
            for each in self.sections[section][:count]:
                yield CoreMetric(
                    key=each.key,
                    label=each.label,
                    unit=each.unit,
                    tone=each.tone,
                    latest=each.value,
                    detail=each.detail,
                )

    def _issues(self, domain: str) -> int:
        if domain != "account" or self.snapshot is None:
            return 0
        return self.snapshot.missing_count or 0

    def _has_rows(self, domain: str) -> bool:
        """Return whether any row of a domain has a value."""
        datasets = _DATASETS.get(domain)
        if datasets is None:
            return self._span(domain).count > 0
        return not self.datasets_with_values.isdisjoint(datasets)

    def _span(self, domain: str) -> Span:
        if domain in _COVERAGE:
            coverage = self.coverage[_COVERAGE[domain]]
            return Span(coverage.count, coverage.start_date, coverage.end_date)
        rows = sum(_count_rows_with_values(self.tables[key]) for key in _COUNTED_TABLES[domain])
        return Span(rows, None, self.snapshot.saved_at if self.snapshot else None)

    def _source(self, kind: str, key: str) -> Source:
        if kind == "dataset":
            return Source(kind, key, DATASETS[key].label, self.coverage[key].count)
        if kind == "table":
            return Source(kind, key, TABLES[key], _count_rows_with_values(self.tables[key]))
        if kind == "section":
            count = sum(card.value is not None for card in self.sections[key])
            return Source(kind, key, SECTIONS[key], count)
        return Source(kind, key, "Account snapshot", self.coverage["snapshot"].count)


def _count_rows_with_values(table: Table) -> int:
    """Return the number of rows with a value; of measurements, with a `value`."""
    if table.key in _COUNTED_TABLES["vitals"]:
        return sum(row["value"] is not None for row in table.rows)
    return sum(any(cell is not None for cell in row.values()) for row in table.rows)


def _issue_label(issues: int) -> str | None:
    if not issues:
        return None
    return f"{issues} missing scope{'s' if issues > 1 else ''}"
