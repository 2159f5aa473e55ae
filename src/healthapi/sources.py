"""The files of a profile, read: typed rows with their findings, and the clean snapshot.

Source: health facts, section 2.  Files are named as they lie below the profile's folder:
`csv/<name of the column map>` and `cache/fitbit_profile_snapshot.json`.  A file that is not there
is an empty dataset, or no snapshot; nothing else is looked at.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

import attrs

from healthapi.account.person import Person, person_of
from healthapi.account.snapshot import SNAPSHOT_FILE, Snapshot, read_snapshot
from healthapi.redaction.walk import PRIVATE, PrivacySettings
from healthapi.rows.columns import NATIVE, ProfileMap, TableMap
from healthapi.rows.findings import NOTHING_FOUND, Findings
from healthapi.rows.reading import empty_rows, read_rows
from healthapi.rows.records import ActivityRow, HrvRow, RhrRow, Rows, SleepLog
from purewire.bytes_like import Octets, to_bytes

__all__ = ["Progress", "Sources", "files_of", "read_sources"]

Progress = Callable[[int], None]
R = TypeVar("R", bound=attrs.AttrsInstance)


@attrs.frozen(eq=False, repr=False)
class Sources:
    """What the files of a profile say.

    Attributes:
        profile_id: id of the profile.
        activity: rows of the activity file.
        logs: every recorded sleep, naps and all.
        hrv: rows of the heart rate variability file.
        rhr: rows of the resting heart rate file.
        findings: what was wrong with the rows, by dataset.
        snapshot: the account snapshot, free of secrets; None where there is none.
        person: who the profile belongs to, as far as that is public.

    """

    profile_id: str
    activity: Rows[ActivityRow]
    logs: Rows[SleepLog]
    hrv: Rows[HrvRow]
    rhr: Rows[RhrRow]
    findings: Mapping[str, Findings]
    snapshot: Snapshot | None
    person: Person


def files_of(columns: ProfileMap) -> tuple[str, ...]:
    """Give the names of all files that a profile may have, each once."""
    tables = (columns.activity, columns.sleep, columns.hrv, columns.rhr)
    named = [f"csv/{table.file}" for table in tables if table is not None]
    return tuple(dict.fromkeys((*named, SNAPSHOT_FILE)))


def read_sources(
    profile_id: str,
    files: Mapping[str, Octets],
    *,
    columns: ProfileMap = NATIVE,
    disclosure: PrivacySettings = PRIVATE,
    progress: Progress | None = None,
) -> Sources:
    """Read the files of a profile.

    Args:
        profile_id: id of the profile.
        files: file name to bytes, for the files that are there.
        columns: how the tables are laid out.
        disclosure: what the owner publishes about who they are.
        progress: called with the bytes of the tables that are done so far.

    Raises:
        DataError: a file cannot be read as a whole; its findings name the file.
        TypeError: the content of a file is not bytes.

    """
    contents = {name: to_bytes(data) for name, data in files.items()}
    findings: dict[str, Findings] = {}
    done = 0

    def rows(row: type[R], table: TableMap | None, key: str) -> Rows[R]:
        nonlocal done
        data = None if table is None else contents.get(f"csv/{table.file}")
        if table is None or data is None:
            findings[key] = NOTHING_FOUND
            return empty_rows(key, row)
        before = done
        report = None if progress is None else (lambda bytes_done: progress(before + bytes_done))
        reading = read_rows(data, table, report)
        findings[key] = reading.findings
        done += len(data)
        return reading.rows

    stored = contents.get(SNAPSHOT_FILE)
    snapshot = None if stored is None else read_snapshot(stored, disclosure)
    return Sources(
        profile_id,
        rows(ActivityRow, columns.activity, "activity"),
        rows(SleepLog, columns.sleep, "sleep"),
        rows(HrvRow, columns.hrv, "hrv"),
        rows(RhrRow, columns.rhr, "rhr"),
        findings,
        snapshot,
        person_of(profile_id, snapshot, disclosure),
    )
