"""A profile: its files read once, and everything that follows from them derived once.

Source: health-data specification, "Resources and their fields"; health facts, sections 3 to 14.

Invariant *a value*: a profile never changes.  It is made from bytes and a time alone, so the same
files give the same profile, and a reader who holds one sees one state of the files.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from healthapi.account.person import Person
from healthapi.account.snapshot import Snapshot
from healthapi.catalog_keys import SERIES_METRICS, Granularity
from healthapi.derived.cards import Card, cards
from healthapi.derived.correlations import Correlation, correlations
from healthapi.derived.daily import merge
from healthapi.derived.periods import monthly, partial_periods, weekly
from healthapi.derived.recovery import recovery
from healthapi.derived.series import Series, choose, series_of
from healthapi.derived.sleep import nights
from healthapi.redaction.walk import PRIVATE, PrivacySettings
from healthapi.rows.columns import NATIVE, ProfileMap
from healthapi.rows.findings import Findings
from healthapi.rows.records import ActivityRow, DailyRow, HrvRow, PeriodRow, RhrRow, Rows, SleepRow
from healthapi.sources import Progress, Sources, read_sources
from healthapi.views.catalog import Catalog, catalog
from healthapi.views.coverage import Coverage, Covered, coverage, valued
from healthapi.views.overview import Overview, overview
from healthapi.views.sections import Section, sections
from healthapi.views.tables import Table, tables
from purewire.bytes_like import Octets

__all__ = ["Profile", "derive", "load"]


@attrs.frozen(eq=False, repr=False)
class Profile:
    """Everything about one person that is published.

    Attributes:
        id: the profile's id.
        generated_at: when it was derived, local time without a zone designator.
        activity: rows of the activity file, by date.
        sleep: one row per date with a sleep.
        hrv: rows of the heart rate variability file, by date.
        rhr: rows of the resting heart rate file, by date.
        daily: everything known about each date.
        weekly: means by ISO week.
        monthly: means by month.
        findings: what was wrong with the rows, by dataset.
        snapshot: the account snapshot, free of secrets; None where there is none.
        person: the profile object.
        coverage: what there is, by dataset.
        overview: the person at a glance.
        cards: the eight metric cards.
        correlations: the three correlations.
        sections: the four sections of summary cards.
        tables: the ten tables.
        catalog: the data map.

    """

    id: str
    generated_at: str
    activity: Rows[ActivityRow]
    sleep: Rows[SleepRow]
    hrv: Rows[HrvRow]
    rhr: Rows[RhrRow]
    daily: Rows[DailyRow]
    weekly: Rows[PeriodRow]
    monthly: Rows[PeriodRow]
    findings: Mapping[str, Findings]
    snapshot: Snapshot | None
    person: Person
    coverage: Mapping[str, Coverage]
    overview: Overview
    cards: tuple[Card, ...]
    correlations: tuple[Correlation, ...]
    sections: tuple[Section, ...]
    tables: tuple[Table, ...]
    catalog: Catalog

    def rows(self, dataset: str) -> Rows[Any]:
        """Give a dataset; raises KeyError for an unknown one."""
        datasets: dict[str, Rows[Any]] = {
            "activity": self.activity,
            "sleep": self.sleep,
            "hrv": self.hrv,
            "rhr": self.rhr,
            "daily": self.daily,
            "weekly": self.weekly,
            "monthly": self.monthly,
        }
        return datasets[dataset]

    def series(
        self,
        granularity: Granularity,
        metrics: Sequence[str] = (),
        limit: int | None = None,
    ) -> Series:
        """Give the last `limit` points (None: all) of metrics.

        Unknown metrics are left out; where none is left, the series has all of its granularity.
        """
        chosen = choose(granularity, metrics, SERIES_METRICS[granularity])
        return series_of(self.rows(granularity), granularity, chosen, limit)

    def partial_periods(self, granularity: Granularity) -> tuple[str, ...]:
        """Give the weeks or months that reach beyond the first or the last day with data."""
        return partial_periods(self.daily, granularity)

    def __repr__(self) -> str:
        return f"<Profile {self.id}: {len(self.daily)} days{_span(self.daily)}>"


def load(
    profile_id: str,
    files: Mapping[str, Octets],
    *,
    generated_at: str,
    columns: ProfileMap = NATIVE,
    disclosure: PrivacySettings = PRIVATE,
    progress: Progress | None = None,
) -> Profile:
    """Read the files of a profile and derive it; arguments as of `read_sources` and `derive`.

    Raises DataError for a file that cannot be read as a whole; its findings name the file.
    Raises TypeError where the content of a file is not bytes.
    """
    sources = read_sources(
        profile_id, files, columns=columns, disclosure=disclosure, progress=progress
    )
    return derive(sources, generated_at=generated_at)


def derive(sources: Sources, *, generated_at: str) -> Profile:
    """Derive a profile from what its files say.

    Args:
        sources: the files, read.
        generated_at: now, as `2026-01-31T12:00:00` in the person's zone.

    """
    night = nights(sources.logs)
    daily = merge(sources.activity, night, sources.hrv, sources.rhr)
    datasets: Final = (sources.activity, night, sources.hrv, sources.rhr, daily)
    snapshot, person = sources.snapshot, sources.person
    covered = coverage(datasets, sources.findings, snapshot)
    recovered = recovery(daily, person.goals)
    metric_cards = cards(daily, person.goals)
    summary = sections(snapshot, person)
    listed = tables(night, sources.activity, daily, snapshot)
    return Profile(
        id=sources.profile_id,
        generated_at=generated_at,
        activity=sources.activity,
        sleep=night,
        hrv=sources.hrv,
        rhr=sources.rhr,
        daily=daily,
        weekly=weekly(daily),
        monthly=monthly(daily),
        findings=sources.findings,
        snapshot=snapshot,
        person=person,
        coverage=covered,
        overview=overview(daily, snapshot, person, recovered),
        cards=metric_cards,
        correlations=correlations(daily),
        sections=summary,
        tables=listed,
        catalog=catalog(
            Covered(covered, valued(datasets)),
            metric_cards,
            summary,
            listed,
            snapshot,
            generated_at,
        ),
    )


def _span(daily: Rows[DailyRow]) -> str:
    return f", {daily.labels[0]} to {daily.labels[-1]}" if daily else ""
