"""Models of the v1 record: the state of the computer at one instant.

The classes declare their limits and do not check them: `devicestatus.parse_snapshot` and
`devicestatus.check_snapshot` do.

Contract: DS-SERVICE-01, DS-SNAPSHOT-01 to 03, DS-DEVICE-01 to 05, DS-APP-01 to 06, DS-MUSIC-01,
DS-MUSIC-02, DS-URL-01, DS-UPDATE-05, DS-VERSION-01.
"""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Final, Literal

import attrs

from devicestatus import limits
from purewire.primitives import ABSENT, Absent
from purewire.structuring.constraints import Items, Number, Text, TimestampFormat

AppName = Annotated[str, Text(1, limits.NAME_LENGTH)]
RunningApps = Annotated[tuple[AppName, ...], Items(limits.RUNNING_APPS, unique=True)]
Title = Annotated[str, Text(1, limits.TITLE_LENGTH)]
MusicUrl = Annotated[str, Text(0, limits.URL_LENGTH)]
Percent = Annotated[int | float, Number(0, limits.BATTERY_PERCENT_MAX)]
Load = Annotated[int | float, Number(0, limits.LOAD_MAX)]
UtcInstant = Annotated[int, TimestampFormat.UTC]
PowerSource = Literal["ac", "battery", "unknown"]
MusicState = Literal["playing", "paused", "stopped", "unavailable"]

SENSITIVE_APP: Final = "System"
"""The name that replaces private app names."""


@attrs.frozen
class Battery:
    """Battery and power.

    Attributes:
        percent: charge, 0 to 100; None when unknown.
        charging: None when unknown; mains power does not imply charging.
        power_source: `ac`, `battery` or `unknown`.

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
        schema_version: 1.
        collected_at: device collection time, ms since the epoch; does not control expiry.
        active_app: foreground app; `System` replaces a private one; None when unavailable.
        battery: battery and power.
        system: load averages.
        music: the music player.
        running_apps: names of GUI apps, unique; ABSENT when the device does not report them.

    """

    _repr_html_: ClassVar[Callable[["Snapshot"], str]]

    schema_version: Literal[1] = attrs.field(default=1, kw_only=True)
    collected_at: UtcInstant
    active_app: AppName | None
    battery: Battery
    system: System
    music: Music
    running_apps: RunningApps | Absent = ABSENT


def snapshot_members(snapshot: Snapshot) -> dict[str, Any]:
    """Return the members of a snapshot, or of a response that extends one, and their values."""
    return {field.name: getattr(snapshot, field.name) for field in attrs.fields(Snapshot)}
