"""States and records to answer bodies.

Source: device-status specification, "GET /api/now", "GET /api/timeline", "Category endpoints".

Invariant *exactly offline*: whatever the reason, an offline body is `{"status": "offline"}`.
Invariant *the pair where it belongs*: `/api/now` has the URL pair only when the agent reported it,
the music body always, null where not reported.
"""

from typing import Any

import attrs

from devicestatus.engine.deadlines import writable
from devicestatus.engine.record import WindowRecord
from devicestatus.engine.state import (
    Offline,
    Online,
    Reading,
    WindowReading,
    is_valid_window,
    state_of,
)
from devicestatus.icons import IconIndex
from devicestatus.models.responses import (
    ActiveAppStatus,
    Device,
    DeviceStatus,
    MusicStatus,
    OfflineStatus,
    OnlineStatus,
    RunningAppsStatus,
    SnapshotTimelineStatus,
    WindowEnvelope,
    WindowStatus,
)
from devicestatus.models.snapshot import Music, Snapshot
from purewire.absent import ABSENT
from purewire.json import codec
from purewire.structuring.to_builtins import to_plain

__all__ = [
    "active_app",
    "device",
    "music",
    "now",
    "running_apps",
    "timeline",
    "timeline_text",
]

_OFFLINE = OfflineStatus()


def now(state: Online | Offline) -> OnlineStatus | OfflineStatus:
    """Give the body of `/api/now`."""
    if isinstance(state, Offline):
        return _OFFLINE
    return OnlineStatus(
        **_members(state.snapshot),
        updated_at=state.updated_at,
        expires_at=writable(state.deadline.at),
        playback=state.playback or ABSENT,
    )


def music(state: Online | Offline) -> MusicStatus | OfflineStatus:
    """Give the body of `/api/music`."""
    if isinstance(state, Offline):
        return _OFFLINE
    return MusicStatus(**_envelope(state), music=_with_pair(state.snapshot.music))


def active_app(state: Online | Offline, icons: IconIndex) -> ActiveAppStatus | OfflineStatus:
    """Give the body of `/api/apps/active`."""
    if isinstance(state, Offline):
        return _OFFLINE
    name = state.snapshot.active_app
    app = None if name is None else icons.describe(name)
    return ActiveAppStatus(**_envelope(state), active_app=app)


def running_apps(state: Online | Offline, icons: IconIndex) -> RunningAppsStatus | OfflineStatus:
    """Give the body of `/api/apps/running`."""
    if isinstance(state, Offline):
        return _OFFLINE
    names = state.snapshot.running_apps
    apps = None if names is ABSENT else tuple(map(icons.describe, names))
    return RunningAppsStatus(**_envelope(state), running_apps=apps)


def device(state: Online | Offline) -> DeviceStatus | OfflineStatus:
    """Give the body of `/api/device`."""
    if isinstance(state, Offline):
        return _OFFLINE
    snapshot = state.snapshot
    return DeviceStatus(**_envelope(state), device=Device(snapshot.battery, snapshot.system))


def timeline(
    reading: Reading | None, *, now: int, ttl_seconds: int
) -> WindowStatus | SnapshotTimelineStatus | OfflineStatus:
    """Give the body of `/api/timeline`; online says only that the window is valid."""
    if isinstance(reading, WindowReading):
        return _window_status(reading, now) if is_valid_window(reading, now) else _OFFLINE
    if reading is None:
        return _OFFLINE
    state = state_of(reading, now=now, ttl_seconds=ttl_seconds)
    if isinstance(state, Offline):
        return _OFFLINE
    return SnapshotTimelineStatus(
        **_members(state.snapshot),
        server_time=now,
        updated_at=state.updated_at,
        expires_at=writable(state.deadline.at),
    )


def timeline_text(reading: Reading | None, *, now: int, ttl_seconds: int) -> bytes:
    """Give the same as JSON text; the text of a window is made once for its record."""
    if isinstance(reading, WindowReading) and is_valid_window(reading, now):
        envelope = WindowEnvelope(**_times(reading.record, now))
        head = codec.encode(to_plain(envelope)).removesuffix(b"}")
        return b'%b,"window":%b}' % (head, reading.window_text)
    return codec.encode(to_plain(timeline(reading, now=now, ttl_seconds=ttl_seconds)))


def _times(record: WindowRecord, now: int) -> dict[str, Any]:
    return {
        "server_time": now,
        "updated_at": record.received_at,
        "expires_at": writable(record.expires_at),
    }


def _window_status(reading: WindowReading, now: int) -> WindowStatus:
    record = reading.record
    return WindowStatus(**_times(record, now), window=record.data)


def _members(snapshot: Snapshot) -> dict[str, Any]:
    return {field.name: getattr(snapshot, field.name) for field in attrs.fields(Snapshot)}


def _envelope(state: Online) -> dict[str, Any]:
    return {
        "updated_at": state.updated_at,
        "expires_at": writable(state.deadline.at),
        "collected_at": state.snapshot.collected_at,
        "playback": state.playback or ABSENT,
    }


def _with_pair(music: Music) -> Music:
    if music.artwork_url is not ABSENT:
        return music
    return attrs.evolve(music, artwork_url=None, track_url=None)
