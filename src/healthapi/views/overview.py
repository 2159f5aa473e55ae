"""Summarize a profile: the overview, and the coverage of each dataset and the snapshot.

Invariant *nothing is dropped silently*: rejected rows and unreadable cells are counted as well as
the served rows.
Invariant *missing is not zero*: members from the snapshot are None without a snapshot.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal

import attrs

from healthapi.derived.cards import Recovery, RecoveryKey
from healthapi.derived.periods import find_partial_periods
from healthapi.models import DailyRow
from healthapi.omissions import MESSAGE_OF as REASON_OF
from healthapi.omissions import OmissionCode, Reasons, day_ranges
from healthapi.person import Person
from healthapi.rows.findings import MESSAGE_OF, Findings, is_about_row
from healthapi.rows.rows import Rows
from healthapi.snapshot import Snapshot, text
from status_contracts.days import parse_day
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Items

NOT_MEASURED: Final = {"date", "is_main_sleep", "nap_count"}
"""Members that every row has, even if nothing was measured."""


@attrs.frozen
class DayRange:
    """Consecutive days.

    Attributes:
        start_date: The first day.
        end_date: The last day.

    """

    start_date: str
    end_date: str


@attrs.frozen
class Omission:
    """Rows or values that a dataset lacks for one reason.

    Attributes:
        reason: Key of the reason.
        label: The reason in words.
        unit: The unit of `count`: rows or cells of the file, or days that an import left out.
        count: Their number; None for all days without a value.
        fields: The members that an import left out; empty for whole rows.
        ranges: The days that an import left out.

    """

    reason: str
    label: str
    unit: Literal["row", "cell", "day"]
    count: int | None
    fields: Annotated[tuple[str, ...], Items()] = ()
    ranges: Annotated[tuple[DayRange, ...], Items()] = ()


@attrs.frozen
class Coverage:
    """The coverage of a dataset, or of the snapshot.

    Attributes:
        count: Served rows; of the snapshot, endpoints that responded.
        start_date: The first day; None if there is none.
        end_date: The last day; of the snapshot, its `saved_at`.
        rejected_rows: Rows of the file that are not served; ABSENT for the snapshot.
        unreadable_cells: Cells whose text cannot be parsed, or whose value cannot be true; ABSENT
            for the snapshot.
        omissions: Rows and values that a file lacks, by reason; ABSENT if it lacks none.

    """

    count: int
    start_date: str | None
    end_date: str | None
    rejected_rows: int | Absent = ABSENT
    unreadable_cells: int | Absent = ABSENT
    omissions: Annotated[tuple[Omission, ...], Items()] | Absent = ABSENT


def build_coverage(
    datasets: Iterable[Rows[Any]],
    findings: Mapping[str, Findings],
    left_out: Reasons,
    snapshot: Snapshot | None,
) -> dict[str, Coverage]:
    """Return the coverage of datasets by key, in their order, with that of the snapshot last.

    A dataset that is not read from its own file, as `daily`, has the findings of all files.
    """
    all_files = Findings(
        rejected_rows=sum(of_file.rejected_rows for of_file in findings.values()),
        unreadable_cells=sum(of_file.unreadable_cells for of_file in findings.values()),
    )
    by_key = {
        rows.key: coverage_of(rows, findings.get(rows.key, all_files), left_out)
        for rows in datasets
    }
    of_snapshot = Coverage(0, None, None)
    if snapshot is not None:
        start = text(snapshot.range.get("recent_start"))
        of_snapshot = Coverage(snapshot.ok_count, start, snapshot.saved_at)
    return by_key | {"snapshot": of_snapshot}


def coverage_of(rows: Rows[Any], findings: Findings, left_out: Reasons | None = None) -> Coverage:
    """Return the coverage of rows that ascend by date; `left_out` as in `Profile`."""
    omitted = (
        Omission(rule, MESSAGE_OF[rule], "row" if is_about_row(rule) else "cell", count)
        for rule, count in findings.omitted.items()
    )
    return Coverage(
        count=len(rows),
        start_date=rows.labels[0] if rows else None,
        end_date=rows.labels[-1] if rows else None,
        rejected_rows=findings.rejected_rows,
        unreadable_cells=findings.unreadable_cells,
        omissions=(*omitted, *_left_out(rows, left_out or {})) or ABSENT,
    )


def _left_out(rows: Rows[Any], left_out: Reasons) -> Iterator[Omission]:
    """Yield what imports left out; days on which there is a value by now are not among it."""
    fields_of: dict[tuple[OmissionCode, tuple[Any, ...] | None], list[str]] = {}
    for (dataset, field), codes in left_out.items():
        if dataset != rows.key or field not in ("", *rows.fields):
            continue
        cells = rows.cells[field] if field else rows.labels
        values = zip(rows.labels, cells, strict=True)
        known = {parse_day(day) for day, cell in values if cell is not None}
        for code, days in codes.items():
            left = None if days is None else tuple(sorted(days - known))
            is_gone = len(known) == len(set(rows.labels)) > 0 if left is None else not left
            # Of days that the archive itself lacks an import leaves nothing out.
            if code != "value.none" and not is_gone:
                fields_of.setdefault((code, left), []).append(field)
    for (code, left), fields in fields_of.items():
        yield Omission(
            code,
            f"not imported: {REASON_OF[code]}",
            "day",
            None if left is None else len(left),
            tuple(filter(None, fields)),
            tuple(DayRange(*span) for span in day_ranges(left or ())),
        )


@attrs.frozen
class Overview:
    """A summary of a profile.

    Attributes:
        recovery_score: 0 to 100; None without any measurement for it.
        latest_date: The last day with data.
        latest_sync_at: The snapshot's `saved_at`.
        tracked_days: Number of days with data.
        device_count: None if the account did not respond; also `badge_count`.
        missing_scopes_count: Requested scopes that are not granted; None if unknown.
        nap_count_today: Naps of the last day; None if it has no sleep.
        latest_is_partial: Whether the last day was not over when its data were written; None
            without a day.

    """

    recovery_score: int | None
    recovery_status: RecoveryKey
    recovery_label: str
    latest_date: str | None
    latest_sync_at: str | None
    tracked_days: int
    sleep_goal_minutes: int | None
    daily_steps_goal: int | None
    device_count: int | None
    badge_count: int | None
    missing_scopes_count: int | None
    snapshot_ok_count: int | None
    snapshot_total_count: int | None
    nap_count_today: int | None
    latest_is_partial: bool | None


def build_overview(
    daily: Rows[DailyRow], snapshot: Snapshot | None, person: Person, recovery: Recovery, today: str
) -> Overview:
    """Return the overview of a profile; `today` is the day on which its files were written."""
    last = daily[-1] if daily else None
    return Overview(
        recovery_score=recovery.score,
        recovery_status=recovery.label_key,
        recovery_label=recovery.label,
        latest_date=last.date if last else None,
        latest_sync_at=snapshot.saved_at if snapshot else None,
        tracked_days=len(daily),
        sleep_goal_minutes=person.sleep_goal_minutes,
        daily_steps_goal=person.daily_steps_goal,
        device_count=person.device_count,
        badge_count=person.badge_count,
        missing_scopes_count=snapshot.missing_count if snapshot else None,
        snapshot_ok_count=snapshot.ok_count if snapshot else None,
        snapshot_total_count=snapshot.total_count if snapshot else None,
        nap_count_today=last.nap_count if last else None,
        latest_is_partial=bool(find_partial_periods(daily, "daily", today)) if last else None,
    )
