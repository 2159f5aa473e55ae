"""What readers are told at an instant: online with a snapshot, or offline and why.

Source: device-status specification, "States and transitions".  `/api/now`, the category bodies
and the badge all show this one verdict.

Invariant *received before read*: a record received after `now` is offline until that time comes.
"""

from functools import cached_property
from typing import Literal

import attrs

from devicestatus import limits
from devicestatus.engine.deadlines import Deadline, projection_deadline, snapshot_deadline
from devicestatus.engine.projection import NoData, NoDataReason, PreparedWindow, prepare
from devicestatus.engine.record import Record, SnapshotRecord, WindowRecord
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import PlaybackInfo, WindowGap
from purewire.json import codec
from purewire.structuring.to_builtins import to_plain

__all__ = [
    "Offline",
    "OfflineReason",
    "Online",
    "Reading",
    "WindowReading",
    "is_valid_window",
    "read",
    "state_of",
]

OfflineReason = Literal["no-record", "corrupt", "future", "expired"] | NoDataReason


@attrs.frozen
class Online:
    """A state that readers see.

    Attributes:
        snapshot: the state.
        updated_at: when the record was received, ms since the epoch.
        deadline: when this answer ends, and by which rule.
        playback: where the delayed projection stands; None for a v1 record.

    """

    snapshot: Snapshot
    updated_at: int
    deadline: Deadline
    playback: PlaybackInfo | None = None


@attrs.frozen
class Offline:
    """No state to show, why, and in which gap; readers are told only that it is offline."""

    reason: OfflineReason
    gap: WindowGap | None = None


@attrs.frozen
class WindowReading:
    """A stored window together with its prepared form."""

    record: WindowRecord
    prepared: PreparedWindow

    @cached_property
    def window_text(self) -> bytes:
        """JSON text of the window, in the one spelling in which models are written."""
        return codec.encode(to_plain(self.record.data))


Reading = SnapshotRecord | WindowReading
"""A record as it is read: windows are prepared once and then asked many times."""


def read(record: Record) -> Reading:
    """Make a record ready to be asked at any instant."""
    if isinstance(record, SnapshotRecord):
        return record
    return WindowReading(record, prepare(record.data))


def state_of(reading: Reading, *, now: int, ttl_seconds: int) -> Online | Offline:
    """Give the verdict on a record at server time `now` under the current lifetime."""
    if isinstance(reading, WindowReading):
        return _window_state(reading, now)
    if reading.received_at > now:
        return Offline("future")
    deadline = snapshot_deadline(reading.received_at, reading.expires_at, ttl_seconds)
    if now >= deadline.at:
        return Offline("expired")
    return Online(reading.data, reading.received_at, deadline)


def is_valid_window(reading: WindowReading, now: int) -> bool:
    """Tell whether the timeline shows a window at `now`: received, and before its deadline."""
    return reading.record.received_at <= now < reading.record.expires_at


def _window_state(reading: WindowReading, now: int) -> Online | Offline:
    record = reading.record
    if record.received_at > now:
        return Offline("future")
    projected = reading.prepared.project(now)
    if isinstance(projected, NoData):
        return Offline(projected.reason, projected.gap)
    end = record.data.window_end
    return Online(
        projected,
        record.received_at,
        Deadline(projection_deadline(end), "projection"),
        PlaybackInfo(now - limits.PLAYBACK_DELAY_MS, end),
    )
