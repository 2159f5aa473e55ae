"""Models of what a device uploads: a v1 snapshot of one instant, a v2 window of the recent past.

`PlaybackInfo` and `WindowPolicy` are parts of responses: how a window is shown to readers.
The word "System" has two meanings in the contract: the member with the load averages (the class
`System`), and the name in place of a private app (`SENSITIVE_APP`).

The classes declare their limits and do not check them: `devicestatus.parse_snapshot`,
`devicestatus.parse_window` and their `check_` functions do.
"""

import re
from collections.abc import Mapping, Sized
from importlib import import_module
from reprlib import repr as shorten
from typing import Annotated, Any, Final, Literal

import attrs

from devicestatus import limits
from status_contracts.instants import show_instant
from status_contracts.primitives import ABSENT, Absent, check_type
from status_contracts.structuring.constraints import (
    FieldOverride,
    Integer,
    Items,
    Number,
    Pattern,
    Text,
    TimestampFormat,
)

__all__ = [
    "SENSITIVE_APP",
    "AppName",
    "BatchSeq",
    "Battery",
    "Count",
    "GapReason",
    "Load",
    "MillisecondInstant",
    "Music",
    "MusicState",
    "Percent",
    "PlaybackInfo",
    "PowerSource",
    "RunningApps",
    "SessionId",
    "Snapshot",
    "System",
    "Title",
    "UtcInstant",
    "Window",
    "WindowChanges",
    "WindowEvent",
    "WindowGap",
    "WindowPolicy",
    "changed_members",
    "need_window",
    "present_members",
]

AppName = Annotated[str, Text(1, limits.NAME_LENGTH)]
RunningApps = Annotated[tuple[AppName, ...], Items(limits.RUNNING_APPS, unique=True)]
Title = Annotated[str, Text(1, limits.TITLE_LENGTH)]
MusicUrl = Annotated[str, Text(0, limits.URL_LENGTH)]
Percent = Annotated[int | float, Number(0, limits.BATTERY_PERCENT_MAX)]
Load = Annotated[int | float, Number(0, limits.LOAD_MAX)]
UtcInstant = Annotated[int, TimestampFormat.UTC]
PowerSource = Literal["ac", "battery", "unknown"]
MusicState = Literal["playing", "paused", "stopped", "unavailable"]
MillisecondInstant = Annotated[int, TimestampFormat.MILLISECOND]
SessionId = Annotated[
    str,
    Pattern(
        re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
        "a lowercase UUID of 8-4-4-4-12 hex digits",
    ),
]
BatchSeq = Annotated[int, Integer(1, limits.LARGEST_INTEGER)]
EventSeq = Annotated[int, Integer(1, limits.LARGEST_INTEGER)]
Count = Annotated[int, Integer(0, limits.LARGEST_INTEGER)]
GapReason = Literal["sleep", "restart", "collection", "overflow", "clock"]

SENSITIVE_APP: Final = "System"
"""The name that replaces private app names."""


@attrs.frozen
class Battery:
    """Battery and power.

    Attributes:
        percent: charge, 0 to 100; None when unknown.
        charging: None when unknown; mains power does not imply charging.
        power_source: what supplies the computer.

    """

    percent: Percent | None
    charging: bool | None
    power_source: PowerSource


@attrs.frozen
class System:
    """Load averages over 1, 5 and 15 minutes (not CPU usage), 0 to 100000; None when unknown."""

    load_1m: Load | None
    load_5m: Load | None
    load_15m: Load | None


@attrs.frozen
class Music:
    """The state of the music player; state and metadata are independent.

    Attributes:
        state: the player's state; consumers must use it, not `track`, to see whether music plays.
        track: title, or None.
        artist: artist, or None.
        artwork_url: cover image, given together with `track_url`: both absent, both None or both
            https URLs of the configured catalog.
        track_url: page of the track, in the same pair.

    """

    state: MusicState
    track: Title | None
    artist: Title | None
    artwork_url: MusicUrl | Absent | None = ABSENT
    track_url: MusicUrl | Absent | None = ABSENT


@attrs.frozen
class Snapshot:
    """The complete state of the computer at one instant.

    Attributes:
        schema_version: version of the form of snapshots.
        collected_at: device collection time, ms since the epoch; does not control expiry.
        active_app: foreground app; `System` replaces a private one; None when unavailable.
        battery: battery and power.
        system: load averages over 1, 5 and 15 minutes (not CPU usage).
        music: the music player.
        running_apps: names of GUI apps, unique; ABSENT when the device does not report them.

    """

    schema_version: Literal[1] = attrs.field(default=1, kw_only=True)
    collected_at: UtcInstant
    active_app: AppName | None
    battery: Battery
    system: System
    music: Music
    running_apps: RunningApps | Absent = ABSENT

    def __repr__(self) -> str:
        of, running = show_instant(self.collected_at), _count(self.running_apps)
        return f"<Snapshot of {of}: app={shorten(self.active_app)}, running_apps={running}>"


@attrs.frozen
class WindowChanges:
    """The members that one event replaces; at least one is present.

    A member that is present replaces the old value as a whole: there is no deep merge.
    """

    active_app: AppName | Absent | None = ABSENT
    running_apps: RunningApps | Absent = ABSENT
    battery: Battery | Absent = ABSENT
    system: System | Absent = ABSENT
    music: Music | Absent = ABSENT

    def __repr__(self) -> str:
        return f"<WindowChanges of {', '.join(present_members(self)) or 'nothing'}>"


@attrs.frozen
class WindowEvent:
    """One observed change.

    Attributes:
        seq: strictly increasing within the batch.
        at: device observation time, ms since the epoch, inside the window, non-decreasing.
        changes: the members that it replaces.

    """

    seq: EventSeq
    at: MillisecondInstant = attrs.field(repr=show_instant)
    changes: WindowChanges


@attrs.frozen
class WindowGap:
    """The half-open interval [start_at, end_at) in which nothing was observed.

    Attributes:
        start_at: start of the gap, included.
        end_at: end of the gap, not included.
        reason: why nothing was observed.

    """

    start_at: MillisecondInstant = attrs.field(repr=show_instant)
    end_at: MillisecondInstant = attrs.field(repr=show_instant)
    reason: GapReason


@attrs.frozen
class Window:
    """One batch of the device: the state at its start, the changes since, and the gaps.

    Attributes:
        schema_version: version of the form of windows.
        session_id: a UUID, which changes when the privacy configuration changes.
        batch_seq: number of the batch within the session, from 1.
        generated_at: when the device made the batch, ms since the epoch.
        window_start: start of the window, included.
        window_end: end of the window, at most 900 s after its start.
        baseline: complete state at `window_start`; its `collected_at` has millisecond form.
        events: changes in order, at most 2048.
        gaps: times without observation, and why; sorted, non-overlapping, at most 128.
        dropped_events: number of events that the device had to drop.

    """

    schema_version: Literal[2] = attrs.field(default=2, kw_only=True)
    session_id: SessionId
    batch_seq: BatchSeq
    generated_at: MillisecondInstant
    window_start: MillisecondInstant
    window_end: MillisecondInstant
    baseline: Annotated[Snapshot, FieldOverride("collected_at", MillisecondInstant)]
    events: Annotated[tuple[WindowEvent, ...], Items(limits.WINDOW_EVENTS)]
    gaps: Annotated[tuple[WindowGap, ...], Items(limits.WINDOW_GAPS)]
    dropped_events: Count

    def __repr__(self) -> str:
        times = f"{show_instant(self.window_start)} to {show_instant(self.window_end)}"
        counts = f"{_count(self.events)} events, {_count(self.gaps)} gaps"
        return f"<Window {self.batch_seq}: {times}, {counts}>"

    def _repr_svg_(self) -> str:
        drawing = import_module("devicestatus.timeline")  # a layer above
        svg: bytes = drawing.lanes(self, theme="transparent")
        return svg.decode()


def _count(values: object) -> str:
    return str(len(values)) if isinstance(values, Sized) else repr(values)


@attrs.frozen
class PlaybackInfo:
    """The position of a delayed projection.

    Attributes:
        mode: the status is shown later.
        delay_seconds: how much later, as in the policy of a window.
        at: the moment that is shown: server time minus 420 s.
        window_end: end of the window, up to which it is known.

    """

    mode: Literal["delayed"] = attrs.field(default="delayed", kw_only=True)
    delay_seconds: Literal[420] = attrs.field(default=limits.PLAYBACK_DELAY_SECONDS, kw_only=True)
    at: MillisecondInstant
    window_end: MillisecondInstant


@attrs.frozen
class WindowPolicy:
    """The constants of buffered playback, in seconds.

    Attributes:
        upload_interval_seconds: from one window of the device to the next.
        window_seconds: longest window.
        playback_delay_seconds: from server time back to the moment that is shown.
        poll_interval_seconds: from one request of a client to the next.
        sample_interval_seconds: how often the device looks at apps and music.
        metrics_interval_seconds: how often it measures battery and load.

    """

    upload_interval_seconds: Literal[300] = limits.UPLOAD_INTERVAL_SECONDS
    window_seconds: Literal[900] = limits.WINDOW_SECONDS
    playback_delay_seconds: Literal[420] = limits.PLAYBACK_DELAY_SECONDS
    poll_interval_seconds: Literal[60] = limits.POLL_INTERVAL_SECONDS
    sample_interval_seconds: Literal[2] = limits.SAMPLE_INTERVAL_SECONDS
    metrics_interval_seconds: Literal[30] = limits.METRICS_INTERVAL_SECONDS


def need_window(value: object) -> None:
    """Raise TypeError, with the remedy, for a value that is no `Window`."""
    check_type("window", value, Window, "pass parse_window(body, received_at=...)")


def present_members(changes: WindowChanges | Snapshot) -> dict[str, Any]:
    """Return the members that changes replace, or that a snapshot has, and their values."""
    values = ((field.name, getattr(changes, field.name)) for field in attrs.fields(WindowChanges))
    return {name: value for name, value in values if value is not ABSENT}


def changed_members(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of `after` that `before` lacks, or has with another value."""
    return {
        name: value for name, value in after.items() if name not in before or before[name] != value
    }
