"""Explain the status of a record: why it is online or offline, and until when.

Invariant *same status as the bodies*: the explanation is derived from `state_of`, which the bodies
show, so the two cannot differ.
"""

from typing import Final

import attrs

from devicestatus import limits
from devicestatus.deadlines import Deadline, projection_deadline, snapshot_deadline
from devicestatus.models import Battery, Snapshot, WindowGap
from devicestatus.record import Record, SnapshotRecord, WindowRecord, decode_record
from devicestatus.settings import Settings
from devicestatus.state import Offline, OfflineReason, Online, state_of
from devicestatus.status_text import CHARGING, POWER, deadline_text, format_time, time_text
from status_contracts import json_text
from status_contracts.instants import check_milliseconds, show_instant
from status_contracts.primitives import ABSENT

_RECORDS: Final = (
    "WindowRecord(received_at, window, window_deadline(window.window_end)), or"
    " SnapshotRecord(received_at, snapshot) with its expires_at"
)

__all__ = ["Explanation", "explain", "explanation_fields", "snapshot_fields"]


@attrs.frozen
class Explanation:
    """The status at one time, with its reason.

    Attributes:
        online: whether `/api/now` is online at this time.
        reason: why it is offline; None while online.
        gap: the gap that contains the projected instant, if that is the reason.
        deadline: the effective deadline and its rule, also after it has passed; None without a
            trusted record.
        next_change_at: the next instant, ms since the epoch, at which `/api/now` shows another
            status or another state if nothing is written; None if there is none.

    """

    online: bool
    reason: OfflineReason | None = None
    gap: WindowGap | None = None
    deadline: Deadline | None = None
    next_change_at: int | None = None

    def __repr__(self) -> str:
        status = "online" if self.online else f"offline, {self.reason}"
        return f"<Explanation: {status}, next change {show_instant(self.next_change_at)}>"


def explain(record: object, now: int, settings: Settings) -> Explanation:
    """Explain the status of a record at a given server time.

    Args:
        record: a `Record`, the bytes that a store returned for one, or None.
        now: server time, ms since the epoch.
        settings: the configuration of the service.

    Raises:
        TypeError: the record is of another type, or is the body of an upload; `now` is no int.
        ValueError: the configured lifetime is invalid, so that the service answers 503, or `now`
            looks like seconds.

    """
    check_milliseconds("now", now)
    ttl_seconds = settings.ttl_seconds
    if ttl_seconds is None:
        raise ValueError(
            f"settings: STATUS_TTL_SECONDS must be {limits.TTL_MIN_SECONDS} to "
            f"{limits.TTL_MAX_SECONDS}, eco or realtime, not {settings.status_ttl_seconds!r}"
        )
    if record is None:
        return Explanation(online=False, reason="no-record")
    if isinstance(record, SnapshotRecord | WindowRecord):
        trusted: Record | None = record
    elif isinstance(record, bytes):
        trusted = decode_record(record, settings.catalog)
        if trusted is None and json_text.member_at(record, "schema_version") is not ABSENT:
            raise TypeError(f"record: is the body of an upload: parse it, and pass {_RECORDS}")
    else:
        fault = f"must be a record or its stored bytes, not {type(record).__name__}"
        raise TypeError(f"record: {fault}: pass {_RECORDS}")
    if trusted is None:
        return Explanation(online=False, reason="corrupt")
    status = state_of(trusted, now=now, ttl_seconds=ttl_seconds)
    reason, gap = (status.reason, status.gap) if isinstance(status, Offline) else (None, None)
    deadline, change = _deadline(trusted, ttl_seconds), _next_change(trusted, now, ttl_seconds)
    return Explanation(isinstance(status, Online), reason, gap, deadline, change)


def _deadline(record: Record, ttl_seconds: int) -> Deadline:
    if isinstance(record, WindowRecord):
        return Deadline(projection_deadline(record.data.window_end), "projection")
    return snapshot_deadline(record.received_at, record.expires_at, ttl_seconds)


def _next_change(record: Record, now: int, ttl_seconds: int) -> int | None:
    def snapshot_at(instant: int) -> Snapshot | None:
        status = state_of(record, now=instant, ttl_seconds=ttl_seconds)
        return status.snapshot if isinstance(status, Online) else None

    candidates = {_deadline(record, ttl_seconds).at, record.received_at}
    if isinstance(record, WindowRecord):
        candidates |= {at + limits.PLAYBACK_DELAY_MS for at in record.prepared.change_times}
    current, later = snapshot_at(now), sorted(instant for instant in candidates if instant > now)
    return next((instant for instant in later if snapshot_at(instant) != current), None)


def explanation_fields(explanation: Explanation, now: int) -> dict[str, str]:
    """Return the deadline, if there is one, and the next change by their names in words.

    Each is a time, and its distance from the server time `now`.
    """
    deadline, change = explanation.deadline, explanation.next_change_at
    fields = {} if deadline is None else {"deadline": deadline_text(deadline, now)}
    nothing = "none, until something is written"
    return fields | {"next change": nothing if change is None else time_text(change, now)}


def snapshot_fields(snapshot: Snapshot) -> dict[str, str]:
    """Return the members of a snapshot by their names in words."""
    battery, running, system = snapshot.battery, snapshot.running_apps, snapshot.system
    charge = "charge unknown" if battery.percent is None else f"{battery.percent} %"
    power = f"{charge}, {CHARGING[battery.charging]}, {POWER[battery.power_source]}"
    loads = (system.load_1m, system.load_5m, system.load_15m)
    numbers = ("unknown" if load is None else f"{load:,}" for load in loads)
    title = " — ".join(filter(None, (snapshot.music.track, snapshot.music.artist)))
    links = {"track page": snapshot.music.track_url, "artwork": snapshot.music.artwork_url}
    return {
        "collected": format_time(snapshot.collected_at),
        "foreground app": snapshot.active_app or "unknown",
        "running": "not reported" if running is ABSENT else ", ".join(running) or "no apps",
        "battery": "unknown" if battery == Battery(None, None, "unknown") else power,
        "load": ", ".join(map("{} ({} min)".format, numbers, (1, 5, 15))),
        "music": f"{snapshot.music.state}: {title}" if title else snapshot.music.state,
        **{name: url for name, url in links.items() if isinstance(url, str)},
    }
