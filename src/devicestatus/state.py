"""Compute the public status at a given time: online with a snapshot, or offline with a reason.

`/api/now`, the category bodies and the badge all show this one status.

Invariant *received before read*: a record received after `now` is offline until that time comes:
the clocks of several servers differ, and one may be set back.
"""

from typing import Literal

import attrs

from devicestatus import limits
from devicestatus.deadlines import Deadline, projection_deadline, snapshot_deadline
from devicestatus.models import PlaybackInfo, Snapshot, Window, WindowGap
from devicestatus.projection import NoData, NoDataReason
from devicestatus.record import Record, WindowRecord
from status_contracts.instants import check_instant

__all__ = ["Offline", "OfflineReason", "Online", "is_valid_window", "shown_value", "state_of"]

OfflineReason = Literal["no-record", "corrupt", "future", "expired"] | NoDataReason


@attrs.frozen
class Online:
    """An online status.

    Attributes:
        updated_at: when the record was received, ms since the epoch.
        playback: the position of the delayed projection; None for a v1 record.

    """

    snapshot: Snapshot
    updated_at: int
    deadline: Deadline
    playback: PlaybackInfo | None = None


@attrs.frozen
class Offline:
    """An offline status, its reason and the gap that causes it; responses contain neither."""

    reason: OfflineReason
    gap: WindowGap | None = None


def state_of(record: Record, *, now: int, ttl_seconds: int) -> Online | Offline:
    """Return the status of a record at server time `now` (any int) under the current lifetime."""
    check_instant("now", now)
    if record.received_at > now:
        return Offline("future")
    if isinstance(record, WindowRecord):
        return _window_status(record, now)
    deadline = snapshot_deadline(record.received_at, record.expires_at, ttl_seconds)
    if now >= deadline.at:
        return Offline("expired")
    return Online(record.data, record.received_at, deadline)


def is_valid_window(record: WindowRecord, now: int) -> bool:
    """Check whether `/api/timeline` shows a window at `now`: received, and before its deadline."""
    return record.received_at <= now < record.expires_at


def shown_value(record: Record | None, *, now: int, ttl_seconds: int) -> Window | Snapshot | None:
    """Return the window or snapshot that `/api/timeline` has at `now`; None if it is offline."""
    if isinstance(record, WindowRecord):
        return record.data if is_valid_window(record, now) else None
    if record is None:
        return None
    status = state_of(record, now=now, ttl_seconds=ttl_seconds)
    return status.snapshot if isinstance(status, Online) else None


def _window_status(record: WindowRecord, now: int) -> Online | Offline:
    at = now - limits.PLAYBACK_DELAY_MS
    projected = record.prepared.projection_at(at)
    if isinstance(projected, NoData):
        return Offline(projected.reason, projected.gap)
    end = record.data.window_end
    deadline = Deadline(projection_deadline(end), "projection")
    return Online(projected, record.received_at, deadline, PlaybackInfo(at, end))
