"""Build a profile: read its files at once, and derive each view when it is first used.

File names are relative to the profile's folder: `csv/<name in the column mapping>`,
`cache/fitbit_profile_snapshot.json`, and `import-report.json`, in which `healthapi import` keeps
what it left out.  A missing file is an empty dataset, or no snapshot; other names are refused.

Invariant *immutable*: a profile depends on bytes and a time alone, so that equal files give equal
profiles, and one profile is one consistent state of the files.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

import attrs

from healthapi.derived import periods
from healthapi.derived.cards import Card, Goals, RecoveryKey, build_cards, build_recovery
from healthapi.derived.daily import build_daily_rows, build_sleep_rows
from healthapi.derived.statistics import Correlation, build_correlations
from healthapi.keys import DATASETS, GRANULARITIES, SERIES_METRICS, Granularity
from healthapi.models import ActivityRow, DailyRow, HrvRow, PeriodRow, RhrRow, SleepLog, SleepRow
from healthapi.omissions import REPORT_FILE, UNFINISHED, Reasons, parse_report
from healthapi.person import Person, build_person
from healthapi.redaction import PRIVATE, PrivacySettings
from healthapi.rows.findings import Findings
from healthapi.rows.mapping import NATIVE, ROW_OF, ProfileMap
from healthapi.rows.reading import read_rows
from healthapi.rows.rows import Rows
from healthapi.snapshot import SNAPSHOT_FILE, Snapshot, read_snapshot
from healthapi.views.catalog import Catalog, CatalogSources
from healthapi.views.overview import (
    NOT_MEASURED,
    Coverage,
    Overview,
    build_coverage,
    build_overview,
)
from healthapi.views.sections import Section, build_sections
from healthapi.views.tables import Table, build_tables
from healthapi.views.usual_ranges import build_view
from status_contracts.primitives import Octets, check_type, to_bytes


def list_files(columns: ProfileMap) -> tuple[str, ...]:
    """Return the names of all files that a profile may have, each once."""
    table_files = [f"csv/{table.file}" for table in columns.tables.values()]
    return tuple(dict.fromkeys((*table_files, SNAPSHOT_FILE, REPORT_FILE)))


def check_settings(columns: object, privacy: object) -> None:
    """Raise TypeError, with the remedy, for what is no column mapping or no privacy settings."""
    check_type("columns", columns, ProfileMap, "pass one such as healthapi.NATIVE")
    check_type("privacy", privacy, PrivacySettings, "pass PrivacySettings(full_name=True)")


def _check_time(name: str, value: str) -> None:
    """Raise TypeError or ValueError, with the remedy, for what is not a local time as text."""
    check_type(name, value, str, "pass local.isoformat(timespec='seconds') of a local datetime")
    try:
        at = datetime.fromisoformat(value)
        is_local = at.tzinfo is None and at.isoformat(timespec="seconds") == value
    except ValueError:
        is_local = False
    if not is_local:
        raise ValueError(f"{name}: must be a local time without zone, as 2026-01-31T12:00:00")


def _left_out(data: bytes, columns: ProfileMap) -> Reasons:
    """Return the reasons of the report by member instead of column; raise DataError."""
    missing = parse_report(data)
    left_out: Reasons = {place: codes for place, codes in missing.items() if not place[1]}
    for dataset, table in columns.tables.items():
        for field, name in table.sources():
            if (dataset, name) in missing:
                left_out[dataset, field] = missing[dataset, name]
    return left_out


@attrs.frozen(eq=False, repr=False)
class Profile:
    """All published data of one person, each view derived when it is first used.

    Attributes:
        activity: Rows of its file, by date.
        logs: All recorded sleep logs, including naps.
        hrv: Rows of its file, by date.
        rhr: Rows of its file, by date.
        findings: Findings of the files, by dataset.
        left_out: Why imports left values out: dataset and member (empty for whole rows) to reasons.
        snapshot: The account snapshot without secrets; None if there is none.
        privacy: The personal data that the owner publishes.
        generated_at: When its files were read; local time without a zone designator.
        written_at: When its tables were last written, likewise, or else `generated_at`.

    """

    id: str
    activity: Rows[ActivityRow]
    logs: Rows[SleepLog]
    hrv: Rows[HrvRow]
    rhr: Rows[RhrRow]
    findings: Mapping[str, Findings]
    left_out: Reasons
    snapshot: Snapshot | None
    privacy: PrivacySettings
    generated_at: str
    written_at: str

    @cached_property
    def person(self) -> Person:
        """The profile object."""
        return build_person(self.id, self.snapshot, self.privacy)

    @cached_property
    def sleep(self) -> Rows[SleepRow]:
        """One row for each date with a sleep."""
        return build_sleep_rows(self.logs)

    @cached_property
    def daily(self) -> Rows[DailyRow]:
        """One row for each date, with all datasets."""
        return build_daily_rows(self.activity, self.sleep, self.hrv, self.rhr)

    @cached_property
    def weekly(self) -> Rows[PeriodRow]:
        """Means by ISO week."""
        return periods.build_period_rows("weekly", self.daily)

    @cached_property
    def monthly(self) -> Rows[PeriodRow]:
        """Means by month."""
        return periods.build_period_rows("monthly", self.daily)

    @property
    def goals(self) -> Goals:
        """The person's goals for sleep and steps."""
        return Goals(self.person.sleep_goal_minutes, self.person.daily_steps_goal)

    @cached_property
    def coverage(self) -> Mapping[str, Coverage]:
        """Coverage by dataset, and of the snapshot."""
        datasets = (self.activity, self.sleep, self.hrv, self.rhr, self.daily)
        return build_coverage(datasets, self.findings, self.left_out, self.snapshot)

    @cached_property
    def overview(self) -> Overview:
        """Recovery score, latest day, goals and counts."""
        recovery = build_recovery(self.daily, self.goals)
        return build_overview(self.daily, self.snapshot, self.person, recovery, self._open_from)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the main metrics, in their order."""
        return build_cards(self.daily, self.goals)

    @cached_property
    def correlations(self) -> tuple[Correlation, ...]:
        """The correlations of pairs of metrics, in their order."""
        return build_correlations(self.daily)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The four sections, in their order."""
        return build_sections(self.snapshot, self.person)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The ten tables, in their order."""
        return build_tables(self.sleep, self.activity, self.daily, self.snapshot)

    @cached_property
    def catalog(self) -> Catalog:
        """The data catalog by health domain."""
        with_values = frozenset(
            rows.key  # blank rows have none
            for rows in (self.activity, self.sleep, self.hrv, self.rhr)
            for name, cells in rows.cells.items()
            if name not in NOT_MEASURED and any(cell is not None for cell in cells)
        )
        return CatalogSources(
            self.coverage,
            with_values,
            {card.key: card for card in self.cards},
            {section.section: section for section in self.sections},
            {table.key: table for table in self.tables},
            self.snapshot,
        ).catalog(self.generated_at)

    def rows(self, dataset: str) -> Rows[Any]:
        """Return a dataset by its key; raise KeyError, with the keys, if there is no such."""
        _check_name("dataset", dataset, DATASETS)
        rows: Rows[Any] = getattr(self, dataset)
        return rows

    def series(
        self, granularity: Granularity, metrics: Sequence[str] = (), limit: int | None = None
    ) -> periods.Series:
        """Return the last `limit` points (None: all) of metrics; without any, of all there are.

        Raises:
            KeyError: The granularity is unknown, or it does not have a metric.
            TypeError: `metrics` is text instead of a list.

        """
        if isinstance(metrics, str):
            raise TypeError(f"metrics: must be a list of names, not text: pass [{metrics!r}]")
        _check_name("granularity", granularity, GRANULARITIES)
        for metric in metrics:
            _check_name(f"metric of {granularity} series", metric, SERIES_METRICS[granularity])
        chosen = metrics or SERIES_METRICS[granularity]
        partial = self.partial_periods(granularity)
        hours = periods.exact_sleep(granularity, self.daily) if "sleep_hours" in chosen else ()
        rows = self.rows(granularity)
        built = periods.build_series(rows, granularity, chosen, limit, partial, hours)
        return attrs.evolve(built, few=periods.find_few_days(granularity, self.daily, *chosen))

    def partial_periods(self, granularity: Granularity) -> tuple[str, ...]:
        """Return the weeks or months that extend beyond the first or the last day with data.

        Of days, return the last one if it was not over when the tables were written, or when the
        export was made from which they were imported.
        """
        return periods.find_partial_periods(self.daily, granularity, self._open_from)

    @cached_property
    def _open_from(self) -> str:
        """The day from which on days were not over: when written, or already when exported."""
        unfinished = self.left_out.get(("activity", ""), {}).get(UNFINISHED) or ()
        days = {day.isoformat() for day in unfinished}
        return min([self.written_at[:10], *days.intersection(self.daily.labels[-1:])])

    @cached_property
    def summary(self) -> "ProfileSummary":
        """Its values in the list of profiles: members of the person, the overview and cards."""
        known = attrs.asdict(self.person) | attrs.asdict(self.overview)
        known |= {card.key: card.latest for card in self.cards}
        known |= {"last_sync_at": self.overview.latest_sync_at, "generated_at": self.generated_at}
        view = build_view(self.daily, self.goals, self.partial_periods)
        known |= {"is_awaited": False, "caveats": "", "sentence": {"then": ""}, **view}
        known["sentence"] = known["sentence"]["then"]
        return ProfileSummary(**{name: known[name] for name in attrs.fields_dict(ProfileSummary)})

    def __repr__(self) -> str:
        days = self.daily.labels
        span = f", {days[0]} to {days[-1]}" if days else ""
        return f"<Profile {self.id}: {len(days)} days{span}>"


@attrs.frozen
class ProfileSummary:
    """The values of a profile in the list of profiles.

    Attributes:
        generated_at: As of the profile; None if it has not been read, or cannot be.  Then all other
            values are None as well.
        is_awaited: Whether it is being read for the first time.
        caveats: Sentences where its recovery is of one part or of few days; else empty.
        sentence: Which last values were outside of their usual range; else empty.

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
    is_awaited: bool = False
    caveats: str = ""
    sentence: str = ""


def _check_name(kind: str, name: str, known: Collection[str]) -> None:
    """Raise KeyError, with the names that exist, for another one."""
    if name not in known:
        raise KeyError(f"there is no {kind} {name!r}; choose from {', '.join(known)}")


def load(
    profile_id: str,
    files: Mapping[str, Octets],
    *,
    generated_at: str,
    columns: ProfileMap = NATIVE,
    privacy: PrivacySettings = PRIVATE,
) -> Profile:
    """Read the files of a profile.

    Args:
        profile_id: its id.
        files: the bytes of the existing files by name: `csv/fitbit_activity.csv` and others.
        generated_at: the person's local time, as `2026-01-31T12:00:00`.
        columns: which columns of the tables are which members.
        privacy: the personal data that the owner publishes.

    Raises:
        DataError: A file cannot be read as a whole; its findings name the file.
        TypeError: An argument has another type, or the content of a file is not bytes.
        ValueError: A name is not that of a file of a profile, or the time has another form.

    """
    _check_time("generated_at", generated_at)
    check_type("profile_id", profile_id, str, "pass text such as 'anna'")
    check_type("files", files, Mapping, "pass bytes by name; FolderSource reads a folder")
    check_settings(columns, privacy)
    contents = {name: to_bytes(data) for name, data in files.items()}
    expected = list_files(columns)
    for name in contents:
        if name not in expected:
            raise ValueError(f"files: {name!r} is not one of a profile: use {', '.join(expected)}")
    tables: dict[str, Rows[Any]] = {}
    findings: dict[str, Findings] = {}
    for dataset, row in ROW_OF.items():
        table = columns.tables.get(dataset)
        if table is None or (data := contents.get(f"csv/{table.file}")) is None:
            tables[dataset] = Rows(dataset, row, {field.name: () for field in attrs.fields(row)})
            findings[dataset] = Findings()
        else:
            tables[dataset], findings[dataset] = read_rows(data, dataset, table)
    report = contents.get(REPORT_FILE)
    stored = contents.get(SNAPSHOT_FILE)
    return Profile(
        profile_id,
        tables["activity"],
        tables["sleep"],
        tables["hrv"],
        tables["rhr"],
        findings,
        {} if report is None else _left_out(report, columns),
        None if stored is None else read_snapshot(stored, privacy),
        privacy,
        generated_at,
        generated_at,
    )


def derive(profile: Profile, *, generated_at: str, written_at: str | None = None) -> Profile:
    """Return the profile of the same files as of another time.

    Both times are local times of the person, as `2026-01-31T12:00:00`; `written_at` is when the
    tables were last written, None if that is not known.  Raises TypeError for what is no text, and
    ValueError for another form.
    """
    _check_time("generated_at", generated_at)
    if written_at is not None:
        _check_time("written_at", written_at)
    return attrs.evolve(
        profile, generated_at=generated_at, written_at=min(generated_at, written_at or generated_at)
    )
