"""Read the files of a profile into typed rows with findings, and a redacted snapshot.

File names are relative to the profile's folder: `csv/<name in the column mapping>`,
`cache/fitbit_profile_snapshot.json`, and `import-report.json`, in which `healthapi import` keeps
what it left out.  A missing file is an empty dataset, or no snapshot; all other files are ignored.

Contract: HA-SERVICE-01, HA-ERROR-16, HA-FILE-01, HA-FILE-04.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import attrs

from healthapi.account.person import Person, build_person
from healthapi.account.snapshot import SNAPSHOT_FILE, Snapshot, read_snapshot
from healthapi.errors import DataError
from healthapi.importing.gaps import REPORT_FILE, KeptReportError, Missing, parse_report
from healthapi.redaction.walk import PRIVATE, PrivacySettings
from healthapi.rows.columns import NATIVE, ProfileMap, TableMap
from healthapi.rows.findings import NO_FINDINGS, Findings
from healthapi.rows.reading import empty_rows, read_rows
from healthapi.rows.records import ActivityRow, HrvRow, RhrRow, Rows, SleepLog
from purewire.findings import Finding
from purewire.primitives import Octets, to_bytes

_REPORT: Final = "report.form"
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

    `files` are the bytes of the existing files by name.  `progress` is called with the number of
    bytes of the tables that are read so far.

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
            return empty_rows(key, row)
        before = done
        report = None if progress is None else (lambda bytes_done: progress(before + bytes_done))
        result = read_rows(data, table, report)
        findings[key] = result.findings
        done += len(data)
        return result.rows

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
        finding = Finding(f"/{REPORT_FILE}", _REPORT, message)
        raise DataError(findings=(finding,)) from None
    found: Missing = {place: codes for place, codes in missing.items() if not place[1]}
    for table in filter(None, attrs.astuple(columns, recurse=False)):
        for field, name in table.sources():
            if (table.dataset, name) in missing:
                found[table.dataset, field] = missing[table.dataset, name]
    return found
