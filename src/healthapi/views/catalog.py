"""The data map: for each health domain what there is, how complete, and where it comes from.

Source: health facts, section 11; rulings on the catalog.

Invariant *empty means empty*: a domain without any value is `empty`, whatever rows and cards say
that nothing is known.
Invariant *no transitions*: statuses are computed anew from the data, and from nothing else.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

import attrs

from healthapi.account.snapshot import Snapshot
from healthapi.catalog_keys import DATASETS, DOMAINS, SECTIONS, TABLES, Domain, Tone
from healthapi.derived.cards import Card, Trend
from healthapi.views.coverage import Covered
from healthapi.views.sections import Section, SectionCard
from healthapi.views.tables import Table
from purewire.absent import ABSENT, Absent
from purewire.structuring.constraints import Items
from purewire.structuring.to_builtins import to_plain

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
    "catalog",
]

StatusKey = Literal["ready", "partial", "empty"]


@attrs.frozen
class Status:
    """How far a domain can be used.

    Attributes:
        key: ready; partial: something is missing; empty: there is no value at all.
        label: the status in words.
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
    """How many domains have each status."""

    ready: int
    partial: int
    empty: int


@attrs.frozen
class Completion:
    """Endpoints of the snapshot that answered, all of them, and scopes not granted.

    Each is None without a snapshot, the last one also where it names no granted scopes.
    """

    ok: int | None
    total: int | None
    missing_scopes: int | None


@attrs.frozen
class Span:
    """How many values or rows there are, and from when to when."""

    count: int
    start_date: str | None
    end_date: str | None


@attrs.frozen
class CoreMetric:
    """A metric of a domain, as its card has it.

    Attributes:
        key: key of the card.
        label: the metric in words.
        unit: what it counts.
        tone: colour family for dashboards.
        latest: the latest value; None where there is none.
        latest_date: the day of that value; None for a card of a section.
        avg7: of a metric card only.
        avg30: of a metric card only.
        trend: of a metric card only.
        detail: of a card of a section only.

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
    """What a domain is made of: kind and key of a resource, its name, and how much it has."""

    kind: str
    key: str
    label: str
    count: int


@attrs.frozen
class DomainEntry:
    """A domain of the data map.

    Attributes:
        key: key of the domain.
        label: the domain in words.
        view: key of its page; the same as `key`.
        tone: colour family for dashboards.
        priority: 1 first.
        summary: what the domain holds, in a sentence.
        status: how far it can be used.
        coverage: what there is.
        metrics: its core metrics.
        sources: what it is made of.
        issue_count: what is missing, counted; only the account can have issues.
        issue_label: what is missing, in words; None where nothing is.

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
    """The data map.

    Attributes:
        generated_at: when it was derived, local time without a zone designator.
        status_counts: how many domains have each status.
        snapshot_completion: how complete the account snapshot is.
        domains: the six domains, the first to look at first.

    """

    generated_at: str
    status_counts: StatusCounts
    snapshot_completion: Completion
    domains: Annotated[tuple[DomainEntry, ...], Items()]

    def plain(self) -> dict[str, Any]:
        """Give the data map as it is published."""
        return to_plain(self)


def catalog(  # what the data map is made of
    covered: Covered,
    cards: tuple[Card, ...],
    sections: tuple[Section, ...],
    tables: tuple[Table, ...],
    snapshot: Snapshot | None,
    generated_at: str,
) -> Catalog:
    """Give the data map.

    Args:
        covered: what the datasets and the snapshot have.
        cards: the eight metric cards.
        sections: the four sections.
        tables: the ten tables.
        snapshot: the account snapshot; None where there is none.
        generated_at: now, as `2026-01-31T12:00:00` in the person's zone.

    """
    parts = _Parts(
        covered,
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
"""Domain to the metric cards that are its core metrics."""
_SECTION_CARDS: Final[Mapping[str, tuple[tuple[str, int], ...]]] = {
    "vitals": (("body", 3), ("vitals", 1)),
    "lifestyle": (("lifestyle", 4),),
    "account": (("account", 4),),
}
"""Domain to the sections whose first cards are its core metrics, and how many of each."""
_COVERAGE: Final = {
    "sleep": "sleep",
    "activity": "activity",
    "recovery": "daily",
    "account": "snapshot",
}
"""Domain to the coverage that it shows."""
_DATASETS: Final = {"sleep": {"sleep"}, "activity": {"activity"}, "recovery": {"hrv", "rhr"}}
"""Domain to the datasets that it is made of."""
_COUNTED_TABLES: Final = {"vitals": ("body", "vitals"), "lifestyle": ("foods",)}
"""Domain to the tables whose rows are its coverage."""


@attrs.frozen
class _Parts:
    """All that a domain may be made of, by key."""

    covered: Covered
    cards: Mapping[str, Card]
    sections: Mapping[str, tuple[SectionCard, ...]]
    tables: Mapping[str, Table]
    snapshot: Snapshot | None

    def domain(self, domain: Domain) -> DomainEntry:
        metrics = tuple(self._metrics(domain.key))
        issues = self._issues(domain.key)
        known = self._has_rows(domain.key) or any(each.latest is not None for each in metrics)
        status: StatusKey = "empty" if not known else "partial" if issues else "ready"
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
        for section, most in _SECTION_CARDS.get(domain, ()):
            for each in self.sections[section][:most]:
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
        """Tell whether any row of a domain holds a value."""
        datasets = _DATASETS.get(domain)
        if datasets is None:
            return self._span(domain).count > 0
        return not self.covered.valued.isdisjoint(datasets)

    def _span(self, domain: str) -> Span:
        if domain in _COVERAGE:
            covered = self.covered.coverage[_COVERAGE[domain]]
            return Span(covered.count, covered.start_date, covered.end_date)
        rows = sum(_valued(self.tables[key]) for key in _COUNTED_TABLES[domain])
        return Span(rows, None, self.snapshot.saved_at if self.snapshot else None)

    def _source(self, kind: str, key: str) -> Source:
        if kind == "dataset":
            return Source(kind, key, DATASETS[key].label, self.covered.coverage[key].count)
        if kind == "table":
            return Source(kind, key, TABLES[key], _valued(self.tables[key]))
        if kind == "section":
            valued = sum(card.value is not None for card in self.sections[key])
            return Source(kind, key, SECTIONS[key], valued)
        return Source(kind, key, "Account snapshot", self.covered.coverage["snapshot"].count)


def _valued(table: Table) -> int:
    """Count the rows of a table that have a value: of measurements the value itself."""
    if table.key in _COUNTED_TABLES["vitals"]:
        return sum(row["value"] is not None for row in table.rows)
    return sum(any(cell is not None for cell in row.values()) for row in table.rows)


def _issue_label(issues: int) -> str | None:
    if not issues:
        return None
    return f"{issues} missing scope{'s' if issues > 1 else ''}"
