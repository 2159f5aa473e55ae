"""Compute the deadlines of records: the instants until which they are online.

All instants are ms since the epoch.  The numbers are in `devicestatus.limits`, the configured
lifetime of snapshots in `devicestatus.settings`.  The deadline of a snapshot is a `Deadline`, which
names the one of three rules that sets it; those of a window are ints, because each has one rule.

Invariant *deadlines are exclusive*: at the deadline itself the record is expired.
Invariant *configuration never extends*: the deadline of a v1 record is the earlier of the one that
is stored with it and the one by the current policy.
Invariant *late writes never extend*: a window's deadlines depend on `window_end` alone.
Invariant *no overflow*: a deadline may lie after the last instant that a timestamp can contain;
records are compared with it, and responses contain the last instant instead (`clamp_instant`).
"""

from operator import attrgetter
from typing import Literal

import attrs

from devicestatus import limits
from status_contracts.instants import LAST_INSTANT, SECOND_MS, check_instant, show_instant
from status_contracts.primitives import ABSENT, Absent

__all__ = [
    "Deadline",
    "DeadlineRule",
    "is_unexpired",
    "projection_deadline",
    "snapshot_deadline",
    "window_deadline",
]

DeadlineRule = Literal["stored", "legacy", "policy", "projection"]


@attrs.frozen
class Deadline:
    """An exclusive deadline and the rule that sets it.

    Attributes:
        at: ms since the epoch.
        rule: `stored` with the record, `legacy` (60 s, nothing stored), the current `policy`, or
            the `projection` of a window.

    """

    at: int = attrs.field(repr=show_instant)
    rule: DeadlineRule


def snapshot_deadline(received_at: int, stored: int | Absent, ttl_seconds: int) -> Deadline:
    """Return the effective deadline of a v1 record under the current lifetime."""
    check_instant("received_at", received_at)
    by_policy = Deadline(received_at + ttl_seconds * SECOND_MS, "policy")
    if stored is ABSENT:
        by_record = Deadline(received_at + limits.TTL_UNSET_SECONDS * SECOND_MS, "legacy")
    else:
        by_record = Deadline(stored, "stored")
    return min(by_record, by_policy, key=attrgetter("at"))


def window_deadline(window_end: int) -> int:
    """Return the absolute deadline of a window: its end plus 600 s."""
    check_instant("window_end", window_end)
    return window_end + limits.WINDOW_LIFETIME_MS


def projection_deadline(window_end: int) -> int:
    """Return the deadline of a window's delayed projection: its end plus 420 s."""
    check_instant("window_end", window_end)
    return window_end + limits.PLAYBACK_DELAY_MS


def is_unexpired(now: int, expires_at: int) -> bool:
    """Check whether a response is valid at `now`; if it expires at `LAST_INSTANT`, it always is."""
    return now < expires_at or expires_at == LAST_INSTANT
