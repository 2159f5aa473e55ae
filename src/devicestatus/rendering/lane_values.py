"""What a picture shows of each member, and how long it held.

Invariant *nothing else*: values that look alike are one; a cover image, a power source or the
names of running apps part no intervals.
"""

from typing import Final

import attrs

from devicestatus.engine.intervals import Interval, Recording, intervals
from devicestatus.models.snapshot import Battery, Music, MusicState, RunningApps, System
from purewire.absent import ABSENT, Absent

__all__ = ["Charge", "Heard", "Shown", "shown_in"]

_NAMELESS: Final = ""


@attrs.frozen
class Heard:
    """What the player does, and with which track."""

    state: MusicState
    track: str | None
    artist: str | None

    @property
    def name(self) -> str:
        """Track and artist, as far as they are known; without the track nothing."""
        if not self.track:
            return _NAMELESS
        return f"{self.track} — {self.artist}" if self.artist else self.track


@attrs.frozen
class Charge:
    """How much charge is left, and whether it grows."""

    percent: float | None
    charging: bool


@attrs.frozen(repr=False)
class Shown:
    """All members of a window; None is what was not reported."""

    apps: tuple[Interval[str | None], ...]
    running: tuple[Interval[int | None], ...]
    music: tuple[Interval[Heard], ...]
    battery: tuple[Interval[Charge], ...]
    load: tuple[Interval[float | None], ...]


def shown_in(window: Recording) -> Shown:
    """Give what a picture of a window shows."""
    return Shown(
        intervals(window, "active_app", _name),
        intervals(window, "running_apps", _number),
        intervals(window, "music", _heard),
        intervals(window, "battery", _charge),
        intervals(window, "system", _load),
    )


def _name(app: str | None) -> str | None:
    return app


def _number(apps: RunningApps | Absent) -> int | None:
    return None if apps is ABSENT else len(apps)


def _heard(music: Music) -> Heard:
    return Heard(music.state, music.track, music.artist)


def _charge(battery: Battery) -> Charge:
    return Charge(battery.percent, battery.charging is True)


def _load(system: System) -> float | None:
    return system.load_1m
