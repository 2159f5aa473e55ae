"""Build a profile: read its files once and derive all views once.

File names are relative to the profile's folder: `csv/<name in the column mapping>`,
`cache/fitbit_profile_snapshot.json`, and `import-report.json`, in which `healthapi import` keeps
what it left out.  A missing file is an empty dataset, or no snapshot; all other files are ignored.

Invariant *immutable*: a profile depends on bytes and a time alone, so that equal files give equal
profiles, and one profile is one consistent state of the files.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import attrs

from healthapi.derived.cards import Card, Goals, RecoveryKey, build_cards, build_recovery
from healthapi.derived.daily import build_daily_rows, build_sleep_rows
from healthapi.derived.periods import (
    Series,
    build_monthly_rows,
    build_series,
    build_weekly_rows,
    find_partial_periods,
    select_metrics,
)
from healthapi.derived.statistics import Correlation, build_correlations
from healthapi.errors import DataError
from healthapi.keys import SERIES_METRICS, Granularity
from healthapi.omissions import REPORT_FILE, KeptReportError, Missing, parse_report
from healthapi.person import Person, build_person
from healthapi.redaction import PRIVATE, PrivacySettings
from healthapi.rows.findings import NO_FINDINGS, Findings
from healthapi.rows.mapping import NATIVE, ProfileMap, TableMap
from healthapi.rows.reading import read_rows
from healthapi.rows.records import (
    ActivityRow,
    DailyRow,
    HrvRow,
    PeriodRow,
    RhrRow,
    Rows,
    SleepLog,
    SleepRow,
)
from healthapi.snapshot import SNAPSHOT_FILE, Snapshot, read_snapshot
from healthapi.views.catalog import Catalog, build_catalog
from healthapi.views.overview import (
    Coverage,
    Overview,
    build_coverage,
    build_overview,
    find_datasets_with_values,
)
from healthapi.views.sections import Section, build_sections
from healthapi.views.tables import Table, build_tables
from status_contracts.findings import Finding
from status_contracts.html_table import html_table
from status_contracts.primitives import ABSENT, Octets, to_bytes

Progress = Callable[[int], None]
R = TypeVar("R", bound=attrs.AttrsInstance)


@attrs.frozen(eq=False, repr=False)
class Sources:
    """The content of the files of a profile.

    Attributes:
        logs: All recorded sleep logs, including naps.
        findings: Findings of the files, by dataset.
        left_out: Why imports left values out: dataset and member (empty for whole rows) to reasons.
        snapshot: The account snapshot without secrets; None if there is none.

    """

    profile_id: str
    activity: Rows[ActivityRow]
    logs: Rows[SleepLog]
    hrv: Rows[HrvRow]
    rhr: Rows[RhrRow]
    findings: Mapping[str, Findings]
    left_out: Missing
    snapshot: Snapshot | None
    person: Person


def list_files(columns: ProfileMap) -> tuple[str, ...]:
    """Return the names of all files that a profile may have, each once."""
    tables = (columns.activity, columns.sleep, columns.hrv, columns.rhr)
    table_files = [f"csv/{table.file}" for table in tables if table is not None]
    return tuple(dict.fromkeys((*table_files, SNAPSHOT_FILE, REPORT_FILE)))


def read_sources(
    profile_id: str,
    files: Mapping[str, Octets],
    *,
    columns: ProfileMap = NATIVE,
    disclosure: PrivacySettings = PRIVATE,
    progress: Progress | None = None,
) -> Sources:
    """Read the files of a profile.

    `files` are the bytes of the existing files by name.  `progress` is called after each table
    with the number of bytes of the tables that are read so far.

    Raises:
        DataError: A file cannot be read as a whole; its findings name the file.
        TypeError: The content of a file is not bytes.

    """
    contents = {name: to_bytes(data) for name, data in files.items()}
    findings: dict[str, Findings] = {}
    done = 0

    def rows(row: type[R], table: TableMap | None, key: str) -> Rows[R]:
        nonlocal done
        data = None if table is None else contents.get(f"csv/{table.file}")
        if table is None or data is None:
            findings[key] = NO_FINDINGS
            return Rows(key, row, {field.name: () for field in attrs.fields(row)})
        table_rows, findings[key] = read_rows(data, table)
        done += len(data)
        if progress is not None:
            progress(done)
        return table_rows

    report = contents.get(REPORT_FILE)
    stored = contents.get(SNAPSHOT_FILE)
    snapshot = None if stored is None else read_snapshot(stored, disclosure)
    return Sources(
        profile_id,
        rows(ActivityRow, columns.activity, "activity"),
        rows(SleepLog, columns.sleep, "sleep"),
        rows(HrvRow, columns.hrv, "hrv"),
        rows(RhrRow, columns.rhr, "rhr"),
        findings,
        {} if report is None else _left_out(report, columns),
        snapshot,
        build_person(profile_id, snapshot, disclosure),
    )


def _left_out(data: bytes, columns: ProfileMap) -> Missing:
    """Return the reasons of the report by member instead of column; raise DataError."""
    try:
        missing = parse_report(data)
    except KeptReportError:
        message = "must be a report of this version: remove it and import all archives again"
        finding = Finding(f"/{REPORT_FILE}", "report.form", message)
        raise DataError(findings=(finding,)) from None
    left_out: Missing = {place: codes for place, codes in missing.items() if not place[1]}
    for table in filter(None, attrs.astuple(columns, recurse=False)):
        for field, name in table.sources():
            if (table.dataset, name) in missing:
                left_out[table.dataset, field] = missing[table.dataset, name]
    return left_out


@attrs.frozen(eq=False, repr=False)
class Profile:
    """All published data of one person.

    Attributes:
        generated_at: When it was derived; local time without a zone designator.
        written_at: When its tables were last written, likewise, or else `generated_at`.
        activity, hrv, rhr: Rows of their files, by date.
        sleep: One row for each date with a sleep.
        daily: One row for each date, with all datasets.
        weekly, monthly: Means by ISO week and by month.
        findings: Findings of the files, by dataset.
        snapshot: The account snapshot without secrets; None if there is none.
        coverage: Coverage by dataset, and of the snapshot.

    """

    id: str
    generated_at: str
    written_at: str
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
        """Return a dataset.

        Raises:
            KeyError: There is no such dataset.

        """
        read = (self.activity, self.sleep, self.hrv, self.rhr)
        datasets: tuple[Rows[Any], ...] = (*read, self.daily, self.weekly, self.monthly)
        return {rows.key: rows for rows in datasets}[dataset]

    def series(
        self, granularity: Granularity, metrics: Sequence[str] = (), limit: int | None = None
    ) -> Series:
        """Return the last `limit` points (None: all) of metrics.

        Unknown metrics are ignored.  Without a known one the series has all metrics of its
        granularity.
        """
        chosen = select_metrics(granularity, metrics, SERIES_METRICS[granularity])
        return build_series(self.rows(granularity), granularity, chosen, limit)

    def partial_periods(self, granularity: Granularity) -> tuple[str, ...]:
        """Return the weeks or months that extend beyond the first or the last day with data.

        Of days, return the last one if it was not over when the tables were written.
        """
        return find_partial_periods(self.daily, granularity, self.written_at[:10])

    @property
    def summary(self) -> "ProfileSummary":
        """Its values in the list of profiles."""
        latest = {card.key: card.latest for card in self.cards}
        return ProfileSummary(
            id=self.id,
            generated_at=self.generated_at,
            display_name=self.person.display_name,
            member_since=self.person.member_since,
            last_sync_at=self.overview.latest_sync_at,
            recovery_score=self.overview.recovery_score,
            recovery_status=self.overview.recovery_status,
            recovery_label=self.overview.recovery_label,
            sleep_score=latest["sleep_score"],
            steps=latest["steps"],
            hrv=latest["hrv"],
            rhr=latest["rhr"],
            latest_date=self.overview.latest_date,
        )

    def __repr__(self) -> str:
        return f"<{self._title}>"

    def _repr_html_(self) -> str:
        """Return an HTML table of the datasets for notebooks; all text is escaped."""
        head = ("dataset", "count", "first day", "last day", "rejected rows", "unreadable cells")
        return html_table(self._title, head, map(_coverage_row, self.coverage.items()))

    @property
    def _title(self) -> str:
        days = self.daily.labels
        span = f", {days[0]} to {days[-1]}" if days else ""
        return f"Profile {self.id}: {len(days)} days{span}"


@attrs.frozen
class ProfileSummary:
    """The values of a profile in the list of profiles.

    Attributes:
        generated_at: As of the profile; None if it has not been read, or cannot be.  Then all other
            values are None as well.

    """

    id: str
    generated_at: str | None = None
    display_name: str | None = None
    member_since: str | None = None
    last_sync_at: str | None = None
    recovery_score: int | None = None
    recovery_status: RecoveryKey | None = None
    recovery_label: str | None = None
    sleep_score: float | None = None
    steps: float | None = None
    hrv: float | None = None
    rhr: float | None = None
    latest_date: str | None = None


def _coverage_row(entry: tuple[str, Coverage]) -> tuple[str, ...]:
    dataset, coverage = entry
    days = (coverage.start_date or "none", coverage.end_date or "none")
    problems = (coverage.rejected_rows, coverage.unreadable_cells)
    return (
        dataset,
        f"{coverage.count:,}",
        *days,
        *("not counted" if number is ABSENT else f"{number:,}" for number in problems),
    )


def load(
    profile_id: str,
    files: Mapping[str, Octets],
    *,
    generated_at: str,
    columns: ProfileMap = NATIVE,
    disclosure: PrivacySettings = PRIVATE,
    progress: Progress | None = None,
) -> Profile:
    """Read the files of a profile and derive it; for arguments see `read_sources` and `derive`.

    Raises:
        DataError: A file cannot be read as a whole; its findings name the file.
        TypeError: The content of a file is not bytes.

    """
    sources = read_sources(
        profile_id, files, columns=columns, disclosure=disclosure, progress=progress
    )
    return derive(sources, generated_at=generated_at)


def derive(sources: Sources, *, generated_at: str, written_at: str | None = None) -> Profile:
    """Derive a profile.

    Args:
        sources: the content of its files.
        generated_at: the person's local time, as `2026-01-31T12:00:00`.
        written_at: when the tables were last written, likewise; None if that is not known.

    """
    written_at = min(generated_at, written_at or generated_at)
    sleep = build_sleep_rows(sources.logs)
    daily = build_daily_rows(sources.activity, sleep, sources.hrv, sources.rhr)
    datasets: Final = (sources.activity, sleep, sources.hrv, sources.rhr, daily)
    snapshot, person = sources.snapshot, sources.person
    goals = Goals(person.sleep_goal_minutes, person.daily_steps_goal)
    coverage = build_coverage(datasets, sources.findings, sources.left_out, snapshot)
    cards = build_cards(daily, goals)
    sections = build_sections(snapshot, person)
    tables = build_tables(sleep, sources.activity, daily, snapshot)
    return Profile(
        id=sources.profile_id,
        generated_at=generated_at,
        written_at=written_at,
        activity=sources.activity,
        sleep=sleep,
        hrv=sources.hrv,
        rhr=sources.rhr,
        daily=daily,
        weekly=build_weekly_rows(daily),
        monthly=build_monthly_rows(daily),
        findings=sources.findings,
        snapshot=snapshot,
        person=person,
        coverage=coverage,
        overview=build_overview(
            daily, snapshot, person, build_recovery(daily, goals), written_at[:10]
        ),
        cards=cards,
        correlations=build_correlations(daily),
        sections=sections,
        tables=tables,
        catalog=build_catalog(
            coverage=coverage,
            datasets_with_values=find_datasets_with_values(datasets),
            cards=cards,
            sections=sections,
            tables=tables,
            snapshot=snapshot,
            generated_at=generated_at,
        ),
    )
