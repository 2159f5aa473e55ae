"""Why the answer is what it is, and until when.

Invariant *one verdict*: the explanation is read off the state that the views show, so the two
cannot differ.
"""

from collections.abc import Iterator

import attrs

from devicestatus import limits
from devicestatus.engine.deadlines import Deadline, projection_deadline, snapshot_deadline
from devicestatus.engine.record import Record, SnapshotRecord, WindowRecord, decode
from devicestatus.engine.state import (
    Offline,
    OfflineReason,
    Online,
    Reading,
    WindowReading,
    read,
    state_of,
)
from devicestatus.models.snapshot import Snapshot
from devicestatus.models.window import WindowGap
from devicestatus.settings import Settings

__all__ = ["Explanation", "explain"]


@attrs.frozen
class Explanation:
    """One verdict with its reason.

    Attributes:
        online: what `/api/now` tells at this instant.
        reason: why it is offline; None while online.
        gap: the gap that holds the projected moment, where that is the reason.
        deadline: the deadline in force and its rule, also when it has passed; None without a
            trusted record.
        next_change_at: the next instant, ms since the epoch, at which `/api/now` shows another
            status or another state if nothing is written; None if it stays as it is.

    """

    online: bool
    reason: OfflineReason | None = None
    gap: WindowGap | None = None
    deadline: Deadline | None = None
    next_change_at: int | None = None


def explain(record: object, now: int, settings: Settings) -> Explanation:
    """Explain a `Record`, or whatever a store gave for one, at server time `now`.

    Raises ValueError when the lifetime that the settings configure is invalid: the service then
    answers 503 and there is no verdict to explain.
    """
    ttl_seconds = settings.ttl_seconds
    if ttl_seconds is None:
        raise ValueError("the configured lifetime is invalid")
    if record is None:
        return Explanation(online=False, reason="no-record")
    if isinstance(record, SnapshotRecord | WindowRecord):
        trusted: Record | None = record
    else:
        trusted = decode(record, settings.catalog)
    if trusted is None:
        return Explanation(online=False, reason="corrupt")
    return _explain(read(trusted), now, ttl_seconds)


def _explain(reading: Reading, now: int, ttl_seconds: int) -> Explanation:
    state = state_of(reading, now=now, ttl_seconds=ttl_seconds)
    return Explanation(
        online=isinstance(state, Online),
        reason=state.reason if isinstance(state, Offline) else None,
        gap=state.gap if isinstance(state, Offline) else None,
        deadline=_deadline(reading, ttl_seconds),
        next_change_at=_next_change(reading, now, ttl_seconds),
    )


def _deadline(reading: Reading, ttl_seconds: int) -> Deadline:
    if isinstance(reading, WindowReading):
        return Deadline(projection_deadline(reading.record.data.window_end), "projection")
    return snapshot_deadline(reading.received_at, reading.expires_at, ttl_seconds)


def _next_change(reading: Reading, now: int, ttl_seconds: int) -> int | None:
    def shown(instant: int) -> Snapshot | None:
        state = state_of(reading, now=instant, ttl_seconds=ttl_seconds)
        return state.snapshot if isinstance(state, Online) else None

    current = shown(now)
    moments = sorted({moment for moment in _moments(reading, ttl_seconds) if moment > now})
    return next((moment for moment in moments if shown(moment) != current), None)


def _moments(reading: Reading, ttl_seconds: int) -> Iterator[int]:
    """Give every instant at which the answer may change."""
    yield _deadline(reading, ttl_seconds).at
    if not isinstance(reading, WindowReading):
        yield reading.received_at
        return
    yield reading.record.received_at
    window = reading.record.data
    yield window.window_start + limits.PLAYBACK_DELAY_MS
    for event in window.events:
        yield event.at + limits.PLAYBACK_DELAY_MS
    for gap in window.gaps:
        yield gap.start_at + limits.PLAYBACK_DELAY_MS
        yield gap.end_at + limits.PLAYBACK_DELAY_MS
