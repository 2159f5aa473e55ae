"""The person at a glance.

Source: health facts, section 7; health-data rulings on counts.

Invariant *missing is not zero*: what only the snapshot knows is None without a snapshot.
"""

import attrs

from healthapi.account.person import Person
from healthapi.account.snapshot import Snapshot
from healthapi.derived.recovery import Recovery, RecoveryKey
from healthapi.rows.records import DailyRow, Rows
from purewire.absent import ABSENT

__all__ = ["Overview", "overview"]


@attrs.frozen
class Overview:
    """What a first page shows of a profile.

    Attributes:
        recovery_score: 0 to 100; None where there is nothing to judge by.
        recovery_status: what the score means, as a key.
        recovery_label: the same in words.
        latest_date: the last day with any data.
        latest_sync_at: when the snapshot was made, as it says itself.
        tracked_days: days with any data.
        sleep_goal_minutes: minutes asleep a night.
        daily_steps_goal: steps a day.
        device_count: paired devices; None where the account did not answer.
        badge_count: badges; None likewise.
        missing_scopes_count: scopes that were asked for and not granted; None where that is
            not known.
        snapshot_ok_count: endpoints of the account that answered.
        snapshot_total_count: endpoints of the account.
        nap_count_today: naps of the last day; None where it has no sleep at all.

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


def overview(
    daily: Rows[DailyRow], snapshot: Snapshot | None, person: Person, recovery: Recovery
) -> Overview:
    """Give the overview of a profile."""
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
    )
