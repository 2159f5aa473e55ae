"""Models of response bodies.

Instants are ms since the epoch and encoded as text with three fractional digits.

Contract: DS-SERVICE-10, DS-UPDATE-04, DS-BATCH-04, DS-NOW-01, DS-NOW-06, DS-TIMELINE-01,
DS-TIMELINE-03, DS-SLICE-01.
"""

from typing import Annotated, Literal

import attrs

from devicestatus.errors import ErrorCode
from devicestatus.models.icon_manifest import AppWithIcon
from devicestatus.models.snapshot import Battery, Music, Snapshot, System, UtcInstant
from devicestatus.models.window import MillisecondInstant, PlaybackInfo, Window, WindowPolicy
from purewire.absent import ABSENT, Absent
from purewire.structuring.constraints import Items, Text


@attrs.frozen
class UpdateResult:
    """An accepted write: its receive time and its deadline."""

    ok: Literal[True] = attrs.field(default=True, kw_only=True)
    updated_at: UtcInstant
    expires_at: UtcInstant


@attrs.frozen
class OfflineStatus:
    """Exactly `{"status": "offline"}`."""

    status: Literal["offline"] = "offline"


@attrs.frozen(kw_only=True)
class OnlineStatus(Snapshot):
    """`/api/now`: the whole snapshot; `playback` only for a v2 projection."""

    status: Literal["online"] = "online"
    updated_at: UtcInstant
    expires_at: UtcInstant
    playback: PlaybackInfo | Absent = ABSENT


@attrs.frozen(kw_only=True)
class SliceEnvelope:
    """The members that all category bodies share.

    Attributes:
        status: `online`.
        updated_at: server receive time.
        expires_at: current server deadline.
        collected_at: v1: device collection time; v2: the last applied event, or the baseline.
        playback: only for a v2 projection.

    """

    status: Literal["online"] = "online"
    updated_at: UtcInstant
    expires_at: UtcInstant
    collected_at: UtcInstant
    playback: PlaybackInfo | Absent = ABSENT


@attrs.frozen(kw_only=True)
class MusicStatus(SliceEnvelope):
    """`/api/music`: music in which both URLs are always present."""

    music: Music


@attrs.frozen(kw_only=True)
class ActiveAppStatus(SliceEnvelope):
    """`/api/apps/active`: the foreground app with its icon; None when unavailable."""

    active_app: AppWithIcon | None


@attrs.frozen(kw_only=True)
class RunningAppsStatus(SliceEnvelope):
    """`/api/apps/running`: running apps with icons; None when the device does not report them."""

    running_apps: Annotated[tuple[AppWithIcon, ...], Items()] | None


@attrs.frozen
class Device:
    """Battery and system as in the snapshot, nulls included."""

    battery: Battery
    system: System


@attrs.frozen(kw_only=True)
class DeviceStatus(SliceEnvelope):
    """`/api/device`."""

    device: Device


@attrs.frozen(kw_only=True)
class WindowEnvelope:
    """The members before the window in `/api/timeline` of a v2 record."""

    status: Literal["online"] = "online"
    mode: Literal["window"] = "window"
    server_time: MillisecondInstant
    updated_at: UtcInstant
    expires_at: MillisecondInstant
    policy: WindowPolicy = attrs.field(factory=WindowPolicy)


@attrs.frozen(kw_only=True)
class WindowStatus(WindowEnvelope):
    """`/api/timeline` of a v2 record: the stored window, valid until 600 s after its end."""

    window: Window


@attrs.frozen(kw_only=True)
class SnapshotTimelineStatus(Snapshot):
    """`/api/timeline` of a v1 record."""

    status: Literal["online"] = "online"
    mode: Literal["snapshot"] = "snapshot"
    server_time: MillisecondInstant
    updated_at: UtcInstant
    expires_at: UtcInstant


@attrs.frozen
class Health:
    """`/api/health`: the service responds; independent of the device."""

    ok: Literal[True] = attrs.field(default=True, kw_only=True)
    service: Annotated[str, Text()]


@attrs.frozen
class ErrorBody:
    """The body of every error response."""

    error: ErrorCode
