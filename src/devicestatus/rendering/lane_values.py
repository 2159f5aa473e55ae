"""Reduce the members of a window to the values that a timeline shows, and how long each held.

Invariant *shown values only*: values that look the same are one interval; an artwork URL, a power
source or the names of running apps do not split intervals.
"""

from collections.abc import Iterable

import attrs

from devicestatus.engine.intervals import Interval, intervals
from devicestatus.models.snapshot import Battery, Music, MusicState, RunningApps, System
from devicestatus.models.window import Window
from purewire.absent import ABSENT, Absent

__all__ = ["BatteryLevel", "LaneValues", "MusicStatus", "lane_values", "total_durations"]


@attrs.frozen
class MusicStatus:
    """The state of the music player, and its track."""

    state: MusicState
    track: str | None
    artist: str | None

    @property
    def name(self) -> str:
        """Track and artist, as far as they are known; empty without a track."""
        if not self.track:
            return ""
        return f"{self.track} — {self.artist}" if self.artist else self.track


@attrs.frozen
class BatteryLevel:
    """The charge in percent, None where it is unknown, and whether the battery is charging."""

    percent: float | None
    is_charging: bool


@attrs.frozen(repr=False)
class LaneValues:
    """The values of all lanes; None for what was not reported."""

    apps: tuple[Interval[str | None], ...]
    running: tuple[Interval[int | None], ...]
    music: tuple[Interval[MusicStatus], ...]
    battery: tuple[Interval[BatteryLevel], ...]
    load: tuple[Interval[float | None], ...]


def lane_values(window: Window) -> LaneValues:
    """Return the values that a timeline of a window shows."""
    return LaneValues(
        intervals(window, "active_app", _app),
        intervals(window, "running_apps", _app_count),
        intervals(window, "music", _music_status),
        intervals(window, "battery", _battery_level),
        intervals(window, "system", _load),
    )


def total_durations(values: Iterable[tuple[str | None, int]]) -> dict[str, int]:
    """Add up the durations (ms) of each name; the longest first, of equals the first seen."""
    durations: dict[str, int] = {}
    for name, duration in values:
        if name is not None:
            durations[name] = durations.get(name, 0) + duration
    return dict(sorted(durations.items(), key=lambda each: -each[1]))


def _app(app: str | None) -> str | None:
    return app


def _app_count(apps: RunningApps | Absent) -> int | None:
    return None if apps is ABSENT else len(apps)


def _music_status(music: Music) -> MusicStatus:
    return MusicStatus(music.state, music.track, music.artist)


def _battery_level(battery: Battery) -> BatteryLevel:
    return BatteryLevel(battery.percent, battery.charging is True)


def _load(system: System) -> float | None:
    return system.load_1m
