"""Build responses: bodies from states and records, errors, and the headers of icon files.

Invariant *exactly offline*: whatever the reason, an offline body is `{"status": "offline"}`.
Invariant *URL pair*: `/api/now` has the URL pair only if the agent reported it; the music body
always has it, null if not reported.
"""

from typing import Any, Final

import attrs

from devicestatus import limits
from devicestatus.errors import STATUS_OF, ErrorCode
from devicestatus.icons import IconIndex
from devicestatus.record import Record, SnapshotRecord, WindowRecord
from devicestatus.responses import (
    ActiveAppStatus,
    Device,
    DeviceStatus,
    ErrorBody,
    MusicStatus,
    OfflineStatus,
    OnlineStatus,
    RunningAppsStatus,
    SnapshotTimelineStatus,
    WindowEnvelope,
)
from devicestatus.state import Offline, Online, is_valid_window, state_of
from status_contracts import json_text
from status_contracts.endpoints import FILE_PREFLIGHT
from status_contracts.instants import clamp_instant
from status_contracts.messages import JSON, NO_STORE, Headers, Response, build_response
from status_contracts.primitives import ABSENT
from status_contracts.structuring.converter import unstructure

__all__ = [
    "ICON_CORS",
    "ICON_HEADERS",
    "STATUS_PREFLIGHT",
    "active_app",
    "device",
    "error_response",
    "music",
    "now",
    "running_apps",
    "timeline_json",
]

_OFFLINE = OfflineStatus()
STATUS_PREFLIGHT: Final[Headers] = (
    *NO_STORE,
    ("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
    ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
)
ICON_CORS: Final[Headers] = (
    *FILE_PREFLIGHT,
    ("Access-Control-Expose-Headers", "ETag, Last-Modified"),
)
ICON_HEADERS: Final[Headers] = (
    ("Cache-Control", f"public, max-age={limits.ICON_MAX_AGE_SECONDS}"),
    *ICON_CORS,
)


def now(status: Online | Offline) -> OnlineStatus | OfflineStatus:
    """Return the body of `/api/now`."""
    if isinstance(status, Offline):
        return _OFFLINE
    return OnlineStatus(**attrs.asdict(status.snapshot, recurse=False) | _envelope(status))


def music(status: Online) -> MusicStatus:
    """Return the body of `/api/music`."""
    reported = status.snapshot.music
    if reported.artwork_url is ABSENT:
        reported = attrs.evolve(reported, artwork_url=None, track_url=None)
    return MusicStatus(**_envelope(status), music=reported)


def active_app(status: Online, icons: IconIndex) -> ActiveAppStatus:
    """Return the body of `/api/apps/active`."""
    name = status.snapshot.active_app
    app = None if name is None else icons.describe(name)
    return ActiveAppStatus(**_envelope(status), active_app=app)


def running_apps(status: Online, icons: IconIndex) -> RunningAppsStatus:
    """Return the body of `/api/apps/running`."""
    names = status.snapshot.running_apps
    apps = None if names is ABSENT else tuple(map(icons.describe, names))
    return RunningAppsStatus(**_envelope(status), running_apps=apps)


def device(status: Online) -> DeviceStatus:
    """Return the body of `/api/device`."""
    snapshot = status.snapshot
    return DeviceStatus(**_envelope(status), device=Device(snapshot.battery, snapshot.system))


def timeline_json(record: Record | None, *, now: int, ttl_seconds: int) -> bytes:
    """Return the body of `/api/timeline` as JSON text.

    For a window, online means only that it is valid; it is encoded once for its record.
    """
    if isinstance(record, WindowRecord) and is_valid_window(record, now):
        envelope = WindowEnvelope(
            server_time=now,
            updated_at=record.received_at,
            expires_at=clamp_instant(record.expires_at),
        )
        head = json_text.encode(unstructure(envelope)).removesuffix(b"}")
        return b'%b,"window":%b}' % (head, record.window_json)
    body: SnapshotTimelineStatus | OfflineStatus = _OFFLINE
    if isinstance(record, SnapshotRecord):
        status = state_of(record, now=now, ttl_seconds=ttl_seconds)
        if isinstance(status, Online):
            body = SnapshotTimelineStatus(
                **attrs.asdict(status.snapshot, recurse=False),
                server_time=now,
                updated_at=status.updated_at,
                expires_at=clamp_instant(status.deadline.at),
            )
    return json_text.encode(unstructure(body))


def _envelope(status: Online) -> dict[str, Any]:
    return {
        "updated_at": status.updated_at,
        "expires_at": clamp_instant(status.deadline.at),
        "collected_at": status.snapshot.collected_at,
        "playback": status.playback or ABSENT,
    }


def error_response(method: str, code: ErrorCode, headers: Headers = ()) -> Response:
    """Return the error response for a code."""
    if code == "unauthorized":
        headers = (("WWW-Authenticate", "Bearer"), *headers)
    body = json_text.encode(unstructure(ErrorBody(code)))
    return build_response(method, STATUS_OF[code], JSON, body, (*NO_STORE, *headers))
