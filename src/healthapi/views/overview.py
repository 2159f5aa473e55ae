"""Build the overview of a profile.

Invariant *missing is not zero*: members from the snapshot are None without a snapshot.

Contract: HA-ENVELOPE-15, HA-OVERVIEW-01 to 06, HA-SNAPSHOT-20.
"""

import attrs

from healthapi.account.person import Person
from healthapi.account.snapshot import Snapshot
from healthapi.derived.cards import Recovery, RecoveryKey
from healthapi.derived.periods import find_partial_periods
from healthapi.rows.records import DailyRow, Rows
from purewire.primitives import ABSENT


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
    daily: Rows[DailyRow],
    snapshot: Snapshot | None,
    person: Person,
    recovery: Recovery,
    today: str,
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
        nap_count_today=last.nap_count if last and last.nap_count is not ABSENT else None,
        latest_is_partial=bool(find_partial_periods(daily, "daily", today)) if last else None,
    )
