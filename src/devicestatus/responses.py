"""Models of response bodies, the icon manifest among them.

Instants are ms since the epoch and encoded as text with three fractional digits.
"""

import re
from collections.abc import Mapping
from itertools import chain
from typing import Annotated, Final, Literal

import attrs

from devicestatus.errors import ErrorCode
from devicestatus.models import (
    AppName,
    Battery,
    MillisecondInstant,
    Music,
    PlaybackInfo,
    Snapshot,
    System,
    UtcInstant,
    Window,
    WindowPolicy,
)
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Items, Pattern, Text

__all__ = [
    "BODIES",
    "ICON_ID",
    "RESPONSES",
    "ActiveAppStatus",
    "AppWithIcon",
    "Device",
    "DeviceStatus",
    "ErrorBody",
    "Health",
    "IconManifest",
    "InstalledAppIcon",
    "MusicStatus",
    "OfflineStatus",
    "OnlineStatus",
    "RunningAppsStatus",
    "SliceEnvelope",
    "SnapshotTimelineStatus",
    "UpdateResult",
    "WindowEnvelope",
    "WindowStatus",
]

ICON_ID: Final = r"[a-z0-9]+(?:-[a-z0-9]+)*"
"""Lower-case letters or digits in segments joined by single hyphens."""

_IconId = Annotated[str, Pattern(re.compile(ICON_ID), "hyphenated lower-case letters or digits")]
_SomeText = Annotated[str, Text(1)]


@attrs.frozen
class InstalledAppIcon:
    """One icon of the manifest; fields have the names of the JSON members.

    Attributes:
        id: file name of the PNG, without its suffix.
        app: the app's name.
        aliases: other names of the app, at least one.
        imageUrl: `/api/icons/<id>.png`.
        source: where the image is from: an app that was installed.
        credit: who made the image.
        sourceUrl: https URL of its origin, or None.
        sha256: digest of the PNG, 64 lower-case hex digits, or ABSENT.

    """

    id: _IconId
    app: _SomeText
    aliases: Annotated[tuple[_SomeText, ...], Items(min_length=1)]
    imageUrl: Annotated[str, Text()]  # noqa: N815 - name of the JSON member
    source: Literal["installed-app"]
    credit: _SomeText
    sourceUrl: Annotated[str, Text()] | None  # noqa: N815 - name of the JSON member
    sha256: (
        Annotated[str, Pattern(re.compile(r"[0-9a-f]{64}"), "64 lower-case hex digits")] | Absent
    ) = ABSENT


@attrs.frozen
class IconManifest:
    """The finite list of icons that ships with a deployment.

    Attributes:
        version: version of the form of the list.
        icons: the icons, one for an app.

    """

    version: Literal[1]
    icons: Annotated[tuple[InstalledAppIcon, ...], Items()]


@attrs.frozen
class AppWithIcon:
    """An app name with the paths of its icon.

    Attributes:
        name: the app's name, present even without an icon.
        icon_url: static PNG, relative to the deployment root; None for unknown apps.
        icon_api_url: the same image through the service; None for unknown apps.

    """

    name: AppName
    icon_url: Annotated[str, Text()] | None = None
    icon_api_url: Annotated[str, Text()] | None = None


@attrs.frozen
class UpdateResult:
    """An accepted write.

    Attributes:
        updated_at: server receive time.
        expires_at: server time from which the status is offline.

    """

    ok: Literal[True] = attrs.field(default=True, kw_only=True)
    updated_at: UtcInstant
    expires_at: UtcInstant


@attrs.frozen
class OfflineStatus:
    """Exactly `{"status": "offline"}`."""

    status: Literal["offline"] = "offline"


@attrs.frozen(kw_only=True)
class OnlineStatus(Snapshot):
    """`/api/now`: the whole snapshot.

    Attributes:
        updated_at: server receive time.
        expires_at: server time from which the status is offline.
        playback: only with windows.

    """

    status: Literal["online"] = "online"
    updated_at: UtcInstant
    expires_at: UtcInstant
    playback: PlaybackInfo | Absent = ABSENT


@attrs.frozen(kw_only=True)
class SliceEnvelope:
    """The members that all category bodies share.

    Attributes:
        updated_at: server receive time.
        expires_at: server time from which the status is offline.
        collected_at: with snapshots, device collection time; with windows, the time of the last
            applied event, or of the baseline.
        playback: only with windows.

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
    """The members before the window in `/api/timeline` of a v2 record.

    Attributes:
        mode: how the device reports.
        server_time: when the response was made.
        updated_at: server receive time.
        expires_at: server time from which the status is offline.

    """

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
    """`/api/timeline` of a v1 record.

    Attributes:
        mode: how the device reports.
        server_time: when the response was made.
        updated_at: server receive time.
        expires_at: server time from which the status is offline.

    """

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


RESPONSES: Final[Mapping[str, tuple[type[attrs.AttrsInstance], ...]]] = {
    "update-result": (UpdateResult,),
    "now": (OnlineStatus, OfflineStatus),
    "timeline": (WindowStatus, SnapshotTimelineStatus, OfflineStatus),
    "music": (MusicStatus, OfflineStatus),
    "active-app": (ActiveAppStatus, OfflineStatus),
    "running-apps": (RunningAppsStatus, OfflineStatus),
    "device": (DeviceStatus, OfflineStatus),
    "health": (Health,),
    "error": (ErrorBody,),
    "icon-manifest": (IconManifest,),
}
"""Name of a response to the classes of which its body is one."""
BODIES: Final = frozenset(chain.from_iterable(RESPONSES.values()))
"""The classes that are whole bodies."""
