"""Build the data catalog: content, completeness and sources of each health domain.

Invariant *empty means empty*: a domain without any value is `empty`, even if it has blank rows or
cards without a value.
Invariant *stateless*: statuses depend on the current data alone.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

import attrs

from healthapi.derived.cards import Card, Trend
from healthapi.keys import DATASETS, DOMAINS, SECTIONS, TABLES, Domain, Tone
from healthapi.snapshot import Snapshot
from healthapi.views.overview import Coverage
from healthapi.views.sections import Section
from healthapi.views.tables import Table
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Items

StatusKey = Literal["ready", "partial", "empty"]


@attrs.frozen
class Status:
    """The status of a domain: `empty` without a value, else `partial` with issues, else `ready`."""

    key: StatusKey
    label: str
    severity: int


STATUSES: Final[Mapping[StatusKey, Status]] = {
    "ready": Status("ready", "Ready", 0),
    "partial": Status("partial", "Partial", 1),
    "empty": Status("empty", "No data", 2),
}


@attrs.frozen
class StatusCounts:
    """Number of domains of each status."""

    ready: int
    partial: int
    empty: int


@attrs.frozen
class Completion:
    """Number of endpoints and missing scopes of the snapshot; None if unknown."""

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
    """A core metric of a domain.

    `detail` is of a card of a section only; the other optional members are of a metric card only.
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
        view: Key of its page; the same as `key`.
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
    """The data catalog: its domains by priority."""

    generated_at: str
    status_counts: StatusCounts
    snapshot_completion: Completion
    domains: Annotated[tuple[DomainEntry, ...], Items()]


@attrs.frozen
class CatalogSources:
    """All possible sources of a domain, by key; `snapshot` is the account's."""

    coverage: Mapping[str, Coverage]
    datasets_with_values: frozenset[str]
    cards: Mapping[str, Card]
    sections: Mapping[str, Section]
    tables: Mapping[str, Table]
    snapshot: Snapshot | None

    def catalog(self, generated_at: str) -> Catalog:
        """Return the data catalog; `generated_at` is local time, as `2026-01-31T12:00:00`."""
        domains = tuple(
            self._domain(domain, priority) for priority, domain in enumerate(DOMAINS.values(), 1)
        )
        counted = [entry.status.key for entry in domains]
        completion = Completion(None, None, None)
        if self.snapshot is not None:
            counts = self.snapshot.ok_count, self.snapshot.total_count, self.snapshot.missing_count
            completion = Completion(*counts)
        statuses = StatusCounts(**{key: counted.count(key) for key in STATUSES})
        return Catalog(generated_at, statuses, completion, domains)

    def _domain(self, domain: Domain, priority: int) -> DomainEntry:
        metrics = tuple(self._metrics(domain))
        span, issues = self._span(domain), 0
        if domain.key == "account" and self.snapshot is not None:
            issues = self.snapshot.missing_count or 0
        datasets = {key for kind, key in domain.sources if kind == "dataset"}
        has_rows = bool(datasets & self.datasets_with_values) if datasets else span.count > 0
        has_value = has_rows or any(metric.latest is not None for metric in metrics)
        status: StatusKey = "empty" if not has_value else "partial" if issues else "ready"
        return DomainEntry(
            *(domain.key, domain.label, domain.key, domain.tone, priority, domain.summary),
            STATUSES[status],
            span,
            metrics,
            tuple(self._source(kind, key) for kind, key in domain.sources),
            issues,
            f"{issues} missing scope{'s' if issues > 1 else ''}" if issues else None,
        )

    def _metrics(self, domain: Domain) -> Iterator[CoreMetric]:
        for card in (self.cards[key] for key in domain.cards):
            yield CoreMetric(
                *(card.key, card.label, card.unit, card.tone, card.latest, card.latest_date),
                *(card.avg7, card.avg30, card.trend),
            )
        for section, count in domain.section_cards:
            for part in self.sections[section].summary.metrics[:count]:
                value = part.key, part.label, part.unit, part.tone, part.value
                yield CoreMetric(*value, detail=part.detail)

    def _span(self, domain: Domain) -> Span:
        if domain.coverage:
            coverage = self.coverage[domain.coverage]
            return Span(coverage.count, coverage.start_date, coverage.end_date)
        rows = sum(_count_rows_with_values(self.tables[key]) for key in domain.counted_tables)
        return Span(rows, None, self.snapshot.saved_at if self.snapshot else None)

    def _source(self, kind: str, key: str) -> Source:
        if kind == "dataset":
            return Source(kind, key, DATASETS[key], self.coverage[key].count)
        if kind == "table":
            return Source(kind, key, TABLES[key], _count_rows_with_values(self.tables[key]))
        if kind == "section":
            count = sum(card.value is not None for card in self.sections[key].summary.metrics)
            return Source(kind, key, SECTIONS[key], count)
        return Source(kind, key, "Account snapshot", self.coverage["snapshot"].count)


def _count_rows_with_values(table: Table) -> int:
    """Return the number of rows with a value; of measurements, with a `value`."""
    if table.key in ("body", "vitals"):
        return sum(row["value"] is not None for row in table.rows)
    return sum(any(cell is not None for cell in row.values()) for row in table.rows)
