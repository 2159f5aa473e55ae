"""Reduce the members of a window to the values that a timeline shows.

Invariant *shown values only*: values that look the same are one interval; an artwork URL, a power
source or the names of running apps do not split intervals.

Contract: DS-BADGE-10.
"""

import attrs

from devicestatus.engine.intervals import Interval, intervals
from devicestatus.models.snapshot import SENSITIVE_APP, MusicState
from devicestatus.models.window import Window
from purewire.absent import ABSENT


def app_label(app: str) -> str:
    """Return the name of an app as people read it; `System` stands for a private one."""
    return "Private app" if app == SENSITIVE_APP else app


def song_name(track: str, artist: str | None) -> str:
    """Return track and artist, or the track alone."""
    return f"{track} — {artist}" if artist else track


@attrs.frozen
class MusicStatus:
    """The state of the music player, and its track."""

    state: MusicState
    track: str | None
    artist: str | None

    @property
    def name(self) -> str:
        """Track and artist, as far as they are known; empty without a track."""
        return song_name(self.track, self.artist) if self.track else ""


@attrs.frozen
class Reading:
    """A number, None where it is unknown, and whether the battery was charging at it."""

    number: float | None
    is_charging: bool = False


@attrs.frozen(repr=False)
class LaneValues:
    """The values of all lanes: names and numbers of apps, music, battery in percent, load."""

    apps: tuple[Interval[str | None], ...]
    running: tuple[Interval[Reading], ...]
    music: tuple[Interval[MusicStatus], ...]
    battery: tuple[Interval[Reading], ...]
    load: tuple[Interval[Reading], ...]


def lane_values(window: Window) -> LaneValues:
    """Return the values that a timeline of a window shows."""
    return LaneValues(
        intervals(window, "active_app", lambda app: app),
        intervals(
            window, "running_apps", lambda apps: Reading(None if apps is ABSENT else len(apps))
        ),
        intervals(
            window, "music", lambda music: MusicStatus(music.state, music.track, music.artist)
        ),
        intervals(
            window, "battery", lambda battery: Reading(battery.percent, battery.charging is True)
        ),
        intervals(window, "system", lambda system: Reading(system.load_1m)),
    )
