"""Until when a record is online.

Source: device-status specification, "v1 deadline rules", "POST /api/batch" rule 3 and "GET
/api/now" rule 1.  All instants are ms since the epoch.

Invariant *deadlines are exclusive*: at the deadline itself the record is expired.
Invariant *configuration never extends*: a v1 record is judged by the earlier of the deadline
stored with it and the one that the current policy gives.
Invariant *late writes never extend*: a window's deadlines depend on `window_end` alone.
Invariant *arithmetic has no end*: a deadline may lie after the last instant that a timestamp can
contain; records are judged by it, and responses contain the last instant in its place.
"""

from typing import Literal

import attrs

from devicestatus import limits
from purewire.absent import ABSENT, Absent
from purewire.instants import LAST_INSTANT, SECOND_MS

__all__ = [
    "Deadline",
    "DeadlineRule",
    "is_before",
    "projection_deadline",
    "snapshot_deadline",
    "window_deadline",
    "writable",
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

    at: int
    rule: DeadlineRule


def snapshot_deadline(received_at: int, stored: int | Absent, ttl_seconds: int) -> Deadline:
    """Give the deadline in force of a v1 record under the current lifetime."""
    policy = Deadline(received_at + ttl_seconds * SECOND_MS, "policy")
    if stored is ABSENT:
        kept = Deadline(received_at + limits.TTL_UNSET_SECONDS * SECOND_MS, "legacy")
    else:
        kept = Deadline(stored, "stored")
    return min(kept, policy, key=_instant)


def _instant(deadline: Deadline) -> int:
    return deadline.at


def window_deadline(window_end: int) -> int:
    """Give the absolute deadline of a window: its end plus 600 s."""
    return window_end + limits.WINDOW_LIFETIME_MS


def projection_deadline(window_end: int) -> int:
    """Return the deadline of a window's delayed projection: its end plus 420 s."""
    return window_end + limits.PLAYBACK_DELAY_MS


def writable(deadline: int) -> int:
    """Return the instant that a response contains for a deadline."""
    return min(deadline, LAST_INSTANT)


def is_before(now: int, expires_at: int) -> bool:
    """Check whether a response's `expires_at` has not been reached; the last instant never is."""
    return now < expires_at or expires_at == LAST_INSTANT
